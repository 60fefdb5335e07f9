"""Cursors of pages: the place of a memory in the order, not a number of rows to skip."""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime

from hippograph.schema.errors import InvalidError
from hippograph.schema.times import in_utc, iso

NO_CURSOR = "is no cursor of this list; take endCursor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """Where a memory stands among memories ordered by time of creation and id."""

    created_at: datetime
    memory_id: str

    def encoded(self) -> str:
        """The cursor as callers see it; opaque to them."""
        plain = f"{iso(self.created_at)} {self.memory_id}"
        return base64.urlsafe_b64encode(plain.encode("utf-8")).decode("ascii")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWanted:
    """How many memories a page may hold, and after which place it begins."""

    first: int
    after: Cursor | None = None


def cursor_from(text: str | None, field: str = "after") -> Cursor | None:
    """The cursor that a caller hands back; raises InvalidError for any other text."""
    if text is None:
        return None
    try:
        plain = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
        moment, _, memory_id = plain.decode("utf-8").partition(" ")
        cursor = Cursor(
            created_at=in_utc(datetime.fromisoformat(moment), field), memory_id=memory_id
        )
    except (binascii.Error, UnicodeError, ValueError) as error:
        raise InvalidError(field, NO_CURSOR) from error
    if not memory_id or cursor.encoded() != text:
        raise InvalidError(field, NO_CURSOR)
    return cursor
