"""The Cypher statements, by name, with what their headers promise."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hippograph.schema.errors import StatementError

_HEADER = re.compile(r"^// (?:(params|returns|index): )?(.*)$")
_PARAMETER = re.compile(r"\$([a-z_][a-z0-9_]*)\b(?!\()")  # `$any(` is syntax


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One Cypher file: its text, the parameters it takes and the columns it returns."""

    name: str
    purpose: str
    params: frozenset[str]
    returns: tuple[str, ...]
    index: tuple[str, ...]
    text: str


@cache
def statement(name: str) -> Statement:
    """The statement in `cypher/<name>.cypher`.

    Raises StatementError when there is no such file or its header and text disagree.
    """
    file = files("hippograph") / "cypher" / f"{name}.cypher"
    if not file.is_file():
        raise StatementError(f"no statement {name}")
    return parsed(name, file.read_text(encoding="utf-8"))


def statement_names(prefix: str = "") -> list[str]:
    """The names of all statements that begin with `prefix`, in order."""
    folder = files("hippograph") / "cypher"
    names = (file.name.removesuffix(".cypher") for file in folder.iterdir())
    return sorted(name for name in names if name.startswith(prefix))


def parsed(name: str, text: str) -> Statement:
    """A statement from its text; raises StatementError when header and text disagree."""
    purpose = ""
    lists: dict[str, tuple[str, ...]] = {"params": (), "returns": (), "index": ()}
    for line in text.splitlines():
        found = _HEADER.match(line)
        if found is None:
            break
        if found[1]:
            lists[found[1]] = tuple(
                part.strip() for part in found[2].split(",") if part.strip()
            )
        elif not purpose:
            purpose = found[2]
    used = set(_PARAMETER.findall(text))
    if set(lists["params"]) != used:
        raise StatementError(
            f"{name}: header names {lists['params']}, text uses {sorted(used)}"
        )
    if not purpose:
        raise StatementError(f"{name}: the first line must say the purpose")
    return Statement(
        name=name,
        purpose=purpose,
        params=frozenset(used),
        returns=lists["returns"],
        index=lists["index"],
        text=text,
    )
