"""Changing a memory: nothing is overwritten without its earlier text being kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippograph.graph.listing import memory_by_id
from hippograph.graph.records import memory_from, speaker_in, text_digest
from hippograph.graph.statements import statement
from hippograph.schema.checks import merged_metadata
from hippograph.schema.embedding import embedded_text
from hippograph.schema.errors import ConflictError, InvalidError, NotFoundError
from hippograph.schema.tiers import FROZEN_BELOW, Decay
from hippograph.schema.words import searchable

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.graph.embed import Embedder
    from hippograph.schema.access import Scope
    from hippograph.schema.memory import Memory, MemoryChange

UPDATE = statement("memory_update")

# How often a change without an expected version is laid over a memory that changed meanwhile.
ATTEMPTS = 5


async def update_memory(
    db: Database,
    scope: Scope,
    embedder: Embedder,
    change: MemoryChange,
    *,
    now: datetime,
    decay: Decay,
) -> Memory:
    """Change one memory and return it as stored; a new text is embedded and the old one kept.

    Raises NotFoundError, InvalidError for a text with nothing to embed, and ConflictError when
    the memory is not at the expected version.
    """
    if change.text is not None and not embedder.has_tokens(change.text):
        raise InvalidError("text", "holds no word or sign to remember")
    for _ in range(ATTEMPTS):
        stored = await memory_by_id(db, scope, change.id)
        if stored is None:
            raise NotFoundError("memory", change.id, field="id")
        if change.expected_version not in (None, stored.version):
            raise ConflictError(
                f"the memory is at version {stored.version}, not {change.expected_version}",
                field="expectedVersion",
            )
        if change.is_empty():
            return stored
        changes = await _changes(embedder, stored, change)
        updated = await _write(db, scope, stored, changes, now=now, decay=decay)
        if updated is not None:
            return updated
    raise ConflictError("the memory keeps changing; try again", field="id")


async def _changes(embedder: Embedder, stored: Memory, change: MemoryChange) -> Row:
    """The properties that change, with what follows from them."""
    metadata = merged_metadata(stored.metadata, change.metadata)
    given: Row = {"category": change.category, "importance": change.importance}
    given["tags"] = None if change.tags is None else list(change.tags)
    changes = {name: value for name, value in given.items() if value is not None}
    changes["metadata"] = metadata
    text = stored.text if change.text is None else change.text
    if text != stored.text:
        changes |= {
            "text": text,
            "words": searchable(text),
            "text_sha256": text_digest(text),
        }
    before = embedded_text(stored.text, speaker_in(stored.metadata), stored.source)
    after = embedded_text(text, speaker_in(metadata), stored.source)
    if before != after:
        [embedded] = await embedder.passages([after])
        changes |= {
            "embedding": list(embedded.vector),
            "embedding_model": embedder.identity.label,
        }
    return changes


async def _write(
    db: Database, scope: Scope, stored: Memory, changes: Row, *, now: datetime, decay: Decay
) -> Memory | None:
    """The memory as stored, or None when it changed since it was read."""
    new_text = "text" in changes
    revisions = [{"changed_by": scope.agent or scope.principal}] if new_text else []
    if new_text:
        changes = {**changes, "text_since": now}

    async def work(tx: Transaction) -> Memory | None:
        row = await tx.row(
            UPDATE,
            id=stored.id,
            version=stored.version,
            changes=changes,
            revisions=revisions,
            now=now,
            boost=decay.boost,
            burst_slowing=decay.burst_slowing,
            tau_days=decay.tau_days,
            floor=FROZEN_BELOW,
        )
        return None if row is None else memory_from(row["memory"], scope.space)

    return await db.write(scope, work)
