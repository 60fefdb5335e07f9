"""Questions to put to the graph itself, in Neo4j Browser."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserQuery:
    """What a query shows, and its text, ready to paste."""

    purpose: str
    text: str


def browser_queries(space: str) -> Iterator[BrowserQuery]:
    """The queries of the demo for one space.

    Browser is where people type, so the parameter is written out; a space's name holds letters,
    digits, dots, underscores and hyphens only.
    """
    folder = files("hippograph.api.demo")
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".cypher"):
            purpose, _, text = file.read_text(encoding="utf-8").partition("\n")
            yield BrowserQuery(
                purpose=purpose.removeprefix("//").strip(),
                text=text.strip().replace("$space", f'"{space}"'),
            )
