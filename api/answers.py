"""What recall, walks, lists and writes answer, as GraphQL shows it."""

from __future__ import annotations

from datetime import datetime
from typing import Self

import strawberry

from hippograph.api.context import caller_of
from hippograph.api.enums import MemoryKind, RelationshipType, RetrievalStrategy, Role
from hippograph.api.scalars import JSON
from hippograph.api.types import (
    Memory,
    OperationError,
    Relationship,
    ScoreBreakdown,
)
from hippograph.graph import listing, walk
from hippograph.graph.remember.store import Stored
from hippograph.schema import access, recall
from hippograph.schema.memory import MemoryFilter
from hippograph.schema.pages import Cursor
from hippograph.schema.settings import SettingInForce


@strawberry.type(description="What a relevance is made of.")
class RecallScores:
    """The parts of a relevance."""

    semantic: float | None = strawberry.field(
        description="Plain cosine of query and memory, -1 to 1; null when not compared."
    )
    lexical: float | None = strawberry.field(
        description="Lexical relevance, 0 to 1 within this answer; null when no word matched."
    )
    graph: float = strawberry.field(description="What connections added.")
    recency: float = strawberry.field(description="exp(-age in days / 30), 0 to 1.")
    centrality: float = strawberry.field(description="What central position added.")


@strawberry.type(description="One recalled memory.")
class RecallHit:
    """A hit with its reasons."""

    memory: Memory = strawberry.field(description="The memory.")
    relevance: float = strawberry.field(description="Final relevance.")
    trace: list[str] = strawberry.field(
        description="How it was reached: tree steps, words, neighbours, boosts."
    )
    hops: int = strawberry.field(description="Hops from a direct hit; 0 is direct.")
    via: list[Relationship] = strawberry.field(description="The edges that led here.")
    scores: RecallScores = strawberry.field(description="What the relevance is made of.")

    @classmethod
    def of(cls, value: recall.RecallHit) -> Self:
        """The hit as GraphQL shows it."""
        return cls(
            memory=Memory.of(value.memory),
            relevance=value.relevance,
            trace=list(value.trace),
            hops=value.hops,
            via=[Relationship.of(edge) for edge in value.via],
            scores=RecallScores(
                semantic=value.scores.semantic,
                lexical=value.scores.lexical,
                graph=value.scores.graph,
                recency=value.scores.recency,
                centrality=value.scores.centrality,
            ),
        )


@strawberry.type(description="One correlation found for a memory.")
class Correlation:
    """A correlated memory with the parts of its score."""

    target_id: strawberry.ID = strawberry.field(description="The other memory's id.")
    target: Memory = strawberry.field(description="The other memory.")
    target_type: MemoryKind = strawberry.field(description="Its kind.")
    relationship_type: RelationshipType = strawberry.field(description="Type of the link.")
    score: float = strawberry.field(description="Score.")
    reason: str = strawberry.field(description="Why.")
    breakdown: ScoreBreakdown = strawberry.field(description="The parts of the score.")

    @classmethod
    def of(cls, value: recall.Correlation) -> Self:
        """The correlation as GraphQL shows it."""
        return cls(
            target_id=strawberry.ID(value.target.id),
            target=Memory.of(value.target),
            target_type=value.target.kind,
            relationship_type=value.relationship_type,
            score=value.score,
            reason=value.reason,
            breakdown=ScoreBreakdown.of(value.breakdown),
        )


@strawberry.type(description="The answer of recall.")
class RecallResult:
    """Direct hits, what connections reach and the correlations of the best."""

    primary: list[RecallHit] = strawberry.field(description="Direct hits.")
    connected: list[RecallHit] = strawberry.field(
        description="Memories reached over connections."
    )
    expanded: list[Correlation] = strawberry.field(description="Correlations of the top hits.")
    total_results: int = strawberry.field(description="Primary and expanded together.")
    strategy_used: RetrievalStrategy = strawberry.field(
        description="The strategy that was really used."
    )
    fallback_reason: str | None = strawberry.field(
        description="Why it differs from the one asked for."
    )
    context_bytes: int = strawberry.field(description="Size of the returned text.")
    took_ms: float = strawberry.field(description="Milliseconds taken.")
    recall_id: strawberry.ID = strawberry.field(
        description="Id of this recall, for recallFeedback."
    )
    omitted: int = strawberry.field(
        description="Hits left out because the answer would have passed maxBytes."
    )

    @classmethod
    def of(cls, value: recall.RecallAnswer, *, took_ms: float) -> Self:
        """The answer as GraphQL shows it."""
        return cls(
            primary=[RecallHit.of(hit) for hit in value.primary],
            connected=[RecallHit.of(hit) for hit in value.connected],
            expanded=[Correlation.of(one) for one in value.expanded],
            total_results=value.total_results,
            strategy_used=value.strategy_used,
            fallback_reason=value.fallback_reason,
            context_bytes=value.context_bytes,
            took_ms=took_ms,
            recall_id=strawberry.ID(value.recall_id),
            omitted=value.omitted,
        )


@strawberry.type(description="A path between two memories.")
class ConnectionPath:
    """A path."""

    nodes: list[Memory] = strawberry.field(description="Memories in order.")
    edges: list[Relationship] = strawberry.field(description="Edges in order.")
    length: int = strawberry.field(description="Number of edges.")

    @classmethod
    def of(cls, value: walk.ConnectionPath) -> Self:
        """The path as GraphQL shows it."""
        return cls(
            nodes=[Memory.of(node) for node in value.nodes],
            edges=[Relationship.of(edge) for edge in value.edges],
            length=value.length,
        )


