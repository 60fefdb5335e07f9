"""What the database must hold before anybody is served: constraints, indexes, one model.

A database remembers what it was made for. One that a newer program made is refused, and so is
one whose vectors are of another model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from hippograph.graph.statements import statement, statement_names
from hippograph.schema.access import SERVICE
from hippograph.schema.errors import SetupError
from hippograph.schema.tiers import FROZEN_BELOW, Decay

if TYPE_CHECKING:
    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.schema.embedding import ModelIdentity

# Raised whenever the graph's schema changes so that an older program could not use it.
GRAPH_VERSION = 1
INDEX_SECONDS = 600

SCHEMA = [statement(name) for name in statement_names("schema_")]
CREATE_VECTORS = statement("vectors_create")
DROP_VECTORS = statement("vectors_drop")
AWAIT = statement("indexes_await")
OFFLINE = statement("indexes_offline")
READ = statement("service_read")
WRITE = statement("service_write")
PING = statement("service_ping")
REFRESH = statement("freezes_refresh")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a database was made for; None where it is new."""

    version: int | None
    model: str | None
    decay: Decay | None


async def migrate(db: Database, model: ModelIdentity, decay: Decay) -> None:
    """Bring the graph's schema up to date; safe to run again and by several processes at once.

    Raises SetupError for a database of a newer program or with vectors of another model.
    """
    made = await _made(db)
    if made.version is not None and made.version > GRAPH_VERSION:
        raise SetupError(
            f"this database is of graph version {made.version}, this program knows "
            f"{GRAPH_VERSION}: update Hippograph"
        )
    if made.model not in (None, model.label):
        raise SetupError(
            f"the memories are embedded with {made.model}, the setting says {model.label}: "
            "run `hippograph reindex` to embed them anew, or set EMBEDDING_MODEL back"
        )
    if made.version == GRAPH_VERSION:
        await db.apply(AWAIT, seconds=INDEX_SECONDS)
    else:
        await make_indexes(db, dimension=model.dimension)
    if made.decay not in (None, decay):
        log.info("freezing_times_refresh", reason="the constants of decay changed")
        await db.apply(
            REFRESH,
            tau_days=decay.tau_days,
            boost=decay.boost,
            burst_slowing=decay.burst_slowing,
            floor=FROZEN_BELOW,
        )
    if made != Made(version=GRAPH_VERSION, model=model.label, decay=decay):
        await remember_model(db, model, decay)


async def make_indexes(db: Database, *, dimension: int) -> None:
    """Make every constraint and index that is not there, and wait until they answer."""
    for one in SCHEMA:
        await db.apply(one)
    config = {"vector.dimensions": dimension, "vector.similarity_function": "cosine"}
    await db.apply(CREATE_VECTORS, options={"indexConfig": config})
    await db.apply(AWAIT, seconds=INDEX_SECONDS)


async def drop_vector_index(db: Database) -> None:
    """Drop the index of vectors, whose length can't change."""
    await db.apply(DROP_VECTORS)


async def remember_model(db: Database, model: ModelIdentity, decay: Decay) -> None:
    """Write down what the database is made for."""

    async def work(tx: Transaction) -> None:
        await tx.rows(
            WRITE,
            version=GRAPH_VERSION,
            model=model.label,
            model_sha256=model.sha256,
            dimension=model.dimension,
            tau_days=decay.tau_days,
            boost=decay.boost,
            burst_slowing=decay.burst_slowing,
        )

    await db.write(SERVICE, work)


async def unready_indexes(db: Database) -> list[str]:
    """Names of indexes that do not answer; raises UnavailableError without a database."""

    async def work(tx: Transaction) -> list[str]:
        await tx.rows(PING)
        return [row["name"] for row in await tx.rows(OFFLINE)]

    return await db.read(SERVICE, work)


async def _made(db: Database) -> Made:
    async def work(tx: Transaction) -> Row | None:
        return await tx.row(READ)

    row = await db.read(SERVICE, work)
    if row is None:
        return Made(version=None, model=None, decay=None)
    decay = Decay(
        tau_days=row["tau_days"], boost=row["boost"], burst_slowing=row["burst_slowing"]
    )
    return Made(version=row["version"], model=row["model"], decay=decay)
