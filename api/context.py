"""What a request has at hand: the service's parts, the caller's scope and the moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import strawberry
from strawberry.dataloader import DataLoader
from strawberry.types.info import Info

from hippograph.graph.listing import memories_by_id, references_to, revisions_of
from hippograph.graph.relate import relationships_of
from hippograph.schema.access import Role, Scope
from hippograph.schema.errors import LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from hippograph.api.keyring import Keyring
    from hippograph.graph.database import Database
    from hippograph.graph.embed import Embedder
    from hippograph.graph.touches import TouchQueue
    from hippograph.schema.memory import Memory, Revision
    from hippograph.schema.relationships import Relationship, Walk
    from hippograph.schema.settings import LoadedSettings
    from hippograph.schema.tiers import Decay


# A nested question multiplies: a page of memories, their neighbours, and theirs.
MOST_EDGES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The parts of the service, made once in `api/app.py`."""

    db: Database
    embedder: Embedder
    decay: Decay
    touches: TouchQueue
    keys: Keyring
    loaded: LoadedSettings


@dataclass(frozen=True, slots=True)
class EdgesOf:
    """Which relationships of a memory are wanted."""

    memory_id: str
    walk: Walk
    min_score: float | None
    first: int


@dataclass(slots=True, kw_only=True)
class Caller:
    """One request: who asks, when, and what it has read so far.

    The loaders gather what the fields of an answer ask for, so that a list of a hundred
    memories costs one statement more and not a hundred.
    """

    services: Services
    scope: Scope
    now: datetime
    edges_shown: int = 0
    memories: DataLoader[str, Memory | None] = field(init=False)
    revisions: DataLoader[tuple[str, int], list[Revision]] = field(init=False)
    references: DataLoader[str, int] = field(init=False)
    edges: DataLoader[EdgesOf, list[Relationship]] = field(init=False)

    def __post_init__(self) -> None:
        self.memories = DataLoader(self._memories)
        self.revisions = DataLoader(self._revisions)
        self.references = DataLoader(self._references)
        self.edges = DataLoader(self._edges)

    def forget(self) -> None:
        """Read anew what is asked for from here on: something was written."""
        for loader in (self.memories, self.revisions, self.references, self.edges):
            loader.clear_all()

    def show(self, edges: int) -> None:
        """Count relationships of the answer; raises LimitReachedError for too many."""
        self.edges_shown += edges
        if self.edges_shown > MOST_EDGES:
            raise LimitReachedError(
                "relationships", f"would be over {MOST_EDGES} in one answer; ask for fewer"
            )

    def require(self, role: Role, action: str) -> Scope:
        """The caller's scope; raises ForbiddenError unless its role reaches `role`."""
        self.scope.require(role, action)
        return self.scope

    def agent(self, asked: str | None) -> str:
        """The agent that the request acts for."""
        return self.scope.agent_for(asked, default=self.services.loaded.settings.agent_id)

    async def _memories(self, ids: list[str]) -> Sequence[Memory | None]:
        found = await memories_by_id(self.services.db, self.scope, ids)
        return [found.get(one) for one in ids]

    async def _revisions(self, keys: list[tuple[str, int]]) -> Sequence[list[Revision]]:
        most = max(first for _, first in keys)
        ids = [memory_id for memory_id, _ in keys]
        found = await revisions_of(self.services.db, self.scope, ids, first=most)
        return [found.get(memory_id, [])[:first] for memory_id, first in keys]

    async def _references(self, ids: list[str]) -> Sequence[int]:
        found = await references_to(self.services.db, self.scope, ids)
        return [found.get(one, 0) for one in ids]

    async def _edges(self, keys: list[EdgesOf]) -> Sequence[list[Relationship]]:
        answers: dict[EdgesOf, list[Relationship]] = {}
        for asked in {(key.walk, key.min_score, key.first): key for key in keys}.values():
            alike = [
                key
                for key in keys
                if (key.walk, key.min_score, key.first)
                == (asked.walk, asked.min_score, asked.first)
            ]
            found = await relationships_of(
                self.services.db,
                self.scope,
                [key.memory_id for key in alike],
                asked.walk,
                min_score=asked.min_score,
                first=asked.first,
            )
            answers |= {key: found.get(key.memory_id, []) for key in alike}
        return [answers[key] for key in keys]


def caller_of(info: strawberry.Info) -> Caller:
    """The request that a resolver answers."""
    return cast("Info[Caller, None]", info).context
