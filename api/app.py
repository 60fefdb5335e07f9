"""The service put together and served over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
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
from starlette.routing import Route

from hippograph.api.context import Services
from hippograph.api.logs import configure_logs
from hippograph.api.parts import open_services
from hippograph.api.schema import schema
from hippograph.api.web import Bounded, GraphQLApp, Health, Measured
from hippograph.graph.database import Database

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from prometheus_client.core import Metric

    from hippograph.graph.database import Connection
    from hippograph.graph.embed import Embedder
    from hippograph.schema.settings import LoadedSettings

log = structlog.get_logger(__name__)

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
        try:
            yield
            services.touches.stop()
            await counting
        finally:
            await services.db.close()
            services.embedder.close()
        log.info("stopped")

    return Starlette(
        routes=[
            Route("/graphql", graphql, methods=["POST"]),
            Route("/livez", health.livez),
            Route("/readyz", health.readyz),
            Route("/metrics", health.metrics),
        ],
        middleware=[Middleware(Measured, registry=registry), Middleware(Bounded)],
        lifespan=lifespan,
    )


def serve(loaded: LoadedSettings, connection: Connection, embedder: Embedder) -> None:
    """Serve until told to stop; then finish what was begun.

    Raises SetupError and UnavailableError when the service can't start.
    """
    configure_logs(loaded.settings.server.log_level)
    # uvloop where there is one: half of the time of a request is spent in the loop.
    loop_factory = uvicorn.Config(_serve).get_loop_factory()
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(_serve(loaded, connection, embedder))


async def _serve(loaded: LoadedSettings, connection: Connection, embedder: Embedder) -> None:
    services = await open_services(loaded, connection, embedder)
    config = uvicorn.Config(
        application(services),
        host=loaded.settings.server.host,
        port=loaded.settings.server.port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    await uvicorn.Server(config).serve()
