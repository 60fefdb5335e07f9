"""The one place that opens sessions, runs statements and translates the driver's errors."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from neo4j import AsyncGraphDatabase, NotificationMinimumSeverity, Query, unit_of_work
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Neo4jError,
    TransientError,
)

from hippograph.schema.errors import SetupError, StatementError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncSession

    from hippograph.graph.statements import Statement
    from hippograph.schema.access import Scope

T = TypeVar("T")
Row = dict[str, Any]

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
    password: str
    database: str = "neo4j"


class Transaction:
    """A transaction inside one scope: it adds the space to every statement."""

    def __init__(self, tx: AsyncManagedTransaction, scope: Scope, counts: Counter[str]) -> None:
        self._tx = tx
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
        result = await self._tx.run(text, {**given, **params})
        return [record.data() for record in [entry async for entry in result]]

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
        self.statement_counts: Counter[str] = Counter()

    async def close(self) -> None:
        """Give the connections back."""
        await self._driver.close()

    async def read(self, scope: Scope, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """What `work` gives, in one read transaction; it may be run again.

        Raises UnavailableError when the database does not answer in time.
        """
        async with self._translated(), self._session() as session:
            return await session.execute_read(self._bounded(scope, work))

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

    def _session(self) -> AsyncSession:
        return self._driver.session(database=self._name)  # pyright: ignore[reportUnknownMemberType] - the driver leaves its options untyped

    def _bounded(
        self, scope: Scope, work: Callable[[Transaction], Awaitable[T]]
    ) -> Callable[[AsyncManagedTransaction], Awaitable[T]]:
        @unit_of_work(timeout=STATEMENT_SECONDS)
        async def bounded(tx: AsyncManagedTransaction) -> T:
            return await work(Transaction(tx, scope, self.statement_counts))

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
