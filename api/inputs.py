"""What callers give, and the checked values that it becomes.

An explicit null means the default where there is one, and no change in an update.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import strawberry

from hippograph.api.enums import (
    MemoryKind,
    MemoryState,
    RecallPreset,
    RelationshipOrigin,
    RelationshipType,
    RetrievalStrategy,
    Tier,
)
from hippograph.api.scalars import JSON
from hippograph.schema import checks
from hippograph.schema.checks import (
    MAX_ANSWER_BYTES,
    MAX_HOPS,
    MAX_PAGE,
    a_category,
    a_count,
    a_metadata,
    a_name,
    a_query,
    a_reference,
    a_share,
    a_share_or_none,
    a_text,
    a_time,
    an_id,
    an_idempotency_key,
    not_empty,
    some_entities,
    some_tags,
)
from hippograph.schema.errors import InvalidError
from hippograph.schema.memory import MemoryChange, NewMemory
from hippograph.schema.memory import MemoryFilter as Filter
from hippograph.schema.recall import DEFAULT_TIERS, PRESET_HOPS, RecallQuestion
from hippograph.schema.relationships import NewRelationship

if TYPE_CHECKING:
    from hippograph.api.context import Caller

N = TypeVar("N", int, float)

CALLERS_ORIGINS = (RelationshipOrigin.MANUAL, RelationshipOrigin.IMPORT)


def described(text: str) -> object:
    """The description of an input field."""
    return strawberry.argument(description=text)


@strawberry.input(description="A new memory.")
class StoreMemoryInput:
    """A memory to store."""

    text: str = strawberry.field(description="Text, at most 64 KiB.")
    category: str | None = strawberry.field(
        default=None,
        description="Category path; left out, the best matching category of the tree, "
        "else the root.",
    )
    importance: float | None = strawberry.field(default=0.5, description="Importance.")
    kind: MemoryKind | None = strawberry.field(default=MemoryKind.EPISODIC, description="Kind.")
    tags: list[str] | None = strawberry.field(default_factory=list, description="Tags.")
    agent_id: str | None = strawberry.field(default="default", description="Agent.")
    metadata: JSON | None = strawberry.field(default=None, description="Metadata.")
    created_at: datetime | None = strawberry.field(
        default=None, description="Creation time for imports."
    )
    idempotency_key: str | None = strawberry.field(default=None, description="Repeat-safe key.")
    id: strawberry.ID | None = strawberry.field(
        default=None, description="Id of the caller's choice; a new UUIDv7 when left out."
    )
    session_id: str | None = strawberry.field(
        default=None, description="Conversation or run it comes from."
    )
    source: str | None = strawberry.field(default=None, description="Where it comes from.")
    expires_at: datetime | None = strawberry.field(
        default=None, description="When it stops being recalled."
    )
    entities: list[str] | None = strawberry.field(
        default_factory=list,
        description="Entities the caller knows; added to those that are found.",
    )

    def checked(self, caller: Caller) -> NewMemory:
        """The memory to store; raises InvalidError or ForbiddenError."""
        settings = caller.services.loaded.settings
        return NewMemory(
            text=a_text(self.text),
            agent=a_name(_agent(caller, self.agent_id), "agentId"),
            kind=self.kind or MemoryKind.EPISODIC,
            importance=a_share(_or(self.importance, 0.5), "importance"),
            category=a_category(self.category, max_depth=settings.tree.max_depth),
            tags=some_tags(self.tags or ()),
            entities=some_entities(self.entities or ()),
            metadata=a_metadata(self.metadata),
            created_at=a_time(self.created_at, "createdAt"),
            expires_at=a_time(self.expires_at, "expiresAt"),
            session=checks.a_session(self.session_id),
            source=checks.a_source(self.source),
            id=an_id(self.id),
            idempotency_key=an_idempotency_key(self.idempotency_key),
        )


@strawberry.input(description="A change to a memory.")
class UpdateMemoryInput:
    """A change; what is left out or null stays as it is."""

    id: strawberry.ID = strawberry.field(description="Memory.")
    text: str | None = strawberry.field(default=None, description="Text.")
    category: str | None = strawberry.field(default=None, description="Category.")
    importance: float | None = strawberry.field(default=None, description="Importance.")
    tags: list[str] | None = strawberry.field(default=None, description="Tags.")
    metadata: JSON | None = strawberry.field(default=None, description="Metadata to merge.")
    expected_version: int | None = strawberry.field(
        default=None, description="Version expected."
    )

    def checked(self, caller: Caller) -> MemoryChange:
        """The change to make; raises InvalidError."""
        depth = caller.services.loaded.settings.tree.max_depth
        return MemoryChange(
            id=a_reference(self.id),
            text=None if self.text is None else a_text(self.text),
            category=None
            if self.category is None
            else a_category(self.category, max_depth=depth),
            importance=a_share_or_none(self.importance, "importance"),
            tags=None if self.tags is None else some_tags(self.tags),
            metadata=a_metadata(self.metadata),
            expected_version=self.expected_version,
        )


@strawberry.input(description="A new relationship.")
class AddRelationshipInput:
    """A relationship to add."""

    source_id: strawberry.ID = strawberry.field(description="From.")
    target_id: strawberry.ID = strawberry.field(description="To.")
    relationship_type: RelationshipType = strawberry.field(description="Canonical type.")
    score: float | None = strawberry.field(default=None, description="Score.")
    metadata: JSON | None = strawberry.field(
        default=None, description="Metadata, such as discoveredBy and context."
    )
    idempotency_key: str | None = strawberry.field(default=None, description="Repeat-safe key.")
    origin: RelationshipOrigin | None = strawberry.field(
        default=RelationshipOrigin.MANUAL,
        description="MANUAL, or IMPORT when read from a file or another store.",
    )

    def checked(self) -> NewRelationship:
        """The relationship to add; raises InvalidError."""
        origin = self.origin or RelationshipOrigin.MANUAL
        if origin not in CALLERS_ORIGINS:
            raise InvalidError("origin", "must be MANUAL or IMPORT")
        return NewRelationship(
            source_id=a_reference(self.source_id, "sourceId"),
            target_id=a_reference(self.target_id, "targetId"),
            type=self.relationship_type,
            score=a_share_or_none(self.score, "score"),
            metadata=a_metadata(self.metadata),
            origin=origin,
            idempotency_key=an_idempotency_key(self.idempotency_key),
        )


@strawberry.input(description="A filter on memories.")
class MemoryFilter:
    """Which memories are wanted; null is no restriction, an empty list is refused."""

    agent_id: str | None = strawberry.field(default=None, description="Agent.")
    kinds: list[MemoryKind] | None = strawberry.field(default=None, description="Kinds.")
    states: list[MemoryState] | None = strawberry.field(default=None, description="States.")
    tiers: list[Tier] | None = strawberry.field(default=None, description="Tiers.")
    category: str | None = strawberry.field(default=None, description="Category and below.")
    tags: list[str] | None = strawberry.field(default=None, description="All of these tags.")
    created_from: datetime | None = strawberry.field(default=None, description="Created from.")
    created_before: datetime | None = strawberry.field(
        default=None, description="Created before."
    )

    def checked(self, caller: Caller) -> Filter:
        """The filter; raises InvalidError or ForbiddenError."""
        depth = caller.services.loaded.settings.tree.max_depth
        tags = not_empty(self.tags, "tags")
        agent = None if self.agent_id is None else a_name(self.agent_id, "agentId")
        if agent is not None:
            agent = caller.agent(agent)
        return Filter(
            agent=agent,
            kinds=not_empty(self.kinds, "kinds"),
            states=not_empty(self.states, "states"),
            tiers=not_empty(self.tiers, "tiers"),
            category=a_category(self.category, max_depth=depth) or None,
            tags=None if tags is None else some_tags(tags),
            created_from=a_time(self.created_from, "createdFrom"),
            created_before=a_time(self.created_before, "createdBefore"),
        )


@strawberry.input(description="Options of recall.")
class RecallOptions:
    """Options; null means the default."""

    strategy: RetrievalStrategy | None = strawberry.field(
        default=RetrievalStrategy.HYBRID, description="Strategy."
    )
    limit: int | None = strawberry.field(
        default=5, description="How many direct hits, at most 100."
    )
    use_connections: bool | None = strawberry.field(
        default=True, description="Follow connections."
    )
    connection_hops: int | None = strawberry.field(
        default=None, description="Hops, 1 to 3; null takes the preset's."
    )
    preset: RecallPreset | None = strawberry.field(
        default=RecallPreset.BALANCED, description="Preset."
    )
    connection_types: list[RelationshipType] | None = strawberry.field(
        default=None, description="Only these types."
    )
    boost_central_memories: bool | None = strawberry.field(
        default=False, description="Prefer highly connected memories."
    )
    recency_weight: float | None = strawberry.field(
        default=0.2, description="Weight of recency, 0 to 1."
    )
    expand_top: int | None = strawberry.field(
        default=5, description="How many top hits to expand."
    )
    correlations_per_result: int | None = strawberry.field(
        default=3, description="Correlations for each."
    )
    kinds: list[MemoryKind] | None = strawberry.field(
        default=None, description="Only these kinds."
    )
    tiers: list[Tier] | None = strawberry.field(
        default_factory=lambda: list(DEFAULT_TIERS), description="Only these tiers."
    )
    category: str | None = strawberry.field(
        default=None, description="Only this category and below."
    )
    as_of: datetime | None = strawberry.field(
        default=None, description="As the graph stood then."
    )
    reinforce: bool | None = strawberry.field(
        default=True, description="Count the recall as an access."
    )
    max_bytes: int | None = strawberry.field(default=3072, description="Largest answer text.")
    across_agents: bool | None = strawberry.field(
        default=False,
        description="Search the memories of every agent of the space that the caller may "
        "read, not only of agentId.",
    )


def checked_question(
    caller: Caller, query: str, agent_id: str | None, options: RecallOptions | None
) -> RecallQuestion:
    """The question with its options; raises InvalidError or ForbiddenError."""
    given = options or RecallOptions()
    depth = caller.services.loaded.settings.tree.max_depth
    limited = caller.scope.agent is not None
    return RecallQuestion(
        query=a_query(query),
        agent=a_name(_agent(caller, agent_id), "agentId"),
        strategy=given.strategy or RetrievalStrategy.HYBRID,
        limit=a_count(_or(given.limit, 5), "limit", most=MAX_PAGE),
        hops=_hops(given),
        types=not_empty(given.connection_types, "connectionTypes"),
        boost_central=bool(given.boost_central_memories),
        recency_weight=a_share(_or(given.recency_weight, 0.2), "recencyWeight"),
        expand_top=a_count(_or(given.expand_top, 5), "expandTop", least=0, most=MAX_PAGE),
        correlations_per_result=a_count(
            _or(given.correlations_per_result, 3), "correlationsPerResult", least=0, most=50
        ),
        kinds=not_empty(given.kinds, "kinds"),
        tiers=not_empty(given.tiers, "tiers") or DEFAULT_TIERS,
        category=a_category(given.category, max_depth=depth) or None,
        as_of=a_time(given.as_of, "asOf"),
        reinforce=given.reinforce is not False,
        max_bytes=a_count(_or(given.max_bytes, 3072), "maxBytes", most=MAX_ANSWER_BYTES),
        across_agents=bool(given.across_agents) and not limited,
    )


def _hops(given: RecallOptions) -> int:
    if given.connection_hops is not None:
        a_count(given.connection_hops, "connectionHops", most=MAX_HOPS)
    if given.use_connections is False:
        return 0
    return given.connection_hops or PRESET_HOPS[given.preset or RecallPreset.BALANCED]


def _agent(caller: Caller, asked: str | None) -> str:
    """The agent meant: a limited key means its own where none but the default is named."""
    if caller.scope.agent is not None and asked == "default":
        return caller.scope.agent
    return caller.agent(asked)


def _or(value: N | None, default: N) -> N:
    return default if value is None else value
