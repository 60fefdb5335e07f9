"""The calibrations against the pairs that they were fitted on (docs/embeddings.md)."""

import json
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.schema.embedding import (
    DEFAULT_MODEL,
    MODELS,
    Role,
    calibrated,
    is_calibrated,
)

PAIRS = Path(__file__).parents[1] / "data" / "similarity_pairs.jsonl"
FIELDS = {Role.PASSAGE: "cosines", Role.QUERY: "query_cosines"}
THRESHOLDS = (0.3, 0.6, 0.8)
EACH = pytest.mark.parametrize(
    ("model", "role"), [(model, role) for model in MODELS for role in Role]
)


@dataclass(frozen=True, slots=True)
class Pair:
    label: str
    words: frozenset[str]
    cosines: dict[Role, dict[str, float]]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    return [
        Pair(
            row["label"],
            frozenset({row["first"], row["second"]}),
            {role: row[field] for role, field in FIELDS.items()},
        )
        for row in rows
    ]


def shares_of_label(pairs: list[Pair], model: str, role: Role) -> dict[str, float]:
    """Of the pairs of each label the share at or over 0.6."""
    return {
        label: sum(
            calibrated(model, one.cosines[role][model], role=role) >= 0.6 for one in some
        )
        / len(some)
        for label in ("same", "related", "unrelated")
        for some in [[one for one in pairs if one.label == label]]
    }


def test_there_are_enough_pairs_of_each_label_and_no_pair_twice(pairs: list[Pair]) -> None:
    labels = [one.label for one in pairs]

    assert len(pairs) >= 120
    assert min(labels.count(label) for label in ("same", "related", "unrelated")) >= 40
    assert len({one.words for one in pairs}) == len(pairs)


@EACH
def test_as_many_pairs_pass_each_threshold_as_with_the_default_model(
    pairs: list[Pair], model: str, role: Role
) -> None:
    own = [calibrated(model, one.cosines[role][model], role=role) for one in pairs]
    reference = [one.cosines[Role.PASSAGE][DEFAULT_MODEL] for one in pairs]

    for threshold in THRESHOLDS:
        passing = sum(value >= threshold for value in own)
        assert passing == pytest.approx(sum(v >= threshold for v in reference), abs=3)


@EACH
def test_most_pairs_stay_in_the_band_that_the_default_model_puts_them_in(
    pairs: list[Pair], model: str, role: Role
) -> None:
    apart = [
        abs(
            bisect_right(THRESHOLDS, calibrated(model, one.cosines[role][model], role=role))
            - bisect_right(THRESHOLDS, one.cosines[Role.PASSAGE][DEFAULT_MODEL])
        )
        for one in pairs
    ]

    assert apart.count(0) / len(pairs) >= 0.73
    assert max(apart) <= 1


@EACH
def test_the_floor_keeps_what_means_the_same_and_leaves_out_what_does_not(
    pairs: list[Pair], model: str, role: Role
) -> None:
    shares = shares_of_label(pairs, model, role)

    assert shares["same"] >= 0.9
    assert shares["related"] <= 0.1
    assert shares["unrelated"] == 0


@EACH
@given(one=st.floats(-1.01, 1.01), other=st.floats(-1.01, 1.01))
def test_a_higher_cosine_never_means_less(
    model: str, role: Role, one: float, other: float
) -> None:
    low, high = sorted([one, other])

    below = calibrated(model, low, role=role)
    above = calibrated(model, high, role=role)

    assert -1 <= below <= above <= 1


@EACH
def test_the_ends_of_the_scale_stay(model: str, role: Role) -> None:
    assert calibrated(model, 1.0, role=role) == 1.0
    assert calibrated(model, 1.0000001, role=role) == 1.0
    assert calibrated(model, -1.0, role=role) == -1.0


@pytest.mark.parametrize("model", [DEFAULT_MODEL, "all-MiniLM-L6-v2-fp32"])
def test_minilm_is_the_scale_itself(model: str) -> None:
    assert is_calibrated(model)
    assert calibrated(model, 0.4321) == 0.4321


def test_a_model_that_nobody_calibrated_keeps_its_cosine_and_says_so() -> None:
    assert not is_calibrated("BAAI/bge-large-en-v1.5")
    assert calibrated("BAAI/bge-large-en-v1.5", 0.4321) == 0.4321
