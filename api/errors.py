"""Errors as callers meet them: GraphQL errors with a code; anything unexpected is masked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import structlog

from hippograph.schema.errors import ErrorCode, HippographError, RefusedError, StatementError

if TYPE_CHECKING:
    from graphql import GraphQLError

log = structlog.get_logger(__name__)

# Where graphql-core tells which part of a variable it refuses.
_PLACES = (
    re.compile(r"invalid value at ((?:\.\w+|\[\d+\])+)"),
    re.compile(r"^Variable '\$(\w+)'"),
    re.compile(r"^Argument '(?:\w+\.)*(\w+)"),
)

INTERNAL = "INTERNAL"
TIME = "DateTime"


def shown(error: GraphQLError) -> dict[str, Any]:
    """A GraphQL error as the caller sees it: `extensions.code`, and the field where known."""
    cause = _cause(error)
    formatted: dict[str, Any] = dict(error.formatted)
    if cause is None:
        formatted["extensions"] = {
            "code": ErrorCode.INVALID.value,
            "field": _field(error.message),
        }
    elif isinstance(cause, HippographError) and not isinstance(cause, StatementError):
        field = cause.field if isinstance(cause, RefusedError) else None
        if field == TIME:  # a scalar does not know where it stands; the library's words do
            field = _field(error.message)
        formatted["message"] = str(cause)
        formatted["extensions"] = {"code": str(cause.code), "field": field}
    else:
        log.error("unexpected_error", error=type(cause).__name__, exc_info=_without_text(cause))
        formatted["message"] = "something went wrong inside; the log tells more"
        formatted["extensions"] = {"code": INTERNAL, "field": None}
    return formatted


def _cause(error: GraphQLError) -> Exception | None:
    """What was raised inside, below the layers that the library wraps around it."""
    cause = error.original_error
    while cause is not None and isinstance(
        inner := getattr(cause, "original_error", None), Exception
    ):
        cause = inner
    if type(cause).__module__.startswith("graphql"):
        return None
    return cause


def _field(message: str) -> str | None:
    found = next((hit for place in _PLACES if (hit := place.search(message))), None)
    if found is None:
        return None
    return re.sub(r"\[\d+\]$", "", found[1]).rpartition(".")[2]


def _without_text(cause: Exception) -> tuple[type[Exception], Exception, Any]:
    """The traceback of an error whose own words may hold what a caller wrote."""
    kind = type(cause)
    return kind, Exception(kind.__name__), cause.__traceback__
