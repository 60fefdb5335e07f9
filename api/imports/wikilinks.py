"""Links between notes: how they are written in Markdown, and which note they mean."""

import posixpath
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_WIKI = re.compile(r"\[\[([^\[\]\n]{1,500})\]\]")
_NOTE_SUFFIX = re.compile(r"\.(md|markdown)$", re.IGNORECASE)
_OTHER_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}$")


@cache
def parser() -> MarkdownIt:
    """CommonMark with tables and [[wiki links]]."""
    made = MarkdownIt("commonmark").enable("table")
    made.inline.ruler.before("link", "wiki_link", _wiki_link)
    return made


def _wiki_link(state: "StateInline", silent: bool) -> bool:
    found = _WIKI.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        token = state.push("wiki_link", "", 0)
        token.content = found.group(1)
    state.pos = found.end()
    return True


def targets(inline: "Token") -> "Iterator[str]":
    """The notes that an inline token links to, as they are written."""
    for child in inline.children or ():
        if child.type == "wiki_link":
            name = child.content.replace("\\|", "|").split("|")[0].split("#")[0].split("^")[0]
            if name.strip() and _may_be_note(name.strip()):
                yield name.strip()
        elif child.type == "link_open":
            yield from _relative(str(child.attrs.get("href", "")))


def _relative(href: str) -> "Iterator[str]":
    try:
        parts = urlsplit(href)
    except ValueError:
        return
    if not parts.scheme and not parts.netloc and _NOTE_SUFFIX.search(parts.path):
        yield "./" + unquote(parts.path)


def _may_be_note(name: str) -> bool:
    return bool(_NOTE_SUFFIX.search(name)) or not _OTHER_SUFFIX.search(name)


class Notes:
    """The notes of a folder by the names that links use."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._by_path = {_key(name): name for name in names}
        self._by_stem: dict[str, list[str]] = {}
        for name in names:
            self._by_stem.setdefault(posixpath.basename(_key(name)), []).append(name)

    def named(self, target: str, *, seen_from: str) -> str | None:
        """The note that a link in another note means, or None.

        A path from the note's own folder or from the root comes first, then a bare name; of
        several notes of one name the one nearest to the root is meant.
        """
        folder = posixpath.dirname(seen_from)
        for path in (posixpath.join(folder, target.lstrip("/")), target.lstrip("/")):
            exact = self._by_path.get(_key(posixpath.normpath(path)))
            if exact is not None:
                return exact
        if target.startswith("./"):
            return None
        return _nearest(self._by_stem.get(posixpath.basename(_key(target)), ()), target)


def _nearest(candidates: "Sequence[str]", target: str) -> str | None:
    fitting = [name for name in candidates if ("/" + _key(name)).endswith("/" + _key(target))]
    return min(fitting, key=lambda name: (name.count("/"), name), default=None)


def _key(name: str) -> str:
    return _NOTE_SUFFIX.sub("", name).casefold()
