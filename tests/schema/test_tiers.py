"""The memory score, its tiers, and the instant at which a memory freezes."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.settings import Settings
from hippograph.schema.tiers import (
    TIER_FLOORS,
    Decay,
    Tier,
    age_at_score,
    age_in_days,
    freezes_at,
    score_at_age,
    tier_of,
)
from hippograph.schema.times import FAR_FUTURE

NOON = datetime(2026, 4, 4, 12, tzinfo=UTC)
DECAY = Decay()
WARMEST_FIRST = list(Tier)

shares = st.floats(0, 1)
counts = st.integers(0, 10_000)
days = st.floats(0, 20_000)
scores = st.floats(0, 1_000)


def score(age: float, importance: float = 0.5, uses: int = 0, burst: float = 0.0) -> float:
    return score_at_age(
        DECAY, age, importance=importance, access_count=uses, burst_confidence=burst
    )


@given(age=days, wait=days, importance=shares, uses=counts, burst=shares)
def test_a_score_never_rises_with_age(
    age: float, wait: float, importance: float, uses: int, burst: float
) -> None:
    sooner = score(age, importance, uses, burst)
    later = score(age + wait, importance, uses, burst)

    assert 0 <= later <= sooner * (1 + 1e-12)


@given(age=days, importance=shares, uses=counts, more=counts)
def test_a_score_never_falls_with_use(
    age: float, importance: float, uses: int, more: int
) -> None:
    assert score(age, importance, uses + more) >= score(age, importance, uses)


@given(age=days, importance=shares, burst=shares)
def test_a_burst_never_quickens_decay(age: float, importance: float, burst: float) -> None:
    assert score(age, importance, burst=burst) >= score(age, importance) * (1 - 1e-12)


def test_a_fresh_score_is_importance_times_use() -> None:
    assert score(0, 0.5, 4) == pytest.approx(0.5 * 1.4)


def test_a_score_is_a_third_of_itself_after_the_time_constant() -> None:
    assert score(30, 1.0) == pytest.approx(1 / math.e)


def test_a_sure_burst_slows_decay_by_three_tenths() -> None:
    assert score(30, 1.0, burst=1.0) == pytest.approx(math.exp(-0.7))


@given(ahead=st.floats(0, 10_000))
def test_a_memory_from_the_future_counts_as_new(ahead: float) -> None:
    assert age_in_days(NOON + timedelta(days=ahead), NOON) == 0


@pytest.mark.parametrize(
    ("value", "tier"),
    [
        (1.7, Tier.HOT),
        (0.7, Tier.HOT),
        (0.69999999, Tier.WARM),
        (0.3, Tier.WARM),
        (0.29999999, Tier.COLD),
        (0.05, Tier.COLD),
        (0.04999999, Tier.FROZEN),
        (0.0, Tier.FROZEN),
    ],
)
def test_a_floor_belongs_to_its_tier(value: float, tier: Tier) -> None:
    assert tier_of(value) is tier


@given(tier=st.sampled_from(Tier), noise=st.floats(-4e-10, 4e-10))
def test_noise_moves_no_score_over_a_border(tier: Tier, noise: float) -> None:
    assert tier_of(TIER_FLOORS[tier] + noise) is tier


@given(one=scores, other=scores)
def test_a_higher_score_is_never_in_a_colder_tier(one: float, other: float) -> None:
    low, high = sorted((one, other))

    assert WARMEST_FIRST.index(tier_of(high)) <= WARMEST_FIRST.index(tier_of(low))


@given(importance=shares, uses=st.integers(0, 50), burst=shares, target=st.floats(1e-6, 6))
def test_the_age_at_a_score_is_where_the_score_is_reached(
    importance: float, uses: int, burst: float, target: float
) -> None:
    age = age_at_score(
        DECAY, target, importance=importance, access_count=uses, burst_confidence=burst
    )

    reached = min(target, score(0, importance, uses))
    assert score(age, importance, uses, burst) == pytest.approx(reached, rel=1e-9)


@pytest.mark.parametrize("target", [0.5, 0.6, 1.0])
def test_the_age_at_a_score_that_never_was_passed_is_zero(target: float) -> None:
    assert age_at_score(DECAY, target, importance=0.5, access_count=0) == 0


@pytest.mark.parametrize("target", [0.0, -0.1])
def test_a_score_of_nothing_is_never_reached(target: float) -> None:
    assert age_at_score(DECAY, target, importance=0.5, access_count=0) == math.inf


def test_a_memory_of_no_importance_is_at_any_score_at_once() -> None:
    assert age_at_score(DECAY, 0.0, importance=0.0, access_count=3) == 0


def test_stopped_decay_reaches_no_lower_score() -> None:
    stopped = Decay(burst_slowing=1.0)

    found = age_at_score(stopped, 0.1, importance=1, access_count=0, burst_confidence=1)

    assert found == math.inf


@given(importance=shares, uses=counts, burst=shares)
def test_a_memory_freezes_where_its_score_crosses_the_floor_of_cold(
    importance: float, uses: int, burst: float
) -> None:
    freezing = freezes_at(
        DECAY, NOON, importance=importance, access_count=uses, burst_confidence=burst
    )

    there = score(age_in_days(NOON, freezing), importance, uses, burst)
    assert there == pytest.approx(min(0.05, score(0, importance, uses)), rel=1e-6)


@given(importance=st.floats(0.051, 1), uses=counts, burst=shares)
def test_a_memory_is_frozen_after_it_freezes_and_not_before(
    importance: float, uses: int, burst: float
) -> None:
    freezing = freezes_at(
        DECAY, NOON, importance=importance, access_count=uses, burst_confidence=burst
    )

    second = timedelta(seconds=1)
    ages = [age_in_days(NOON, freezing - second), age_in_days(NOON, freezing + second)]
    found = [tier_of(score(age, importance, uses, burst)) for age in ages]
    assert found == [Tier.COLD, Tier.FROZEN]


@pytest.mark.parametrize("importance", [0.05, 0.0499999999])
def test_a_memory_that_is_cold_as_it_is_stored_freezes_later(importance: float) -> None:
    freezing = freezes_at(DECAY, NOON, importance=importance, access_count=0)

    assert tier_of(score(0, importance)) is Tier.COLD
    assert freezing > NOON


def test_a_memory_whose_decay_is_stopped_freezes_in_the_far_future() -> None:
    stopped = Decay(burst_slowing=1.0)

    found = freezes_at(stopped, NOON, importance=1, access_count=0, burst_confidence=1)

    assert found == FAR_FUTURE


def test_a_time_constant_past_the_calendar_freezes_in_the_far_future() -> None:
    slow = Decay(tau_days=1e9)

    assert freezes_at(slow, NOON, importance=1, access_count=0) == FAR_FUTURE


def test_the_settings_give_the_documented_constants() -> None:
    assert Decay.of(Settings()) == Decay(tau_days=30.0, boost=0.1, burst_slowing=0.3)


def test_bursts_slow_nothing_while_temporal_patterns_are_off() -> None:
    plain = Settings()
    off = plain.temporal.model_copy(update={"enabled": False})

    found = Decay.of(plain.model_copy(update={"temporal": off}))

    assert found.rate(1.0) == 1
