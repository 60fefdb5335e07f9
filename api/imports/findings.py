"""What a reader finds in a file, in the order in which it is to be stored."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from hippograph.schema.kinds import MemoryKind
from hippograph.schema.relationships import RelationshipType
from hippograph.schema.times import iso

# Ids of imported memories are UUIDv5 under this one, so that a repeated import meets its own.
_IDS = uuid.UUID("8f0d4a52-6c7e-5b1c-9d6a-2f1f6f0c7a31")

MAX_TEXT_BYTES = 64 * 1024

_COMPARED = ("category", "importance", "tags")

# A memory that is longer than an answer's default size would never be recalled beside others.
PIECE_CHARACTERS = 1500


class Format(StrEnum):
    """A format of files that can be imported."""

    MARKDOWN = "markdown"
    JSONL = "jsonl"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the caller of an import decides: whose the memories become, and where they go."""

    agent_id: str | None = None
    category: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory to store.

    `place` says where it was read: file:line, or conversation and message.
    """

    place: str
    id: str
    text: str
    agent_id: str | None = None
    category: str | None = None
    kind: MemoryKind | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: Mapping[str, object] | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    session_id: str | None = None
    source: str | None = None
    idempotency_key: str | None = None

    def as_input(self) -> dict[str, object]:
        """The draft as StoreMemoryInput; what is not known is left out."""
        fields = {
            "id": self.id,
            "text": self.text,
            "agentId": self.agent_id,
            "category": self.category,
            "kind": self.kind.value if self.kind else None,
            "importance": self.importance,
            "tags": list(self.tags) or None,
            "entities": list(self.entities) or None,
            "metadata": self.metadata,
            "createdAt": iso(self.created_at) if self.created_at else None,
            "expiresAt": iso(self.expires_at) if self.expires_at else None,
            "sessionId": self.session_id,
            "source": self.source,
            "idempotencyKey": self.idempotency_key,
        }
        return {name: value for name, value in fields.items() if value is not None}

    def is_unicode(self) -> bool:
        """Whether UTF-8 can hold all of it; JSON can spell half a surrogate pair."""
        try:
            json.dumps(self.as_input(), ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def as_change(self) -> dict[str, object]:
        """The draft as UpdateMemoryInput, for a memory that was imported in an earlier form."""
        kept = ("id", "text", "category", "importance", "tags", "metadata")
        return {name: value for name, value in self.as_input().items() if name in kept}

    def is_in(self, form: Mapping[str, object]) -> bool:
        """Whether a stored memory says already all that an update with this draft would."""
        said = self.as_change()
        return all(
            form.get(name) == said[name] for name in ("text", *_COMPARED) if name in said
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A relationship to add, once all drafts before it are stored."""

    place: str
    source_id: str
    target_id: str
    type: RelationshipType

    def as_input(self) -> dict[str, object]:
        """The link as AddRelationshipInput."""
        return {
            "sourceId": self.source_id,
            "targetId": self.target_id,
            "relationshipType": self.type.value,
            "origin": "IMPORT",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Something that is not imported, with the reason."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that happens by design and is only counted."""

    what: str


Finding = Draft | Link | Skip | Remark


def imported_id(*parts: object) -> str:
    """The id of what is found at a place; the same parts give the same id for ever."""
    return str(uuid.uuid5(_IDS, "\x1f".join(map(str, parts))))


def aware(moment: datetime | None) -> datetime | None:
    """The moment with its offset; one without counts as UTC."""
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment
