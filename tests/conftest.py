"""One real service for the whole run: `hippograph up` on a home of its own, ports it picks."""

import json
import os
import subprocess
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from hippograph.api.parts import opened_embedder
from hippograph.graph.database import Connection, Database
from hippograph.graph.embed import Embedder
from hippograph.schema.access import Role, Scope
from hippograph.schema.settings import process_settings
from hippograph.schema.tiers import Decay
from tests.service import HIPPOGRAPH, Api, Service, new_space

START_SECONDS = 900  # an empty cache is filled first


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[Service]:
    home = tmp_path_factory.mktemp("home")
    sizes = {"HIPPOGRAPH_HEAP_MB": "1024", "HIPPOGRAPH_PAGE_CACHE_MB": "512"}
    ports = ["--port", "0", "--bolt-port", "0", "--browser-port", "0"]
    started = subprocess.run(
        [HIPPOGRAPH, "up", "--home", home, *ports, "--json"],
        env={**os.environ, **sizes},
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    assert started.returncode == 0, started.stderr
    told = json.loads(started.stdout)
    yield Service(
        url=told["graphql"],
        ws=told["ws"],
        health=told["health"],
        home=Path(told["home"]),
        token_file=Path(told["token_file"]),
        operator_token_file=Path(told["operator_token_file"]),
        bolt=told["bolt"],
        password_file=Path(told["neo4j_password_file"]),
    )
    subprocess.run([HIPPOGRAPH, "down", "--home", home], check=True, timeout=120)


@pytest.fixture(scope="session")
def http() -> Generator[httpx.Client]:
    with httpx.Client(timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def operator(service: Service, http: httpx.Client) -> Api:
    return Api(http, service.url, service.operator_token)


@pytest.fixture
def api(operator: Api) -> Api:
    """The owner of a fresh space."""
    return new_space(operator)


@pytest.fixture
def stranger(operator: Api) -> Api:
    """The owner of another fresh space."""
    return new_space(operator)


@pytest.fixture(scope="session")
def service_bolt(service: Service) -> str:
    return service.bolt


@pytest.fixture(scope="session")
async def db(service: Service) -> AsyncGenerator[Database]:
    connection = Connection(
        uri=service.bolt,
        username="neo4j",
        password=service.password_file.read_text("utf-8").strip(),
    )
    database = Database(connection)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def embedder() -> AsyncGenerator[Embedder]:
    opened = await opened_embedder(process_settings().settings)
    yield opened
    opened.close()


@pytest.fixture
def scope() -> Scope:
    """The owner of a fresh space that nobody has made yet."""
    return Scope(space=f"space-{uuid4().hex}", principal="owner", role=Role.OWNER)


@pytest.fixture
def decay() -> Decay:
    return Decay()
