"""JSON lines: one memory a line, in the fields of StoreMemoryInput, with its links."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hippograph.api.imports.findings import (
    MAX_TEXT_BYTES,
    Draft,
    Finding,
    Link,
    Remark,
    Skip,
    Wanted,
    aware,
    imported_id,
)
from hippograph.api.imports.pieces import pieces
from hippograph.schema.errors import InvalidError
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.relationships import RelationshipType, canonical

# A line holds one memory; beyond this it is no such file, or broken.
MAX_LINE_BYTES = 16 * 1024 * 1024
# Characters, so that even of four bytes each they stay within the limit of a text.
BIG_PIECE = MAX_TEXT_BYTES // 4


def _type(word: object) -> RelationshipType:
    try:
        return canonical(str(word))
    except InvalidError as error:
        raise ValueError(error.problem) from error


class _LinkLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: Annotated[RelationshipType, BeforeValidator(_type)]
    target: Annotated[str, Field(min_length=1)]


class _MemoryLine(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    text: str
    id: str | None = None
    agentId: str | None = None  # noqa: N815 - as in the contract
    category: str | None = None
    kind: MemoryKind | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: dict[str, object] | None = None
    createdAt: datetime | None = None  # noqa: N815 - as in the contract
    expiresAt: datetime | None = None  # noqa: N815 - as in the contract
    sessionId: str | None = None  # noqa: N815 - as in the contract
    source: str | None = None
    idempotencyKey: str | None = None  # noqa: N815 - as in the contract
    links: tuple[_LinkLine, ...] = ()


def read_jsonl(path: Path, wanted: Wanted) -> Iterator[Finding]:
    """The memories of a JSONL file, then the links between them.

    A line without an id gets one from what it says, so that the same line is stored once.
    """
    links: list[Link] = []
    with path.open("rb") as file:
        for number, raw in _lines(file):
            place = f"{path.name}:{number}"
            if raw is None:
                yield Skip(place=place, reason="the line is longer than 16 MiB")
            elif raw.strip():
                try:
                    yield from _findings(raw, place, wanted, links)
                except (ValueError, RecursionError) as error:
                    yield Skip(place=place, reason=_reason(error))
    yield from links


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines by number from 1; None for one that is too long to be a memory."""
    number = 0
    while raw := file.readline(MAX_LINE_BYTES):
        number += 1
        is_whole = raw.endswith(b"\n") or len(raw) < MAX_LINE_BYTES
        yield number, raw.removeprefix(b"\xef\xbb\xbf") if is_whole else None
        while not is_whole:
            raw = file.readline(MAX_LINE_BYTES)
            is_whole = raw.endswith(b"\n") or len(raw) < MAX_LINE_BYTES


def _findings(raw: bytes, place: str, wanted: Wanted, links: list[Link]) -> Iterator[Finding]:
    line = _MemoryLine.model_validate(json.loads(raw, parse_constant=_no_constant))
    agent = wanted.agent_id or line.agentId
    own = line.id or imported_id(
        "jsonl", agent or "default", hashlib.sha256(raw.strip()).hexdigest()
    )
    for moment in (line.createdAt, line.expiresAt):
        if moment is not None and moment.tzinfo is None:
            yield Remark("times without an offset taken as UTC")
    yield from _drafts(line, _whole(line, place, own, wanted))
    links.extend(
        Link(place=place, source_id=own, target_id=one.target, type=one.type)
        for one in line.links
    )


def _whole(line: _MemoryLine, place: str, own: str, wanted: Wanted) -> Draft:
    return Draft(
        place=place,
        id=own,
        text=line.text,
        agent_id=wanted.agent_id or line.agentId,
        category=wanted.category or line.category,
        kind=line.kind,
        importance=line.importance,
        tags=line.tags,
        entities=line.entities,
        metadata=line.metadata,
        created_at=aware(line.createdAt),
        expires_at=aware(line.expiresAt),
        session_id=line.sessionId,
        source=line.source,
        idempotency_key=line.idempotencyKey,
    )


def _drafts(line: _MemoryLine, whole: Draft) -> Iterator[Finding]:
    """The memory itself, or its pieces when the text is larger than a memory may be."""
    if len(line.text.encode()) <= MAX_TEXT_BYTES:
        yield whole
        return
    for n, text in enumerate(pieces(line.text, BIG_PIECE)):
        own = whole.id if n == 0 else imported_id(whole.id, n)
        key = whole.idempotency_key and f"{whole.idempotency_key}:{n}"
        yield replace(whole, id=own, text=text, idempotency_key=key)
        if n:
            yield Link(
                place=whole.place,
                source_id=own,
                target_id=whole.id,
                type=RelationshipType.PART_OF,
            )


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not allowed")


def _reason(error: ValueError | RecursionError) -> str:
    if isinstance(error, ValidationError):
        return explained(error)
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8"
    return f"is no JSON: {error}"


def explained(error: ValidationError) -> str:
    """What does not fit, each with the name of its field."""
    problems = (
        f"{'.'.join(map(str, one['loc'])) or 'the line'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    )
    return "; ".join(problems)
