"""The language reference as memories and links.

The order of a text is no order in time: the parts of a topic are PART_OF its first memory,
which stands for the topic, and a topic that a longer one repeats is PART_OF that one. What
help() calls related, and "see section X" in the text, are REFERENCES.
"""

import re
from collections.abc import Iterator, Mapping

from hippograph.api.demo.topics import Section, Topic, on_one_line, topics
from hippograph.api.imports.findings import Draft, Finding, Link, imported_id
from hippograph.api.imports.pieces import packed
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.relationships import RelationshipType

# The demo keeps to an agent of its own, apart from the memories of its user.
AGENT = "python-reference"
SOURCE = "python-reference"
TOPIC_TAG = "topic"
PIECE = 900


def findings() -> list[Finding]:
    """Every memory of the reference, then every link."""
    drafts = {topic.name: list(_drafts(topic)) for topic in topics()}
    first = first_memories(drafts)
    titles = _titles(drafts, first)
    links = [
        *(link for topic in topics() for link in _structure(topic, drafts[topic.name], first)),
        *(
            link
            for one in drafts.values()
            for draft in one
            for link in _mentions(draft, titles)
        ),
    ]
    known = {(link.source_id, link.target_id, link.type): link for link in links}
    return [
        *(draft for one in drafts.values() for draft in one),
        *(link for link in known.values() if link.source_id != link.target_id),
    ]


def first_memories(drafts: Mapping[str, list[Draft]] | None = None) -> dict[str, str]:
    """The id of the memory that stands for each topic.

    A topic that others repeat in whole is stood for by the one that has its text.
    """
    found = drafts or {topic.name: list(_drafts(topic)) for topic in topics()}
    own = {name: one[0].id for name, one in found.items() if one}
    for topic in topics():
        same = next((name for name in topic_twins(topic) if name in own), None)
        if topic.name not in own and same is not None:
            own[topic.name] = own[same]
    return own


def topic_twins(topic: Topic) -> Iterator[str]:
    """Topics that repeat this one or are repeated by it."""
    yield from topic.within
    yield from (one.name for one in topics() if topic.name in one.within)


def _drafts(topic: Topic) -> Iterator[Draft]:
    number = 0
    for section in topic.sections:
        trail = _trail(topic, section)
        for body in packed(section.paragraphs, PIECE - len(trail) - 2):
            yield _draft(topic, number, f"{trail}\n\n{body}")
            number += 1


def _trail(topic: Topic, section: Section) -> str:
    same = section.heading in ("", topic.title)
    return topic.title if same else f"{topic.title} > {section.heading}"


def _draft(topic: Topic, number: int, text: str) -> Draft:
    tags = ("python", topic.name, TOPIC_TAG) if number == 0 else ("python", topic.name)
    return Draft(
        place=f"{topic.name}, part {number + 1}",
        id=imported_id(AGENT, topic.name, number),
        text=text,
        agent_id=AGENT,
        category=f"python/{topic.name}",
        kind=MemoryKind.SEMANTIC,
        tags=tags,
        source=SOURCE,
        metadata={"topic": topic.name, "part": number + 1},
    )


def _structure(topic: Topic, drafts: list[Draft], first: Mapping[str, str]) -> Iterator[Link]:
    own = first.get(topic.name)
    if own is None:
        return
    for draft in drafts[1:]:
        yield _link(draft.id, RelationshipType.PART_OF, own, topic.name)
    for name in topic.within:
        if name in first:
            yield _link(own, RelationshipType.PART_OF, first[name], topic.name)
    for name in topic.related:
        if name in first:
            yield _link(own, RelationshipType.REFERENCES, first[name], topic.name)


def _titles(drafts: Mapping[str, list[Draft]], first: Mapping[str, str]) -> dict[str, str]:
    """The memory that each heading of the reference stands over, topics before sections."""
    titles: dict[str, str] = {}
    for draft in (draft for one in drafts.values() for draft in one):
        heading = draft.text.split("\n", 1)[0].rpartition(" > ")[2]
        titles.setdefault(on_one_line(heading), draft.id)
    return titles | {
        on_one_line(topic.title): first[topic.name] for topic in topics() if topic.name in first
    }


def _mentions(draft: Draft, titles: Mapping[str, str]) -> Iterator[Link]:
    line = on_one_line(draft.text)
    for found in re.finditer(r"(?:\bsections? |\b[Ss]ee (?:also )?(?:the )?)", line):
        rest = line[found.end() :]
        title = max((one for one in titles if _begins(rest, one)), key=len, default=None)
        if title is not None:
            yield _link(draft.id, RelationshipType.REFERENCES, titles[title], draft.place)


def _begins(text: str, title: str) -> bool:
    return text.startswith(title) and not text[len(title) : len(title) + 1].isalnum()


def _link(source: str, kind: RelationshipType, target: str, place: str) -> Link:
    return Link(place=place, source_id=source, target_id=target, type=kind)
