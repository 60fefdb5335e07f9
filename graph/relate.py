"""Relationships between memories: adding, reading and taking back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from hippograph.graph.records import relationship_from, request_digest
from hippograph.graph.statements import statement
from hippograph.schema.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    NotReachedError,
    RefusedError,
    UnavailableError,
)
from hippograph.schema.relationships import TYPES, Relationship, ends_in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.schema.access import Scope
    from hippograph.schema.relationships import NewRelationship, Walk

ADD = statement("relationship_add")
KNOWN = statement("relationship_known")
MEMORIES = statement("memories_read")
READ = statement("relationship_read")
LIST = statement("relationship_list")
REMOVE = statement("relationship_remove")


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A relationship that is stored; `made` is False when it was there and was updated."""

    relationship: Relationship
    made: bool


Outcome = Related | RefusedError


async def add_relationship(
    db: Database, scope: Scope, new: NewRelationship, *, now: datetime
) -> Related:
    """Relate two memories; between them there is one relationship of a type at most.

    Adding it again updates it. Raises NotFoundError for an end that the scope can't see,
    InvalidError for a memory related to itself, ConflictError for a key used otherwise.
    """
    [outcome] = await add_relationships(db, scope, [new], now=now)
    if isinstance(outcome, RefusedError):
        raise outcome
    return outcome


async def add_relationships(
    db: Database, scope: Scope, news: Sequence[NewRelationship | RefusedError], *, now: datetime
) -> list[Outcome]:
    """Relate many; each outcome stands where its input stood, a refusal stops no other.

    When the database goes away half-way, those not written are NotReachedError; raises
    UnavailableError when none was.
    """
    refused: dict[int, Outcome] = {}
    asked: dict[int, NewRelationship] = {}
    for at, new in enumerate(news):
        if isinstance(new, RefusedError):
            refused[at] = new
        elif new.source_id == new.target_id:
            refused[at] = InvalidError("targetId", "must be another memory than sourceId")
        else:
            asked[at] = new
    outcomes = refused
    try:
        for batch in _without_repeats(asked):
            outcomes |= await _write(db, scope, batch, now=now)
    except UnavailableError:
        if not any(isinstance(outcome, Related) for outcome in outcomes.values()):
            raise
    return [outcomes.get(at) or NotReachedError() for at in range(len(news))]


def _without_repeats(
    asked: Mapping[int, NewRelationship],
) -> list[dict[int, NewRelationship]]:
    """Batches in which no key stands twice: a statement can't see what it has just made."""
    batches: list[dict[int, NewRelationship]] = [{}]
    seen: set[str] = set()
    for at, new in asked.items():
        if new.idempotency_key is not None and new.idempotency_key in seen:
            batches.append({})
            seen = set()
        batches[-1][at] = new
        if new.idempotency_key is not None:
            seen.add(new.idempotency_key)
    return [batch for batch in batches if batch]


async def _write(
    db: Database, scope: Scope, asked: Mapping[int, NewRelationship], *, now: datetime
) -> dict[int, Outcome]:
    rows = [_row(at, new) for at, new in asked.items()]

    async def work(tx: Transaction) -> dict[int, Outcome]:
        outcomes = await _known(tx, asked)
        todo = [row for row in rows if row["at"] not in outcomes]
        done = await tx.rows(ADD, rows=todo, now=now, principal=scope.principal) if todo else []
        for row in done:
            outcomes[row["at"]] = Related(relationship=relationship_from(row), made=row["made"])
        missing = {at: new for at, new in asked.items() if at not in outcomes}
        return outcomes | await _unseen_ends(tx, missing)

    return await db.write(scope, work)


async def _unseen_ends(
    tx: Transaction, asked: Mapping[int, NewRelationship]
) -> dict[int, Outcome]:
    """Refusals for relationships with an end that the scope can't see."""
    if not asked:
        return {}
    ends = {end for new in asked.values() for end in (new.source_id, new.target_id)}
    seen = {row["memory"]["id"] for row in await tx.rows(MEMORIES, ids=sorted(ends))}
    refusals: dict[int, Outcome] = {}
    for at, new in asked.items():
        if new.source_id not in seen:
            refusals[at] = NotFoundError("memory", new.source_id, field="sourceId")
        else:
            refusals[at] = NotFoundError("memory", new.target_id, field="targetId")
    return refusals


async def relationship_by_id(
    db: Database, scope: Scope, relationship_id: str
) -> Relationship | None:
    """One relationship both of whose ends the scope may see, or None."""

    async def work(tx: Transaction) -> Relationship | None:
        row = await tx.row(READ, ids=[relationship_id])
        return None if row is None else relationship_from(row)

    return await db.read(scope, work)


async def relationships_of(
    db: Database,
    scope: Scope,
    ids: Sequence[str],
    walk: Walk,
    *,
    min_score: float | None,
    first: int,
) -> Mapping[str, list[Relationship]]:
    """Relationships of memories, strongest first, at most `first` each."""

    async def work(tx: Transaction) -> dict[str, list[Relationship]]:
        rows = await tx.rows(
            LIST,
            ids=list(ids),
            outgoing=[kind.value for kind in walk.outgoing],
            incoming=[kind.value for kind in walk.incoming],
            min_score=min_score,
            first=first,
        )
        return {
            row["id"]: [relationship_from(one) for one in row["relationships"]] for row in rows
        }

    return await db.read(scope, work)


async def remove_relationship(db: Database, scope: Scope, relationship_id: str) -> Relationship:
    """Take back a relationship and return it as it was; raises NotFoundError."""

    async def work(tx: Transaction) -> Relationship:
        row = await tx.row(REMOVE, id=relationship_id)
        if row is None:
            raise NotFoundError("relationship", relationship_id, field="id")
        return relationship_from(row)

    return await db.write(scope, work)


def _row(at: int, new: NewRelationship) -> Row:
    source_id, target_id = ends_in_order(new.type, new.source_id, new.target_id)
    inverse = TYPES[new.type].inverse
    return {
        "at": at,
        "id": str(uuid7()),
        "source_id": source_id,
        "target_id": target_id,
        "type": new.type.value,
        "inverses": [inverse.value] if inverse else [],
        "score": new.score,
        "confidence": 1.0,
        "reason": None,
        "metadata": new.metadata,
        "origin": new.origin.value,
        "keys": [new.idempotency_key] if new.idempotency_key else [],
        "request_sha256": request_digest(new),
    }


async def _known(tx: Transaction, asked: Mapping[int, NewRelationship]) -> dict[int, Outcome]:
    """Outcomes of those whose key stands for something already."""
    rows = [
        {"at": at, "key": new.idempotency_key}
        for at, new in asked.items()
        if new.idempotency_key
    ]
    outcomes: dict[int, Outcome] = {}
    for row in await tx.rows(KNOWN, rows=rows) if rows else []:
        at, key = row["at"], row["key"]
        same = key["request_sha256"] == request_digest(asked[at])
        edge = await tx.row(READ, ids=[key["relationship"]]) if same else None
        if edge is None:
            outcomes[at] = ConflictError(
                "idempotencyKey stands for another request, or for what was removed since",
                field="idempotencyKey",
            )
        else:
            outcomes[at] = Related(relationship=relationship_from(edge), made=False)
    return outcomes
