"""The two scalars of the contract: instants and free-form data."""

from __future__ import annotations

import json
from datetime import datetime
from typing import NewType

import strawberry
from strawberry.types.scalar import ScalarDefinition

from hippograph.schema.errors import InvalidError
from hippograph.schema.times import iso

JSON = NewType("JSON", object)


def _read(value: object) -> datetime:
    """An instant as given; one without an offset is refused later, where its field is known."""
    try:
        return datetime.fromisoformat(str(value))
    except ValueError as error:
        raise InvalidError(
            "DateTime", "must be ISO 8601, such as 2026-04-04T09:00:00Z"
        ) from error


def _as_given(value: object) -> object:
    return value


SCALARS: dict[object, ScalarDefinition] = {
    datetime: strawberry.scalar(
        name="DateTime",
        description=(
            "An instant in ISO 8601 with an explicit offset; answers are always in UTC with Z."
        ),
        serialize=iso,
        parse_value=_read,
    ),
    JSON: strawberry.scalar(
        name="JSON",
        description="Free-form structured data: metadata at most 16 KiB when serialised.",
        serialize=_as_given,
        parse_value=_as_given,
    ),
}


def json_or_none(text: str | None) -> JSON | None:
    """Stored JSON text as data."""
    return None if text is None else JSON(json.loads(text))
