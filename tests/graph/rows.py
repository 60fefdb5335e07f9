"""Rows as statements take them, for tests that need what no caller could store."""

from datetime import UTC, datetime
from typing import Any

from hippograph.graph.database import Database, Transaction
from hippograph.graph.records import properties_of, times_of, vector_of
from hippograph.graph.statements import Statement
from hippograph.schema.access import Scope
from hippograph.schema.memory import NewMemory
from hippograph.schema.tiers import Decay

NOON = datetime(2026, 4, 4, 12, tzinfo=UTC)

PROPERTY = Statement(
    name="test_property",
    purpose="One property of a memory.",
    params=frozenset({"space", "id", "name"}),
    returns=("value",),
    index=(),
    text="CYPHER 25 MATCH (m:Memory {space: $space, id: $id}) RETURN m[$name] AS value",
)


def a_row(scope: Scope, memory_id: str, **properties: object) -> dict[str, Any]:
    """A row of `memory_store` in which some properties are overruled."""
    new = NewMemory(text="a memory", agent="default")
    whole = properties_of(
        new,
        space=scope.space,
        model="test",
    )
    times = times_of(new, now=NOON, decay=Decay())
    return {
        "at": 0,
        "id": memory_id,
        "properties": {**whole, **{k: v for k, v in properties.items() if k not in times}},
        "times": {name: _iso(properties.get(name, value)) for name, value in times.items()},
        "vector": vector_of([1.0, *[0.0] * 383]),
        "entities": [],
        "keys": [],
    }


def _iso(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


async def stored_property(db: Database, scope: Scope, memory_id: str, name: str) -> Any:
    """A property of a memory as the database holds it."""

    async def work(tx: Transaction) -> Any:
        row = await tx.row(PROPERTY, id=memory_id, name=name)
        return None if row is None else row["value"]

    return await db.read(scope, work)
