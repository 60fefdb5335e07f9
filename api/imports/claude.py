"""Exports of Claude: a list of messages for each conversation."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, Field

from hippograph.api.imports.chats import Chat, Message, read_chats
from hippograph.api.imports.exports import Conversation
from hippograph.api.imports.findings import Finding, Remark, Wanted, aware

SPEAKERS = {"human": "user", "user": "user", "assistant": "assistant"}


class _Content(BaseModel):
    type: str = "text"
    text: str | None = None


class _Attachment(BaseModel):
    file_name: str | None = None


class _Message(BaseModel):
    uuid: str
    sender: str
    text: str | None = None
    content: list[_Content] = Field(default_factory=list["_Content"])
    created_at: datetime | None = None
    attachments: list[_Attachment] = Field(default_factory=list["_Attachment"])


class _Conversation(BaseModel):
    uuid: str
    name: str | None = None
    created_at: datetime | None = None
    chat_messages: list[_Message]


def read_claude(path: Path, wanted: Wanted) -> Iterator[Finding]:
    """The messages of user and assistant, conversation by conversation."""
    return read_chats(path, wanted, origin="claude", chat_from=_chat)


def _chat(conversation: Conversation) -> Chat:
    read = _Conversation.model_validate(conversation.body)
    spoken = [one for one in read.chat_messages if one.sender in SPEAKERS]
    messages = tuple(
        Message(
            id=one.uuid,
            speaker=SPEAKERS[one.sender],
            text=text,
            created_at=aware(one.created_at or read.created_at),
        )
        for one in spoken
        if (text := _text(one)).strip()
    )
    return Chat(
        id=read.uuid,
        title=read.name or "",
        messages=messages,
        remarks=tuple(_remarks(read, spoken, messages)),
    )


def _text(message: _Message) -> str:
    """The words of a message; older exports have only `text`, newer ones both."""
    blocks = [one.text for one in message.content if one.type == "text" and one.text]
    return "\n\n".join(blocks) or message.text or ""


def _remarks(
    read: _Conversation, spoken: list[_Message], messages: tuple[Message, ...]
) -> Iterator[Remark]:
    for _ in range(len(read.chat_messages) - len(spoken)):
        yield Remark("messages of tools and system left out")
    for _ in range(len(spoken) - len(messages)):
        yield Remark("messages without words left out")
    for _ in range(sum(len(one.attachments) for one in spoken)):
        yield Remark("attachments left out")
