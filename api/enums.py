"""The enums of the contract, made from those of the rules, with their descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import strawberry

from hippograph.schema.access import Role
from hippograph.schema.errors import ErrorCode
from hippograph.schema.kinds import MemoryKind, MemoryState
from hippograph.schema.recall import RecallPreset, RetrievalStrategy
from hippograph.schema.relationships import (
    TYPES,
    Direction,
    RelationshipOrigin,
    RelationshipStatus,
    RelationshipType,
)
from hippograph.schema.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

E = TypeVar("E", bound="StrEnum")


def _described(enum: type[E], about: str, values: Mapping[E, str]) -> None:
    """Make a GraphQL enum of `enum`; every value must be described."""
    strawberry.enum(enum, description=about)
    for value in enum.__strawberry_definition__.values:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType] - added by strawberry.enum
        value.description = values[enum(value.value)]  # pyright: ignore[reportUnknownMemberType] - added by strawberry.enum


_described(
    MemoryKind,
    "What kind of knowledge a memory holds. It survives archiving.",
    {
        MemoryKind.WORKING: "Session-scoped scratch.",
        MemoryKind.EPISODIC: "An experience, bound to a time.",
        MemoryKind.SEMANTIC: "A lasting fact or preference.",
        MemoryKind.PROCEDURAL: "A skill or way of doing.",
    },
)
_described(
    MemoryState,
    "Where a memory stands in its life.",
    {
        MemoryState.WORKING: "In the running session.",
        MemoryState.EPISODIC: "Active experience.",
        MemoryState.SEMANTIC: "Active lasting knowledge.",
        MemoryState.PROCEDURAL: "Active skill.",
        MemoryState.ARCHIVAL: "In the cold store, restorable.",
        MemoryState.FORGOTTEN: "Physically erased; only an audit stub remains.",
    },
)
_described(
    Tier,
    "Temperature by memory score. Independent of kind and state.",
    {
        Tier.HOT: "Score 0.7 or more.",
        Tier.WARM: "Score from 0.3 up to 0.7.",
        Tier.COLD: "Score from 0.05 up to 0.3.",
        Tier.FROZEN: "Score below 0.05: left out of recall and eligible for a purge proposal.",
    },
)
_described(
    RelationshipType,
    "The eleven canonical relationship types.",
    {kind: facts.meaning for kind, facts in TYPES.items()},
)
_described(
    Direction,
    "Which way an edge may be walked.",
    {
        Direction.OUTGOING: "From source to target.",
        Direction.INCOMING: "From target to source.",
        Direction.BOTH: "Either way.",
    },
)
_described(
    RelationshipOrigin,
    "How an edge came to be.",
    {
        RelationshipOrigin.MANUAL: "Added by a caller.",
        RelationshipOrigin.CORRELATION: "Found by correlation scoring.",
        RelationshipOrigin.TRIAGE_AUTO: "Classified by similarity alone.",
        RelationshipOrigin.TRIAGE_MODEL: "Classified by a model.",
        RelationshipOrigin.BURST: "Created within one 30-minute window.",
        RelationshipOrigin.IMPORT: "Read from a file or another store.",
        RelationshipOrigin.PREDICTION: "Suggested by link prediction.",
    },
)
_described(
    RelationshipStatus,
    "Whether an edge is a hint or has been agreed on.",
    {
        RelationshipStatus.SUGGESTED: "A hint only.",
        RelationshipStatus.ENFORCED: "Agreed on by consensus.",
        RelationshipStatus.REJECTED: "Hidden after a review.",
    },
)
_described(
    RetrievalStrategy,
    "How recall finds candidates.",
    {
        RetrievalStrategy.KEYWORD: "Full-text words.",
        RetrievalStrategy.TREE: "Walk the category tree by rules.",
        RetrievalStrategy.MODEL_TREE: "Walk the tree with a model; falls back to TREE.",
        RetrievalStrategy.VECTOR: "Nearest embeddings.",
        RetrievalStrategy.HYBRID: "Words, tree and embeddings fused.",
    },
)
_described(
    RecallPreset,
    "How far connections are followed when a caller does not say.",
    {
        RecallPreset.PRECISE: "One hop.",
        RecallPreset.BALANCED: "Two hops.",
        RecallPreset.RESEARCH: "Three hops, the maximum.",
    },
)
_described(
    Role,
    "Role of a principal.",
    {
        Role.READER: "May read.",
        Role.WRITER: "May also store, relate and update.",
        Role.CURATOR: "May also promote, archive, restore, vote and run passes.",
        Role.OWNER: "May also manage keys, agents and settings of the space.",
        Role.OPERATOR: (
            "Runs the service: creates spaces, sees health and metrics, reads no memory."
        ),
    },
)
_described(
    ErrorCode,
    "Machine-readable reasons for a refusal.",
    {
        ErrorCode.NOT_FOUND: "No such thing in the caller's scope.",
        ErrorCode.FORBIDDEN: "The caller may not.",
        ErrorCode.INVALID: "Bad input.",
        ErrorCode.CRITERIA_NOT_MET: "No promotion criterion holds.",
        ErrorCode.CONSENSUS_REQUIRED: "An approved proposal is needed first.",
        ErrorCode.CONFLICT: "Already in that state, or changed meanwhile.",
        ErrorCode.LIMIT_REACHED: "A limit of the tree, hot store or links is reached.",
        ErrorCode.DISABLED: "The feature is switched off.",
        ErrorCode.UNAVAILABLE: "A remote endpoint did not answer.",
        ErrorCode.WINDOW_PASSED: "The undo window has passed.",
    },
)
