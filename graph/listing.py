"""Reading memories: by id, by filter, with their revisions and references."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hippograph.graph.records import memory_from, revision_from
from hippograph.graph.statements import statement
from hippograph.schema.relationships import TYPES
from hippograph.schema.tiers import TIER_FLOORS, Decay
from hippograph.schema.times import FAR_FUTURE, LONG_AGO

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.schema.access import Scope
    from hippograph.schema.memory import Memory, MemoryFilter, Revision
    from hippograph.schema.pages import PageWanted
    from hippograph.schema.tiers import Tier

READ = statement("memories_read")
LIST = statement("memory_list")
COUNT = statement("memory_count")
REVISIONS = statement("memory_revisions")
REFERENCES = statement("memory_references")
AGENTS = statement("agent_list")

_INFINITE = 1e300


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Memories in order, and whether more follow."""

    memories: tuple[Memory, ...]
    has_next: bool


async def memories_by_id(db: Database, scope: Scope, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories of these ids that the scope may see, by id."""

    async def work(tx: Transaction) -> dict[str, Memory]:
        rows = await tx.rows(READ, ids=list(dict.fromkeys(ids)))
        found = [memory_from(row["memory"], scope.space) for row in rows]
        return {memory.id: memory for memory in found}

    return await db.read(scope, work)


async def memory_by_id(db: Database, scope: Scope, memory_id: str) -> Memory | None:
    """One memory, or None when the scope has none of that id."""
    return (await memories_by_id(db, scope, [memory_id])).get(memory_id)


async def memory_page(
    db: Database,
    scope: Scope,
    wanted: MemoryFilter,
    page: PageWanted,
    *,
    now: datetime,
    decay: Decay,
) -> Page:
    """A page of memories, newest first.

    A page goes on where its cursor stands in the order, so memories that are stored meanwhile
    neither repeat nor hide others.
    """

    async def work(tx: Transaction) -> list[Row]:
        return await tx.rows(
            LIST,
            after_at=page.after.created_at if page.after else FAR_FUTURE,
            after_id=page.after.memory_id if page.after else "",
            limit=page.first + 1,
            **_filter_params(wanted, now, decay),
        )

    rows = await db.read(scope, work)
    memories = tuple(memory_from(row["memory"], scope.space) for row in rows[: page.first])
    return Page(memories=memories, has_next=len(rows) > page.first)


async def memory_total(
    db: Database, scope: Scope, wanted: MemoryFilter, *, now: datetime, decay: Decay
) -> int:
    """How many memories a filter leaves."""

    async def work(tx: Transaction) -> int:
        row = await tx.row(COUNT, **_filter_params(wanted, now, decay))
        return 0 if row is None else row["total"]

    return await db.read(scope, work)


async def revisions_of(
    db: Database, scope: Scope, ids: Sequence[str], *, first: int
) -> dict[str, list[Revision]]:
    """Earlier texts of memories, newest first, at most `first` each."""

    async def work(tx: Transaction) -> dict[str, list[Revision]]:
        rows = await tx.rows(REVISIONS, ids=list(ids), first=first)
        return {row["id"]: [revision_from(one) for one in row["revisions"]] for row in rows}

    return await db.read(scope, work)


async def references_to(db: Database, scope: Scope, ids: Sequence[str]) -> dict[str, int]:
    """How many distinct other memories refer to each of these."""
    symmetric = [kind.value for kind, facts in TYPES.items() if facts.symmetric]

    async def work(tx: Transaction) -> dict[str, int]:
        rows = await tx.rows(REFERENCES, ids=list(ids), symmetric=symmetric)
        counts: dict[str, int] = defaultdict(int)
        return counts | {row["id"]: row["references"] for row in rows}

    return await db.read(scope, work)


async def agent_ids(db: Database, scope: Scope) -> list[str]:
    """The agents of the space that the scope may see, in order."""

    async def work(tx: Transaction) -> list[str]:
        return [row["id"] for row in await tx.rows(AGENTS)]

    return await db.read(scope, work)


def tier_ranges(tiers: Sequence[Tier] | None) -> list[Row] | None:
    """Score ranges of tiers, floor inclusive and ceiling exclusive, as statements take them."""
    if tiers is None:
        return None
    floors = list(TIER_FLOORS.items())
    ceilings = {
        tier: floors[at - 1][1] if at else _INFINITE for at, (tier, _) in enumerate(floors)
    }
    return [{"floor": TIER_FLOORS[tier], "ceiling": ceilings[tier]} for tier in tiers]


def _filter_params(wanted: MemoryFilter, now: datetime, decay: Decay) -> Row:
    return {
        "agent": wanted.agent,
        "kinds": _values(wanted.kinds),
        "states": _values(wanted.states),
        "tiers": tier_ranges(wanted.tiers),
        "category": wanted.category,
        "tags": None if wanted.tags is None else list(wanted.tags),
        "created_from": wanted.created_from or LONG_AGO,
        "created_before": wanted.created_before or FAR_FUTURE,
        "now": now,
        "tau_days": decay.tau_days,
        "boost": decay.boost,
        "burst_slowing": decay.burst_slowing,
    }


def _values(enums: Sequence[object] | None) -> list[str] | None:
    return None if enums is None else [str(one) for one in enums]
