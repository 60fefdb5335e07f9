"""`hippograph reindex`: embed every memory anew after the model was changed."""

import asyncio
from typing import TYPE_CHECKING

import typer

from hippograph.api.cli.command import AsJson, Home
from hippograph.api.cli.screen import Screen, err

if TYPE_CHECKING:
    from hippograph.graph.database import Connection
    from hippograph.graph.reindex import Watcher
    from hippograph.schema.settings import Settings


def register(app: typer.Typer) -> None:
    """Add reindex to the command line."""
    app.command("reindex")(reindex)


def reindex(*, home: Home = None, as_json: AsJson = False) -> None:
    """Embed every memory with the model in the settings; broken off, it goes on from there."""
    from rich.progress import Progress  # noqa: PLC0415 - needed here only

    from hippograph.api.cli.background import place_of  # noqa: PLC0415 - imports are slow
    from hippograph.api.cli.installing import drawn  # noqa: PLC0415 - needed here only
    from hippograph.graph.engine.home import Home as Folder  # noqa: PLC0415 - imports are slow
    from hippograph.graph.engine.server import (  # noqa: PLC0415 - as above
        connection_for,
        running,
        stopped,
    )
    from hippograph.schema.errors import SetupError  # noqa: PLC0415 - as above
    from hippograph.schema.settings import process_settings  # noqa: PLC0415 - as above

    settings = process_settings(home=home).settings
    folder = Folder(settings.home)
    if place_of(folder, settings).pids["api"] is not None:
        raise SetupError("the service is running; stop it with `hippograph down` first")
    ran = running(folder) is not None
    with drawn() as progress:
        connection = connection_for(settings, progress)
    try:
        with Progress(console=err(), transient=True) as bars:
            task = bars.add_task("Embedding memories", total=None)

            def watch(done: int, total: int) -> None:
                bars.update(task, completed=done, total=total)

            done = asyncio.run(_reindexed(settings, connection, watch))
    finally:
        if settings.neo4j.uri is None and not ran:
            stopped(folder)
    model = settings.correlator.embedding_model
    said = f"Embedded {done} memories with {model}; start the service with `hippograph up`."
    Screen(as_json=as_json).show({"embedded": done, "model": model}, said)


async def _reindexed(settings: "Settings", connection: "Connection", watch: "Watcher") -> int:
    from hippograph.api.parts import opened_embedder  # noqa: PLC0415 - imports are slow
    from hippograph.graph import reindex as work  # noqa: PLC0415 - as above
    from hippograph.graph.database import Database  # noqa: PLC0415 - as above
    from hippograph.schema.tiers import Decay  # noqa: PLC0415 - as above

    embedder = await opened_embedder(settings)
    db = Database(connection)
    try:
        return await work.reindex(db, embedder, Decay.of(settings), watch)
    finally:
        await db.close()
        embedder.close()
