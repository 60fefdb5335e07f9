"""Bounds on what callers give: what is taken, in which form, and what is refused."""

import json
import math
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.checks import (
    MAX_METADATA_BYTES,
    MAX_TEXT_BYTES,
    a_category,
    a_count,
    a_metadata,
    a_name,
    a_query,
    a_session,
    a_share,
    a_share_or_none,
    a_source,
    a_text,
    a_time,
    an_id,
    an_idempotency_key,
    merged_metadata,
    not_empty,
    some_entities,
    some_tags,
)
from hippograph.schema.errors import InvalidError

Check = Callable[[str], object]
HUGE = pytest.param(10**400, id="huge")
HALF = "half \ud800 of a pair"
# Every check of a text by the field that its refusal names.
CHECKS: dict[str, Check] = {
    "agentId": lambda value: a_name(value, "agentId"),
    "id": an_id,
    "text": a_text,
    "query": a_query,
    "tags": lambda value: some_tags(["fine", value]),
    "entities": lambda value: some_entities(["fine", value]),
    "category": lambda value: a_category(value, max_depth=4),
    "sessionId": a_session,
    "source": a_source,
    "idempotencyKey": an_idempotency_key,
    "metadata": lambda value: a_metadata({"note": value}),
}
# The longest plain text that each check takes.
LONGEST = {
    "agentId": 64,
    "id": 128,
    "text": 65_536,
    "query": 65_536,
    "tags": 128,
    "entities": 256,
    "category": 64,
    "sessionId": 256,
    "source": 2048,
    "idempotencyKey": 256,
    "metadata": 16_384 - len('{"note": ""}'),
}
# A blank category is the root, and a blank text is for the embedder to judge.
NEVER_BLANK = sorted(CHECKS.keys() - {"category", "text", "metadata"})
# A query takes NUL for a blank, and JSON writes it as an escape.
NEVER_NUL = sorted(CHECKS.keys() - {"query", "metadata"})

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
short_texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=256
).filter(str.strip)
finite = st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | texts
documents = st.dictionaries(
    texts, st.recursive(finite, lambda inner: st.lists(inner, max_size=3)), max_size=4
)
segments = st.text("abé 1.-", min_size=1, max_size=8).map(str.strip).filter(bool)


def refusal_of(check: Callable[[], object]) -> InvalidError:
    with pytest.raises(InvalidError) as refusal:
        check()
    return refusal.value


def nested(depth: int) -> dict[str, Any]:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return {"deep": value}


@pytest.mark.parametrize("field", CHECKS)
def test_half_of_a_surrogate_pair_is_refused(field: str) -> None:
    assert refusal_of(lambda: CHECKS[field](HALF)).field == field


@pytest.mark.parametrize("field", NEVER_NUL)
def test_the_nul_character_is_refused(field: str) -> None:
    assert refusal_of(lambda: CHECKS[field]("a\x00b")).field == field


@pytest.mark.parametrize("field", NEVER_BLANK)
@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000"])
def test_a_blank_is_refused(field: str, blank: str) -> None:
    assert refusal_of(lambda: CHECKS[field](blank)).field == field


@pytest.mark.parametrize(("field", "most"), LONGEST.items())
def test_the_longest_value_is_taken_and_one_character_more_refused(
    field: str, most: int
) -> None:
    CHECKS[field]("x" * most)

    assert refusal_of(lambda: CHECKS[field]("x" * (most + 1))).field == field


