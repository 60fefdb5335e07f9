"""Everything that writes; each field calls one function of graph and wraps what it gives."""

from __future__ import annotations

from typing import Annotated

import strawberry

from hippograph.api.answers import (
    AccessKey,
    AccessKeyResult,
    MemoryResult,
    RelationshipResult,
)
from hippograph.api.context import Caller, caller_of
from hippograph.api.enums import Role
from hippograph.api.inputs import AddRelationshipInput, StoreMemoryInput, UpdateMemoryInput
from hippograph.api.refusals import Refusals
from hippograph.api.types import Memory, OperationError, Relationship
from hippograph.graph import access, relate
from hippograph.graph.relate import Related
from hippograph.graph.remember.reinforce import reinforce_memory
from hippograph.graph.remember.store import Stored, store_memories, store_memory
from hippograph.graph.remember.update import update_memory
from hippograph.schema.checks import MAX_BATCH, a_count, a_name, a_reference
from hippograph.schema.errors import InvalidError, RefusedError
from hippograph.schema.memory import NewMemory
from hippograph.schema.relationships import NewRelationship

MOST_DAYS = 36_500


@strawberry.type(description="Writing.")
class Mutation:
    """What can be changed."""

    @strawberry.mutation(
        description="Store a memory; discovers links when that is on.", extensions=[Refusals()]
    )
    async def store_memory(
        self,
        info: strawberry.Info,
        input: Annotated[StoreMemoryInput, strawberry.argument(description="Input.")],
    ) -> MemoryResult:
        """Store one memory."""
        caller = caller_of(info)
        services = caller.services
        stored = await store_memory(
            services.db,
            caller.require(Role.WRITER, "storing memories"),
            services.embedder,
            input.checked(caller),
            now=caller.now,
            decay=services.decay,
        )
        return MemoryResult.stored(stored)

    @strawberry.mutation(
        description="Store many memories at once, at most 1,000; each answer stands where its "
        "input stood, and one that is refused does not stop the others."
    )
    async def store_memories(
        self,
        info: strawberry.Info,
        inputs: Annotated[list[StoreMemoryInput], strawberry.argument(description="Inputs.")],
    ) -> list[MemoryResult]:
        """Store many memories."""
        caller = caller_of(info)
        caller.forget()
        _batch(len(inputs))
        outcomes = await store_memories(
            caller.services.db,
            caller.scope,
            caller.services.embedder,
            [_new_memory(caller, one) for one in inputs],
            now=caller.now,
            decay=caller.services.decay,
        )
        return [_memory_result(outcome) for outcome in outcomes]

    @strawberry.mutation(description="Change a memory.", extensions=[Refusals()])
    async def update_memory(
        self,
        info: strawberry.Info,
        input: Annotated[UpdateMemoryInput, strawberry.argument(description="Input.")],
    ) -> MemoryResult:
        """Change one memory, keeping its earlier text."""
        caller = caller_of(info)
        services = caller.services
        memory = await update_memory(
            services.db,
            caller.require(Role.WRITER, "changing memories"),
            services.embedder,
            input.checked(caller),
            now=caller.now,
            decay=services.decay,
        )
        return MemoryResult(success=True, memory=Memory.of(memory))

    @strawberry.mutation(
        description="Count an access, which strengthens a memory.", extensions=[Refusals()]
    )
    async def reinforce_memory(
        self,
        info: strawberry.Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="Memory.")],
    ) -> MemoryResult:
        """Count an access, once for each memory, agent and hour."""
        caller = caller_of(info)
        memory = await reinforce_memory(
            caller.services.db,
            caller.require(Role.WRITER, "reinforcing memories"),
            a_reference(id),
            now=caller.now,
            decay=caller.services.decay,
        )
        return MemoryResult(success=True, memory=Memory.of(memory))

    @strawberry.mutation(
        description="Relate two memories. Between the same two there is one relationship of a "
        "type at most; adding it again updates it.",
        extensions=[Refusals()],
    )
    async def add_relationship(
        self,
        info: strawberry.Info,
        input: Annotated[AddRelationshipInput, strawberry.argument(description="Input.")],
    ) -> RelationshipResult:
        """Relate two memories."""
        caller = caller_of(info)
        related = await relate.add_relationship(
            caller.services.db,
            caller.require(Role.WRITER, "relating memories"),
            input.checked(),
            now=caller.now,
        )
        return _relationship_result(related)

    @strawberry.mutation(
        description="Relate many memories at once, at most 1,000 relationships; each answer "
        "stands where its input stood, and one that is refused does not stop the others."
    )
    async def add_relationships(
        self,
        info: strawberry.Info,
        inputs: Annotated[
            list[AddRelationshipInput], strawberry.argument(description="Inputs.")
        ],
    ) -> list[RelationshipResult]:
        """Relate many memories."""
        caller = caller_of(info)
        caller.forget()
        _batch(len(inputs))
        outcomes = await relate.add_relationships(
            caller.services.db,
            caller.scope,
            [_new_relationship(caller, one) for one in inputs],
            now=caller.now,
        )
        return [_relationship_result(outcome) for outcome in outcomes]

    @strawberry.mutation(description="Take back a relationship.", extensions=[Refusals()])
    async def remove_relationship(
        self,
        info: strawberry.Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="Relationship.")],
    ) -> RelationshipResult:
        """Take back a relationship and show it as it was."""
        caller = caller_of(info)
        removed = await relate.remove_relationship(
            caller.services.db,
            caller.require(Role.WRITER, "relating memories"),
            a_reference(id),
        )
        return RelationshipResult(success=True, relationship=Relationship.of(removed))

    @strawberry.mutation(
        description="Make a tenant and its first owner key; for operators.",
        extensions=[Refusals()],
    )
    async def create_space(
        self,
        info: strawberry.Info,
        space: Annotated[strawberry.ID, strawberry.argument(description="Id of the space.")],
        owner_name: Annotated[str, strawberry.argument(description="Name of the owner.")],
    ) -> AccessKeyResult:
        """Make a tenant."""
        caller = caller_of(info)
        caller.require(Role.OPERATOR, "creating spaces")
        made = await access.create_space(
            caller.services.db,
            a_name(space, "space"),
            a_name(owner_name, "ownerName"),
            agent=caller.services.loaded.settings.agent_id,
            now=caller.now,
        )
        return AccessKeyResult(success=True, key=AccessKey.of(made.key), secret=made.secret)

    @strawberry.mutation(description="Make a key; for owners.", extensions=[Refusals()])
    async def create_access_key(
        self,
        info: strawberry.Info,
        name: Annotated[str, strawberry.argument(description="Name of the principal.")],
        role: Annotated[Role, strawberry.argument(description="Role.")],
        agent_id: Annotated[
            str | None, strawberry.argument(description="Limit it to one agent.")
        ] = None,
        days: Annotated[
            int | None, strawberry.argument(description="Days it lives; null for ever.")
        ] = None,
    ) -> AccessKeyResult:
        """Make a key of the caller's space."""
        caller = caller_of(info)
        scope = caller.require(Role.OWNER, "managing keys")
        if role is Role.OPERATOR:
            raise InvalidError("role", "must be READER, WRITER, CURATOR or OWNER")
        if days is not None:
            a_count(days, "days", most=MOST_DAYS)
        new = access.NewKey(
            name=a_name(name, "name"),
            role=role,
            agent=None if agent_id is None else a_name(agent_id, "agentId"),
            expires_at=access.lasting(days, caller.now),
        )
        made = await access.create_access_key(caller.services.db, scope, new, now=caller.now)
        return AccessKeyResult(success=True, key=AccessKey.of(made.key), secret=made.secret)

    @strawberry.mutation(description="End a key; for owners.", extensions=[Refusals()])
    async def revoke_access_key(
        self,
        info: strawberry.Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="Key.")],
    ) -> AccessKeyResult:
        """End a key."""
        caller = caller_of(info)
        scope = caller.require(Role.OWNER, "managing keys")
        key = await access.revoke_access_key(
            caller.services.db, scope, a_reference(id), now=caller.now
        )
        caller.services.keys.forget(key.id)
        return AccessKeyResult(success=True, key=AccessKey.of(key))


def _batch(size: int) -> None:
    if size > MAX_BATCH:
        raise InvalidError("inputs", f"has {size} entries; at most {MAX_BATCH} go in")


def _new_memory(caller: Caller, one: StoreMemoryInput) -> NewMemory | RefusedError:
    try:
        caller.require(Role.WRITER, "storing memories")
        return one.checked(caller)
    except RefusedError as error:
        return error


def _new_relationship(
    caller: Caller, one: AddRelationshipInput
) -> NewRelationship | RefusedError:
    try:
        caller.require(Role.WRITER, "relating memories")
        return one.checked()
    except RefusedError as error:
        return error


def _memory_result(outcome: Stored | RefusedError) -> MemoryResult:
    if isinstance(outcome, RefusedError):
        return MemoryResult(success=False, error=OperationError.of(outcome))
    return MemoryResult.stored(outcome)


def _relationship_result(outcome: Related | RefusedError) -> RelationshipResult:
    if isinstance(outcome, RefusedError):
        return RelationshipResult(success=False, error=OperationError.of(outcome))
    return RelationshipResult(
        success=True,
        relationship=Relationship.of(outcome.relationship),
        updated=not outcome.made,
    )
