"""One Markdown note as passages: text under a trail of headings, of bounded size."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hippograph.api.imports.pieces import broken
from hippograph.api.imports.wikilinks import parser, targets

if TYPE_CHECKING:
    from markdown_it.token import Token

TRAIL = " > "
HEADING_CHARACTERS = 120
_FRONT = re.compile(
    r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What becomes one memory: its text under the trail of its headings, and its links."""

    text: str
    line: int
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note; its first passage stands for the whole."""

    title: str
    tags: tuple[str, ...]
    created_at: datetime | None
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A heading (`level` 1 to 6) or any other block of the top level (`level` 0)."""

    text: str
    line: int
    level: int = 0
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """The blocks under one trail of headings."""

    trail: tuple[str, ...]
    blocks: tuple[_Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Front:
    """The front matter that we read: simple lines only."""

    title: str | None = None
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None
    lines: int = 0


def note_from(text: str, *, stem: str, bound: int) -> Note:
    """A note from its source; without passages when it holds no text."""
    front = _front_matter(text)
    blocks = list(_blocks(text, front.lines))
    title = front.title or _first_heading(blocks) or stem
    sections = list(_sections(blocks, title))
    passages = [one for section in sections for one in _passages(section, bound)]
    if len(passages) > 1 and len(sections[0].trail) > 1:
        passages.insert(0, _outline(title, sections, bound))
    return Note(
        title=title, tags=front.tags, created_at=front.created_at, passages=tuple(passages)
    )


def _front_matter(text: str) -> _Front:
    found = _FRONT.match(text)
    if found is None:
        return _Front()
    values = dict(_simple_lines(found.group(1)))
    return _Front(
        title=next(iter(values.get("title", [])), None),
        tags=tuple(dict.fromkeys(tag.lstrip("#") for tag in values.get("tags", []) if tag)),
        created_at=_time(values.get("created") or values.get("date") or []),
        lines=found.group(0).count("\n"),
    )


def _simple_lines(source: str) -> Iterator[tuple[str, list[str]]]:
    """`key: value`, `key: [a, b]` and `key:` with `- a` lines; all else is passed over."""
    key, items = "", list[str]()
    for line in source.splitlines():
        entry = re.match(r"\s*-\s+(.*)$", line)
        named = re.match(r"([A-Za-z_]+):\s*(.*)$", line)
        if entry and key:
            items.append(_bare(entry.group(1)))
        elif named:
            key, items = named.group(1).lower(), list[str]()
            value = named.group(2).strip()
            several = key == "tags" or value.startswith("[")
            words = value.strip("[]").split(",") if several else [value]
            items.extend(_bare(word) for word in words if word.strip())
        yield key, items


def _bare(word: str) -> str:
    bare = word.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    return bare[1:-1].strip() if quoted else bare


def _time(words: Sequence[str]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(words[0])
    except (IndexError, ValueError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _blocks(text: str, front_lines: int) -> Iterator[_Block]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    source = "\n" * front_lines + "\n".join(lines[front_lines:])
    lines[:front_lines] = [""] * front_lines
    tokens = parser().parse(source)
    starts = [
        n for n, one in enumerate(tokens) if one.level == 0 and one.nesting >= 0 and one.map
    ]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        yield _block(tokens[start:end], lines)


def _block(tokens: "Sequence[Token]", lines: Sequence[str]) -> _Block:
    opening = tokens[0]
    first, last = opening.map or (0, 0)
    inlines = [one for one in tokens if one.type == "inline"]
    links = tuple(dict.fromkeys(target for one in inlines for target in targets(one)))
    if opening.type == "heading_open":
        words = " ".join(one.content for one in inlines)[:HEADING_CHARACTERS].strip()
        return _Block(text=words, line=first + 1, level=int(opening.tag[1]), links=links)
    text = "\n".join(lines[first:last]).strip("\n")
    return _Block(text=text, line=first + 1, links=links)


def _first_heading(blocks: Sequence[_Block]) -> str | None:
    heading = next((block for block in blocks if block.level), None)
    return heading.text if heading is not None and heading.level == 1 else None


def _sections(blocks: Sequence[_Block], title: str) -> Iterator[_Section]:
    above: list[_Block] = []
    body: list[_Block] = []
    for block in blocks:
        if not block.level:
            body.append(block)
            continue
        if _has_text(body):
            yield _Section(trail=_trail(above, title), blocks=tuple(body))
        above = [one for one in above if one.level < block.level] + [block]
        # The links of a heading belong to what stands below it.
        body = [_Block(text="", line=block.line, links=block.links)]
    if _has_text(body):
        yield _Section(trail=_trail(above, title), blocks=tuple(body))


def _has_text(blocks: Sequence[_Block]) -> bool:
    return any(block.text.strip() for block in blocks)


def _trail(above: Sequence[_Block], title: str) -> tuple[str, ...]:
    words = [block.text for block in above if block.text]
    return tuple(words) if words[:1] == [title] else (title, *words)


def _passages(section: _Section, bound: int) -> Iterator[Passage]:
    heading = TRAIL.join(section.trail)[: bound // 3]
    room = bound - len(heading) - 2
    body, line, links = "", 0, list[str]()
    for part in _parts(section.blocks, room):
        if body and len(body) + 2 + len(part.text) > room:
            yield _passage(heading, body, line, links)
            body, links = "", []
        links.extend(part.links)
        if part.text:
            line = line if body else part.line
            body = f"{body}\n\n{part.text}" if body else part.text
    yield _passage(heading, body, line, links)


def _parts(blocks: Sequence[_Block], room: int) -> Iterator[_Block]:
    """Blocks of at most `room` characters; the first part of a long one keeps its links."""
    for block in blocks:
        first, *rest = [*broken(block.text, room)] or [""]
        yield _Block(text=first, line=block.line, links=block.links)
        for part in rest:
            yield _Block(text=part, line=block.line)


def _passage(heading: str, body: str, line: int, links: Sequence[str]) -> Passage:
    return Passage(text=f"{heading}\n\n{body}", line=line, links=tuple(dict.fromkeys(links)))


def _outline(title: str, sections: Sequence[_Section], bound: int) -> Passage:
    names = list(
        dict.fromkeys(section.trail[1] for section in sections if len(section.trail) > 1)
    )
    text = f"{title}\n\nSections: {'; '.join(names)}"
    return Passage(text=text[:bound], line=1)
