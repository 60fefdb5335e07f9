"""How texts are named, cut and averaged."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.embedding import (
    OVERLAP_TOKENS,
    STRETCH_CHARACTERS,
    direction,
    embedded_text,
    first_visible,
    stretches,
    token_windows,
)


def test_a_memory_is_embedded_with_who_said_it() -> None:
    assert embedded_text("I moved to Oslo.", "Caroline", None) == "Caroline: I moved to Oslo."


def test_a_speaker_counts_before_the_source() -> None:
    assert embedded_text("Hi.", "Caroline", "slack") == "Caroline: Hi."


@pytest.mark.parametrize("text", ["Caroline: Hi.", "  caroline: Hi."])
def test_a_speaker_that_the_text_begins_with_is_not_repeated(text: str) -> None:
    assert embedded_text(text, "Caroline", None) == text


def test_a_word_that_only_begins_like_the_speaker_is_no_speaker() -> None:
    assert embedded_text("Annabel: Hi.", "Anna", None) == "Anna: Annabel: Hi."


@pytest.mark.parametrize("source", ["Caroline", "weekly review", "slack", "GPT-4"])
def test_a_source_that_reads_like_a_name_is_embedded(source: str) -> None:
    assert embedded_text("Hi.", None, source) == f"{source}: Hi."


@pytest.mark.parametrize(
    "source",
    [
        "https://example.com/a",
        "file:notes",
        "notes/2024/may.md",
        "C:\\notes",
        "may.md",
        "me@example.com",
        "#general",
        "2024-05-01",
        "12",
        "0190f3c2-7b1e-7a55-9c1d-0242ac120002",
        "x" * 65,
        " ",
        "",
    ],
)
def test_an_address_a_path_a_file_or_a_number_is_not_embedded(source: str) -> None:
    assert embedded_text("Hi.", None, source) == "Hi."


def test_blanks_around_and_inside_of_a_name_are_made_single() -> None:
    assert embedded_text("Hi.", " Caroline \n Smith ", None) == "Caroline Smith: Hi."


@pytest.mark.parametrize(
    "text", ["", " \t\n", "\u200b\u200d\ufeff", "\x00\x1f", "\u00a0\u2003"]
)
def test_blanks_controls_and_zero_widths_are_not_visible(text: str) -> None:
    assert first_visible(text) is None
    assert first_visible(f"{text}é") == len(text)


@given(st.text(alphabet="ab \n", max_size=60).map(lambda part: part * 1_500))
def test_stretches_are_short_and_are_the_whole_text(text: str) -> None:
    parts = list(stretches(text))

    assert "".join(parts) == text
    assert all(len(part) <= STRETCH_CHARACTERS for part in parts)


def test_a_stretch_ends_between_words_where_it_can() -> None:
    text = "memory " * 5_000

    assert all(part.endswith("memory ") for part in stretches(text))


WORDS = st.lists(st.integers(1, 40), min_size=1, max_size=120).map(
    lambda lengths: [word for word, length in enumerate(lengths) for _ in range(length)]
)


@given(WORDS, st.integers(40, 300))
def test_windows_hold_every_token_and_are_never_too_long(words: list[int], room: int) -> None:
    windows = token_windows(words, room)

    assert windows[0][0] == 0
    assert windows[-1][1] == len(words)
    assert all(0 < end - start <= room for start, end in windows)
    for (start, end), (following, _) in pairwise(windows):
        assert start < following <= end


@given(WORDS, st.integers(200, 300))
def test_windows_begin_and_end_between_words_and_overlap(words: list[int], room: int) -> None:
    windows = token_windows(words, room)

    for (_, end), (following, _) in pairwise(windows):
        assert words[end] != words[end - 1]
        assert words[following] != words[following - 1]
        assert end - following >= OVERLAP_TOKENS


def test_windows_of_a_long_text_are_about_equal_so_that_none_weighs_too_much() -> None:
    lengths = [end - start for start, end in token_windows(list(range(260)), 254)]

    assert lengths == [146, 146]


def test_a_word_longer_than_a_window_is_cut() -> None:
    windows = token_windows([0] * 100, 40)

    assert max(end - start for start, end in windows) <= 40
    assert windows[-1][1] == 100


def test_no_tokens_make_no_window() -> None:
    assert token_windows([], 40) == []


VECTORS = st.lists(st.lists(st.floats(-1, 1), min_size=4, max_size=4), min_size=1, max_size=6)


@given(VECTORS)
def test_the_mean_direction_has_length_one_or_there_is_none(
    vectors: list[list[float]],
) -> None:
    mean = direction(vectors)

    assert mean is None or math.isclose(math.hypot(*mean), 1.0)


def test_the_mean_direction_lies_between() -> None:
    assert direction([[1.0, 0.0], [0.0, 1.0]]) == pytest.approx([math.sqrt(0.5)] * 2)
    assert direction([[1.0, 0.0], [-1.0, 0.0]]) is None
