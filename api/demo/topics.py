"""Python's language reference, as shipped with every Python, in topics and sections.

`pydoc_data.topics` is what `help("with")` shows: some 80 texts that refer to each other. Long
topics repeat shorter ones word for word; a section that a shorter topic has is left to it.
"""

import pydoc
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pydoc_data.topics import topics as reference

# Paragraphs shorter than this repeat by chance.
TELLING = 40
# A topic or section is inside another one when this share of its paragraphs is.
INSIDE = 0.8

_UNDERLINE = re.compile(r"([*=\-~^\"'+#])\1*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Paragraphs under one heading; `heading` is empty before the first one."""

    heading: str
    paragraphs: tuple[str, ...]

    def telling(self) -> set[str]:
        """The paragraphs that are long enough to be known again, on one line each."""
        return {line for line in map(on_one_line, self.paragraphs) if len(line) >= TELLING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic of `help()`.

    `related` are the topics that help() names below it; `within` the longer topics that
    repeat it whole.
    """

    name: str
    title: str
    sections: tuple[Section, ...]
    related: tuple[str, ...]
    within: tuple[str, ...]


@cache
def topics() -> tuple[Topic, ...]:
    """All topics by name, each with the sections that no shorter topic has."""
    read = {name: _sections(text) for name, text in reference.items()}
    by_size = sorted(read, key=lambda name: (len(reference[name]), name))
    related = _related()
    made = [
        Topic(
            name=name,
            title=read[name][0].heading,
            sections=tuple(_own(read[name], [read[one] for one in by_size[:place]])),
            related=related.get(name, ()),
            within=tuple(
                one for one in by_size[place + 1 :] if _is_inside(read[name], read[one])
            ),
        )
        for place, name in enumerate(by_size)
    ]
    return tuple(sorted(made, key=lambda topic: topic.name))


def on_one_line(text: str) -> str:
    """A text with every run of white space as one blank, and without quotes."""
    return " ".join(text.replace('"', "").split())


def _sections(text: str) -> list[Section]:
    sections: list[Section] = []
    heading, paragraphs = "", list[str]()
    for paragraph in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = paragraph.strip("\n").splitlines()
        is_heading = len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) and lines[0][:1] != " "
        if is_heading:
            if sections or paragraphs or heading:
                sections.append(Section(heading=heading, paragraphs=tuple(paragraphs)))
            heading, paragraphs = lines[0].strip(), []
            lines = lines[2:]
        if any(line.strip() for line in lines):
            paragraphs.append("\n".join(lines))
    return [*sections, Section(heading=heading, paragraphs=tuple(paragraphs))]


def _own(sections: list[Section], shorter: list[list[Section]]) -> Iterator[Section]:
    known = {line for one in shorter for section in one for line in section.telling()}
    for section in sections:
        lines = section.telling()
        if section.paragraphs and (not lines or len(lines & known) < INSIDE * len(lines)):
            yield section


def _is_inside(small: list[Section], large: list[Section]) -> bool:
    lines = {line for section in small for line in section.telling()}
    there = {line for section in large for line in section.telling()}
    return bool(lines) and len(lines & there) >= INSIDE * len(lines)


def _related() -> Mapping[str, tuple[str, ...]]:
    """For each topic what help() names as related; an entry may be an alias of another."""
    entries: dict[str, str | tuple[str, ...]] = {**pydoc.Helper.keywords, **pydoc.Helper.topics}
    found: dict[str, dict[str, None]] = {}
    for entry in entries.values():
        if isinstance(entry, str):
            continue
        name, labels = entry[0], entry[1]
        names = (_topic_of(label, entries) for label in labels.split())
        found.setdefault(name, {}).update(dict.fromkeys(one for one in names if one))
    return {name: tuple(one for one in others if one != name) for name, others in found.items()}


def _topic_of(label: str, entries: Mapping[str, str | tuple[str, ...]]) -> str:
    entry = entries.get(label, "")
    while isinstance(entry, str) and entry:
        entry = entries.get(entry, "")
    return entry[0] if entry else ""
