"""The Cypher files read with other eyes than the loader's."""

import re
from dataclasses import dataclass

from tests.house.tree import ROOT

FOLDER = ROOT / "cypher"
_HEADER = re.compile(r"^// (?:(params|returns|index): )?(\S.*)$")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`")
_NAMED = re.compile(r"\sAS\s+(\w+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class CypherFile:
    """One file: the lines of its header, and the text below."""

    name: str
    keys: tuple[str | None, ...]
    values: tuple[str, ...]
    body: str

    def listed(self, key: str) -> list[str]:
        """The names behind a key of the header."""
        if key not in self.keys:
            return []
        return self.values[self.keys.index(key)].split(", ")

    @property
    def code(self) -> str:
        """The body with its comments and what it quotes taken out."""
        return re.sub(r"//.*", "", _QUOTED.sub("''", self.body))

    def parameters(self) -> set[str]:
        """The parameters that the text uses; `$any(...)` is a way to name types."""
        return set(re.findall(r"\$(?!any\(|all\()(\w+)", self.code))

    def columns(self) -> list[str]:
        """The columns of the last RETURN; one without AS shows whole."""
        items = _items(_after_last_return(self.code))
        return [found[1] if (found := _NAMED.search(item)) else item for item in items]

    def first_pattern(self) -> str:
        """The first pattern or index lookup, up to the clause that follows it."""
        parts = re.split(r"\b(?:MATCH|MERGE|CREATE)\b", self.code, maxsplit=1)
        return re.split(r"\b(?:MATCH|MERGE|CREATE|CALL|RETURN|WITH|SET)\b", parts[-1])[0]

    def word_searches(self) -> list[str]:
        """What follows each search of a full-text index, up to the end of its WHERE."""
        calls = self.code.split("db.index.fulltext.queryNodes")[1:]
        return [re.split(r"\b(?:RETURN|UNION)\b", call)[0] for call in calls]


def cypher_files() -> list[CypherFile]:
    """Every statement, in the order of names."""
    return [_read(path.stem, path.read_text("utf-8")) for path in sorted(FOLDER.iterdir())]


def _read(name: str, text: str) -> CypherFile:
    lines = text.splitlines()
    header = [found for line in lines if (found := _HEADER.match(line))]
    count = next((at for at, line in enumerate(lines) if not _HEADER.match(line)), len(lines))
    return CypherFile(
        name=name,
        keys=tuple(found[1] for found in header[:count]),
        values=tuple(found[2] for found in header[:count]),
        body="\n".join(lines[count:]),
    )


def _after_last_return(code: str) -> str:
    """What stands between the last RETURN outside of all brackets and the clause after it."""
    depth, start = 0, None
    for found in re.finditer(r"[({\[]|[)}\]]|\bRETURN\b", code):
        if found[0] in "({[":
            depth += 1
        elif found[0] in ")}]":
            depth -= 1
        elif depth == 0:
            start = found.end()
    if start is None:
        return ""
    return re.split(r"\b(?:ORDER\s+BY|SKIP|LIMIT)\b", code[start:])[0]


def _items(text: str) -> list[str]:
    """The parts between the commas outside of all brackets, in one line each."""
    depth, items = 0, [""]
    for letter in text:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == "," and depth == 0:
            items.append("")
        else:
            items[-1] += letter
    return [" ".join(item.removeprefix(" DISTINCT").split()) for item in items if item.strip()]
