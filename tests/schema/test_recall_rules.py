"""What a recall is made of: its legs, its relevance, its trace and what fits."""

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.correlation import Breakdown
from hippograph.schema.kinds import MemoryKind, state_in_use
from hippograph.schema.memory import Memory, MemoryChange
from hippograph.schema.recall import (
    LEGS,
    PRESET_HOPS,
    Correlation,
    Legs,
    Measures,
    RecallAnswer,
    RecallHit,
    RecallPreset,
    RecallQuestion,
    RecallScores,
    RetrievalStrategy,
    connected_relevance,
    fitting,
    hops_allowed,
    legs_for,
    recency_of,
    relevance_of,
    trace_of,
)
from hippograph.schema.relationships import (
    Relationship,
    RelationshipOrigin,
    RelationshipStatus,
    RelationshipType,
)
from hippograph.schema.tiers import Decay, Tier

NOON = datetime(2026, 4, 4, 12, tzinfo=UTC)
NO_SCORES = RecallScores(semantic=None, lexical=None, graph=0, recency=0, centrality=0)
QUESTION = RecallQuestion(query="why", agent="a1")
TREES = [one for one in RetrievalStrategy if one not in LEGS]

shares = st.floats(0, 1)
cosines = st.floats(-1, 1)
ages = st.floats(0, 4000)
all_legs = st.sampled_from(list(LEGS.values()))
sizes = st.lists(st.integers(0, 300), max_size=30)


def a_memory(*, text: str = "text", created_at: datetime = NOON) -> Memory:
    return Memory(
        id="m1",
        space="s1",
        agent="a1",
        kind=MemoryKind.EPISODIC,
        state=state_in_use(MemoryKind.EPISODIC),
        text=text,
        category="",
        importance=0.5,
        access_count=0,
        tags=(),
        entities=(),
        created_at=created_at,
        recorded_at=created_at,
        updated_at=created_at,
        text_since=created_at,
        last_accessed_at=None,
        expires_at=None,
        version=1,
        burst_confidence=0.0,
        metadata=None,
        summary=None,
        fact=None,
        core=None,
        session=None,
        source=None,
    )


def an_edge(score: float, kind: RelationshipType = RelationshipType.SIMILAR) -> Relationship:
    return Relationship(
        id="r1",
        source_id="a",
        target_id="b",
        type=kind,
        score=score,
        similarity=None,
        confidence=1.0,
        reason=None,
        origin=RelationshipOrigin.MANUAL,
        status=RelationshipStatus.ENFORCED,
        metadata=None,
        created_at=NOON,
        created_by="owner",
    )


def a_hit(text: str) -> RecallHit:
    memory = a_memory(text=text)
    return RecallHit(memory=memory, relevance=1, trace=(), hops=0, via=(), scores=NO_SCORES)


def measured(
    *,
    semantic: float | None = None,
    lexical: float | None = None,
    degree: int = 0,
    most: int = 0,
) -> Measures:
    return Measures(semantic=semantic, lexical=lexical, degree=degree, most_degrees=most)


def relevance(
    measures: Measures, *, legs: Legs, recency_weight: float = 0.2, age: float = 0
) -> tuple[float, RecallScores]:
    question = replace(QUESTION, recency_weight=recency_weight)
    return relevance_of(a_memory(), measures, question, legs, NOON + timedelta(days=age))


@given(
    strategy=st.sampled_from(list(LEGS)),
    has=st.sampled_from([(True, True), (True, False), (False, True)]),
)
def test_a_leg_runs_only_on_what_the_query_has(
    strategy: RetrievalStrategy, has: tuple[bool, bool]
) -> None:
    legs = legs_for(strategy, has_words=has[0], has_meaning=has[1])

    assert legs.uses_words <= has[0]
    assert legs.uses_vector <= has[1]
    assert legs.uses_words or legs.uses_vector


@pytest.mark.parametrize("strategy", RetrievalStrategy)
@pytest.mark.parametrize("has_words", [True, False])
@pytest.mark.parametrize("has_meaning", [True, False])
def test_another_strategy_than_asked_for_has_a_reason(
    strategy: RetrievalStrategy, *, has_words: bool, has_meaning: bool
) -> None:
    legs = legs_for(strategy, has_words=has_words, has_meaning=has_meaning)

    assert (legs.fallback_reason is None) == (legs.strategy is strategy)
    assert replace(legs, fallback_reason=None) == LEGS[legs.strategy]


