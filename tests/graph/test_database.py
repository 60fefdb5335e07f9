"""Sessions and statements: walls filled in, wrong calls refused, driver errors translated."""

import pytest

from hippograph.graph.database import Connection, Database, Transaction
from hippograph.graph.listing import READ, memory_by_id
from hippograph.graph.statements import parsed, statement
from hippograph.schema.access import SERVICE, Scope
from hippograph.schema.errors import SetupError, StatementError, UnavailableError

NOTHING = "no password of any database"


@pytest.mark.parametrize("params", [{}, {"ids": [], "more": 1}, {"ids": [], "space": "x"}])
async def test_a_statement_with_other_parameters_than_its_header_is_refused(
    db: Database, scope: Scope, params: dict[str, object]
) -> None:
    async def work(tx: Transaction) -> None:
        await tx.rows(READ, **params)

    with pytest.raises(StatementError, match="memories_read takes"):
        await db.read(scope, work)


def test_a_misspelt_statement_is_refused() -> None:
    with pytest.raises(StatementError, match="no statement memory_stroe"):
        statement("memory_stroe")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("// Says.\n// params: a\nCYPHER 25\nRETURN $b AS b", "header names"),
        ("CYPHER 25\nRETURN 1 AS one", "must say the purpose"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(text: str, problem: str) -> None:
    with pytest.raises(StatementError, match=problem):
        parsed("x", text)


async def test_a_database_that_is_not_there_is_unavailable(scope: Scope) -> None:
    nobody = Database(
        Connection(uri="bolt://127.0.0.1:1", username="neo4j", password=NOTHING),
        retry_seconds=0.1,
    )

    try:
        with pytest.raises(UnavailableError, match="the database does not answer"):
            await memory_by_id(nobody, scope, "x")
    finally:
        await nobody.close()


async def test_a_wrong_password_is_said_to_be_one(service_bolt: str) -> None:
    other = Database(Connection(uri=service_bolt, username="neo4j", password=NOTHING))

    try:
        with pytest.raises(SetupError, match="refuses the user name or password"):
            await memory_by_id(other, SERVICE, "x")
    finally:
        await other.close()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(SetupError, match=r"neo4j\.uri nonsense"):
        Database(Connection(uri="nonsense", username="neo4j", password=NOTHING))