@strawberry.type(description="Cursor paging.")
class PageInfo:
    """Where a page ends."""

    has_next_page: bool = strawberry.field(description="More follow.")
    end_cursor: str | None = strawberry.field(description="Cursor of the last item.")


@strawberry.type(description="A page of memories.")
class MemoryPage:
    """A page; the total is counted only when it is asked for."""

    wanted: strawberry.Private[MemoryFilter]
    items: list[Memory] = strawberry.field(description="The items.")
    page_info: PageInfo = strawberry.field(description="Paging.")

    @classmethod
    def of(cls, value: listing.Page, wanted: MemoryFilter) -> Self:
        """The page as GraphQL shows it."""
        last = value.memories[-1] if value.memories else None
        cursor = (
            Cursor(created_at=last.created_at, memory_id=last.id).encoded() if last else None
        )
        return cls(
            wanted=wanted,
            items=[Memory.of(memory) for memory in value.memories],
            page_info=PageInfo(has_next_page=value.has_next, end_cursor=cursor),
        )

    @strawberry.field(description="How many match in all.")
    async def total_count(self, info: strawberry.Info) -> int:
        """All that the filter leaves, whatever the page."""
        caller = caller_of(info)
        services = caller.services
        return await listing.memory_total(
            services.db, caller.scope, self.wanted, now=caller.now, decay=services.decay
        )


@strawberry.type(description="Result of a memory write.")
class MemoryResult:
    """What became of a memory."""

    success: bool = strawberry.field(description="Done?")
    memory: Memory | None = strawberry.field(default=None, description="The stored memory.")
    links: list[Relationship] = strawberry.field(
        default_factory=list, description="Links made by auto-discovery."
    )
    error: OperationError | None = strawberry.field(default=None, description="Refusal.")
    notices: list[str] = strawberry.field(
        default_factory=list, description="What the caller may want to know, in sentences."
    )

    @classmethod
    def stored(cls, value: Stored) -> Self:
        """The memory that was stored, or that an earlier request had stored."""
        notices: list[str] = []
        if value.was_there:
            notices.append("An earlier request with this id or key had stored it.")
        if value.pieces > 1:
            notices.append(
                f"The text is longer than the embedding model reads at once; it was embedded "
                f"in {value.pieces} pieces, whose mean stands for it."
            )
        return cls(success=True, memory=Memory.of(value.memory), notices=notices)


@strawberry.type(description="Result of a relationship write.")
class RelationshipResult:
    """What became of a relationship."""

    success: bool = strawberry.field(description="Done?")
    relationship: Relationship | None = strawberry.field(
        default=None, description="The stored edge."
    )
    updated: bool = strawberry.field(
        default=False,
        description="True when the relationship was there already and was updated.",
    )
    error: OperationError | None = strawberry.field(default=None, description="Refusal.")


@strawberry.type(description="Who is calling.")
class Principal:
    """A principal."""

    space: str = strawberry.field(
        description="The tenant; from the credentials, never from an argument."
    )
    name: str = strawberry.field(description="The principal's name.")
    role: Role = strawberry.field(description="Role.")
    agent_id: str | None = strawberry.field(
        description="The one agent this key is limited to, or null for all of the space."
    )

    @classmethod
    def of(cls, value: access.Scope) -> Self:
        """The principal of a scope."""
        return cls(
            space=value.space, name=value.principal, role=value.role, agent_id=value.agent
        )


@strawberry.type(description="A key for the API; the secret is shown once.")
class AccessKey:
    """A key."""

    id: strawberry.ID = strawberry.field(description="Id.")
    principal: Principal = strawberry.field(description="Principal it stands for.")
    created_at: datetime = strawberry.field(description="Created.")
    expires_at: datetime | None = strawberry.field(description="Expires, or null.")
    last_used_at: datetime | None = strawberry.field(
        description="Last used, to the hour, or null."
    )
    revoked: bool = strawberry.field(description="Revoked or not.")

    @classmethod
    def of(cls, value: access.AccessKey) -> Self:
        """The key as GraphQL shows it."""
        return cls(
            id=strawberry.ID(value.id),
            principal=Principal.of(value.scope()),
            created_at=value.created_at,
            expires_at=value.expires_at,
            last_used_at=value.last_used_at,
            revoked=value.revoked,
        )


@strawberry.type(description="Result of making a key.")
class AccessKeyResult:
    """What became of a key."""

    success: bool = strawberry.field(description="Made or not.")
    key: AccessKey | None = strawberry.field(default=None, description="The key.")
    secret: str | None = strawberry.field(
        default=None, description="The secret; never shown again."
    )
    error: OperationError | None = strawberry.field(default=None, description="Error.")


@strawberry.type(description="Settings in force, without secrets.")
class Setting:
    """A setting."""

    key: str = strawberry.field(description="Key.")
    value: JSON | None = strawberry.field(description="Value.")
    origin: str = strawberry.field(
        description="Where it came from: default, file or environment."
    )
    environment: str | None = strawberry.field(description="Environment variable.")

    @classmethod
    def of(cls, value: SettingInForce) -> Self:
        """The setting as GraphQL shows it."""
        return cls(
            key=value.key,
            value=None if value.value is None else JSON(value.value),
            origin=value.origin.value,
            environment=value.environment,
        )
