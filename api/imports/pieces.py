"""Long texts in pieces, cut where a reader would pause."""

import re
from collections.abc import Iterable, Iterator

# Where to cut, best first: behind a sentence, a line, a clause, a word.
_PAUSES = tuple(map(re.compile, (r"[.!?:][)\]\"'*”]*\s", r"\n", r"[;,]\s", r"\s")))


def pieces(text: str, bound: int) -> list[str]:
    """A text in pieces of at most `bound` characters, cut between paragraphs if it can be.

    Nothing but white space at the cuts is lost.
    """
    return list(packed(re.split(r"\n[ \t]*\n", text), bound))


def packed(blocks: Iterable[str], bound: int) -> Iterator[str]:
    """Blocks put together, a blank line between them, as long as they stay within `bound`."""
    piece = ""
    for part in (part for block in blocks for part in broken(block, bound)):
        if piece and len(piece) + 2 + len(part) > bound:
            yield piece
            piece = part
        else:
            piece = f"{piece}\n\n{part}" if piece else part
    if piece:
        yield piece


def broken(block: str, bound: int) -> Iterator[str]:
    """One block in parts of at most `bound` characters, cut at the best pause near the end."""
    rest = block.strip("\n").rstrip()
    while len(rest) > bound:
        cut = _cut(rest, bound)
        if part := rest[:cut].rstrip():
            yield part
        # Behind a line the next one keeps its indent.
        rest = rest[cut:].lstrip("\n") if rest[cut - 1] == "\n" else rest[cut:].lstrip()
    if rest.strip():
        yield rest


def _cut(text: str, bound: int) -> int:
    for pause in _PAUSES:
        *_, last = (-1, *(found.end() for found in pause.finditer(text, bound // 3, bound)))
        if last > 0:
            return last
    return bound
