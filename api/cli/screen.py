"""What a command shows: one JSON value for programs, or rich text for people."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

# Control characters other than tab and line feed: in a text they could drive a terminal.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Standard output and standard error of one command."""

    as_json: bool

    def show(self, answer: object, *people: "RenderableType") -> None:
        """Show an answer: itself as JSON, or what was drawn of it for people."""
        if self.as_json:
            typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
            return
        console = out()
        for one in people:
            # Sentences, addresses and statements stay whole, to be copied.
            console.print(one, markup=False, soft_wrap=isinstance(one, str))

    def note(self, sentence: str) -> None:
        """Say something beside the answer, on standard error."""
        typer.echo(sentence, err=True)


def out() -> "Console":
    """Standard output for people; as wide as the terminal, or wide enough for a file."""
    from rich.console import Console  # noqa: PLC0415 - not needed to answer with JSON

    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = 120
    return console


def err() -> "Console":
    """Standard error for people: progress."""
    from rich.console import Console  # noqa: PLC0415 - not needed to answer with JSON

    return Console(stderr=True, highlight=False)


def plain(text: str) -> str:
    """A text of a memory, safe to show: control characters become a replacement mark."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def short(text: str, width: int = 70) -> str:
    """The beginning of a text on one line."""
    line = " ".join(plain(text).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> "RenderableType":
    """Rows under headings; None shows as an empty cell."""
    from rich.table import Table  # noqa: PLC0415 - not needed to answer with JSON
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    drawn = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text("" if cell is None else plain(str(cell))) for cell in row))
    return drawn
