"""Instants: always aware, always in UTC."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.errors import InvalidError
from hippograph.schema.times import days_between, in_utc, iso

offsets = st.integers(-24 * 60 + 1, 24 * 60 - 1).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)
naive = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31))  # noqa: DTZ001 - hypothesis takes naive bounds
moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=offsets)  # noqa: DTZ001 - hypothesis takes naive bounds


class Nowhere(tzinfo):
    """A zone that does not know its offset."""

    def utcoffset(self, _: datetime | None, /) -> timedelta | None:
        return None


@given(moment=moments)
def test_an_instant_stays_the_same_in_utc(moment: datetime) -> None:
    found = in_utc(moment, "createdAt")

    assert found == moment
    assert found.tzinfo is UTC


@given(moment=naive)
def test_a_time_without_an_offset_is_refused(moment: datetime) -> None:
    with pytest.raises(InvalidError, match="createdAt needs an offset"):
        in_utc(moment, "createdAt")


def test_a_zone_without_an_offset_is_refused() -> None:
    with pytest.raises(InvalidError, match="createdAt needs an offset"):
        in_utc(datetime(2026, 4, 4, tzinfo=Nowhere()), "createdAt")


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-2))),
    ],
)
def test_a_time_off_the_calendar_in_utc_is_refused(moment: datetime) -> None:
    with pytest.raises(InvalidError, match="createdAt must lie between the years"):
        in_utc(moment, "createdAt")


@given(moment=moments)
def test_an_instant_is_written_in_utc_and_read_back_the_same(moment: datetime) -> None:
    text = iso(moment)

    assert text.endswith("Z")
    assert datetime.fromisoformat(text) == moment


@given(one=moments, other=moments)
def test_days_between_two_instants_change_sign_with_their_order(
    one: datetime, other: datetime
) -> None:
    assert days_between(one, other) == -days_between(other, one)


def test_days_are_fractional() -> None:
    noon = datetime(2026, 4, 4, 12, tzinfo=UTC)

    assert days_between(noon, noon + timedelta(hours=36)) == 1.5
