"""The service of a home as processes: up, down, status, logs, serve."""

import asyncio
import os
import shlex
import signal
import time
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.command import AsJson, Home
from hippograph.api.cli.screen import Screen, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hippograph.api.cli.background import Place
    from hippograph.schema.settings import LoadedSettings

BAD_SETTINGS = 2
NOT_UP = 1
INTERRUPTED = 128 + signal.SIGINT
ENDED = 128 + signal.SIGTERM
FOLLOW_SECONDS = 0.3
MANAGED_ROWS = {"Browser", "Password"}

Port = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Port of the API; 0: a free one.")
]
BoltPort = Annotated[
    int | None,
    typer.Option("--bolt-port", min=0, max=65535, help="Bolt port of Neo4j; 0: a free one."),
]
BrowserPort = Annotated[
    int | None,
    typer.Option("--browser-port", min=0, max=65535, help="Neo4j Browser's; 0: a free one."),
]


class Which(StrEnum):
    """Whose log is shown."""

    API = "api"
    NEO4J = "neo4j"
    ALL = "all"


def register(app: typer.Typer) -> None:
    """Add up, down, status, logs and serve to the command line."""
    for function in (up, down, status, logs, serve):
        app.command(function.__name__)(function)


def up(
    *,
    home: Home = None,
    port: Port = None,
    bolt_port: BoltPort = None,
    browser_port: BrowserPort = None,
    as_json: AsJson = False,
) -> None:
    """Start Neo4j and the API in the background; the first time fetches Neo4j (180 MB)."""
    from hippograph.api.cli.background import brought_up  # noqa: PLC0415 - imports are slow
    from hippograph.api.cli.installing import drawn  # noqa: PLC0415 - needed here only

    environment = _environment(
        HIPPOGRAPH_PORT=port,
        HIPPOGRAPH_BOLT_PORT=bolt_port,
        HIPPOGRAPH_BROWSER_PORT=browser_port,
    )
    with _interruptible("Stopped. What was fetched is kept; run `hippograph up` to go on."):
        loaded = _loaded(environment, home)
        with drawn() as progress:
            place, ran = brought_up(loaded, environment, progress)
    said = "Hippograph was running already." if ran else "Hippograph is running."
    Screen(as_json=as_json).show(place.as_json(), said, _drawn_place(place))


def down(*, home: Home = None, as_json: AsJson = False) -> None:
    """Stop the API and Neo4j cleanly."""
    from hippograph.api.cli.background import taken_down  # noqa: PLC0415 - imports are slow

    folder = _folder(home)
    stopped = taken_down(folder)
    said = f"Stopped {' and '.join(stopped)}." if stopped else f"Nothing ran in {folder}."
    Screen(as_json=as_json).show({"home": str(folder), "stopped": stopped}, said)


def status(*, home: Home = None, as_json: AsJson = False) -> None:
    """Tell what runs; exit 0 when all is up and ready, else 1."""
    from hippograph.api.cli.background import is_ready, place_of  # noqa: PLC0415 - slow
    from hippograph.graph.engine.home import Home as Folder  # noqa: PLC0415 - needed here only

    settings = _loaded(os.environ, home).settings
    place = place_of(Folder(settings.home), settings)
    ready = place.pids["api"] is not None and is_ready(place)
    managed = settings.neo4j.uri is None
    answer = place.as_json() | {"ready": ready, "managed": managed}
    rows = [
        ("API", _state(place.pids["api"], ready=ready), place.graphql),
        ("Neo4j", _state(place.pids["neo4j"]) if managed else "not ours", place.bolt),
    ]
    Screen(as_json=as_json).show(answer, table(("", "", "at"), rows))
    if not ready or (managed and place.pids["neo4j"] is None):
        raise typer.Exit(NOT_UP)


