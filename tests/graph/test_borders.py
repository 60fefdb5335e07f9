"""Score, tier and freezing time come out alike in Python and in Cypher."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from hippograph.graph.database import Database, Transaction
from hippograph.graph.listing import memory_page
from hippograph.graph.remember.store import STORE
from hippograph.graph.touches import Touch, touch
from hippograph.schema.access import Scope
from hippograph.schema.memory import MemoryFilter
from hippograph.schema.pages import PageWanted
from hippograph.schema.tiers import Decay, Tier, freezes_at
from tests.graph.rows import NOON, a_row, stored_property

GOLDEN = json.loads((Path(__file__).parents[1] / "golden.json").read_text("utf-8"))
SCORES = [case for case in GOLDEN["cases"] if case["rule"] == "memory.score"]


async def put(db: Database, scope: Scope, **properties: object) -> str:
    """A memory with these properties, written as they are."""
    memory_id = uuid4().hex

    async def work(tx: Transaction) -> None:
        await tx.rows(
            STORE, agents=["default"], now=NOON, rows=[a_row(scope, memory_id, **properties)]
        )

    await db.write(scope, work)
    return memory_id


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case["id"])
async def test_the_tier_of_a_golden_score_is_the_same_in_cypher(
    db: Database, scope: Scope, decay: Decay, case: dict[str, Any]
) -> None:
    given = case["input"]
    created = NOON - timedelta(days=given["ageDays"])
    memory_id = await put(
        db,
        scope,
        importance=float(given["importance"]),
        access_count=given["accessCount"],
        created_at=created,
    )

    found = {
        tier
        for tier in Tier
        for memory in (
            await memory_page(
                db,
                scope,
                MemoryFilter(tiers=(tier,)),
                PageWanted(first=5),
                now=NOON,
                decay=decay,
            )
        ).memories
        if memory.id == memory_id
    }

    assert {tier.value.lower() for tier in found} == {case["expected"]["tier"]}


@pytest.mark.parametrize(
    "given",
    [(0.5, 0, 0.0), (0.9, 12, 0.0), (0.01, 0, 0.0), (0.0, 3, 0.0), (0.7, 2, 1.0)],
)
async def test_a_touch_keeps_when_a_memory_freezes(
    db: Database,
    scope: Scope,
    decay: Decay,
    given: tuple[float, int, float],
) -> None:
    importance, accesses, confidence = given
    memory_id = await put(
        db,
        scope,
        importance=importance,
        access_count=accesses,
        burst_confidence=confidence,
        created_at=NOON,
    )

    await touch(db, scope.space, [Touch(memory_id=memory_id, agent="default", at=NOON)], decay)

    expected = freezes_at(
        decay,
        NOON,
        importance=importance,
        access_count=accesses + 1,
        burst_confidence=confidence,
    )
    kept = await stored_property(db, scope, memory_id, "freezes_at")
    assert abs(kept.to_native() - expected) < timedelta(seconds=1)


async def test_touches_count_once_for_each_agent_and_hour(
    db: Database, scope: Scope, decay: Decay
) -> None:
    memory_id = await put(db, scope, created_at=NOON)
    at = [NOON, NOON + timedelta(minutes=59), NOON + timedelta(minutes=61)]
    touches = [
        Touch(memory_id=memory_id, agent=agent, at=moment)
        for moment in at
        for agent in ("one", "two")
    ]

    counted = await touch(db, scope.space, [*touches, *touches], decay)
    again = await touch(db, scope.space, touches[-1:], decay)

    assert (counted, again) == (4, 0)
    assert await stored_property(db, scope, memory_id, "access_count") == 4


async def test_a_touch_of_another_space_counts_nothing(
    db: Database, scope: Scope, decay: Decay
) -> None:
    memory_id = await put(db, scope, created_at=NOON)

    await touch(db, "another-space", [Touch(memory_id=memory_id, agent="a", at=NOON)], decay)

    assert await stored_property(db, scope, memory_id, "access_count") == 0
