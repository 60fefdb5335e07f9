"""Markdown folders: each note becomes memories, its links REFERENCES.

A note is cut at its headings, and a long section at the borders of its paragraphs. The first
memory of a note stands for the whole note: links to the note lead to it, and the others are
PART_OF it.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

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
from hippograph.api.imports.notes import Note, Passage, note_from
from hippograph.api.imports.wikilinks import Notes
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.relationships import RelationshipType

SUFFIXES = frozenset({".md", ".markdown"})
MAX_NOTE_BYTES = 32 * 1024 * 1024
# The tree of categories is four deep, with names of at most so many characters.
CATEGORY_DEPTH = 4
CATEGORY_NAME = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    """A link met in a note, to be resolved when all notes have been read."""

    place: str
    note: str
    memory_id: str
    target: str


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What is gathered while the notes of a folder are read one after the other."""

    wanted: Wanted
    first_memories: dict[str, str] = field(default_factory=dict[str, str])
    mentions: list[_Mention] = field(default_factory=list["_Mention"])


def read_markdown(path: Path, wanted: Wanted) -> Iterator[Finding]:
    """The memories and links of one Markdown file, or of every one below a folder.

    Folders and files whose name begins with a dot are passed over.
    """
    reading = _Reading(wanted=wanted)
    root = path if path.is_dir() else path.parent
    files = list(_files(path)) if path.is_dir() else [path]
    for file in files:
        yield from _read_file(file, file.relative_to(root).as_posix(), reading)
    yield from _references(reading)


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield Path(place) / name


def _read_file(file: Path, name: str, reading: _Reading) -> Iterator[Finding]:
    if file.is_symlink():
        yield Skip(place=name, reason="is a symbolic link")
        return
    try:
        if file.stat().st_size > MAX_NOTE_BYTES:
            yield Skip(place=name, reason="is larger than 32 MiB")
            return
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield Skip(place=_line_of(error, name), reason="is not UTF-8")
        return
    except OSError as error:
        yield Skip(place=name, reason=f"can't be read: {error.strerror}")
        return
    note = note_from(text, stem=Path(name).stem, bound=PIECE_CHARACTERS)
    if not note.passages:
        yield Remark("empty notes left out")
        return
    yield from _drafts(note, name, reading)


def _line_of(error: UnicodeDecodeError, name: str) -> str:
    line = error.object.count(b"\n", 0, error.start) + 1
    return f"{name}:{line}"


def _drafts(note: Note, name: str, reading: _Reading) -> Iterator[Finding]:
    agent = reading.wanted.agent_id or "default"
    ids = [imported_id("markdown", agent, name, n) for n, _ in enumerate(note.passages)]
    reading.first_memories[name] = ids[0]
    for passage, own in zip(note.passages, ids, strict=True):
        place = f"{name}:{passage.line}"
        yield _draft(note, passage, place, own, reading.wanted)
        for target in passage.links:
            mention = _Mention(place=place, note=name, memory_id=own, target=target)
            reading.mentions.append(mention)
    for passage, own in zip(note.passages[1:], ids[1:], strict=True):
        yield Link(
            place=f"{name}:{passage.line}",
            source_id=own,
            target_id=ids[0],
            type=RelationshipType.PART_OF,
        )


def _draft(note: Note, passage: Passage, place: str, own: str, wanted: Wanted) -> Draft:
    name = place.rpartition(":")[0]
    folders = [part[:CATEGORY_NAME] for part in Path(name).parent.parts[:CATEGORY_DEPTH]]
    return Draft(
        place=place,
        id=own,
        text=passage.text,
        agent_id=wanted.agent_id,
        category=wanted.category or "/".join(folders) or None,
        kind=MemoryKind.SEMANTIC,
        tags=note.tags,
        created_at=note.created_at,
        source=name,
        metadata={
            "importedFrom": "markdown",
            "file": name,
            "title": note.title,
        },
    )


def _references(reading: _Reading) -> Iterator[Finding]:
    notes = Notes(reading.first_memories)
    seen: set[tuple[str, str]] = set()
    for mention in reading.mentions:
        target = notes.named(mention.target, seen_from=mention.note)
        if target is None:
            yield Skip(place=mention.place, reason=f"there is no note {mention.target!r}")
            continue
        pair = (mention.memory_id, reading.first_memories[target])
        if target == mention.note or pair in seen:
            continue
        seen.add(pair)
        yield Link(
            place=mention.place,
            source_id=pair[0],
            target_id=pair[1],
            type=RelationshipType.REFERENCES,
        )
