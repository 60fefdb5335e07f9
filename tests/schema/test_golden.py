"""The worked cases of the requirements, computed by our own rules.

`tests/golden.json` is what the sources determine, `tests/golden-proposed.json` what was decided
where they leave a rule open.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest

from hippograph.schema.checks import MAX_HOPS, a_count
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
from hippograph.schema.errors import InvalidError
from hippograph.schema.kinds import MemoryKind, MemoryState
from hippograph.schema.recall import RecallQuestion
from hippograph.schema.relationships import TYPES, canonical
from hippograph.schema.setting_groups import DistillationSettings
from hippograph.schema.settings import setting_fields
from hippograph.schema.tiers import (
    Decay,
    Tier,
    age_at_score,
    age_in_days,
    score_at_age,
    tier_of,
)

Facts = dict[str, Any]
TESTS = Path(__file__).parents[1]
DECAY = Decay()

# Settings that the sources name otherwise than we do.
SETTING_NAMES = {
    "tau_days": "correlator.tau_days",
    "promotion_cross_references": "lifecycle.promotion_references",
    "connectionDetection.enabled": "connections.enabled",
    "connectionDetection.maxCandidates": "connections.max_candidates",
    "connectionDetection.batchSize": "connections.batch_size",
    "connectionDetection.temperature": "connections.temperature",
    "burst_window_minutes": "temporal.burst_minutes",
    "burst_slowing": "temporal.burst_slowing",
    "tree_max_children": "tree.max_children",
}
# What a source does at each tier; we only show the tier, and act on states (C-23, C-24, C-27).
ACTIONS = {
    Tier.HOT: "promote",
    Tier.WARM: "keep",
    Tier.COLD: "archive",
    Tier.FROZEN: "delete",
}


def moment(value: str | float) -> datetime:
    """An instant written in ISO 8601 or in Unix seconds."""
    if isinstance(value, str):
        return datetime.fromisoformat(value)
    return datetime.fromtimestamp(value, UTC)


def default_setting(given: Facts) -> Facts:
    """The default of a setting by any of its names."""
    key = SETTING_NAMES.get(given["key"], given["key"])
    found = [one for one in setting_fields() if key in (one.key, one.environment)]
    return {"value": found[0].default}


def score(given: Facts) -> Facts:
    """Score and tier at an age, slowed by a burst when there is one."""
    confidence = given.get("burstConfidence", 0.0)
    value = score_at_age(
        DECAY,
        given["ageDays"],
        importance=given["importance"],
        access_count=given["accessCount"],
        burst_confidence=confidence,
    )
    return {
        "score": value,
        "tier": tier_of(value).value.lower(),
        "rateMultiplier": DECAY.rate(confidence),
    }


def tier(given: Facts) -> Facts:
    """The tier of a score, and what its source did there."""
    found = tier_of(given["score"])
    return {"tier": found.value.lower(), "action": ACTIONS[found]}


def crossing_age(given: Facts) -> Facts:
    """The age at which a score is reached."""
    days = age_at_score(
        DECAY,
        given["score"],
        importance=given["importance"],
        access_count=given["accessCount"],
    )
    return {"ageDays": days}


def age(given: Facts) -> Facts:
    """Fractional days since creation."""
    return {"ageDays": age_in_days(moment(given["createdAt"]), moment(given["now"]))}


def decay_multiplier(given: Facts) -> Facts:
    """The factor that a burst puts on the rate of decay."""
    confidence = given["confidence"] if given["burst"] else 0.0
    return {"rateMultiplier": DECAY.rate(confidence)}


def parts(given: Facts) -> Breakdown:
    """The parts of a correlation score, as given."""
    return Breakdown(
        semantic=given["semantic"],
        co_occurrence=given["coOccurrence"],
        temporal=given.get("temporal"),
        cross_reference=given["crossReference"],
    )


def correlation_score(given: Facts) -> Facts:
    """The weighted sum, and whether it reaches a floor when one is given."""
    value = parts(given).score
    return {"score": value, "admitted": is_admitted(value, given.get("minScore", 0.0))}


def admission(given: Facts) -> Facts:
    """Whether a score reaches a floor."""
    return {"admitted": is_admitted(given["score"], given["minScore"])}


def whole_correlation(given: Facts) -> Facts:
    """Every part of a pair, and the sum."""
    first, second = (
        (MemoryKind(given[f"type{end}"].upper()), moment(given[f"timestamp{end}"]))
        for end in "AB"
    )
    made = Breakdown(
        semantic=semantic_part(cosine(given["embeddingA"], given["embeddingB"])),
        co_occurrence=jaccard(given["entitiesA"], given["entitiesB"]),
        temporal=temporal_part(first, second),
        cross_reference=cross_reference(
            given["references"], max_references=given["maxReferences"]
        ),
    )
    return {
        "semantic": made.semantic,
        "coOccurrence": made.co_occurrence,
        "temporal": made.temporal,
        "crossReference": made.cross_reference,
        "score": made.score,
        "admittedAt0_6": is_admitted(made.score, 0.6),
    }


def similarity(given: Facts) -> Facts:
    """The cosine of two vectors."""
    return {"similarity": cosine(given["a"], given["b"])}


def semantic_component(given: Facts) -> Facts:
    """A cosine as a part of the score."""
    return {"semantic": semantic_part(given["cosine"])}


def co_occurrence(given: Facts) -> Facts:
    """The share of entities in common."""
    return {"coOccurrence": jaccard(given["a"], given["b"])}


def closeness(given: Facts) -> Facts:
    """How close two instants are."""
    return {"temporal": temporal_proximity(moment(given["a"]), moment(given["b"]))}


def mentions(given: Facts) -> Facts:
    """Mentions against the number that counts as full."""
    full = given["maxReferences"]
    return {"crossReference": cross_reference(given["count"], max_references=full)}


def expansion(given: Facts) -> Facts:
    """How far the best hits are expanded, by the defaults of a question."""
    question = RecallQuestion(query="", agent="")
    size = expansion_size(
        given["correlationsAvailable"],
        top=question.expand_top,
        each=question.correlations_per_result,
    )
    return {
        "expandedFrom": min(given["primaryCount"], question.expand_top),
        "expanded": size,
        "totalResults": given["primaryCount"] + size,
    }


def canonical_type(given: Facts) -> Facts:
    """The relationship type behind a name."""
    return {"type": canonical(given["name"]).value}


def hops_allowed(given: Facts) -> Facts:
    """Whether recall follows that many steps."""
    try:
        a_count(given["connectionHops"], "connectionHops", most=MAX_HOPS)
    except InvalidError:
        return {"allowed": False}
    return {"allowed": True}


RULES: dict[str, Callable[[Facts], Facts]] = {
    "config.default": default_setting,
    "correlation.admit": admission,
    "correlation.cosine": similarity,
    "correlation.cross_reference": mentions,
    "correlation.end_to_end": whole_correlation,
    "correlation.jaccard": co_occurrence,
    "correlation.score": correlation_score,
    "correlation.score_admitted": correlation_score,
    "correlation.score_without_time": correlation_score,
    "correlation.semantic_component": semantic_component,
    "correlation.temporal_proximity": closeness,
    "memory.age_at_score": crossing_age,
    "memory.age_days": age,
    "memory.score": score,
    "memory.tier": tier,
    "recall.hops_allowed": hops_allowed,
    "relationship.canonical": canonical_type,
    "retrieval.expansion": expansion,
    "temporal.decay_multiplier": decay_multiplier,
    "temporal.slowed_score": score,
}

# Rules without code as yet, by the issue that brings it.
NOT_YET = {
    "LINKS": (
        "triage.band triage.free_share temporal.burst_pairs temporal.burst_confidence "
        "temporal.peak_hours"
    ),
    "LIFECYCLE": (
        "report.sections report.percentage lifecycle.should_promote lifecycle.should_archive "
        "lifecycle.evaluate lifecycle.batch_evaluate lifecycle.event_fields "
        "lifecycle.event_for_promotion lifecycle.confidence lifecycle.tag_matches "
        "consensus.decision"
    ),
    "TIERS": (
        "hot.size hot.cap hot.prune_lessons hot.prune_events hot.prune_tasks warm.size "
        "warm.retention tree.limits tree.node_count tree.rollup tree.rollup_own tree.depth "
        "distill.size distill.core_size distill.ratio distill.fields metrics.keys"
    ),
}

# The enums of the sources, in the sources' words.
ENUMS = {
    "RelationshipType": {name for facts in TYPES.values() for name in facts.aliases},
    "connection_type": {name for facts in TYPES.values() for name in facts.aliases},
    "MemoryType": {kind.value.lower() for kind in MemoryKind},
    "LifecycleState": {one.value.lower().replace("archival", "archive") for one in MemoryState},
    "Tier": {one.value.lower() for one in Tier},
    "DistillationMode": set(get_args(DistillationSettings.model_fields["mode"].annotation)),
}
ENUMS_NOT_YET = {
    "LIFECYCLE": (
        "PromoteReason ArchiveReason RecommendedAction LifecycleEventType TriggeredBy"
    ),
    "TIERS": "ConsolidationMode",
}


def names_in(table: dict[str, str]) -> set[str]:
    """The names that a table of issues holds."""
    return {name for names in table.values() for name in names.split()}


def golden(file: str) -> Facts:
    """One of the two files."""
    return json.loads((TESTS / file).read_text(encoding="utf-8"))


FILES = [golden("golden.json"), golden("golden-proposed.json")]
CASES: list[Facts] = [case for file in FILES for case in file["cases"]]
COMPUTED = [case for case in CASES if case["rule"] in RULES]
NAMED = [case for case in CASES if case["rule"] == "enum.values"]


def is_equal(actual: object, expected: object, tolerance: float = 1e-6) -> bool:
    """Numbers to the tolerance, everything else exactly."""
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return actual == expected and type(actual) is type(expected)
    return isinstance(actual, int | float) and abs(actual - expected) <= tolerance


@pytest.mark.parametrize("case", COMPUTED, ids=lambda case: case["id"])
def test_our_rule_gives_what_the_case_expects(case: Facts) -> None:
    actual = RULES[case["rule"]](case["input"])

    wrong = {
        name: (actual[name], expected)
        for name, expected in case["expected"].items()
        if not is_equal(actual[name], expected)
    }
    assert wrong == {}


@pytest.mark.parametrize("case", NAMED, ids=lambda case: case["id"])
def test_no_value_of_a_source_is_dropped(case: Facts) -> None:
    name = case["input"]["enum"]
    if name in names_in(ENUMS_NOT_YET):
        assert name not in ENUMS
        return

    assert set(case["expected"]["values"]) <= ENUMS[name]


def test_every_rule_is_computed_or_awaited_and_never_both() -> None:
    rules = {rule for file in FILES for rule in file["rules"]}
    computed, awaited = {*RULES, "enum.values"}, names_in(NOT_YET)

    assert computed & awaited == set()
    assert computed | awaited == rules


def test_the_files_hold_all_their_cases() -> None:
    assert [len(file["cases"]) for file in FILES] == [293, 79]
    assert len({case["id"] for case in CASES}) == 372
    assert all(file["tolerance"] == 1e-6 for file in FILES)
