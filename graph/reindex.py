"""Embedding every memory anew, after the model changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from hippograph.graph.migrations import drop_vector_index, make_indexes, remember_model
from hippograph.graph.records import speaker_in, vector_of
from hippograph.graph.statements import statement
from hippograph.schema.access import SERVICE
from hippograph.schema.embedding import embedded_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.graph.embed import Embedder
    from hippograph.schema.tiers import Decay

NEXT = statement("reindex_next")
COUNT = statement("reindex_count")
WRITE = statement("reindex_write")

BATCH = 200
# Before the name of a model: its vectors are being made, and not all are there.
UNFINISHED = "unfinished-"


class Watcher(Protocol):
    """Is told how far a reindex has come."""

    def __call__(self, done: int, total: int) -> None:
        """Of `total` memories `done` have their vector."""


async def reindex(db: Database, embedder: Embedder, decay: Decay, watch: Watcher) -> int:
    """Embed all memories of all spaces with the present model; the number embedded.

    What an interrupted run has done is not done again. The service must not be serving
    meanwhile: it refuses to start until this has come to its end.
    """
    label = embedder.identity.label
    unfinished = replace(embedder.identity, name=f"{UNFINISHED}{embedder.identity.name}")
    await remember_model(db, unfinished, decay)  # no model may serve mixed vectors
    await drop_vector_index(db)
    done = 0
    while (counted := await _count(db, label))[1]:
        total, waiting = counted
        place = ("", "")
        while rows := await _next(db, label, place):
            await _embed(db, embedder, rows)
            done += len(rows)
            waiting -= len(rows)
            place = rows[-1]["space"], rows[-1]["id"]
            watch(total - waiting, total)
    await make_indexes(db, dimension=embedder.identity.dimension)
    await remember_model(db, embedder.identity, decay)
    return done


async def _count(db: Database, label: str) -> tuple[int, int]:
    async def work(tx: Transaction) -> tuple[int, int]:
        row = await tx.row(COUNT, model=label)
        return (0, 0) if row is None else (row["total"], row["waiting"])

    return await db.read(SERVICE, work)


async def _next(db: Database, label: str, place: tuple[str, str]) -> list[Row]:
    async def work(tx: Transaction) -> list[Row]:
        return await tx.rows(
            NEXT, after_space=place[0], after_id=place[1], limit=BATCH, model=label
        )

    return await db.read(SERVICE, work)


async def _embed(db: Database, embedder: Embedder, rows: Sequence[Row]) -> None:
    texts = [
        embedded_text(row["text"], speaker_in(row["metadata"]), row["source"]) for row in rows
    ]
    vectors = await embedder.passages(texts)
    written = [
        {
            "space": row["space"],
            "id": row["id"],
            "text": row["text"],
            "vector": vector_of(one.vector),
        }
        for row, one in zip(rows, vectors, strict=True)
    ]

    async def work(tx: Transaction) -> None:
        await tx.rows(WRITE, rows=written, model=embedder.identity.label)

    await db.write(SERVICE, work)
