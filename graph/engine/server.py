"""The managed Neo4j of a home: started, waited for, signed in to, stopped."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import psutil
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from hippograph.graph.database import Connection
from hippograph.graph.engine import conf
from hippograph.graph.engine.home import Home, Started, write_whole
from hippograph.graph.engine.install import UNWATCHED, installed
from hippograph.graph.engine.java import java_from
from hippograph.graph.engine.process import (
    alive,
    detached,
    end,
    free_port,
    is_free,
    listens,
    runs,
    tail,
)
from hippograph.graph.engine.progress import Progress
from hippograph.graph.statements import Statement, statement
from hippograph.schema.errors import EngineError
from hippograph.schema.settings import Settings

if TYPE_CHECKING:
    from neo4j import Driver

NAME = "neo4j"
HOST = "127.0.0.1"
USER = "neo4j"
BORN_WITH = "neo4j"  # the password of every new database
START_SECONDS = 120.0
STOP_SECONDS = 120.0  # a large store takes its time to write what is in memory
POLL_SECONDS = 0.2
QUOTED_LINES = 12

PASSWORD = statement("engine_password")
PING = statement("service_ping")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4j:
    """A managed Neo4j that answers."""

    connection: Connection
    pid: int
    bolt_port: int
    browser_port: int


def _nothing() -> None:
    """What is done meanwhile when nobody says."""


def connection_for(settings: Settings, progress: Progress = UNWATCHED) -> Connection:
    """The way to the given Neo4j, or to the managed one, started if necessary.

    Waits for another process that is starting it. Raises EngineError.
    """
    given = settings.neo4j
    if given.uri is None:
        return started(settings, progress, patience=START_SECONDS).connection
    secret = given.password
    return Connection(
        uri=given.uri,
        username=given.username,
        password="" if secret is None else secret.get_secret_value(),
        database=given.database,
    )


def started(
    settings: Settings,
    progress: Progress = UNWATCHED,
    *,
    environment: Mapping[str, str] = os.environ,
    meanwhile: Callable[[], None] = _nothing,
    patience: float = 0,
) -> Neo4j:
    """The managed Neo4j of the home, installed and started as far as necessary, and answering.

    `meanwhile` is called when it has been launched and does not answer yet; `patience` is for
    how many seconds another process that starts it is waited for. Raises EngineError; whatever
    this call started is then stopped again.
    """
    home = Home(settings.home)
    with home.starting(NAME, patience=patience):
        process = running(home)
        if process is not None:
            return _answering(home, process, fresh=False)
        fresh = not (home.neo4j / "data").exists()
        process = _launched(home, settings, progress, environment)
        try:
            meanwhile()
            return _answering(home, process, fresh=fresh)
        except BaseException:  # Ctrl-C too: nothing half started is left behind
            end(process, seconds=STOP_SECONDS)
            raise


def stopped(home: Home) -> bool:
    """Stop the home's Neo4j cleanly; whether it ran.

    Raises EngineError when it had to be killed, which its next start mends.
    """
    with home.starting(NAME):
        process = running(home)
        if process is None:
            return False
        if not end(process, seconds=STOP_SECONDS):
            raise EngineError(
                f"Neo4j (process {process.pid}) did not end within {STOP_SECONDS:.0f} seconds "
                "and was killed; the next start recovers its data"
            )
        return True


def running(home: Home) -> psutil.Process | None:
    """The process of the home's Neo4j, answering or not; None when there is none."""
    return alive(home.started(NAME), conf.home_option(home.neo4j))


def _launched(
    home: Home, settings: Settings, progress: Progress, environment: Mapping[str, str]
) -> psutil.Process:
    java = java_from(environment)  # before 180 MB are fetched for nothing
    installation = installed(settings.cache, progress)
    ports = _ports(home, settings)
    memory = conf.memory_for(settings, conf.machine_bytes())
    text = conf.conf(
        installation, memory, bolt_port=ports["bolt"], browser_port=ports["browser"]
    )
    write_whole(home.neo4j / "conf" / "neo4j.conf", text)
    write_whole(home.neo4j / "conf" / "user-logs.xml", conf.USER_LOGS)
    command = conf.command(java, installation, memory, home.neo4j)
    process = detached(command, home.log(NAME), environment)
    home.record(NAME, Started(pid=process.pid, created=process.create_time(), ports=ports))
    return process


def _ports(home: Home, settings: Settings) -> dict[str, int]:
    """The ports to listen on; for 0 that of the last start while it is free."""
    last = home.started(NAME)
    known = last.ports if last else {}
    wanted = {"bolt": settings.neo4j.bolt_port, "browser": settings.neo4j.browser_port}
    ports: dict[str, int] = {}
    for name, port in wanted.items():
        if port and not is_free(HOST, port):
            raise EngineError(
                f"port {port} is taken by another program; give Neo4j another {name} port "
                f"with --{name}-port or HIPPOGRAPH_{name.upper()}_PORT (0 picks a free one)"
            )
        ports[name] = port or _picked(known.get(name))
    return ports


def _picked(last: int | None) -> int:
    return last if last and is_free(HOST, last) else free_port()


def _answering(home: Home, process: psutil.Process, *, fresh: bool) -> Neo4j:
    """Wait until the process answers to the home's password, which it is given if need be."""
    record = home.started(NAME)
    ports = record.ports if record else {}
    uri = f"bolt://{HOST}:{ports['bolt']}"
    deadline = time.monotonic() + START_SECONDS
    own = home.secret(home.password_file)
    # A wrong try counts towards the database's limit of three, so the likely one comes first.
    passwords = [BORN_WITH, own] if fresh else [own, BORN_WITH]
    while not (
        all(listens(HOST, port) for port in ports.values())
        and _has_signed_in(uri, passwords, own)
    ):
        if not runs(process):
            raise EngineError(_obituary("ended before it answered", home))
        if time.monotonic() > deadline:
            raise EngineError(_obituary(f"did not answer in {START_SECONDS:.0f} seconds", home))
        time.sleep(POLL_SECONDS)
    return Neo4j(
        connection=Connection(uri=uri, username=USER, password=own),
        pid=process.pid,
        bolt_port=ports["bolt"],
        browser_port=ports["browser"],
    )


def _has_signed_in(uri: str, passwords: list[str], own: str) -> bool:
    """Whether the database answers to the home's own password; False while it still starts."""
    for password in passwords:
        try:
            with _driver(uri, password) as driver:
                if password != own:
                    _run(driver, "system", PASSWORD, old=password, new=own)
                    return _has_signed_in(uri, [own], own)
                _run(driver, "neo4j", PING)
                return True
        except AuthError:
            continue
        except (DriverError, Neo4jError):
            return False
    raise EngineError(
        "the managed Neo4j refuses the password in neo4j.password of the home; put back the "
        "file with which its data was made"
    )


def _driver(uri: str, password: str) -> "Driver":
    return GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - the driver leaves its options untyped
        uri, auth=(USER, password), connection_timeout=5, max_transaction_retry_time=0
    )


def _run(driver: "Driver", database: str, statement: Statement, **params: str) -> None:
    with driver.session(database=database) as session:  # pyright: ignore[reportUnknownMemberType] - as above
        session.run(cast("Any", statement.text), params).consume()


def _obituary(what: str, home: Home) -> str:
    log = home.log(NAME)
    lines = tail(log, QUOTED_LINES)
    return "\n".join([f"Neo4j {what}; the end of {log}:", *lines])
