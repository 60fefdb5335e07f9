"""Every statement is understood by a real database, and takes the index it promises."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, cast

from neo4j import AsyncDriver

from hippograph.graph.database import Database
from hippograph.graph.statements import Statement, statement, statement_names

# Enough for the planner to find an index cheaper than a scan, in spaces of their own.
CROWD = """CYPHER 25
UNWIND range(1, 100) AS i
WITH 'plans-' + i AS space
CREATE (:Space {id: space})
CREATE (:Agent {space: space, id: 'default'})
CREATE (:Principal {space: space, name: 'owner'})<-[:STANDS_FOR]-
  (:AccessKey {space: space, id: 'key', hash: space})
CREATE (:IdempotencyKey {space: space, key: 'key'})
WITH space
UNWIND range(1, 20) AS j
CREATE (m:Memory {space: space, id: toString(j), agent: 'default', created_at: datetime()})
CREATE (m)-[:MENTIONS]->(:Entity {space: space, key: toString(j)})
WITH space, collect(m) AS memories
FOREACH (m IN memories | CREATE (m)-[:REFERENCES {space: space, id: m.id}]->(m))
"""
DISPERSAL = """CYPHER 25
MATCH (n)
WHERE coalesce(n.space, n.id) STARTS WITH 'plans-'
DETACH DELETE n
"""
SCANS = ("AllNodesScan", "NodeByLabelScan", "TypeScan", "AllRelationshipsScan")

Plan = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Explained:
    """What the database says of a statement: its columns, and each step of its plan."""

    columns: list[str]
    steps: list[str]


async def test_plans_take_the_index_that_the_header_promises(db: Database) -> None:
    async with crowded(db) as driver:
        shapes = await index_shapes(driver)
        wrong = [
            f"{name}: {problem}"
            for name in statement_names()
            if not name.startswith("schema_")
            for problem in problems(
                statement(name), await explained(driver, statement(name)), shapes
            )
        ]

    assert wrong == []


async def test_headers_promise_indexes_that_are_made(db: Database) -> None:
    promised = {index for name in statement_names() for index in statement(name).index}

    shapes = await index_shapes(driver_of(db))

    assert promised <= shapes.keys()


def problems(one: Statement, plan: Explained, shapes: dict[str, str]) -> Iterator[str]:
    """Where the plan of a statement falls short of its header."""
    if plan.columns != list(one.returns):
        yield f"returns {plan.columns}"
    for index in one.index:
        if not any(shapes.get(index, index) in step for step in plan.steps):
            yield f"takes no {index}"
    if one.index:
        yield from (step for step in plan.steps if any(scan in step for scan in SCANS))


@asynccontextmanager
async def crowded(db: Database) -> AsyncGenerator[AsyncDriver]:
    """The driver of a database that many spaces live in."""
    driver = driver_of(db)
    await driver.execute_query(CROWD)
    await driver.execute_query("CALL db.prepareForReplanning(60)")
    try:
        yield driver
    finally:
        await driver.execute_query(DISPERSAL)


def driver_of(db: Database) -> AsyncDriver:
    """The driver itself, as plans are no business of a service."""
    return db._driver  # pyright: ignore[reportPrivateUsage] - the service never asks for plans


async def index_shapes(driver: AsyncDriver) -> dict[str, str]:
    """For each index by name, the words that a plan shows it by."""
    found = await driver.execute_query(
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties "
        "WHERE type <> 'LOOKUP' RETURN name, type, labelsOrTypes, properties"
    )
    return {row["name"]: _shape(row.data()) for row in found.records}


async def explained(driver: AsyncDriver, one: Statement) -> Explained:
    """The plan of a statement, which is not run."""
    text = cast("LiteralString", "EXPLAIN " + one.text)
    told = await driver.execute_query(text, parameters_=dict.fromkeys(one.params))
    # The driver leaves plans untyped.
    return Explained(told.keys, list(_steps(cast("Any", told.summary).plan)))


def _shape(index: dict[str, Any]) -> str:
    if index["type"] == "FULLTEXT":
        return "db.index.fulltext.query"
    if index["type"] == "VECTOR":
        return f"VECTOR INDEX {index['name']} "
    return f":{index['labelsOrTypes'][0]}({', '.join(index['properties'])})"


def _steps(plan: Plan) -> Iterator[str]:
    yield f"{plan['operatorType']} {plan['args'].get('Details', '')}"
    for child in plan.get("children", []):
        yield from _steps(child)
