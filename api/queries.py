"""Everything that reads; each field calls one function of graph."""

from __future__ import annotations

import time
from typing import Annotated

import strawberry

from hippograph.api.answers import (
    AccessKey,
    ConnectionPath,
    MemoryPage,
    Principal,
    RecallHit,
    RecallResult,
    Setting,
)
from hippograph.api.context import caller_of
from hippograph.api.enums import RelationshipType, Role
from hippograph.api.inputs import MemoryFilter, RecallOptions, checked_question
from hippograph.api.types import Memory, RelationshipTypeInfo
from hippograph.graph import access, listing, recall, walk
from hippograph.graph.touches import Touch
from hippograph.schema.checks import MAX_HOPS, MAX_PAGE, a_count, a_reference, not_empty
from hippograph.schema.memory import MemoryFilter as Filter
from hippograph.schema.pages import PageWanted, cursor_from
from hippograph.schema.relationships import TYPES

PAGE = 20


@strawberry.type(
    description="Reading. Every field is confined to the caller's own space; agentId narrows "
    "further."
)
class Query:
    """What can be asked."""

    @strawberry.field(description="One memory, or null when the caller has none of that id.")
    async def memory(
        self,
        info: strawberry.Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="Id.")],
    ) -> Memory | None:
        """One memory by id."""
        caller = caller_of(info)
        caller.require(Role.READER, "reading memories")
        found = await caller.memories.load(a_reference(id))
        return None if found is None else Memory.of(found)

    @strawberry.field(description="Memories by filter, newest first.")
    async def memories(
        self,
        info: strawberry.Info,
        filter: Annotated[
            MemoryFilter | None, strawberry.argument(description="Filter.")
        ] = None,
        first: Annotated[
            int | None, strawberry.argument(description="How many, at most 100.")
        ] = PAGE,
        after: Annotated[
            str | None, strawberry.argument(description="After this cursor.")
        ] = None,
    ) -> MemoryPage:
        """A page of memories."""
        caller = caller_of(info)
        scope = caller.require(Role.READER, "reading memories")
        wanted = filter.checked(caller) if filter else Filter()
        page = await listing.memory_page(
            caller.services.db,
            scope,
            wanted,
            PageWanted(
                first=a_count(PAGE if first is None else first, "first", most=MAX_PAGE),
                after=cursor_from(after),
            ),
            now=caller.now,
            decay=caller.services.decay,
        )
        return MemoryPage.of(page, wanted)

    @strawberry.field(description="Tiered retrieval, with connections and correlations.")
    async def recall(
        self,
        info: strawberry.Info,
        query: Annotated[str, strawberry.argument(description="What is wanted.")],
        agent_id: Annotated[str | None, strawberry.argument(description="Agent.")] = "default",
        options: Annotated[
            RecallOptions | None, strawberry.argument(description="Options.")
        ] = None,
    ) -> RecallResult:
        """The memories that answer a question."""
        began = time.perf_counter()
        caller = caller_of(info)
        scope = caller.require(Role.READER, "reading memories")
        services = caller.services
        question = checked_question(caller, query, agent_id, options)
        answer = await recall.recall(
            services.db,
            scope,
            services.embedder,
            question,
            now=caller.now,
            settings=services.loaded.settings,
        )
        if question.reinforce:
            touched = [
                Touch(memory_id=hit.memory.id, agent=question.agent, at=caller.now)
                for hit in answer.primary
            ]
            services.touches.add(scope.space, touched)
        return RecallResult.of(answer, took_ms=(time.perf_counter() - began) * 1000)

    @strawberry.field(description="All relationship types.")
    def relationship_types(self, info: strawberry.Info) -> list[RelationshipTypeInfo]:
        """The table of types."""
        caller_of(info)
        return [RelationshipTypeInfo.of(kind, facts) for kind, facts in TYPES.items()]

    @strawberry.field(description="Memories within some hops.")
    async def connected_memories(
        self,
        info: strawberry.Info,
        memory_id: Annotated[strawberry.ID, strawberry.argument(description="Start.")],
        depth: Annotated[int | None, strawberry.argument(description="Hops, 1 to 3.")] = 2,
        types: Annotated[
            list[RelationshipType] | None,
            strawberry.argument(description="Only these types."),
        ] = None,
    ) -> list[RecallHit]:
        """What surrounds a memory."""
        caller = caller_of(info)
        hits = await walk.connected_memories(
            caller.services.db,
            caller.require(Role.READER, "reading memories"),
            a_reference(memory_id, "memoryId"),
            depth=a_count(2 if depth is None else depth, "depth", most=MAX_HOPS),
            types=not_empty(types, "types"),
            now=caller.now,
        )
        return [RecallHit.of(hit) for hit in hits]

    @strawberry.field(description="Shortest path, or null.")
    async def connection_path(
        self,
        info: strawberry.Info,
        source_id: Annotated[strawberry.ID, strawberry.argument(description="From.")],
        target_id: Annotated[strawberry.ID, strawberry.argument(description="To.")],
        weighted: Annotated[
            bool | None,
            strawberry.argument(
                description="Prefer strong edges: the strongest of the shortest paths."
            ),
        ] = False,
    ) -> ConnectionPath | None:
        """How two memories hang together."""
        caller = caller_of(info)
        path = await walk.connection_path(
            caller.services.db,
            caller.require(Role.READER, "reading memories"),
            a_reference(source_id, "sourceId"),
            a_reference(target_id, "targetId"),
            weighted=bool(weighted),
            now=caller.now,
        )
        return None if path is None else ConnectionPath.of(path)

    @strawberry.field(description="Agents of the caller.")
    async def agents(self, info: strawberry.Info) -> list[str]:
        """Agents of the space that the key reaches."""
        caller = caller_of(info)
        scope = caller.require(Role.READER, "listing agents")
        return await listing.agent_ids(caller.services.db, scope)

    @strawberry.field(description="Settings in force, for operators.")
    def settings(self, info: strawberry.Info) -> list[Setting]:
        """The settings, without secrets."""
        caller = caller_of(info)
        caller.require(Role.OPERATOR, "reading settings")
        return [Setting.of(one) for one in caller.services.loaded.in_force()]

    @strawberry.field(description="Who is calling.")
    def whoami(self, info: strawberry.Info) -> Principal:
        """The caller, as the key tells."""
        return Principal.of(caller_of(info).scope)

    @strawberry.field(description="Keys of the space; for owners.")
    async def access_keys(self, info: strawberry.Info) -> list[AccessKey]:
        """Keys, oldest first."""
        caller = caller_of(info)
        scope = caller.require(Role.OWNER, "managing keys")
        return [
            AccessKey.of(key) for key in await access.access_keys(caller.services.db, scope)
        ]
