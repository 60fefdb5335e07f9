"""Exports of ChatGPT: a tree of messages, of which the branch last shown is imported."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, Field

from hippograph.api.imports.chats import Chat, Message, read_chats
from hippograph.api.imports.exports import Conversation
from hippograph.api.imports.findings import Finding, Remark, Wanted, aware

SPOKEN = frozenset({"text", "multimodal_text"})
SPEAKERS = frozenset({"user", "assistant"})


class _Author(BaseModel):
    role: str


class _Content(BaseModel):
    content_type: str = "text"
    parts: list[object] | None = None


class _Message(BaseModel):
    id: str
    author: _Author
    content: _Content
    create_time: datetime | None = None
    metadata: dict[str, object] | None = None


class _Node(BaseModel):
    message: _Message | None = None
    parent: str | None = None
    children: list[str] = Field(default_factory=list[str])


class _Conversation(BaseModel):
    id: str | None = None
    conversation_id: str | None = None
    title: str | None = None
    create_time: datetime | None = None
    current_node: str | None = None
    mapping: dict[str, _Node]


def read_chatgpt(path: Path, wanted: Wanted) -> Iterator[Finding]:
    """The messages of user and assistant, conversation by conversation."""
    return read_chats(path, wanted, origin="chatgpt", chat_from=_chat)


def _chat(conversation: Conversation) -> Chat:
    read = _Conversation.model_validate(conversation.body)
    branch = [node.message for node in _branch(read) if node.message is not None]
    spoken = [one for one in branch if _is_spoken(one)]
    messages = tuple(
        Message(
            id=one.id,
            speaker=one.author.role,
            text=text,
            created_at=aware(one.create_time or read.create_time),
        )
        for one in spoken
        if (text := _text(one)).strip()
    )
    return Chat(
        id=read.conversation_id or read.id or _root(read),
        title=read.title or "",
        messages=messages,
        remarks=tuple(_remarks(branch, spoken, read, messages)),
    )


def _branch(read: _Conversation) -> list[_Node]:
    """The nodes from the root to the node last shown."""
    nodes: list[_Node] = []
    seen: set[str] = set()
    name = read.current_node if read.current_node in read.mapping else _last_leaf(read)
    while name is not None and name in read.mapping and name not in seen:
        seen.add(name)
        nodes.append(read.mapping[name])
        name = read.mapping[name].parent
    return nodes[::-1]


def _last_leaf(read: _Conversation) -> str | None:
    leaves = [name for name, node in read.mapping.items() if not node.children]
    return leaves[-1] if leaves else None


def _root(read: _Conversation) -> str:
    return next((name for name, node in read.mapping.items() if node.parent is None), "")


def _is_spoken(message: _Message) -> bool:
    hidden = (message.metadata or {}).get("is_visually_hidden_from_conversation") is True
    is_said = message.author.role in SPEAKERS and message.content.content_type in SPOKEN
    return is_said and not hidden


def _text(message: _Message) -> str:
    texts = (_part(part) for part in message.content.parts or ())
    return "\n\n".join(text for text in texts if text.strip())


def _part(part: object) -> str:
    """The words of a part; those of speech stand in its transcript, pictures have none."""
    if isinstance(part, str):
        return part
    if isinstance(part, dict):
        text: object = part.get("text")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - any JSON
        return text if isinstance(text, str) else ""
    return ""


def _remarks(
    branch: list[_Message],
    spoken: list[_Message],
    read: _Conversation,
    messages: tuple[Message, ...],
) -> Iterator[Remark]:
    for _ in range(len(branch) - len(spoken)):
        yield Remark("messages of tools and system left out")
    for _ in range(len(spoken) - len(messages)):
        yield Remark("messages without words left out")
    others = sum(1 for node in read.mapping.values() if node.message) - len(branch)
    for _ in range(others):
        yield Remark("messages of branches not shown last left out")
