"""Storing memories: embed, then write, each exactly once however often it is asked."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from hippograph.graph.records import (
    memory_from,
    mentions_of,
    properties_of,
    request_digest,
    speaker_in,
    times_of,
    vector_of,
)
from hippograph.graph.statements import statement
from hippograph.schema.embedding import embedded_text
from hippograph.schema.errors import (
    ConflictError,
    InvalidError,
    NotReachedError,
    RefusedError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.graph.embed import Embedder
    from hippograph.schema.access import Scope
    from hippograph.schema.embedding import Embedded
    from hippograph.schema.memory import Memory, NewMemory
    from hippograph.schema.tiers import Decay

KNOWN = statement("memory_known")
STORE = statement("memory_store")

# While one chunk is written the next is embedded; larger chunks only make both wait longer.
CHUNK = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A memory that is stored; `was_there` when an earlier request had stored it."""

    memory: Memory
    was_there: bool = False
    pieces: int = 1


Outcome = Stored | RefusedError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A new memory with its vector and the id it gets."""

    at: int
    new: NewMemory
    id: str
    embedded: Embedded


async def store_memory(
    db: Database,
    scope: Scope,
    embedder: Embedder,
    new: NewMemory,
    *,
    now: datetime,
    decay: Decay,
) -> Stored:
    """Store one memory.

    Raises InvalidError for a text with nothing to embed, and ConflictError for an id or a key
    that stands for something else.
    """
    outcomes = await store_memories(db, scope, embedder, [new], now=now, decay=decay)
    if isinstance(outcomes[0], RefusedError):
        raise outcomes[0]
    return outcomes[0]


async def store_memories(
    db: Database,
    scope: Scope,
    embedder: Embedder,
    news: Sequence[NewMemory | RefusedError],
    *,
    now: datetime,
    decay: Decay,
) -> list[Outcome]:
    """Store many; each outcome stands where its input stood, a refusal stops no other.

    Refusals in the input come back in their place. A text is whole in the graph or not at all;
    after a crash the same request with the same keys stores the rest. When the database goes
    away half-way, those not written are NotReachedError; raises UnavailableError when none was.
    """
    outcomes: dict[int, Outcome] = {
        at: new for at, new in enumerate(news) if isinstance(new, RefusedError)
    }
    fresh = {at: new for at, new in enumerate(news) if not isinstance(new, RefusedError)}
    for at, new in fresh.items():
        if not embedder.has_tokens(new.text):
            outcomes[at] = InvalidError("text", "holds no word or sign to remember")
    chunks = list(_chunked({at: new for at, new in fresh.items() if at not in outcomes}))
    async with contextlib.aclosing(_embedded_ahead(embedder, chunks)) as embedded:
        try:
            async for ready in embedded:
                for batch in _without_repeats(ready):
                    outcomes |= await _write(
                        db, scope, batch, now=now, decay=decay, embedder=embedder
                    )
        except UnavailableError:
            if not any(isinstance(outcome, Stored) for outcome in outcomes.values()):
                raise
    return [outcomes.get(at) or NotReachedError() for at in range(len(news))]


def _chunked(news: Mapping[int, NewMemory]) -> Iterator[dict[int, NewMemory]]:
    rest = iter(news.items())
    while chunk := dict(islice(rest, CHUNK)):
        yield chunk


async def _embedded_ahead(
    embedder: Embedder, chunks: Sequence[Mapping[int, NewMemory]]
) -> AsyncGenerator[list[_Ready]]:
    """Chunks with their vectors; the next is being embedded while one is in use."""
    upcoming = [asyncio.create_task(_embed(embedder, chunk)) for chunk in chunks[:1]]
    try:
        for place in range(len(chunks)):
            ready = await upcoming.pop()
            if place + 1 < len(chunks):
                upcoming.append(asyncio.create_task(_embed(embedder, chunks[place + 1])))
            yield ready
    finally:
        for task in upcoming:
            task.cancel()


async def _embed(embedder: Embedder, chunk: Mapping[int, NewMemory]) -> list[_Ready]:
    texts = [
        embedded_text(new.text, speaker_in(new.metadata), new.source) for new in chunk.values()
    ]
    vectors = await embedder.passages(texts)
    return [
        _Ready(at=at, new=new, id=new.id or str(uuid7()), embedded=embedded)
        for (at, new), embedded in zip(chunk.items(), vectors, strict=True)
    ]


async def _write(
    db: Database,
    scope: Scope,
    ready: Sequence[_Ready],
    *,
    now: datetime,
    decay: Decay,
    embedder: Embedder,
) -> dict[int, Outcome]:
    async def work(tx: Transaction) -> dict[int, Outcome]:
        outcomes = await _known(tx, scope, ready)
        rows = [
            _row(one, scope, now=now, decay=decay, model=embedder.identity.label)
            for one in ready
            if one.at not in outcomes
        ]
        if rows:
            agents = sorted({one.new.agent for one in ready})
            pieces = {one.at: one.embedded.pieces for one in ready}
            for row in await tx.rows(STORE, agents=agents, now=now, rows=rows):
                memory = memory_from(row["memory"], scope.space)
                outcomes[row["at"]] = Stored(memory=memory, pieces=pieces[row["at"]])
        return outcomes

    return await db.write(scope, work)


def _without_repeats(ready: Sequence[_Ready]) -> list[list[_Ready]]:
    """Those that can go into one statement, then each whose id or key an earlier one has."""
    first: list[_Ready] = []
    repeats: list[_Ready] = []
    seen: set[tuple[str, str]] = set()
    for one in ready:
        handles = {("id", one.id)}
        if one.new.idempotency_key:
            handles.add(("key", one.new.idempotency_key))
        (repeats if handles & seen else first).append(one)
        seen |= handles
    return [first, *([one] for one in repeats)]


async def _known(tx: Transaction, scope: Scope, ready: Sequence[_Ready]) -> dict[int, Outcome]:
    """Outcomes of those whose id or key stands for something already."""
    asked = {one.at: one for one in ready if one.new.id or one.new.idempotency_key}
    if not asked:
        return {}
    rows = [
        {"at": at, "id": one.new.id, "key": one.new.idempotency_key}
        for at, one in asked.items()
    ]
    outcomes: dict[int, Outcome] = {}
    for row in await tx.rows(KNOWN, rows=rows):
        outcome = _replayed(row, asked[row["at"]].new, scope)
        if outcome is not None:
            outcomes[row["at"]] = outcome
    return outcomes


def _replayed(row: Row, new: NewMemory, scope: Scope) -> Outcome | None:
    """What an earlier request with the same id or key means for this one."""
    if row["key"] is not None:
        taken, field = row["by_key"], "idempotencyKey"
    elif row["by_id"] is not None:
        taken, field = row["by_id"], "id"
    else:
        return None
    same = row["same_key"] if field == "idempotencyKey" else row["same_id"]
    if taken is None or same != request_digest(new):
        return ConflictError(f"{field} stands for another request already", field=field)
    return Stored(memory=memory_from(taken, scope.space), was_there=True)


def _row(one: _Ready, scope: Scope, *, now: datetime, decay: Decay, model: str) -> Row:
    return {
        "at": one.at,
        "id": one.id,
        "properties": properties_of(
            one.new,
            space=scope.space,
            model=model,
        ),
        "vector": vector_of(one.embedded.vector),
        "times": times_of(one.new, now=now, decay=decay),
        "entities": mentions_of(one.new.entities),
        "keys": [one.new.idempotency_key] if one.new.idempotency_key else [],
    }