@pytest.mark.parametrize("strategy", LEGS)
def test_a_query_with_words_and_meaning_runs_as_asked(strategy: RetrievalStrategy) -> None:
    assert legs_for(strategy, has_words=True, has_meaning=True) == LEGS[strategy]


@pytest.mark.parametrize(
    ("strategy", "has_words", "used", "reason"),
    [
        (RetrievalStrategy.HYBRID, False, RetrievalStrategy.VECTOR, "no word to look up"),
        (RetrievalStrategy.KEYWORD, False, RetrievalStrategy.VECTOR, "no word to look up"),
        (RetrievalStrategy.HYBRID, True, RetrievalStrategy.KEYWORD, "nothing to embed"),
        (RetrievalStrategy.VECTOR, True, RetrievalStrategy.KEYWORD, "nothing to embed"),
    ],
)
def test_a_missing_leg_is_made_up_for_by_the_other(
    strategy: RetrievalStrategy, used: RetrievalStrategy, reason: str, *, has_words: bool
) -> None:
    legs = legs_for(strategy, has_words=has_words, has_meaning=not has_words)

    assert legs.strategy is used
    assert reason in (legs.fallback_reason or "")


@pytest.mark.parametrize("strategy", TREES)
def test_a_tree_that_is_not_there_is_made_up_for_by_words_and_meaning(
    strategy: RetrievalStrategy,
) -> None:
    legs = legs_for(strategy, has_words=True, has_meaning=True)

    assert legs.strategy is RetrievalStrategy.HYBRID
    assert legs.fallback_reason == f"{strategy.value} needs a category tree, and there is none"


@given(semantic=cosines, lexical=shares, r=shares, age=ages, degree=st.integers(0, 9))
def test_relevance_is_the_documented_formula(
    semantic: float, lexical: float, r: float, age: float, degree: int
) -> None:
    measures = measured(semantic=semantic, lexical=lexical, degree=degree, most=9)

    found, _ = relevance(
        measures, legs=LEGS[RetrievalStrategy.HYBRID], recency_weight=r, age=age
    )

    fit = 0.5 * lexical + 0.5 * max(0, semantic)
    blended = fit * (1 - r) + r * math.exp(-age / 30)
    assert found == pytest.approx(blended + 0.2 * blended * degree / 9)


@given(semantic=cosines | st.none(), lexical=shares | st.none(), legs=all_legs, r=shares)
def test_relevance_is_0_to_1_without_centrality(
    semantic: float | None, lexical: float | None, legs: Legs, r: float
) -> None:
    measures = measured(semantic=semantic, lexical=lexical)

    found, scores = relevance(measures, legs=legs, recency_weight=r)

    assert 0 <= found <= 1 + 1e-12
    assert scores.centrality == 0


@given(one=cosines, other=cosines, lexical=shares, legs=all_legs)
def test_a_closer_meaning_is_never_less_relevant(
    one: float, other: float, lexical: float, legs: Legs
) -> None:
    low, high = (
        relevance(measured(semantic=semantic, lexical=lexical), legs=legs)[0]
        for semantic in sorted((one, other))
    )

    assert low <= high


def test_words_alone_ignore_meaning_and_meaning_alone_ignores_words() -> None:
    both, legs = measured(semantic=0.8, lexical=0.4), LEGS

    by_words, _ = relevance(both, legs=legs[RetrievalStrategy.KEYWORD], recency_weight=0)
    by_meaning, _ = relevance(both, legs=legs[RetrievalStrategy.VECTOR], recency_weight=0)

    assert (by_words, by_meaning) == (pytest.approx(0.4), pytest.approx(0.8))


@given(semantic=cosines | st.none(), lexical=shares | st.none())
def test_the_scores_show_what_was_measured(
    semantic: float | None, lexical: float | None
) -> None:
    measures = measured(semantic=semantic, lexical=lexical, degree=2, most=4)

    found, scores = relevance(measures, legs=LEGS[RetrievalStrategy.HYBRID], age=30)

    assert (scores.semantic, scores.lexical, scores.graph) == (semantic, lexical, 0)
    assert scores.recency == pytest.approx(1 / math.e)
    assert scores.centrality == pytest.approx(found - found / 1.1)


@given(age=ages, wait=ages)
def test_recency_never_rises_with_age(age: float, wait: float) -> None:
    sooner, later = (
        recency_of(a_memory(), NOON + timedelta(days=d)) for d in (age, age + wait)
    )

    assert 0 <= later <= sooner <= 1


