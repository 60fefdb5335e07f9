"""Readiness while a part is gone."""

import json
from uuid import uuid4

from prometheus_client import CollectorRegistry
from starlette.requests import Request

from hippograph.api.context import Services
from hippograph.api.keyring import Keyring
from hippograph.api.parts import opened_embedder
from hippograph.api.web import Health
from hippograph.graph.database import Connection, Database
from hippograph.graph.embed import Embedder
from hippograph.graph.touches import TouchQueue
from hippograph.schema.settings import process_settings
from hippograph.schema.tiers import Decay

SILENT = "does not answer as it should"


async def readiness(
    db: Database, embedder: Embedder, decay: Decay
) -> tuple[int, dict[str, str]]:
    services = Services(
        db=db,
        embedder=embedder,
        decay=decay,
        touches=TouchQueue(db, decay),
        keys=Keyring(db),
        loaded=process_settings(),
    )
    request = Request({"type": "http", "method": "GET", "path": "/readyz", "headers": []})
    response = await Health(services, CollectorRegistry()).readyz(request)
    return response.status_code, json.loads(bytes(response.body))["checks"]


async def test_a_service_without_its_model_is_not_ready(db: Database, decay: Decay) -> None:
    closed = await opened_embedder(process_settings().settings)
    closed.close()

    status, checks = await readiness(db, closed, decay)

    assert status == 503
    assert (checks["neo4j"], checks["model"]) == ("ok", SILENT)


async def test_a_service_without_its_database_is_not_ready(
    embedder: Embedder, decay: Decay
) -> None:
    nowhere = Database(
        Connection(uri="bolt://127.0.0.1:1", username="neo4j", password=uuid4().hex)
    )

    status, checks = await readiness(nowhere, embedder, decay)
    await nowhere.close()

    assert status == 503
    assert (checks["neo4j"], checks["model"]) == (SILENT, "ok")
