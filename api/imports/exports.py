"""Exports of conversations, streamed: one conversation in memory at a time."""

import zipfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import ijson  # pyright: ignore[reportMissingTypeStubs] - it has none

from hippograph.api.imports.findings import Skip
from hippograph.schema.errors import InvalidError

_PATTERN = "conversations*.json"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One element of an export, unread; `place` names its file and its number from 1."""

    place: str
    body: Mapping[str, object]


def conversations(path: Path) -> Iterator[Conversation | Skip]:
    """The conversations of an export: a JSON file, or a folder or zip with such files.

    Where the JSON breaks off, what came before stands and a Skip says so. Raises InvalidError
    when there is no array of objects at all.
    """
    for name, file in _files(path):
        yield from _elements(name, file)


def has_conversations(path: Path) -> bool:
    """Whether a folder or zip holds files named as those of an export."""
    if path.is_dir():
        return any(path.glob(_PATTERN))
    return path.suffix.lower() == ".zip" and bool(_members(path))


def _files(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with ExitStack() as opened:
        if path.is_dir():
            for file in sorted(path.glob(_PATTERN)):
                yield file.name, opened.enter_context(file.open("rb"))
        elif path.suffix.lower() == ".zip":
            with zipped(path) as archive:
                for member in _members(path):
                    yield member, opened.enter_context(archive.open(member))
        else:
            yield path.name, opened.enter_context(path.open("rb"))


@contextmanager
def zipped(path: Path) -> Generator[zipfile.ZipFile]:
    """A zip file; raises InvalidError when it is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except zipfile.BadZipFile as error:
        raise InvalidError("path", f"{path.name} is no zip file: {error}") from error


def _members(path: Path) -> list[str]:
    with zipped(path) as archive:
        return sorted(name for name in archive.namelist() if Path(name).match(_PATTERN))


def _elements(name: str, file: IO[bytes]) -> Iterator[Conversation | Skip]:
    number = 0
    try:
        for element in cast(
            "Iterator[object]", ijson.items(_array(name, file), "item", use_float=True)
        ):
            number += 1
            if not isinstance(element, dict):
                raise InvalidError(
                    "path", f"{name} is no export: element {number} is no object"
                )
            body = cast("Mapping[str, object]", element)
            yield Conversation(place=f"{name}, conversation {number}", body=body)
    except ijson.JSONError as error:
        reason = str(error).splitlines()[0].strip()
        if number == 0:
            raise InvalidError("path", f"{name} is no JSON: {reason}") from error
        yield Skip(
            place=f"{name}, after conversation {number}",
            reason=f"the JSON can't be read any further: {reason}",
        )


class _Joined:
    """A file with the bytes that were read ahead put back."""

    def __init__(self, ahead: bytes, rest: IO[bytes]) -> None:
        self._ahead = ahead
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        if self._ahead and size:
            ahead, self._ahead = self._ahead, b""
            return ahead
        return self._rest.read(size)


def _array(name: str, file: IO[bytes]) -> _Joined:
    start = file.read(len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
    while not start.strip() and (more := file.read(1)):
        start += more
    if not start.strip().startswith(b"["):
        raise InvalidError(
            "path", f"{name} is no export of conversations: it holds no JSON array"
        )
    return _Joined(start, file)
