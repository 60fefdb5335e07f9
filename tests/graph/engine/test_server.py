"""A managed Neo4j through its life: started, killed, started again, stopped."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from neo4j import GraphDatabase

from hippograph.graph.database import Connection
from hippograph.graph.engine import server
from hippograph.graph.engine.home import Home
from hippograph.graph.engine.process import listens
from hippograph.schema.errors import EngineError
from hippograph.schema.settings import Settings, settings_from

HIPPOGRAPH = Path(sys.executable).with_name("hippograph")
SMALL = {"HIPPOGRAPH_HEAP_MB": "512", "HIPPOGRAPH_PAGE_CACHE_MB": "64"}
FREE = {"HIPPOGRAPH_BOLT_PORT": "0", "HIPPOGRAPH_BROWSER_PORT": "0"}
SECONDS = 120.0


@pytest.fixture
def folder() -> Generator[Path]:
    """A home with a blank and an umlaut in its name, whose Neo4j is stopped at the end."""
    parent = Path(tempfile.mkdtemp())
    yield parent / "Müllers home"
    server.stopped(Home(parent / "Müllers home"))
    shutil.rmtree(parent)


def settings_of(home: Path, **environment: str) -> Settings:
    given = {**os.environ, **SMALL, **FREE, **environment}
    return settings_from(given, home=home).settings


def until(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def count_after(connection: Connection, statement: str) -> int:
    database: Any = GraphDatabase
    auth = (connection.username, connection.password)
    with database.driver(connection.uri, auth=auth) as driver:
        return driver.execute_query(statement).records[0]["count"]


def killed_while_neo4j_starts(settings: Settings) -> None:
    """Run `hippograph up` and kill it when it has just started Neo4j."""
    home = Home(settings.home)
    command = [HIPPOGRAPH, "up", "--home", settings.home]
    with subprocess.Popen(
        command, env={**os.environ, **SMALL, **FREE}, stderr=subprocess.DEVNULL
    ) as up:
        until(lambda: home.started(server.NAME) is not None)
        up.kill()


def test_neo4j_survives_two_kills_and_keeps_password_ports_and_data(folder: Path) -> None:
    home, settings = Home(folder), settings_of(folder)

    killed_while_neo4j_starts(settings)
    process = server.running(home)
    assert process is not None
    first = server.started(settings)  # goes on with it, up to the password
    assert first.pid == process.pid
    count_after(first.connection, "CREATE (:Survivor) RETURN 1 AS count")

    process.kill()
    until(lambda: server.running(home) is None)
    second = server.started(settings)

    assert second.pid != first.pid
    assert second.connection == first.connection
    assert count_after(second.connection, "MATCH (s:Survivor) RETURN count(s) AS count") == 1
    assert count_after(second.connection, "RETURN size(gds.version()) AS count") > 0
    assert server.started(settings) == second
    assert server.stopped(home)
    assert not listens("127.0.0.1", second.bolt_port)
    assert not server.stopped(home)


def test_a_port_in_use_is_told_with_the_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        settings = settings_of(tmp_path, HIPPOGRAPH_BROWSER_PORT=str(port))

        with pytest.raises(EngineError, match=f"port {port} is taken.*--browser-port"):
            server.started(settings)


def test_a_jvm_that_ends_early_is_quoted(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, HIPPOGRAPH_HEAP_MB="1")

    with pytest.raises(EngineError, match=r"(?s)ended before it answered.*heap"):
        server.started(settings)

    assert server.running(Home(tmp_path)) is None


def test_a_given_neo4j_is_taken_as_it_is_given(tmp_path: Path) -> None:
    given = {
        "HIPPOGRAPH_NEO4J_URI": "neo4j://elsewhere:7687",
        "HIPPOGRAPH_NEO4J_USERNAME": "me",
        "HIPPOGRAPH_NEO4J_PASSWORD": "mine",
        "HIPPOGRAPH_NEO4J_DATABASE": "memories",
    }
    settings = settings_of(tmp_path, **given)

    connection = server.connection_for(settings)

    assert (connection.uri, connection.username) == ("neo4j://elsewhere:7687", "me")
    assert (connection.password, connection.database) == ("mine", "memories")
