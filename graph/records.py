"""Rows to values and back: the only code that knows the names of properties."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from neo4j.vector import Vector

from hippograph.schema.access import AccessKey, Role
from hippograph.schema.kinds import MemoryKind, MemoryState, state_in_use
from hippograph.schema.memory import Memory, NewMemory, Revision
from hippograph.schema.relationships import (
    NewRelationship,
    Relationship,
    RelationshipOrigin,
    RelationshipStatus,
    RelationshipType,
    ends_in_order,
)
from hippograph.schema.tiers import Decay, freezes_at
from hippograph.schema.times import FAR_FUTURE, in_utc
from hippograph.schema.words import folded, searchable, wall_token

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neo4j.time import DateTime

Row = dict[str, Any]

# By these a request may be asked again; they are no part of what is asked.
HANDLES = {"id", "idempotency_key"}


def moment_from(value: DateTime | str) -> datetime:
    """A stored time as an aware UTC datetime.

    Statements that return many give them as ISO 8601: the driver takes 0.1 ms for one of its
    own times, so that those of a recall cost more than its search.
    """
    if type(value) is str:
        moment = datetime.fromisoformat(value.partition("[")[0])  # a zone's name may follow
    else:
        moment = cast("DateTime", value).to_native()
    return in_utc(moment, "stored time")


def moment_or_none(value: DateTime | str | None) -> datetime | None:
    """A stored time, or None."""
    return None if value is None else moment_from(value)


def vector_of(numbers: Sequence[float]) -> Vector:
    """A vector as statements take it: 4 bytes a number.

    As a list each number would be packed, printed for the driver's log and unpacked for itself,
    0.3 ms a vector.
    """
    return Vector(array("f", numbers).tobytes(), "f32", byteorder=sys.byteorder)


def memory_from(row: Row, space: str) -> Memory:
    """A memory from the map that the statements project."""
    mentions = sorted(row["entities"], key=lambda mention: mention["position"])
    return Memory(
        id=row["id"],
        space=space,
        agent=row["agent"],
        kind=MemoryKind(row["kind"]),
        state=MemoryState(row["state"]),
        text=row["text"],
        category=row["category"],
        importance=row["importance"],
        access_count=row["access_count"],
        tags=tuple(row["tags"]),
        entities=tuple(mention["name"] for mention in mentions),
        created_at=moment_from(row["created_at"]),
        recorded_at=moment_from(row["recorded_at"]),
        updated_at=moment_from(row["updated_at"]),
        text_since=moment_from(row["text_since"]),
        last_accessed_at=moment_or_none(row["last_accessed_at"]),
        expires_at=moment_or_none(row["expires_at"]),
        version=row["version"],
        burst_confidence=row["burst_confidence"],
        metadata=row["metadata"],
        summary=row["summary"],
        fact=row["fact"],
        core=row["core"],
        session=row["session"],
        source=row["source"],
    )


def relationship_from(row: Row) -> Relationship:
    """A relationship from the map of its properties, its ends and its type."""
    edge = row["relationship"]
    return Relationship(
        id=edge["id"],
        source_id=row["source_id"],
        target_id=row["target_id"],
        type=RelationshipType(row["type"]),
        score=edge.get("score"),
        similarity=edge.get("similarity"),
        confidence=edge["confidence"],
        reason=edge.get("reason"),
        origin=RelationshipOrigin(edge["origin"]),
        status=RelationshipStatus(edge["status"]),
        metadata=edge.get("metadata"),
        created_at=moment_from(edge["created_at"]),
        created_by=edge["created_by"],
    )


def revision_from(row: Row) -> Revision:
    """An earlier text from its map."""
    return Revision(
        version=row["version"],
        text=row["text"],
        valid_from=moment_from(row["valid_from"]),
        valid_to=moment_from(row["valid_to"]),
        changed_by=row["changed_by"],
    )


def access_key_from(row: Row) -> AccessKey:
    """An access key from its map."""
    return AccessKey(
        id=row["id"],
        space=row["space"],
        principal=row["name"],
        role=Role(row["role"]),
        agent=row.get("agent_id"),
        created_at=moment_from(row["created_at"]),
        expires_at=moment_or_none(row.get("expires_at")),
        last_used_at=moment_or_none(row.get("last_used_at")),
        revoked=row["revoked"],
    )


def text_digest(text: str) -> str:
    """The sha256 of a text, by which equal contents are known."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def request_digest(asked: NewMemory | NewRelationship) -> str:
    """The sha256 of what was asked, but for the handles by which it may be asked again."""
    content = {
        one.name: getattr(asked, one.name)
        for one in fields(asked)
        # A field that a later version adds must not make an old request another one.
        if one.name not in HANDLES and getattr(asked, one.name) != one.default
    }
    if asked.metadata is not None:
        content["metadata"] = json.loads(asked.metadata)
    if isinstance(asked, NewRelationship):
        content["ends"] = ends_in_order(asked.type, asked.source_id, asked.target_id)
        del content["source_id"], content["target_id"]
    return text_digest(json.dumps(content, sort_keys=True, default=str))


def properties_of(
    new: NewMemory,
    *,
    space: str,
    model: str,
) -> Mapping[str, object]:
    """The properties of the node that a new memory becomes, but for its times and vector."""
    return {
        "agent": new.agent,
        "space_token": wall_token(space),
        "agent_token": wall_token(space, new.agent),
        "kind": new.kind.value,
        "state": state_in_use(new.kind).value,
        "live": True,
        "text": new.text,
        "words": searchable(new.text),
        "text_sha256": text_digest(new.text),
        "category": new.category,
        "importance": new.importance,
        "access_count": 0,
        "tags": list(new.tags),
        "session": new.session,
        "source": new.source,
        "version": 1,
        "burst_confidence": 0.0,
        "metadata": new.metadata,
        "idempotency_key": new.idempotency_key,
        "request_sha256": request_digest(new),
        "embedding_model": model,
    }


def times_of(new: NewMemory, *, now: datetime, decay: Decay) -> dict[str, str | None]:
    """The times of a new memory that are not simply now, in ISO 8601 for the same reason."""
    created_at = new.created_at or now
    freezes = freezes_at(decay, created_at, importance=new.importance, access_count=0)
    return {
        "created_at": created_at.isoformat(),
        "expires_at": None if new.expires_at is None else new.expires_at.isoformat(),
        "lapses_at": (new.expires_at or FAR_FUTURE).isoformat(),
        "freezes_at": freezes.isoformat(),
    }


def mentions_of(names: Sequence[str]) -> list[Row]:
    """What a memory mentions, one row a folded name, in the order given."""
    by_key: dict[str, str] = {}
    for name in names:
        by_key.setdefault(folded(name), name)
    rows: list[Row] = [
        {"key": key, "name": name, "position": at}
        for at, (key, name) in enumerate(by_key.items())
    ]
    # Locks are taken in one order by every writer, so that two never wait for each other.
    return sorted(rows, key=lambda row: row["key"])


def speaker_in(metadata: str | None) -> str | None:
    """Who said it, when the metadata tells."""
    if metadata is None:
        return None
    speaker = json.loads(metadata).get("speaker")
    return speaker if isinstance(speaker, str) and speaker.strip() else None
