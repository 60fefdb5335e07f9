"""Relationships between memories: the table of types, and what follows from it.

An edge reads source, verb, target. GraphQL's enum, validation and walks are made from TYPES;
a new type is a row here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hippograph.schema.errors import InvalidError


class RelationshipType(StrEnum):
    """The eleven canonical types."""

    REFERENCES = "REFERENCES"
    DERIVES_FROM = "DERIVES_FROM"
    CONTRADICTS = "CONTRADICTS"
    SUPPORTS = "SUPPORTS"
    GENERALIZES = "GENERALIZES"
    SPECIALIZES = "SPECIALIZES"
    TEMPORAL_SEQUENCE = "TEMPORAL_SEQUENCE"
    CAUSES = "CAUSES"
    SIMILAR = "SIMILAR"
    RELATED = "RELATED"
    PART_OF = "PART_OF"


class RelationshipOrigin(StrEnum):
    """How an edge came to be."""

    MANUAL = "MANUAL"
    CORRELATION = "CORRELATION"
    TRIAGE_AUTO = "TRIAGE_AUTO"
    TRIAGE_MODEL = "TRIAGE_MODEL"
    BURST = "BURST"
    IMPORT = "IMPORT"
    PREDICTION = "PREDICTION"


class RelationshipStatus(StrEnum):
    """Whether an edge is a hint or has been agreed on."""

    SUGGESTED = "SUGGESTED"
    ENFORCED = "ENFORCED"
    REJECTED = "REJECTED"


class Direction(StrEnum):
    """Which way an edge may be walked."""

    OUTGOING = "OUTGOING"
    INCOMING = "INCOMING"
    BOTH = "BOTH"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFacts:
    """What is to be known of one type.

    `weight` is how strongly an edge of this type binds in graph algorithms and recall, 0 to 1.
    """

    meaning: str
    weight: float
    symmetric: bool = False
    inverse: RelationshipType | None = None
    aliases: tuple[str, ...] = ()


TYPES: dict[RelationshipType, TypeFacts] = {
    RelationshipType.REFERENCES: TypeFacts(
        meaning="The source mentions the target.", weight=0.8, aliases=("references",)
    ),
    RelationshipType.DERIVES_FROM: TypeFacts(
        meaning="The source was inferred from the target.",
        weight=0.9,
        aliases=("derives_from",),
    ),
    RelationshipType.CONTRADICTS: TypeFacts(
        meaning="The two conflict.",
        weight=0.7,
        symmetric=True,
        aliases=("contradicts", "opposite"),
    ),
    RelationshipType.SUPPORTS: TypeFacts(
        meaning="The source is evidence for the target.", weight=0.9, aliases=("supports",)
    ),
    RelationshipType.GENERALIZES: TypeFacts(
        meaning="The source is the general form of the target.",
        weight=0.8,
        inverse=RelationshipType.SPECIALIZES,
        aliases=("generalizes",),
    ),
    RelationshipType.SPECIALIZES: TypeFacts(
        meaning="The source is a specific instance of the target.",
        weight=0.8,
        inverse=RelationshipType.GENERALIZES,
        aliases=("specializes",),
    ),
    RelationshipType.TEMPORAL_SEQUENCE: TypeFacts(
        meaning="The source happened before the target.",
        weight=0.6,
        aliases=("temporal_sequence",),
    ),
    RelationshipType.CAUSES: TypeFacts(
        meaning="The source caused the target.", weight=0.9, aliases=("causes", "causal")
    ),
    RelationshipType.SIMILAR: TypeFacts(
        meaning="The two mean nearly the same.",
        weight=1.0,
        symmetric=True,
        aliases=("similar",),
    ),
    RelationshipType.RELATED: TypeFacts(
        meaning="The two are generally associated.",
        weight=0.5,
        symmetric=True,
        aliases=("related",),
    ),
    RelationshipType.PART_OF: TypeFacts(
        meaning="The source is a part of the target.", weight=0.8, aliases=("part_of",)
    ),
}


def _folded(name: str) -> str:
    return re.sub(r"[\s_\-]+", "", name).casefold()


_BY_NAME = {
    _folded(name): kind
    for kind, facts in TYPES.items()
    for name in (kind.value, *facts.aliases)
}


def canonical(name: str) -> RelationshipType:
    """The type that a name of any of the source systems stands for.

    Case, spaces and underscores do not count. Raises InvalidError for an unknown name.
    """
    found = _BY_NAME.get(_folded(name))
    if found is None:
        allowed = ", ".join(kind.value for kind in TYPES)
        raise InvalidError("relationshipType", f"{name!r} is none of {allowed}")
    return found


def ends_in_order(
    relationship_type: RelationshipType, source_id: str, target_id: str
) -> tuple[str, str]:
    """Source and target as stored: of a symmetric type the smaller id comes first."""
    if TYPES[relationship_type].symmetric and target_id < source_id:
        return target_id, source_id
    return source_id, target_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Which stored edges a walk from a memory may take, each way."""

    outgoing: tuple[RelationshipType, ...]
    incoming: tuple[RelationshipType, ...]

    def either_way(self) -> list[str]:
        """Every type that the walk takes in at least one way."""
        return sorted({kind.value for kind in (*self.outgoing, *self.incoming)})


def walk_over(
    types: Iterable[RelationshipType] | None, direction: Direction = Direction.BOTH
) -> Walk:
    """The edges that answer for `types`, all of them when None, seen from the source.

    An edge of an inverse type answers from its other end, a symmetric one from both.
    """
    wanted = tuple(TYPES if types is None else dict.fromkeys(types))
    inverses = tuple(facts.inverse for kind in wanted if (facts := TYPES[kind]).inverse)
    symmetric = tuple(kind for kind in wanted if TYPES[kind].symmetric)
    forward = Walk(outgoing=wanted, incoming=(*inverses, *symmetric))
    backward = Walk(outgoing=(*inverses, *symmetric), incoming=wanted)
    if direction is Direction.OUTGOING:
        return forward
    if direction is Direction.INCOMING:
        return backward
    both = tuple(dict.fromkeys((*wanted, *inverses)))
    return Walk(outgoing=both, incoming=both)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRelationship:
    """A relationship that a caller asks for, checked."""

    source_id: str
    target_id: str
    type: RelationshipType
    score: float | None = None
    metadata: str | None = None
    origin: RelationshipOrigin = RelationshipOrigin.MANUAL
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """A typed edge as stored; it never changes the memories at its ends.

    `source_id` and `target_id` read source, verb, target. `score`, `similarity` and
    `confidence` are 0 to 1 and mean different things: strength, cosine, certainty of the type.
    """

    id: str
    source_id: str
    target_id: str
    type: RelationshipType
    score: float | None
    similarity: float | None
    confidence: float
    reason: str | None
    origin: RelationshipOrigin
    status: RelationshipStatus
    metadata: str | None
    created_at: datetime
    created_by: str

    @property
    def strength(self) -> float:
        """Weight in walks and rankings: score, else confidence, times the type's weight."""
        measured = self.score if self.score is not None else self.confidence
        return measured * TYPES[self.type].weight
