"""Folded names, wall tokens, and a caller's text as a full-text query."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippograph.schema.words import MAX_TERMS, folded, lexical_query, wall_token

# Everything that Lucene's parser reads as more than a word, and words that it reads so.
SYNTAX = ["+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?"]
MORE = [":", "\\", "/", "<", ">", "=", "AND", "OR", "NOT", "TO", "text:", "_exists_:", "^9"]
ODD = ["\uff02", "\uff3c", "\u201c", "\x00", "\n"]  # full width, curly, NUL, a new line
WORDLESS = (
    "*+-!?/\\\"'()[]{}^~:&| \t\n\x00.,;\u3002\u3001\uff01\uff1f\u300c\u2026\u2014\U0001f642"
)
WALLED = re.compile(r'\+wall:w1x\^0 \+words:\("[^"\\]+"(?: "[^"\\]+")*\)', re.DOTALL)

hostile = st.lists(
    st.sampled_from([*SYNTAX, *MORE, *ODD, "a", "b1", " ", "東京"]) | st.text(max_size=3)
)
words = st.lists(st.text("abcxyz019", min_size=1, max_size=6), min_size=1, max_size=20)
names = st.text("ab1._-", min_size=1, max_size=4)


def terms_of(text: str) -> list[str]:
    """The terms that a text asks for."""
    query = lexical_query(text, "wall", "w1x")
    return re.findall(r'"([^"]*)"', query) if query else []


@given(parts=hostile)
def test_no_syntax_of_a_caller_reaches_the_query_parser(parts: list[str]) -> None:
    query = lexical_query("".join(parts), "wall", "w1x")

    assert query is None or WALLED.fullmatch(query)


@given(text=st.text())
def test_no_text_breaks_out_of_its_quotes(text: str) -> None:
    query = lexical_query(text, "wall", "w1x")

    assert query is None or WALLED.fullmatch(query)


@given(given=words, glue=st.sampled_from([" ", "/", "-", ", ", '"', "\\", "\n", "(", "\u3000"]))
def test_every_word_of_a_text_is_asked_for(given: list[str], glue: str) -> None:
    assert set(given) <= set(terms_of(glue.join(given)))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("C++", ["C++", "C"]),
        ("a/b", ["a/b", "a", "b"]),
        ('foo"', ["foo"]),
        ("foo\\bar", ["foo", "bar"]),
        ("AND", ["AND"]),
        ("tb-", ["tb-", "tb"]),
        ("snake_case", ["snake_case"]),
        ("one two one", ["one", "two"]),
    ],
)
def test_a_part_is_asked_for_whole_and_in_words(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


@given(text=st.text(WORDLESS))
def test_a_text_without_a_word_makes_no_query(text: str) -> None:
    assert lexical_query(text, "wall", "w1x") is None


@pytest.mark.parametrize("text", ["_", "___", "- __ -"])
def test_underscores_alone_are_no_word(text: str) -> None:
    assert lexical_query(text, "wall", "w1x") is None


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("東京都", ["東京", "京都"]),
        ("東京", ["東京"]),
        ("京", ["京"]),
        ("東京、大阪", ["東京", "大阪"]),
    ],
)
def test_unspaced_script_is_asked_for_in_pairs(text: str, pairs: list[str]) -> None:
    assert terms_of(text) == pairs


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Python入門", {"Python", "入門"}),
        ("入門Python", {"Python", "入門"}),
        ("3月", {"3", "月"}),
        ("a/b東京", {"a", "b", "東京"}),
    ],
)
def test_a_word_that_touches_unspaced_script_is_asked_for_too(
    text: str, terms: set[str]
) -> None:
    assert terms <= set(terms_of(text))


@pytest.mark.parametrize(
    ("text", "run"),
    [("カタカナ", "カタカナ"), ("ラーメン東京", "ラーメン"), ("新しいスーパー", "スーパー")],
)
def test_katakana_is_asked_for_as_the_one_word_that_the_index_holds(
    text: str, run: str
) -> None:
    assert run in terms_of(text)


def test_width_and_composition_do_not_count_in_a_query() -> None:
    assert terms_of("\uff21\uff22\uff23 cafe\u0301") == ["ABC", "caf\u00e9"]


@given(count=st.integers(1, 3 * MAX_TERMS))
def test_a_long_question_stays_under_the_clauses_that_lucene_allows(count: int) -> None:
    text = " ".join(f"w{number}-x" for number in range(count))

    assert len(terms_of(text)) <= MAX_TERMS


def test_a_query_requires_the_wall_and_ranks_by_the_words_alone() -> None:
    assert lexical_query("one two", "wall", "w1x") == '+wall:w1x^0 +words:("one" "two")'


@given(text=st.text())
@example("\u03aa\u0301")
def test_folding_twice_changes_nothing(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@given(text=st.text())
def test_names_are_the_same_composed_and_decomposed(text: str) -> None:
    forms = [unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)]

    assert folded(forms[0]) == folded(forms[1])


@given(text=st.text("abzABZäÖüßéÉ\u03c3\u03c2\u03a3 1-"))
@example("\u0390")
def test_names_are_the_same_in_capitals(text: str) -> None:
    assert folded(text.upper()) == folded(text)


@pytest.mark.parametrize(
    "name", ["Neo4j  Graph", " neo4j graph ", "NEO4J\tGRAPH", "\uff2eeo\uff14j graph"]
)
def test_names_are_the_same_whatever_their_blanks_case_and_width(name: str) -> None:
    assert folded(name) == "neo4j graph"


@given(
    one=st.lists(names, min_size=1, max_size=2), other=st.lists(names, min_size=1, max_size=2)
)
@example(one=["a", "b"], other=["ab"])
def test_two_walls_share_a_token_only_when_they_are_one(
    one: list[str], other: list[str]
) -> None:
    assert (wall_token(*one) == wall_token(*other)) == (one == other)


@given(parts=st.lists(names, min_size=1, max_size=2))
def test_a_wall_token_is_one_plain_word(parts: list[str]) -> None:
    assert re.fullmatch(r"w[0-9a-f]{30}x", wall_token(*parts))
