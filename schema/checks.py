"""Bounds on what callers give, and the checks that hold them.

Each check returns the value in its stored form and raises InvalidError naming the field and
what is allowed.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeVar, cast

from hippograph.schema.errors import InvalidError
from hippograph.schema.times import in_utc

T = TypeVar("T")

MAX_TEXT_BYTES = 64 * 1024
MAX_QUERY_BYTES = 64 * 1024
MAX_TAGS = 32
MAX_TAG_CHARACTERS = 128
MAX_ENTITIES = 64
MAX_ENTITY_CHARACTERS = 256
MAX_METADATA_BYTES = 16 * 1024
MAX_ID_CHARACTERS = 128
MAX_KEY_CHARACTERS = 256
MAX_SESSION_CHARACTERS = 256
MAX_SOURCE_CHARACTERS = 2048
MAX_SEGMENT_CHARACTERS = 64
MAX_PAGE = 100
MAX_BATCH = 1000
MAX_HOPS = 3
MAX_ANSWER_BYTES = 1024 * 1024

_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


def _storable(value: str, field: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidError(field, "holds half of a surrogate pair, not valid text") from error
    if "\x00" in value:
        raise InvalidError(field, "may not hold the NUL character")
    return value


def _short(value: str | None, field: str, limit: int) -> str | None:
    if value is None:
        return None
    _storable(value, field)
    if not value.strip() or len(value) > limit:
        raise InvalidError(field, f"must have 1 to {limit} characters, not all blank")
    return value


def _is_handle(value: str) -> bool:
    return 1 <= len(value) <= MAX_ID_CHARACTERS and not any(
        unicodedata.category(one)[0] in "ZC" for one in value
    )


def a_name(value: str, field: str) -> str:
    """The name of a space, an agent or a principal, as given."""
    if not _NAME.fullmatch(value):
        raise InvalidError(field, "must be 1 to 64 letters, digits, '.', '_' or '-'")
    return value


def a_reference(value: str, field: str = "id") -> str:
    """The id of something that should be there; only what no text can be is refused."""
    return _storable(value, field)


def an_id(value: str | None, field: str = "id") -> str | None:
    """An identifier of the caller's choice."""
    if value is not None and not _is_handle(_storable(value, field)):
        raise InvalidError(
            field, f"must be 1 to {MAX_ID_CHARACTERS} characters without blanks or controls"
        )
    return value


def a_text(value: str, field: str = "text") -> str:
    """The text of a memory."""
    _storable(value, field)
    size = len(value.encode("utf-8"))
    if size > MAX_TEXT_BYTES:
        raise InvalidError(field, f"has {size} bytes in UTF-8; at most {MAX_TEXT_BYTES} go in")
    return value


def a_query(value: str, field: str = "query") -> str:
    """The text of a question; NUL characters count as blanks."""
    cleaned = value.replace("\x00", " ")
    _storable(cleaned, field)
    size = len(cleaned.encode("utf-8"))
    if size > MAX_QUERY_BYTES:
        raise InvalidError(field, f"has {size} bytes in UTF-8; at most {MAX_QUERY_BYTES} go in")
    if not has_something_visible(cleaned):
        raise InvalidError(field, "is blank; ask in at least one word")
    return cleaned


def has_something_visible(text: str) -> bool:
    """Whether a text holds more than blanks, controls and characters of no width."""
    return any(unicodedata.category(one)[0] not in "ZC" for one in text)


def a_share(value: float, field: str) -> float:
    """A number from 0 to 1."""
    if not 0 <= value <= 1:
        raise InvalidError(field, "must be a number from 0 to 1")
    return float(value)


def a_share_or_none(value: float | None, field: str) -> float | None:
    """A number from 0 to 1, or None."""
    return None if value is None else a_share(value, field)


def a_count(value: int, field: str, *, most: int, least: int = 1) -> int:
    """A whole number within bounds."""
    if not least <= value <= most:
        raise InvalidError(field, f"must be from {least} to {most}")
    return value


def some_tags(values: Iterable[str], field: str = "tags") -> tuple[str, ...]:
    """Tags without repeats, in the order given."""
    return _labels(values, field, MAX_TAGS, MAX_TAG_CHARACTERS)


def some_entities(values: Iterable[str], field: str = "entities") -> tuple[str, ...]:
    """Entities without repeats, in the order given."""
    return _labels(values, field, MAX_ENTITIES, MAX_ENTITY_CHARACTERS)


def _labels(values: Iterable[str], field: str, most: int, longest: int) -> tuple[str, ...]:
    labels = tuple(dict.fromkeys(_storable(value, field).strip() for value in values))
    if len(labels) > most:
        raise InvalidError(field, f"has {len(labels)} entries; at most {most} go in")
    for label in labels:
        if not label or len(label) > longest:
            raise InvalidError(field, f"has a blank entry or one over {longest} characters")
    return labels


def a_category(value: str | None, field: str = "category", *, max_depth: int) -> str:
    """A category path such as projects/atlas; the root is the empty path."""
    path = _storable(value or "", field).strip().strip("/")
    if not path:
        return ""
    segments = [segment.strip() for segment in path.split("/")]
    if len(segments) > max_depth:
        raise InvalidError(field, f"has {len(segments)} levels; at most {max_depth} go in")
    if any(not part or len(part) > MAX_SEGMENT_CHARACTERS for part in segments):
        raise InvalidError(
            field, f"must be names of 1 to {MAX_SEGMENT_CHARACTERS} characters joined by '/'"
        )
    return "/".join(segments)


def a_metadata(value: object, field: str = "metadata") -> str | None:
    """Metadata as JSON text; integers of any size stay as given."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise InvalidError(field, "must be a JSON object")
    try:
        text = json.dumps(cast("object", value), ensure_ascii=False, allow_nan=False)
        size = len(_storable(text, field).encode("utf-8"))
    except (TypeError, ValueError) as error:
        raise InvalidError(
            field, "must be JSON without NaN, infinities and numbers of thousands of digits"
        ) from error
    except RecursionError as error:
        raise InvalidError(field, "is nested too deeply") from error
    if size > MAX_METADATA_BYTES:
        raise InvalidError(
            field, f"has {size} bytes as JSON; at most {MAX_METADATA_BYTES} go in"
        )
    return text


def merged_metadata(stored: str | None, change: str | None) -> str | None:
    """Stored metadata with the keys of a change over it; raises InvalidError over the limit."""
    if change is None or stored is None:
        return stored if change is None else change
    return a_metadata({**json.loads(stored), **json.loads(change)})


def a_session(value: str | None) -> str | None:
    """The conversation or run that a memory comes from."""
    return _short(value, "sessionId", MAX_SESSION_CHARACTERS)


def a_source(value: str | None) -> str | None:
    """The tool, file or address that a memory comes from."""
    return _short(value, "source", MAX_SOURCE_CHARACTERS)


def an_idempotency_key(value: str | None) -> str | None:
    """A repeat-safe key."""
    return _short(value, "idempotencyKey", MAX_KEY_CHARACTERS)


def a_time(value: datetime | None, field: str) -> datetime | None:
    """An instant in UTC, or None."""
    return None if value is None else in_utc(value, field)


def not_empty(values: Iterable[T] | None, field: str) -> tuple[T, ...] | None:
    """A filter list: None is no restriction, an empty one is refused."""
    if values is None:
        return None
    given = tuple(dict.fromkeys(values))
    if not given:
        raise InvalidError(field, "is empty; leave it out for no restriction")
    return given