@pytest.mark.parametrize("check", [a_text, a_query])
def test_texts_are_measured_in_bytes_of_utf_8(check: Check) -> None:
    check("é" * (MAX_TEXT_BYTES // 2))

    assert "65538 bytes" in str(refusal_of(lambda: check("é" * (MAX_TEXT_BYTES // 2 + 1))))


@given(text=texts)
def test_a_text_is_stored_as_given(text: str) -> None:
    assert a_text(text) == text


@given(name=st.from_regex(r"[A-Za-z0-9._-]{1,64}", fullmatch=True))
def test_a_plain_name_is_taken_as_given(name: str) -> None:
    assert a_name(name, "space") == name


@pytest.mark.parametrize("name", ["a b", " a", "a\n", "é", "a/b", "a:b", "٣"])
def test_a_name_of_other_characters_is_refused(name: str) -> None:
    assert refusal_of(lambda: a_name(name, "space")).field == "space"


@given(
    identity=st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=128)
)
def test_an_id_is_taken_as_given(identity: str) -> None:
    assert an_id(identity) == identity


@given(odd=st.characters(categories=["Cc", "Zs", "Zl", "Zp"]))
def test_an_id_holds_no_blank_and_no_control(odd: str) -> None:
    assert refusal_of(lambda: an_id(f"a{odd}b", "targetId")).field == "targetId"


def test_a_query_takes_nul_for_a_blank() -> None:
    assert a_query("one\x00two") == "one two"


@pytest.mark.parametrize("check", [an_id, a_session, a_source, an_idempotency_key])
def test_what_is_left_out_stays_out(check: Callable[[None], object]) -> None:
    assert check(None) is None


@pytest.mark.parametrize("check", [a_session, a_source, an_idempotency_key])
@given(text=short_texts)
def test_a_short_text_is_stored_as_given(check: Check, text: str) -> None:
    assert check(text) == text


@given(share=st.floats(0, 1) | st.integers(0, 1))
def test_a_share_is_stored_as_a_fraction(share: float) -> None:
    found = a_share(share, "importance")

    assert isinstance(found, float)
    assert found == share == a_share_or_none(share, "importance")


@given(share=st.floats().filter(lambda share: not 0 <= share <= 1))
def test_a_number_outside_0_to_1_is_no_share(share: float) -> None:
    assert refusal_of(lambda: a_share(share, "importance")).field == "importance"


@pytest.mark.parametrize("share", [math.nan, math.inf, -math.inf, -5e-324, 2, HUGE])
def test_what_is_no_number_from_0_to_1_is_no_share(share: float) -> None:
    assert refusal_of(lambda: a_share_or_none(share, "minScore")).field == "minScore"


def test_a_share_that_is_left_out_stays_out() -> None:
    assert a_share_or_none(None, "minScore") is None


@given(count=st.integers(), least=st.integers(-5, 5), most=st.integers(-5, 200))
def test_a_count_is_taken_within_its_bounds_only(count: int, least: int, most: int) -> None:
    if least <= count <= most:
        assert a_count(count, "limit", least=least, most=most) == count
    else:
        refusal = refusal_of(lambda: a_count(count, "limit", least=least, most=most))
        assert str(refusal) == f"limit must be from {least} to {most}"


@pytest.mark.parametrize("count", [0, -1, 101, HUGE])
def test_a_count_starts_at_one(count: int) -> None:
    assert refusal_of(lambda: a_count(count, "limit", most=100)).field == "limit"


@pytest.mark.parametrize("check", [some_tags, some_entities])
@given(values=st.lists(st.text("ab é", min_size=1, max_size=3).filter(str.strip)))
def test_labels_are_trimmed_and_kept_once_in_order(
    check: Callable[[Iterable[str]], tuple[str, ...]], values: list[str]
) -> None:
    found = check(values[:32])

    assert list(found) == list(dict.fromkeys(value.strip() for value in values[:32]))
    assert check(found) == found


@pytest.mark.parametrize(("check", "most"), [(some_tags, 32), (some_entities, 64)])
def test_more_labels_than_fit_are_refused(
    check: Callable[[Iterable[str]], tuple[str, ...]], most: int
) -> None:
    values = [f"label {number}" for number in range(most + 1)]

    assert len(check([*values[:most], values[0]])) == most
    assert f"at most {most}" in str(refusal_of(lambda: check(values)))


@given(path=st.lists(segments, min_size=1, max_size=4), around=st.sampled_from(["", " ", "/"]))
def test_a_category_is_its_trimmed_names_joined(path: list[str], around: str) -> None:
    found = a_category(around + " / ".join(path) + around, max_depth=4)

    assert found == "/".join(path)
    assert a_category(found, max_depth=4) == found


@pytest.mark.parametrize("blank", [None, "", " ", "/", "//", " / "])
def test_a_blank_category_is_the_root(blank: str | None) -> None:
    assert a_category(blank, max_depth=4) == ""


@pytest.mark.parametrize("path", ["a//b", "a/ /b", "/ /", "1/2/3/4/5", "a/" + "x" * 65])
def test_a_category_of_blank_long_or_too_many_names_is_refused(path: str) -> None:
    assert refusal_of(lambda: a_category(path, max_depth=4)).field == "category"


@given(document=documents)
def test_metadata_reads_back_as_it_was(document: dict[str, Any]) -> None:
    text = a_metadata(document)

    assert text is not None
    assert json.loads(text) == document


@pytest.mark.parametrize("digits", [20, 400, 4300])
def test_metadata_keeps_integers_of_any_size(digits: int) -> None:
    text = a_metadata({"n": 10 ** (digits - 1)})

    assert text == '{"n": 1' + "0" * (digits - 1) + "}"


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, {1, 2}, b"x", object()])
def test_metadata_of_anything_but_json_is_refused(odd: object) -> None:
    assert refusal_of(lambda: a_metadata({"n": [odd]})).field == "metadata"


@pytest.mark.parametrize("odd", [[], "{}", 1, True, [("a", 1)]])
def test_metadata_that_is_no_object_is_refused(odd: object) -> None:
    assert str(refusal_of(lambda: a_metadata(odd))) == "metadata must be a JSON object"


def test_half_of_a_surrogate_pair_in_a_key_of_metadata_is_refused() -> None:
    assert refusal_of(lambda: a_metadata({HALF: 1})).field == "metadata"


def test_metadata_nested_past_all_sense_is_refused() -> None:
    assert refusal_of(lambda: a_metadata(nested(100_000))).field == "metadata"


def test_metadata_left_out_stays_out() -> None:
    assert a_metadata(None) is None


@given(stored=documents, change=documents)
def test_a_change_of_metadata_goes_over_what_is_stored(
    stored: dict[str, Any], change: dict[str, Any]
) -> None:
    merged = merged_metadata(a_metadata(stored), a_metadata(change))

    assert merged is not None
    assert json.loads(merged) == {**stored, **change}


@pytest.mark.parametrize(("stored", "change"), [(None, "{}"), ("{}", None), (None, None)])
def test_metadata_on_one_side_only_stays_as_it_is(
    stored: str | None, change: str | None
) -> None:
    assert merged_metadata(stored, change) == (stored or change)


def test_metadata_that_grows_over_the_limit_is_refused() -> None:
    half = "x" * (MAX_METADATA_BYTES // 2)
    one, other = a_metadata({"a": half}), a_metadata({"b": half})

    assert refusal_of(lambda: merged_metadata(one, other)).field == "metadata"


def test_a_time_is_stored_in_utc() -> None:
    found = a_time(datetime(2026, 4, 4, 14, tzinfo=timezone(timedelta(hours=2))), "asOf")

    assert found is not None
    assert (found.hour, found.tzinfo) == (12, UTC)
    assert a_time(None, "asOf") is None


def test_a_time_without_an_offset_is_refused() -> None:
    naive = datetime(2026, 4, 4)  # noqa: DTZ001 - the case under test

    assert refusal_of(lambda: a_time(naive, "asOf")).field == "asOf"


@given(values=st.lists(st.integers(0, 5), min_size=1))
def test_a_filter_keeps_its_entries_once_in_order(values: list[int]) -> None:
    assert not_empty(values, "kinds") == tuple(dict.fromkeys(values))


def test_no_filter_is_no_restriction_and_an_empty_one_is_refused() -> None:
    nothing: list[str] = []

    assert not_empty(None, "kinds") is None
    assert refusal_of(lambda: not_empty(nothing, "kinds")).field == "kinds"
