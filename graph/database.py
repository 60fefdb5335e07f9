"""The one place that opens sessions, runs statements and translates the driver's errors."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncGraphDatabase,
    NotificationMinimumSeverity,
    Query,
    unit_of_work,
)
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Neo4jError,
    TransientError,
)
from tenacity import (
    AsyncRetrying,
    retry_if_exception,
    stop_after_delay,
    wait_exponential_jitter,
)

from hippograph.schema.errors import SetupError, StatementError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncResult, AsyncSession

    from hippograph.graph.statements import Statement
    from hippograph.schema.access import Scope

T = TypeVar("T")
Row = dict[str, Any]
Runner = Callable[[Any, dict[str, Any]], Awaitable["AsyncResult"]]

# A statement that runs longer has gone wrong; the server ends it and frees its locks.
STATEMENT_SECONDS = 60.0
# How long the driver tries a transaction again that failed for a passing reason.
RETRY_SECONDS = 15.0
# How often a write is run again after another writer made the same key first.
RACES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """Where the database is and how to sign in."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str = "neo4j"


def _passes(error: BaseException) -> bool:
    """Whether the same may go well a moment later."""
    return isinstance(error, DriverError | Neo4jError) and error.is_retryable()


class Transaction:
    """A transaction inside one scope: it adds the space to every statement."""

    def __init__(self, run: Runner, scope: Scope, counts: Counter[str]) -> None:
        self._run = run
        self._scope = scope
        self._counts = counts

    async def rows(self, statement: Statement, **params: object) -> list[Row]:
        """All rows of a statement.

        `space` and `only_agent`, the walls of the scope, are filled in here and nowhere else.
        Raises StatementError when the parameters are not those of the header.
        """
        walls = {"space": self._scope.space, "only_agent": self._scope.agent}
        given = {name: walls[name] for name in walls if name in statement.params}
        if given.keys() & params.keys() or frozenset([*given, *params]) != statement.params:
            raise StatementError(
                f"{statement.name} takes {sorted(statement.params)}, was given {sorted(params)}"
            )
        self._counts[statement.name] += 1
        # Cypher comes from files alone; the driver's type wants a literal.
        text = cast("Any", statement.text)
        result = await self._run(text, {**given, **params})
        names = result.keys()
        # Statements return maps and plain values, so `Record.data` would copy them for nothing.
        return [dict(zip(names, entry.values(), strict=True)) async for entry in result]

    async def row(self, statement: Statement, **params: object) -> Row | None:
        """The first row, or None."""
        rows = await self.rows(statement, **params)
        return rows[0] if rows else None


class Database:
    """A pool of connections to one Neo4j database."""

    def __init__(self, connection: Connection, *, retry_seconds: float = RETRY_SECONDS) -> None:
        try:
            self._driver: AsyncDriver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - the driver leaves its options untyped
                connection.uri,
                auth=(connection.username, connection.password),
                connection_acquisition_timeout=30,
                connection_timeout=10,
                max_transaction_retry_time=retry_seconds,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
                user_agent="hippograph",
            )
        except (ConfigurationError, ValueError) as error:
            raise SetupError(f"neo4j.uri {connection.uri} is no address: {error}") from error
        self._name = connection.database
        self._retry_seconds = retry_seconds
        self.statement_counts: Counter[str] = Counter()

    async def close(self) -> None:
        """Give the connections back."""
        await self._driver.close()

    async def read(self, scope: Scope, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """What `work` gives, reading only; it may be run again.

        Each statement commits by itself: the database shows what is committed to every
        statement anew, so a transaction around reads would cost a round trip and give nothing.
        Raises UnavailableError when the database does not answer in time.
        """
        async with self._translated(), self._session(READ_ACCESS) as session:

            async def run(text: str, params: dict[str, Any]) -> AsyncResult:
                return await session.run(
                    Query(cast("Any", text), timeout=STATEMENT_SECONDS), params
                )

            async for attempt in AsyncRetrying(
                retry=retry_if_exception(_passes),
                stop=stop_after_delay(self._retry_seconds),
                wait=wait_exponential_jitter(multiplier=0.1, max=2),
                reraise=True,
            ):
                with attempt:
                    return await work(Transaction(run, scope, self.statement_counts))
        raise UnavailableError("the database", "does not answer; try again")

    async def write(self, scope: Scope, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """What `work` gives, in one write transaction; it may be run again.

        When another writer makes the same unique key first, `work` is run anew and finds it.
        Raises UnavailableError when the database does not answer in time.
        """
        async with self._translated(), self._session() as session:
            for _ in range(RACES):
                try:
                    return await session.execute_write(self._bounded(scope, work))
                except ConstraintError:
                    await asyncio.sleep(0)
            return await session.execute_write(self._bounded(scope, work))

    async def apply(self, statement: Statement, **params: object) -> None:
        """Run a statement that changes the graph's schema; it takes no scope and no rows."""
        async with self._translated(), self._session() as session:
            self.statement_counts[statement.name] += 1
            query = Query(cast("Any", statement.text), timeout=600)
            result = await session.run(query, dict(params))
            await result.consume()

    def _session(self, access: str = WRITE_ACCESS) -> AsyncSession:
        return self._driver.session(database=self._name, default_access_mode=access)  # pyright: ignore[reportUnknownMemberType] - the driver leaves its options untyped

    def _bounded(
        self, scope: Scope, work: Callable[[Transaction], Awaitable[T]]
    ) -> Callable[[AsyncManagedTransaction], Awaitable[T]]:
        @unit_of_work(timeout=STATEMENT_SECONDS)
        async def bounded(tx: AsyncManagedTransaction) -> T:
            return await work(Transaction(tx.run, scope, self.statement_counts))

        return bounded

    @asynccontextmanager
    async def _translated(self) -> AsyncGenerator[None]:
        try:
            yield
        except AuthError as error:
            raise SetupError("the database refuses the user name or password") from error
        except ConstraintError as error:
            raise UnavailableError("the database", "is too busy with the same key") from error
        except ClientError as error:
            if "Transaction" in (error.code or ""):
                raise UnavailableError("the database", "took too long; try again") from error
            raise StatementError(f"{error.code}: {error.message}") from error
        except (TransientError, DriverError, Neo4jError) as error:
            raise UnavailableError("the database", "does not answer; try again") from error
