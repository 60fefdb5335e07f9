"""The correlation score of two memories, part by part."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippograph.schema.correlation import (
    Breakdown,
    cosine,
    cross_reference,
    expansion_size,
    is_admitted,
    jaccard,
    semantic_part,
    temporal_part,
    temporal_proximity,
)
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.scoring import effective_importance

NOON = datetime(2026, 4, 4, 12, tzinfo=UTC)
EPISODIC, SEMANTIC = MemoryKind.EPISODIC, MemoryKind.SEMANTIC
WEEK = timedelta(days=7)

shares = st.floats(0, 1)
entities = st.lists(st.text("abAB é", max_size=4), max_size=6)
moments = st.datetimes(timezones=st.just(UTC))
vectors = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3)


def parts(
    *,
    semantic: float = 0,
    shared: float = 0,
    temporal: float | None = None,
    mentions: float = 0,
) -> Breakdown:
    return Breakdown(
        semantic=semantic, co_occurrence=shared, temporal=temporal, cross_reference=mentions
    )


@given(a=vectors, b=vectors)
def test_a_cosine_is_symmetric_and_within_bounds(a: list[float], b: list[float]) -> None:
    assert cosine(a, b) == cosine(b, a)
    assert -1 <= cosine(a, b) <= 1


@given(a=vectors, stretch=st.floats(0.001, 1000))
def test_a_vector_is_one_with_its_multiples_and_opposed_to_its_negative(
    a: list[float], stretch: float
) -> None:
    assume(math.hypot(*a) > 0)

    assert cosine(a, [stretch * x for x in a]) == pytest.approx(1)
    assert cosine(a, [-x for x in a]) == pytest.approx(-1)


@given(a=vectors)
def test_a_vector_of_zeros_is_like_nothing(a: list[float]) -> None:
    assert cosine(a, [0.0, 0.0, 0.0]) == 0


def test_vectors_of_different_lengths_have_no_cosine() -> None:
    with pytest.raises(ValueError, match="shorter"):
        cosine([1.0, 0.0], [1.0])


@given(similarity=st.floats(-1, 1))
def test_opposites_count_as_strangers(similarity: float) -> None:
    assert semantic_part(similarity) == max(0, similarity)


@given(a=entities, b=entities)
def test_shared_entities_are_symmetric_and_within_bounds(a: list[str], b: list[str]) -> None:
    assert jaccard(a, b) == jaccard(b, a)
    assert 0 <= jaccard(a, b) <= 1


@given(a=entities)
def test_the_same_entities_are_all_shared_unless_there_are_none(a: list[str]) -> None:
    assert jaccard(a, a) == (1 if a else 0)


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [
        (["Neo4j", "Lucene"], ["neo4j"], 0.5),
        (["Neo4j"], [" NEO4J "], 1.0),
        (["a", "b", "c"], ["b", "c", "d"], 0.5),
        (["a"], ["b"], 0.0),
        (["a", "A"], ["a"], 1.0),
    ],
)
def test_shared_entities_are_counted_folded(a: list[str], b: list[str], share: float) -> None:
    assert jaccard(a, b) == share


@given(a=moments, b=moments)
def test_closeness_in_time_is_symmetric_and_within_bounds(a: datetime, b: datetime) -> None:
    assert temporal_proximity(a, b) == temporal_proximity(b, a)
    assert 0 <= temporal_proximity(a, b) <= 1


def test_closeness_in_time_falls_to_a_third_over_the_time_constant() -> None:
    assert temporal_proximity(NOON, NOON) == 1
    assert temporal_proximity(NOON, NOON + WEEK) == pytest.approx(1 / math.e)
    assert temporal_proximity(NOON, NOON + 2 * WEEK, tau_days=14) == pytest.approx(1 / math.e)


@given(one=st.sampled_from(MemoryKind), other=st.sampled_from(MemoryKind))
def test_closeness_in_time_counts_for_two_episodic_memories_only(
    one: MemoryKind, other: MemoryKind
) -> None:
    found = temporal_part((one, NOON), (other, NOON))

    assert found == (1 if one is other is EPISODIC else None)


@given(count=st.integers(0, 1000), most=st.integers(1, 100))
def test_mentions_count_up_to_the_number_that_is_full(count: int, most: int) -> None:
    found = cross_reference(count, max_references=most)

    assert found == (count / most if count < most else 1)


@given(semantic=shares, shared=shares, temporal=shares, mentions=shares)
def test_the_score_of_two_episodes_is_the_weighted_sum(
    semantic: float, shared: float, temporal: float, mentions: float
) -> None:
    found = parts(semantic=semantic, shared=shared, temporal=temporal, mentions=mentions).score

    expected = 0.40 * semantic + 0.25 * shared + 0.15 * temporal + 0.20 * mentions
    assert found == pytest.approx(expected)


@given(semantic=shares, shared=shares, mentions=shares)
def test_without_time_the_other_weights_are_divided_by_their_sum(
    semantic: float, shared: float, mentions: float
) -> None:
    found = parts(semantic=semantic, shared=shared, mentions=mentions).score

    expected = (0.40 * semantic + 0.25 * shared + 0.20 * mentions) / 0.85
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("temporal", [None, 1.0])
def test_a_pair_that_agrees_in_everything_scores_1_and_no_more(temporal: float | None) -> None:
    found = parts(semantic=1, shared=1, temporal=temporal, mentions=1).score

    assert found == pytest.approx(1)
    assert found <= 1


@given(floor=shares, noise=st.floats(-4e-10, 4e-10))
def test_the_floor_itself_is_admitted_whatever_the_noise(floor: float, noise: float) -> None:
    assert is_admitted(round(floor, 9) + noise, round(floor, 9))


@given(floor=shares, short=st.floats(1e-8, 1))
def test_a_score_short_of_the_floor_is_not_admitted(floor: float, short: float) -> None:
    assert not is_admitted(floor - short, floor)


@given(counts=st.lists(st.integers(0, 20)), top=st.integers(0, 9), each=st.integers(0, 9))
def test_an_expansion_brings_at_most_so_many_for_each_of_the_best(
    counts: list[int], top: int, each: int
) -> None:
    found = expansion_size(counts, top=top, each=each)

    assert 0 <= found <= min(top * each, sum(counts))
    assert found == expansion_size([min(count, each) for count in counts], top=top, each=each)


def test_an_expansion_takes_three_of_each_of_the_first_five() -> None:
    assert expansion_size([9, 1, 0, 3, 2, 9]) == 9


@given(importance=shares, references=st.integers(0, 100))
def test_references_raise_importance_by_a_twentieth_each_up_to_four(
    importance: float, references: int
) -> None:
    found = effective_importance(importance, references)

    assert found == pytest.approx(min(1, importance + 0.05 * min(4, references)))
    assert importance <= found <= 1
