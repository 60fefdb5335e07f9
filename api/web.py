"""HTTP: who is calling, how much they send, how long it took; then GraphQL and health."""

from __future__ import annotations

import asyncio
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import structlog
from cross_web import HTTPException
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from strawberry.asgi import GraphQL
from strawberry.http import process_result
from uuid_utils import uuid7

from hippograph.api.context import Caller
from hippograph.api.errors import INTERNAL, shown
from hippograph.graph.migrations import unready_indexes
from hippograph.schema.access import Role
from hippograph.schema.errors import (
    ForbiddenError,
    HippographError,
    UnauthenticatedError,
    UnavailableError,
)

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket
    from strawberry.http import GraphQLHTTPResponse
    from strawberry.schema import BaseSchema
    from strawberry.types import ExecutionResult

    from hippograph.api.context import Services

log = structlog.get_logger(__name__)

# A full batch of the largest texts, with room for the escapes of JSON.
MOST_BODY_BYTES = 160 * 1024 * 1024
# What a health check tells, and how long it waits for each part: less than the driver would.
OK = "ok"
SILENT = "does not answer as it should"
CHECK_SECONDS = 5
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def failure(code: str, message: str, status: int) -> Response:
    """A refusal before GraphQL, in the form of its errors."""
    error = {"message": message, "extensions": {"code": code, "field": None}}
    return JSONResponse({"data": None, "errors": [error]}, status_code=status)


STATUSES: dict[type[HippographError], int] = {
    UnauthenticatedError: 401,
    ForbiddenError: 403,
    UnavailableError: 503,
}


def refusal(error: HippographError) -> Response:
    """An error before GraphQL; what is none of the caller's business is masked."""
    status = STATUSES.get(type(error))
    if status is None:
        log.error("unexpected_error", error=type(error).__name__, exc_info=error)
        return failure(INTERNAL, "something went wrong inside; the log tells more", 500)
    return failure(str(error.code), str(error), status)


def secret_of(connection: HTTPConnection) -> str | None:
    """The secret in the Authorization header."""
    kind, _, secret = connection.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else None


class Measured:
    """Counts requests and their time, and gives each an id that its log lines carry."""

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self._app = app
        self._requests = Counter(
            "hippograph_requests", "HTTP requests", ["path", "status"], registry=registry
        )
        self._seconds = Histogram(
            "hippograph_request_seconds", "Time of HTTP requests", ["path"], registry=registry
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and note what came of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = HTTPConnection(scope).headers.get("x-request-id", "")
        if not _REQUEST_ID.fullmatch(request_id):
            request_id = str(uuid7())
        began, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", []), (b"x-request-id", request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        path = scope["path"] if scope["path"] in PATHS else "other"
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, noted)
            finally:
                seconds = time.perf_counter() - began
                self._requests.labels(path, str(status)).inc()
                self._seconds.labels(path).observe(seconds)
                log.info(
                    "request",
                    method=scope["method"],
                    path=path,
                    status=status,
                    ms=round(seconds * 1000, 1),
                )


class Bounded:
    """Refuses bodies that are larger than any request needs, before they are read whole."""

    def __init__(self, app: ASGIApp, most: int = MOST_BODY_BYTES) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on unless it is too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        length = HTTPConnection(scope).headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._most:
            refusal = failure("INVALID", f"the body may have {self._most} bytes", 413)
            await refusal(scope, receive, send)
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._most:
                return {"type": "http.disconnect"}
            return message

        await self._app(scope, counted, send)


class GraphQLApp(GraphQL[Caller, None]):
    """GraphQL for callers with a key."""

    def __init__(self, schema: BaseSchema, services: Services) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            allow_queries_via_get=False,
        )
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer callers with a valid key; 401 for all others."""
        try:
            scope["caller"] = await self._caller(secret_of(HTTPConnection(scope)))
            answer = await self.run(Request(scope, receive))
        except HippographError as error:
            answer = refusal(error)
        except HTTPException as error:
            answer = failure("INVALID", error.reason, error.status_code)
        except ClientDisconnect:
            answer = failure("INVALID", "the body is too large, or did not arrive whole", 413)
        await answer(scope, receive, send)

    async def get_context(
        self, request: Request | WebSocket, response: Response | WebSocket
    ) -> Caller:
        """The caller whose key was checked before."""
        del response
        return request.scope["caller"]

    async def process_result(
        self, request: Request, result: ExecutionResult
    ) -> GraphQLHTTPResponse:
        """The answer, with errors as callers may see them."""
        del request
        answer = process_result(result)
        if result.errors:
            answer["errors"] = cast("list[object]", [shown(error) for error in result.errors])
        return answer

    def decode_json(self, data: str | bytes) -> object:
        """A body as data; a number of thousands of digits is no more readable than no JSON."""
        try:
            decoded = super().decode_json(data)
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, "the body can't be read as JSON") from error
        if not isinstance(decoded, dict | list):  # a list is refused with the words for batches
            raise HTTPException(400, "the body must be a JSON object")
        return cast("object", decoded)

    async def _caller(self, secret: str | None) -> Caller:
        now = datetime.now(UTC)
        key = await self._services.keys.key(secret, now)
        return Caller(services=self._services, scope=key.scope(), now=now)


class Health:
    """Whether the process lives, whether it can serve, and its figures."""

    def __init__(self, services: Services, registry: CollectorRegistry) -> None:
        self._services = services
        self._registry = registry

    async def livez(self, request: Request) -> Response:
        """200 as long as the process answers."""
        del request
        return JSONResponse({"status": OK})

    async def readyz(self, request: Request) -> Response:
        """200 when database, indexes and model answer; else 503 with what does not."""
        del request
        database, model = await asyncio.gather(self._database(), self._model())
        checks = {**database, "model": model}
        ready = all(check == OK for check in checks.values())
        checks["model_name"] = self._services.embedder.identity.name
        return JSONResponse(
            {"status": OK if ready else "unready", "checks": checks},
            status_code=200 if ready else 503,
        )

    async def _database(self) -> dict[str, str]:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                waiting = await unready_indexes(self._services.db)
        except (TimeoutError, HippographError) as error:
            log.warning("unready", part="neo4j", error=type(error).__name__)
            return {"neo4j": SILENT}
        return {"neo4j": OK, "indexes": f"not online: {', '.join(waiting)}" if waiting else OK}

    async def _model(self) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await self._services.embedder.check()
        except (TimeoutError, UnavailableError) as error:
            log.warning("unready", part="model", error=type(error).__name__)
            return SILENT
        return OK

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus; for operators."""
        try:
            key = await self._services.keys.key(secret_of(request), datetime.now(UTC))
            key.scope().require(Role.OPERATOR, "reading metrics")
        except HippographError as error:
            return refusal(error)
        return PlainTextResponse(
            generate_latest(self._registry), media_type="text/plain; version=0.0.4"
        )


PATHS = ("/graphql", "/livez", "/readyz", "/metrics")
