"""Cursors of pages: a place in the order that callers hand back as they got it."""

import base64
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.errors import InvalidError
from hippograph.schema.pages import Cursor, cursor_from

moments = st.datetimes(timezones=st.just(UTC))
ids = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=128
)
A_CURSOR = Cursor(created_at=datetime(2026, 1, 1, tzinfo=UTC), memory_id="m1").encoded()


def encoded(plain: bytes) -> str:
    return base64.urlsafe_b64encode(plain).decode("ascii")


@given(moment=moments, memory_id=ids)
def test_a_cursor_comes_back_as_it_was(moment: datetime, memory_id: str) -> None:
    cursor = Cursor(created_at=moment, memory_id=memory_id)

    assert cursor_from(cursor.encoded()) == cursor


@given(moment=moments, memory_id=ids)
def test_a_cursor_is_plain_ascii_without_blanks(moment: datetime, memory_id: str) -> None:
    text = Cursor(created_at=moment, memory_id=memory_id).encoded()

    assert text.isascii()
    assert text.split() == [text]


def test_no_cursor_is_the_first_page() -> None:
    assert cursor_from(None) is None


@given(text=st.text() | st.binary().map(encoded) | st.text(min_size=1).map(A_CURSOR.__add__))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidError) as refusal:
        cursor_from(text)

    assert refusal.value.field == "after"


@pytest.mark.parametrize("text", ["", " ", "\ud800", "m1", "é", A_CURSOR[:-1], A_CURSOR + "\n"])
def test_a_damaged_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidError, match="before"):
        cursor_from(text, "before")


@pytest.mark.parametrize(
    "plain",
    [
        b"2026-01-01T00:00:00 m1",
        b"2026-13-01T00:00:00Z m1",
        b"0001-01-01T00:00:00+14:00 m1",
        b" m1",
        b"m1",
        b"\xff\xfe",
    ],
)
def test_a_cursor_without_an_instant_is_refused(plain: bytes) -> None:
    with pytest.raises(InvalidError, match="after"):
        cursor_from(encoded(plain))


@pytest.mark.parametrize("plain", [b"2026-01-01T00:00:00Z", b"2026-01-01T00:00:00Z "])
def test_a_cursor_without_a_memory_is_refused(plain: bytes) -> None:
    with pytest.raises(InvalidError, match="after"):
        cursor_from(encoded(plain))


@pytest.mark.parametrize(
    "plain",
    [
        b"20260101T000000Z m1",
        b"2026-W01-4T00:00:00Z m1",
        b"2026-01-01 m1",
        b"2026-01-01T00:00:00+00:00 m1",
        b"2026-01-01T02:00:00+02:00 m1",
    ],
)
def test_a_cursor_in_another_spelling_is_refused(plain: bytes) -> None:
    with pytest.raises(InvalidError, match="after"):
        cursor_from(encoded(plain))


def test_a_cursor_in_another_alphabet_is_refused() -> None:
    cursor = Cursor(created_at=datetime(2026, 1, 1, tzinfo=UTC), memory_id="m?>~~~???")
    text = cursor.encoded().replace("-", "+").replace("_", "/")

    assert text != cursor.encoded()
    with pytest.raises(InvalidError, match="after"):
        cursor_from(text)
