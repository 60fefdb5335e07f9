"""Instants: always aware, always in UTC."""

from datetime import UTC, datetime, timedelta

from hippograph.schema.errors import InvalidError

FAR_FUTURE = datetime(9999, 1, 1, tzinfo=UTC)
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def in_utc(moment: datetime, field: str) -> datetime:
    """The same instant in UTC; raises InvalidError for a time without an offset."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidError(field, "needs an offset from UTC, such as 2026-04-04T09:00:00Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise InvalidError(field, "must lie between the years 1 and 9999") from error


def days_between(earlier: datetime, later: datetime) -> float:
    """Days from one instant to a later one, fractional, negative when the order is reversed."""
    return (later - earlier) / DAY


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