def logs(
    *,
    home: Home = None,
    which: Annotated[Which, typer.Option(help="Whose log.")] = Which.ALL,
    lines: Annotated[int, typer.Option(min=0, help="How many of the last lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", help="Go on until Ctrl-C.")] = False,
) -> None:
    """Show the last lines of the logs, and with --follow what comes."""
    from hippograph.api.cli.following import Follower  # noqa: PLC0415 - needed here only
    from hippograph.graph.engine.home import Home as Folder  # noqa: PLC0415 - needed here only

    folder = Folder(_folder(home))
    names = ["neo4j", "api"] if which is Which.ALL else [which.value]
    followers = [Follower(folder.log(name), name if len(names) > 1 else "") for name in names]
    for one in followers:
        one.show_last(lines)
    with _interruptible(""):
        while follow:
            for one in followers:
                one.show_new()
            time.sleep(FOLLOW_SECONDS)


def serve(
    *,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Port = None,
    home: Home = None,
) -> None:
    """Run the API in the foreground, over a given Neo4j or the home's own."""
    from hippograph.api import app, parts  # noqa: PLC0415 - imports are slow
    from hippograph.api.cli.background import listening, recorded  # noqa: PLC0415 - as above
    from hippograph.api.cli.installing import drawn  # noqa: PLC0415 - needed here only
    from hippograph.graph.engine.server import connection_for  # noqa: PLC0415 - as above

    environment = _environment(HIPPOGRAPH_HOST=host, HIPPOGRAPH_PORT=port)
    with _interruptible("Stopped."):
        loaded = listening(_loaded(environment, home), environment)
        # The model loads while Neo4j starts; signals reach the main thread, which waits for it.
        with drawn() as progress, ThreadPoolExecutor(1) as aside:
            opening = aside.submit(asyncio.run, parts.opened_embedder(loaded.settings))
            connection = connection_for(loaded.settings, progress)
        recorded(loaded.settings)
        app.serve(loaded, connection, opening.result())


@contextmanager
def _interruptible(said: str) -> Generator[None]:
    """End on Ctrl-C and SIGTERM in good order: a start is undone, nothing is traced."""

    def end(number: int, frame: object) -> None:
        del number, frame
        raise typer.Exit(ENDED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        Screen(as_json=False).note(said)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _environment(**flags: str | int | None) -> dict[str, str]:
    """The environment of this process, with the flags that were given in place of its own."""
    given = {name: str(value) for name, value in flags.items() if value is not None}
    return {**os.environ, **given}


def _loaded(environment: Mapping[str, str], home: Path | None) -> "LoadedSettings":
    """The settings; bad ones end the command as bad use does."""
    from hippograph.schema.errors import SetupError  # noqa: PLC0415 - needed here only
    from hippograph.schema.settings import settings_from  # noqa: PLC0415 - pydantic is slow

    try:
        return settings_from(environment, home=home)
    except SetupError as error:
        Screen(as_json=False).note(str(error))
        raise typer.Exit(BAD_SETTINGS) from error


def _folder(home: Path | None) -> Path:
    """The home folder, also when its config.json is bad: that must not keep `down` from it."""
    from hippograph.schema.settings import Settings  # noqa: PLC0415 - pydantic is slow

    chosen = home or os.environ.get("HIPPOGRAPH_HOME") or Settings().home
    return Path(chosen).expanduser().absolute()


def _drawn_place(place: "Place") -> "RenderableType":
    rows = [
        ("GraphQL", place.graphql),
        ("Key", f"in {place.token_file}"),
        ("Browser", place.browser),
        ("Password", f"of user neo4j in {place.neo4j_password_file}"),
        ("Bolt", place.bolt),
        ("Home", place.home),
        ("Stop it", f"hippograph down --home {shlex.quote(str(place.home))}"),
    ]
    managed = place.browser is not None
    return table(("", ""), [row for row in rows if managed or row[0] not in MANAGED_ROWS])


def _state(pid: int | None, *, ready: bool = True) -> str:
    if pid is None:
        return "down"
    return f"up (process {pid})" if ready else f"not ready (process {pid})"
