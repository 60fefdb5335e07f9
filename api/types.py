"""Memories and relationships as GraphQL shows them, each made from a value by `of`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Self

import strawberry

from hippograph.api.context import EdgesOf, caller_of
from hippograph.api.enums import (
    Direction,
    ErrorCode,
    MemoryKind,
    MemoryState,
    RelationshipOrigin,
    RelationshipStatus,
    RelationshipType,
    Tier,
)
from hippograph.api.scalars import JSON, json_or_none
from hippograph.schema import memory as memories
from hippograph.schema import relationships as edges
from hippograph.schema.checks import MAX_PAGE, a_count, a_share_or_none, not_empty
from hippograph.schema.correlation import Breakdown
from hippograph.schema.errors import NotFoundError, RefusedError
from hippograph.schema.relationships import walk_over
from hippograph.schema.scoring import effective_importance

MOST_EDGES = 50


@strawberry.type(description="A refusal a caller can act on.")
class OperationError:
    """A refusal."""

    code: ErrorCode = strawberry.field(description="Machine-readable code.")
    message: str = strawberry.field(description="One plain sentence.")
    field: str | None = strawberry.field(description="The input field at fault.")

    @classmethod
    def of(cls, error: RefusedError) -> Self:
        """The refusal that an error stands for."""
        return cls(code=ErrorCode(error.code), message=str(error), field=error.field)


@strawberry.type(description="An earlier text of a memory.")
class Revision:
    """An earlier text."""

    version: int = strawberry.field(description="Its number.")
    text: str = strawberry.field(description="The text as it was.")
    valid_from: datetime = strawberry.field(description="From when.")
    valid_to: datetime = strawberry.field(description="Until when.")
    changed_by: str = strawberry.field(description="Which agent changed it.")

    @classmethod
    def of(cls, value: memories.Revision) -> Self:
        """The revision as GraphQL shows it."""
        return cls(
            version=value.version,
            text=value.text,
            valid_from=value.valid_from,
            valid_to=value.valid_to,
            changed_by=value.changed_by,
        )


@strawberry.type(description="A memory: one node in the graph.")
class Memory:
    """A memory, with what is read only when it is asked for."""

    value: strawberry.Private[memories.Memory]

    id: strawberry.ID = strawberry.field(description="Identifier.")
    agent_id: str = strawberry.field(description="The agent it belongs to.")
    text: str = strawberry.field(description="The text.")
    fact: str | None = strawberry.field(description="Distilled fact, if any.")
    core: str | None = strawberry.field(description="Core line, if any.")
    kind: MemoryKind = strawberry.field(description="Kind of knowledge.")
    state: MemoryState = strawberry.field(description="Place in its life.")
    category: str = strawberry.field(
        description="Category path in the tree, such as projects/evoclaw/bsc."
    )
    importance: float = strawberry.field(description="Importance from 0 to 1, as given.")
    access_count: int = strawberry.field(description="How often it was accessed.")
    tags: list[str] = strawberry.field(description="Tags.")
    entities: list[str] = strawberry.field(
        description="Entities and terms used for co-occurrence."
    )
    summary: str | None = strawberry.field(description="Summary written on archiving.")
    created_at: datetime = strawberry.field(description="Creation time.")
    last_accessed_at: datetime | None = strawberry.field(description="Last access.")
    version: int = strawberry.field(description="Change counter for optimistic locking.")
    session_id: str | None = strawberry.field(description="Conversation or run it came from.")
    source: str | None = strawberry.field(
        description="Where it came from: a tool, a file, a URL."
    )
    recorded_at: datetime = strawberry.field(
        description="When it was stored here; createdAt may be earlier for imports."
    )
    expires_at: datetime | None = strawberry.field(
        description="When it stops being recalled, or null for never."
    )

    @classmethod
    def of(cls, value: memories.Memory) -> Self:
        """The memory as GraphQL shows it."""
        return cls(
            value=value,
            id=strawberry.ID(value.id),
            agent_id=value.agent,
            text=value.text,
            fact=value.fact,
            core=value.core,
            kind=value.kind,
            state=value.state,
            category=value.category,
            importance=value.importance,
            access_count=value.access_count,
            tags=list(value.tags),
            entities=list(value.entities),
            summary=value.summary,
            created_at=value.created_at,
            last_accessed_at=value.last_accessed_at,
            version=value.version,
            session_id=value.session,
            source=value.source,
            recorded_at=value.recorded_at,
            expires_at=value.expires_at,
        )

    @strawberry.field(description="Temperature by score, now.")
    def tier(self, info: strawberry.Info) -> Tier:
        """The tier at the moment of the request."""
        caller = caller_of(info)
        return self.value.tier(caller.services.decay, caller.now)

    @strawberry.field(description="Memory score, now.")
    def score(self, info: strawberry.Info) -> float:
        """The score at the moment of the request."""
        caller = caller_of(info)
        return self.value.score(caller.services.decay, caller.now)

    @strawberry.field(
        description="Free metadata, with temporalInsights, promotedAt and promotionReason "
        "where they apply."
    )
    def metadata(self) -> JSON | None:
        """Metadata as data."""
        return json_or_none(self.value.metadata)

    @strawberry.field(description="How many memories refer to it.")
    async def cross_reference_count(self, info: strawberry.Info) -> int:
        """Distinct other memories with a relationship to it."""
        return await caller_of(info).references.load(self.value.id)

    @strawberry.field(description="Importance raised by cross-references, at most 1.")
    async def effective_importance(self, info: strawberry.Info) -> float:
        """Importance as rankings see it."""
        references = await caller_of(info).references.load(self.value.id)
        return effective_importance(self.value.importance, references)

    @strawberry.field(description="Its relationships, strongest first, at most 50.")
    async def relationships(
        self,
        info: strawberry.Info,
        types: Annotated[
            list[RelationshipType] | None,
            strawberry.argument(description="Only these types."),
        ] = None,
        direction: Annotated[
            Direction | None, strawberry.argument(description="Which way.")
        ] = Direction.BOTH,
        min_score: Annotated[
            float | None, strawberry.argument(description="Smallest score.")
        ] = None,
        first: Annotated[int | None, strawberry.argument(description="How many.")] = 20,
    ) -> list[Relationship]:
        """Relationships that the caller may see both ends of."""
        asked = EdgesOf(
            memory_id=self.value.id,
            walk=walk_over(not_empty(types, "types"), direction or Direction.BOTH),
            min_score=a_share_or_none(min_score, "minScore"),
            first=a_count(20 if first is None else first, "first", most=MOST_EDGES),
        )
        found = await caller_of(info).edges.load(asked)
        caller_of(info).show(len(found))
        return [Relationship.of(edge) for edge in found]

    @strawberry.field(description="Earlier texts, newest first.")
    async def revisions(
        self,
        info: strawberry.Info,
        first: Annotated[
            int | None, strawberry.argument(description="How many, at most 100.")
        ] = 20,
    ) -> list[Revision]:
        """What the text was before."""
        most = a_count(20 if first is None else first, "first", most=MAX_PAGE)
        found = await caller_of(info).revisions.load((self.value.id, most))
        return [Revision.of(one) for one in found]


@strawberry.type(description="The four parts of a correlation score.")
class ScoreBreakdown:
    """The parts of a score."""

    semantic_similarity: float = strawberry.field(description="Cosine, weight 0.40.")
    co_occurrence: float = strawberry.field(description="Jaccard, weight 0.25.")
    temporal_proximity: float | None = strawberry.field(
        description="Time, weight 0.15; null when it does not apply."
    )
    cross_reference: float = strawberry.field(description="Mentions, weight 0.20.")
    score: float = strawberry.field(description="Weighted sum.")

    @classmethod
    def of(cls, value: Breakdown) -> Self:
        """The parts as GraphQL shows them."""
        return cls(
            semantic_similarity=value.semantic,
            co_occurrence=value.co_occurrence,
            temporal_proximity=value.temporal,
            cross_reference=value.cross_reference,
            score=value.score,
        )


@strawberry.type(
    description="A typed edge between two memories. It never changes the memories themselves."
)
class Relationship:
    """A relationship; its ends are read only when they are asked for."""

    value: strawberry.Private[edges.Relationship]

    id: strawberry.ID = strawberry.field(description="Identifier.")
    type: RelationshipType = strawberry.field(description="Canonical type.")
    score: float | None = strawberry.field(
        description="Correlation score, if computed or given."
    )
    similarity: float | None = strawberry.field(
        description="Embedding similarity, if measured."
    )
    confidence: float = strawberry.field(description="Confidence in the type, 0 to 1.")
    reason: str | None = strawberry.field(description="Why, in one phrase.")
    origin: RelationshipOrigin = strawberry.field(description="How it came to be.")
    status: RelationshipStatus = strawberry.field(description="Hint or agreed.")
    created_at: datetime = strawberry.field(description="Creation time.")

    @classmethod
    def of(cls, value: edges.Relationship) -> Self:
        """The relationship as GraphQL shows it."""
        return cls(
            value=value,
            id=strawberry.ID(value.id),
            type=value.type,
            score=value.score,
            similarity=value.similarity,
            confidence=value.confidence,
            reason=value.reason,
            origin=value.origin,
            status=value.status,
            created_at=value.created_at,
        )

    @strawberry.field(description="Where it starts.")
    async def source(self, info: strawberry.Info) -> Memory:
        """The memory at its start."""
        return await _end(info, self.value.source_id)

    @strawberry.field(description="Where it ends.")
    async def target(self, info: strawberry.Info) -> Memory:
        """The memory at its end."""
        return await _end(info, self.value.target_id)

    @strawberry.field(description="Free metadata.")
    def metadata(self) -> JSON | None:
        """Metadata as data."""
        return json_or_none(self.value.metadata)


async def _end(info: strawberry.Info, memory_id: str) -> Memory:
    found = await caller_of(info).memories.load(memory_id)
    if found is None:
        raise NotFoundError("memory", memory_id)
    return Memory.of(found)


@strawberry.type(description="Facts about one relationship type.")
class RelationshipTypeInfo:
    """A row of the table of types."""

    type: RelationshipType = strawberry.field(description="The type.")
    meaning: str = strawberry.field(description="What it says.")
    symmetric: bool = strawberry.field(description="True when it has no direction.")
    inverse: RelationshipType | None = strawberry.field(
        description="The type that says the same from the other end."
    )
    aliases: list[str] = strawberry.field(description="Other accepted names.")

    @classmethod
    def of(cls, kind: RelationshipType, facts: edges.TypeFacts) -> Self:
        """The row of one type."""
        return cls(
            type=kind,
            meaning=facts.meaning,
            symmetric=facts.symmetric,
            inverse=facts.inverse,
            aliases=list(facts.aliases),
        )