def test_a_memory_from_the_future_is_as_recent_as_can_be() -> None:
    assert recency_of(a_memory(created_at=NOON + timedelta(days=9)), NOON) == 1


@given(seed=st.floats(0, 1.2), scores=st.lists(shares, max_size=3))
def test_each_step_along_a_way_halves_a_relevance_at_least(
    seed: float, scores: list[float]
) -> None:
    edges = tuple(an_edge(score) for score in scores)
    along = [connected_relevance(seed, edges[:steps]) for steps in range(len(edges) + 1)]

    assert along[0] == seed
    assert all(0 <= after <= before / 2 for before, after in pairwise(along))


def test_a_way_counts_the_strength_of_its_edges() -> None:
    way = (an_edge(0.8), an_edge(1.0, RelationshipType.RELATED))

    assert connected_relevance(1.0, way) == pytest.approx(0.5 * 0.8 * 0.5 * 0.5)


def test_a_trace_tells_every_part_that_counted() -> None:
    measures = measured(semantic=0.81234, lexical=0.5)
    scores = replace(NO_SCORES, recency=0.9, centrality=0.01)

    expected = ("words 0.500", "meaning 0.812", "recency 0.900", "central +0.010")
    assert trace_of(measures, scores) == expected


def test_a_trace_leaves_out_what_was_not_compared() -> None:
    assert trace_of(measured(), replace(NO_SCORES, recency=0.9)) == ("recency 0.900",)


@given(given=sizes, most=st.integers(0, 1000))
def test_the_first_text_always_goes_and_the_rest_stay_within_the_bound(
    given: list[int], most: int
) -> None:
    kept = fitting(given, most)

    used = sum(size for size, fits in zip(given, kept, strict=True) if fits)
    assert kept[:1] == [True] * bool(given)
    assert used <= max(most, *given[:1], 0)


@given(given=sizes, most=st.integers(0, 1000))
def test_a_text_is_left_out_only_when_it_does_not_fit(given: list[int], most: int) -> None:
    kept = fitting(given, most)

    used = [
        sum(s for s, fits in zip(given[:at], kept, strict=False) if fits) for at in range(30)
    ]
    left = [at for at, fits in enumerate(kept) if not fits]
    assert all(used[at] + given[at] > most for at in left)


def test_a_smaller_text_goes_in_behind_one_that_is_left_out() -> None:
    assert fitting([60, 50, 40], 100) == [True, False, True]


@pytest.mark.parametrize(("hops", "allowed"), [(0, False), (1, True), (3, True), (4, False)])
def test_connections_are_followed_one_to_three_steps(hops: int, *, allowed: bool) -> None:
    assert hops_allowed(hops) is allowed


def test_every_preset_follows_connections_as_far_as_is_allowed() -> None:
    assert set(PRESET_HOPS) == set(RecallPreset)
    assert all(hops_allowed(hops) for hops in PRESET_HOPS.values())


def test_an_answer_counts_the_bytes_of_all_its_texts() -> None:
    parts = Breakdown(semantic=1, co_occurrence=0, temporal=None, cross_reference=0)
    correlated = Correlation(
        target=a_memory(text="ééé"),
        relationship_type=RelationshipType.SIMILAR,
        score=0.5,
        reason="",
        breakdown=parts,
    )

    answer = RecallAnswer(
        recall_id="1", primary=(a_hit("é"),), connected=(a_hit("ab"),), expanded=(correlated,)
    )

    assert (answer.context_bytes, answer.total_results) == (2 + 2 + 6, 2)


def test_a_memory_cools_with_time() -> None:
    tiers = [a_memory().tier(Decay(), NOON + timedelta(days=days)) for days in (0, 30, 90)]

    assert tiers == [Tier.WARM, Tier.COLD, Tier.FROZEN]


@pytest.mark.parametrize(
    "change",
    [
        MemoryChange(id="m1", text=""),
        MemoryChange(id="m1", category=""),
        MemoryChange(id="m1", importance=0.0),
        MemoryChange(id="m1", tags=()),
        MemoryChange(id="m1", metadata="{}"),
    ],
)
def test_a_change_to_nothing_is_still_a_change(change: MemoryChange) -> None:
    assert not change.is_empty()


def test_an_expected_version_alone_changes_nothing() -> None:
    assert MemoryChange(id="m1", expected_version=3).is_empty()
