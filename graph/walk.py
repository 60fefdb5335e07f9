"""Walks over connections: what surrounds a memory, and how two memories hang together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hippograph.graph.listing import memories_by_id
from hippograph.graph.records import memory_from, relationship_from
from hippograph.graph.statements import statement
from hippograph.schema.errors import NotFoundError
from hippograph.schema.recall import RecallHit, RecallScores, connected_relevance, recency_of
from hippograph.schema.relationships import TYPES, Relationship, walk_over

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.schema.access import Scope
    from hippograph.schema.memory import Memory
    from hippograph.schema.relationships import RelationshipType

CONNECTED = statement("walk_connected")
PATH = statement("walk_path")

# More neighbours than this say nothing more; the nearest are kept.
MOST_NEIGHBOURS = 200
# Among so many shortest paths the strongest is looked for.
MOST_PATHS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionPath:
    """Memories in order and the edges between them."""

    nodes: tuple[Memory, ...]
    edges: tuple[Relationship, ...]

    @property
    def length(self) -> int:
        """Number of edges."""
        return len(self.edges)

    @property
    def cost(self) -> float:
        """Sum of 1 - strength over the edges; smaller is stronger."""
        return sum(1 - edge.strength for edge in self.edges)


async def connected_memories(
    db: Database,
    scope: Scope,
    memory_id: str,
    *,
    depth: int,
    types: Sequence[RelationshipType] | None,
    now: datetime,
) -> list[RecallHit]:
    """Memories within `depth` hops, nearest first, at most MOST_NEIGHBOURS.

    Relevance starts from 1 and falls along the way. Raises NotFoundError for the start.
    """
    await _require(db, scope, memory_id, field="memoryId")

    async def work(tx: Transaction) -> list[Row]:
        return await tx.rows(
            CONNECTED,
            id=memory_id,
            depth=depth,
            limit=MOST_NEIGHBOURS,
            now=now,
            types=walk_over(types).either_way(),
        )

    hits = [_hit(row, scope, now) for row in await db.read(scope, work)]
    return sorted(hits, key=lambda hit: (hit.hops, -hit.relevance, hit.memory.id))


async def connection_path(
    db: Database,
    scope: Scope,
    source_id: str,
    target_id: str,
    *,
    weighted: bool,
    now: datetime,
) -> ConnectionPath | None:
    """A path of the fewest edges between two memories, or None when there is none.

    With `weighted`, the strongest of the shortest paths. A memory is at length 0 from itself.
    Raises NotFoundError for an end that the scope can't see.
    """
    start = await _require(db, scope, source_id, field="sourceId")
    await _require(db, scope, target_id, field="targetId")
    if source_id == target_id:
        return ConnectionPath(nodes=(start,), edges=())

    async def work(tx: Transaction) -> list[Row]:
        return await tx.rows(
            PATH,
            source_id=source_id,
            target_id=target_id,
            limit=MOST_PATHS,
            now=now,
            types=[kind.value for kind in TYPES],
        )

    paths = [_path(row, scope) for row in await db.read(scope, work)]
    if weighted:
        paths.sort(key=lambda path: path.cost)
    return paths[0] if paths else None


async def _require(db: Database, scope: Scope, memory_id: str, *, field: str) -> Memory:
    found = await memories_by_id(db, scope, [memory_id])
    if memory_id not in found:
        raise NotFoundError("memory", memory_id, field=field)
    return found[memory_id]


def _hit(row: Row, scope: Scope, now: datetime) -> RecallHit:
    via = tuple(relationship_from(edge) for edge in row["edges"])
    memory = memory_from(row["memory"], scope.space)
    relevance = connected_relevance(1.0, via)
    return RecallHit(
        memory=memory,
        relevance=relevance,
        trace=tuple(edge.type.value for edge in via),
        hops=row["hops"],
        via=via,
        scores=RecallScores(
            semantic=None,
            lexical=None,
            graph=relevance,
            recency=recency_of(memory, now),
            centrality=0.0,
        ),
    )


def _path(row: Row, scope: Scope) -> ConnectionPath:
    return ConnectionPath(
        nodes=tuple(memory_from(node, scope.space) for node in row["nodes"]),
        edges=tuple(relationship_from(edge) for edge in row["edges"]),
    )
