"""Counting an access on request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippograph.graph.listing import memory_by_id
from hippograph.graph.touches import Touch, touch
from hippograph.schema.errors import NotFoundError

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.graph.database import Database
    from hippograph.schema.access import Scope
    from hippograph.schema.memory import Memory
    from hippograph.schema.tiers import Decay


async def reinforce_memory(
    db: Database, scope: Scope, memory_id: str, *, now: datetime, decay: Decay
) -> Memory:
    """Count an access and return the memory as stored.

    It counts once for each memory, agent and hour; more often it only moves the time of the
    last access. Raises NotFoundError.
    """
    memory = await memory_by_id(db, scope, memory_id)
    if memory is None:
        raise NotFoundError("memory", memory_id, field="id")
    agent = scope.agent or memory.agent
    await touch(db, scope.space, [Touch(memory_id=memory_id, agent=agent, at=now)], decay)
    touched = await memory_by_id(db, scope, memory_id)
    if touched is None:
        raise NotFoundError("memory", memory_id, field="id")
    return touched
