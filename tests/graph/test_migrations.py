"""What a database was made for is remembered, and a misfit is refused at start."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from hippograph.graph.database import Database, Transaction
from hippograph.graph.embed import Embedder
from hippograph.graph.migrations import (
    GRAPH_VERSION,
    WRITE,
    migrate,
    remember_model,
    unready_indexes,
)
from hippograph.schema.access import SERVICE
from hippograph.schema.errors import SetupError
from hippograph.schema.tiers import Decay


@pytest.fixture
async def restored(db: Database, embedder: Embedder, decay: Decay) -> AsyncGenerator[Database]:
    """The database, which afterwards is again what it was made for."""
    yield db
    await remember_model(db, embedder.identity, decay)


async def test_migrating_again_changes_nothing(
    restored: Database, embedder: Embedder, decay: Decay
) -> None:
    await migrate(restored, embedder.identity, decay)
    await migrate(restored, embedder.identity, decay)

    assert await unready_indexes(restored) == []


async def test_a_database_of_a_newer_program_is_refused(
    restored: Database, embedder: Embedder, decay: Decay
) -> None:
    async def work(tx: Transaction) -> None:
        await tx.rows(
            WRITE,
            version=GRAPH_VERSION + 1,
            model=embedder.identity.label,
            model_sha256=embedder.identity.sha256,
            dimension=384,
            tau_days=30.0,
            boost=0.1,
            burst_slowing=0.3,
        )

    await restored.write(SERVICE, work)

    with pytest.raises(SetupError, match="update Hippograph"):
        await migrate(restored, embedder.identity, decay)


async def test_vectors_of_another_model_are_refused_with_the_way_out(
    restored: Database, embedder: Embedder, decay: Decay
) -> None:
    other = replace(embedder.identity, name="another-model")

    with pytest.raises(SetupError, match="hippograph reindex"):
        await migrate(restored, other, decay)
