"""Conversations as memories: what the exports of ChatGPT and Claude have in common."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from hippograph.api.imports.exports import Conversation, conversations
from hippograph.api.imports.findings import (
    PIECE_CHARACTERS,
    Draft,
    Finding,
    Link,
    Remark,
    Skip,
    Wanted,
    imported_id,
)
from hippograph.api.imports.jsonl import explained
from hippograph.api.imports.pieces import pieces
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.relationships import RelationshipType

CATEGORY = "conversations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one side said; `created_at` None when the export does not tell."""

    id: str
    speaker: str
    text: str
    created_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A conversation; `messages` are in the order in which they were said."""

    id: str
    title: str
    messages: tuple[Message, ...]
    remarks: tuple[Remark, ...] = ()


def read_chats(
    path: Path, wanted: Wanted, *, origin: str, chat_from: Callable[[Conversation], Chat]
) -> Iterator[Finding]:
    """The messages of an export as memories, each before the one that followed it.

    A conversation that does not fit is skipped as a whole.
    """
    for conversation in conversations(path):
        if isinstance(conversation, Skip):
            yield conversation
            continue
        try:
            chat = chat_from(conversation)
        except ValidationError as error:
            yield Skip(place=_titled(conversation), reason=explained(error))
            continue
        yield from chat.remarks
        yield from _findings(chat, _titled(conversation), origin, wanted)


def _titled(conversation: Conversation) -> str:
    title = conversation.body.get("title") or conversation.body.get("name")
    return f"{conversation.place} {str(title)[:80]!r}" if title else conversation.place


def _findings(chat: Chat, place: str, origin: str, wanted: Wanted) -> Iterator[Finding]:
    before: str | None = None
    for number, message in enumerate(chat.messages, start=1):
        where = f"{place}, message {number}"
        whole = _draft(chat, message, where, origin=origin, wanted=wanted)
        for n, text in enumerate(pieces(message.text, PIECE_CHARACTERS)):
            own = whole.id if n == 0 else imported_id(whole.id, n)
            yield replace(whole, id=own, text=text)
            if n:
                yield _link(where, own, RelationshipType.PART_OF, whole.id)
        if before is not None:
            yield _link(where, before, RelationshipType.TEMPORAL_SEQUENCE, whole.id)
        before = whole.id


def _draft(chat: Chat, message: Message, place: str, *, origin: str, wanted: Wanted) -> Draft:
    """The whole message as one memory."""
    return Draft(
        place=place,
        id=imported_id(origin, wanted.agent_id or "default", chat.id, message.id),
        text=message.text,
        agent_id=wanted.agent_id,
        category=wanted.category or CATEGORY,
        kind=MemoryKind.EPISODIC,
        created_at=message.created_at,
        session_id=chat.id,
        source=origin,
        metadata={
            "importedFrom": origin,
            "conversation": chat.id,
            "title": chat.title,
            "message": message.id,
            "speaker": message.speaker,
        },
    )


def _link(place: str, source: str, kind: RelationshipType, target: str) -> Link:
    return Link(place=place, source_id=source, target_id=target, type=kind)
