"""How words on the command line become values; a word that fits none is bad use."""

import json
import math
import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hippograph.schema.errors import InvalidError
from hippograph.schema.relationships import RelationshipType, canonical

if TYPE_CHECKING:
    from hippograph.schema.recall import RetrievalStrategy
    from hippograph.schema.tiers import Tier

Member = TypeVar("Member", bound=StrEnum)


def named(**options: object) -> dict[str, object]:
    """The options that were named; the service has a default for each of the others."""
    return {name: value for name, value in options.items() if value is not None}


def relationship_type(word: str) -> RelationshipType:
    """The type that a name of any of the source systems stands for."""
    try:
        return canonical(word)
    except InvalidError as error:
        raise typer.BadParameter(str(error)) from error


def tier(word: str) -> "Tier":
    """A tier by its name."""
    from hippograph.schema.tiers import Tier  # noqa: PLC0415 - brings pydantic, which is slow

    return _member(Tier, word)


def strategy(word: str) -> "RetrievalStrategy":
    """A strategy of recall by its name."""
    from hippograph.schema.recall import RetrievalStrategy  # noqa: PLC0415 - brings pydantic

    return _member(RetrievalStrategy, word)


def number(word: str) -> float:
    """A finite number."""
    try:
        value = float(word)
    except ValueError as error:
        raise typer.BadParameter(f"{word!r} is no number") from error
    if not math.isfinite(value):
        raise typer.BadParameter(f"{word!r} is no finite number")
    return value


def instant(word: str) -> str:
    """A time in ISO 8601 with an offset; one without counts as UTC, which is said."""
    try:
        moment = datetime.fromisoformat(word)
    except ValueError as error:
        raise typer.BadParameter(f"{word!r} is no time such as 2026-04-04T09:00:00Z") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
        typer.echo(f"{word} has no offset; taken as UTC: {moment.isoformat()}", err=True)
    return moment.isoformat()


def json_value(word: str) -> object:
    """A JSON value as its text says."""
    try:
        return json.loads(word, parse_constant=_no_constant)
    except ValueError as error:
        raise typer.BadParameter(f"is no JSON: {error}") from error


def text_given(word: str) -> str:
    """A text as given, or standard input for `-`; its last line end does not count."""
    if word != "-":
        return _in_unicode(word)
    try:
        return sys.stdin.buffer.read().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"standard input is not UTF-8: {error}") from error


def _member(kind: type[Member], word: str) -> Member:
    try:
        return kind(word.upper())
    except ValueError as error:
        names = ", ".join(one.value for one in kind)
        raise typer.BadParameter(f"{word!r} is none of {names}") from error


def _in_unicode(word: str) -> str:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError as error:
        raise typer.BadParameter("the text is not UTF-8") from error
    return word


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not allowed")


Types = Annotated[
    list[RelationshipType] | None,
    typer.Option(
        "--type",
        metavar="TYPE",
        parser=relationship_type,
        help="Only this relationship type, by any of its names; may be repeated.",
    ),
]
Metadata = Annotated[
    object | None,
    typer.Option("--metadata", metavar="JSON", parser=json_value, help="Free metadata."),
]
AgentId = Annotated[
    str | None, typer.Option("--agent-id", metavar="ID", help="The agent it is about.")
]
