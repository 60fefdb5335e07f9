"""What is done and what is not when the database goes away, or the service stops, half-way."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from hippograph.api.parts import opened_embedder
from hippograph.graph.database import Connection, Database, Transaction
from hippograph.graph.embed import Embedder
from hippograph.graph.listing import memory_by_id
from hippograph.graph.recall import recall
from hippograph.graph.relate import Related, add_relationships
from hippograph.graph.remember.store import Stored, store_memories
from hippograph.graph.touches import Touch, TouchQueue
from hippograph.schema.access import Scope
from hippograph.schema.errors import NotReachedError, UnavailableError
from hippograph.schema.memory import NewMemory
from hippograph.schema.recall import RecallQuestion
from hippograph.schema.relationships import NewRelationship, RelationshipType
from hippograph.schema.settings import process_settings
from hippograph.schema.tiers import Decay

NOW = datetime(2026, 4, 4, 12, tzinfo=UTC)


class Failing:
    """The real database, which stops answering after so many writes."""

    def __init__(self, db: Database, writes: int) -> None:
        self._db = db
        self.left = writes

    async def write(self, scope: Scope, work: Callable[[Transaction], Awaitable[Any]]) -> Any:
        """Write, or not any more."""
        if self.left == 0:
            raise UnavailableError("the database", "does not answer; try again")
        self.left -= 1
        return await self._db.write(scope, work)


def twice(text: str, key: str) -> list[NewMemory]:
    """The same request two times: a batch of these goes in by two writes."""
    return [NewMemory(text=text, agent="default", idempotency_key=key)] * 2


async def test_a_batch_cut_off_half_way_says_of_each_memory_whether_it_is_stored(
    db: Database, scope: Scope, embedder: Embedder, decay: Decay
) -> None:
    news = twice("bees sleep", uuid4().hex)

    first, second = await store_memories(
        Failing(db, 1),  # pyright: ignore[reportArgumentType] - it writes as a Database does
        scope,
        embedder,
        news,
        now=NOW,
        decay=decay,
    )

    assert isinstance(first, Stored)
    assert await memory_by_id(db, scope, first.memory.id)
    assert isinstance(second, NotReachedError)
    again = await store_memories(db, scope, embedder, news, now=NOW, decay=decay)
    assert {one.memory.id for one in again if isinstance(one, Stored)} == {first.memory.id}


async def test_a_batch_of_which_nothing_is_stored_is_unavailable(
    db: Database, scope: Scope, embedder: Embedder, decay: Decay
) -> None:
    with pytest.raises(UnavailableError):
        await store_memories(
            Failing(db, 0),  # pyright: ignore[reportArgumentType] - it writes as a Database does
            scope,
            embedder,
            twice("bees wake", uuid4().hex),
            now=NOW,
            decay=decay,
        )


async def test_relationships_cut_off_half_way_say_which_are_there(
    db: Database, scope: Scope, embedder: Embedder, decay: Decay
) -> None:
    ids = [uuid4().hex, uuid4().hex]
    await store_memories(
        db,
        scope,
        embedder,
        [NewMemory(id=one, text=f"note {one}", agent="default") for one in ids],
        now=NOW,
        decay=decay,
    )
    new = NewRelationship(
        source_id=ids[0],
        target_id=ids[1],
        type=RelationshipType.RELATED,
        idempotency_key=uuid4().hex,
    )

    first, second = await add_relationships(
        Failing(db, 1),  # pyright: ignore[reportArgumentType] - it writes as a Database does
        scope,
        [new, new],
        now=NOW,
    )

    assert isinstance(first, Related)
    assert isinstance(second, NotReachedError)


async def test_touches_that_wait_are_written_when_the_service_stops(
    db: Database, scope: Scope, embedder: Embedder, decay: Decay
) -> None:
    [stored] = await store_memories(
        db, scope, embedder, [NewMemory(text="a hive", agent="default")], now=NOW, decay=decay
    )
    assert isinstance(stored, Stored)
    queue = TouchQueue(db, decay)
    running = asyncio.create_task(queue.run())

    queue.add(scope.space, [Touch(memory_id=stored.memory.id, agent="default", at=NOW)])
    queue.stop()
    await running

    touched = await memory_by_id(db, scope, stored.memory.id)
    assert touched
    assert touched.access_count == 1


async def test_touches_that_cannot_be_written_wait_for_the_next_time(
    db: Database, scope: Scope, embedder: Embedder, decay: Decay
) -> None:
    [stored] = await store_memories(
        db, scope, embedder, [NewMemory(text="a comb", agent="default")], now=NOW, decay=decay
    )
    assert isinstance(stored, Stored)
    failing = Failing(db, 0)
    queue = TouchQueue(failing, decay)  # pyright: ignore[reportArgumentType] - it writes as a Database does
    queue.add(scope.space, [Touch(memory_id=stored.memory.id, agent="default", at=NOW)])

    await queue.flush()
    failing.left = 1  # it answers again
    await queue.flush()

    touched = await memory_by_id(db, scope, stored.memory.id)
    assert touched
    assert touched.access_count == 1


def test_a_password_is_not_shown_with_a_connection() -> None:
    assert "hidden" not in repr(Connection(uri="bolt://x", username="neo4j", password="hidden"))  # noqa: S106 - of no database


async def test_storing_and_recall_tell_a_model_that_is_gone(
    db: Database, scope: Scope, decay: Decay
) -> None:
    settings = process_settings().settings
    gone = await opened_embedder(settings)
    gone.close()
    bees = [NewMemory(text="bees sleep", agent="default")]
    question = RecallQuestion(query="bees", agent="default")

    with pytest.raises(UnavailableError, match="the embedding model does not answer"):
        await store_memories(db, scope, gone, bees, now=NOW, decay=decay)
    with pytest.raises(UnavailableError, match="the embedding model does not answer"):
        await recall(db, scope, gone, question, now=NOW, settings=settings)
