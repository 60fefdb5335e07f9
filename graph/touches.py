"""Counting of accesses, behind the answers that cause them.

A crash loses at most the touches of the last FLUSH_SECONDS, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from hippograph.graph.statements import statement
from hippograph.schema.access import NO_SPACE, Role, Scope
from hippograph.schema.errors import HippographError
from hippograph.schema.tiers import FROZEN_BELOW, Decay

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction

TOUCH = statement("memory_touch")

FLUSH_SECONDS = 0.5
# More than this is not waited with: an answer never waits for its counting.
MOST_WAITING = 50_000

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One access of a memory by an agent."""

    memory_id: str
    agent: str
    at: datetime


async def touch(db: Database, space: str, touches: Sequence[Touch], decay: Decay) -> int:
    """Count accesses, each memory once for an agent and hour; the number that counted."""
    hours: dict[int, list[Touch]] = defaultdict(list)
    for one in touches:
        hours[int(one.at.timestamp() // 3600)].append(one)

    async def work(tx: Transaction) -> int:
        counted = 0
        for hour, within in sorted(hours.items()):
            done = await tx.rows(
                TOUCH,
                rows=_rows(hour, within),
                boost=decay.boost,
                burst_slowing=decay.burst_slowing,
                tau_days=decay.tau_days,
                floor=FROZEN_BELOW,
            )
            counted += sum(row["counted"] for row in done)
        return counted

    scope = Scope(space=space, principal="service", role=Role.WRITER)
    return await db.write(scope, work)


def _rows(hour: int, touches: Sequence[Touch]) -> list[Row]:
    """One row a memory, in order of id, as every writer takes its locks."""
    by_memory: dict[str, list[Touch]] = defaultdict(list)
    for one in touches:
        by_memory[one.memory_id].append(one)
    return [
        {
            "id": memory_id,
            "hour": hour,
            "agents": sorted({one.agent for one in by_memory[memory_id]}),
            "at": max(one.at for one in by_memory[memory_id]),
        }
        for memory_id in sorted(by_memory)
    ]


class TouchQueue:
    """Touches that wait to be written, flushed in batches by `run`."""

    def __init__(self, db: Database, decay: Decay) -> None:
        self._db = db
        self._decay = decay
        self._waiting: dict[str, list[Touch]] = defaultdict(list)
        self._count = 0
        self._stopped = asyncio.Event()

    def add(self, space: str, touches: Sequence[Touch]) -> None:
        """Put touches down for the next flush; returns at once."""
        if space == NO_SPACE or self._count >= MOST_WAITING:
            return
        self._waiting[space] += touches
        self._count += len(touches)

    async def flush(self) -> None:
        """Write all that waits; what can't be written now waits on."""
        waiting, self._waiting, self._count = self._waiting, defaultdict(list), 0
        for space, touches in waiting.items():
            try:
                await touch(self._db, space, touches, self._decay)
            except HippographError as error:
                self.add(space, touches)
                log.warning("touches_postponed", count=len(touches), error=type(error).__name__)

    async def run(self) -> None:
        """Flush again and again until stopped, then once more."""
        while not self._stopped.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopped.wait(), FLUSH_SECONDS)
            await self.flush()
        await self.flush()

    def stop(self) -> None:
        """Let `run` come to its end; what waits is written first."""
        self._stopped.set()
