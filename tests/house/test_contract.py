"""The schema that we serve still holds what the contract promises."""

from functools import cache

from hippograph.api.schema import printed
from tests.house.contract import Schema, missing, schema_from, shortfalls
from tests.house.tree import ROOT

# The fields that are there from the first release on.
SLICE = {
    "Query": (
        "memory memories recall connectedMemories connectionPath relationshipTypes agents "
        "settings whoami accessKeys"
    ),
    "Mutation": (
        "storeMemory storeMemories updateMemory reinforceMemory addRelationship "
        "removeRelationship createSpace createAccessKey revokeAccessKey"
    ),
}

# Fields of the contract that a type of ours lacks as yet, by the issue that brings them.
NOT_YET: dict[str, dict[str, str]] = {
    "RECALL": {"Mutation": "recallFeedback"},
    "LINKS": {
        "Memory": "temporalInsights",
        "Relationship": "breakdown",
        "RelationshipResult": "evicted",
        "Query": (
            "findCorrelations correlationGraph discoverLinks correlationReport triagePair "
            "contradictions temporalPatterns"
        ),
        "Mutation": "applyDiscoveredLinks resolveContradiction analyzeTemporalPatterns",
    },
    "LIFECYCLE": {
        "Memory": "events",
        "Query": (
            "evaluateMemoryLifecycle batchEvaluate lifecycleReport lifecycleEvents "
            "lifecycleForecast proposals verifyAudit"
        ),
        "Mutation": (
            "proposeEnforcement promoteMemory archiveMemory promoteMemories archiveMemories "
            "restoreMemory undoTransition proposeForget voteOnProposal"
        ),
    },
    "ANALYTICS": {"Query": "memoryClusters centralMemories predictedLinks"},
    "TIERS": {
        "Query": "hotMemory treeIndex treeSearch distill metrics syncStatus context",
        "Mutation": (
            "consolidate addTreeNode removeTreeNode rebuildTree updateHotMemory initColdStore "
            "syncCritical restoreAgent importMemories exportMemories"
        ),
    },
}


@cache
def contract() -> Schema:
    """What is promised."""
    return schema_from((ROOT / "tests" / "contract.graphql").read_text(encoding="utf-8"))


@cache
def ours() -> Schema:
    """What is served."""
    return schema_from(printed())


def test_the_fields_of_the_first_release_are_served() -> None:
    served = {
        f"{kind}.{name}" for kind in SLICE if kind in ours() for name in ours()[kind].places
    }

    assert sorted(_places(SLICE) - served) == []


def test_what_is_served_is_what_the_contract_says() -> None:
    assert sorted(shortfalls(contract(), ours())) == []


def test_our_types_lack_only_what_an_issue_is_to_bring() -> None:
    awaited = {place for fields in NOT_YET.values() for place in _places(fields)}

    lacking = missing(contract(), ours())

    assert sorted(lacking - awaited) == []
    assert sorted(awaited - lacking) == [], "these are there; take them out of NOT_YET"


def test_every_type_field_and_value_that_is_served_is_described() -> None:
    assert [name for name, one in ours().items() if not one.described] == []


def test_the_comparison_sees_each_kind_of_difference() -> None:
    promised = schema_from("type A { b(c: Int = 1): Int! } enum E { F } input I { j: Int }")
    served = schema_from("type A { b(c: Int, d: Int!): Int } enum E { G } input I { k: Int! }")

    assert missing(promised, served) == {"E.F", "I.j"}
    assert sorted(shortfalls(promised, served)) == [
        "A.b is Int, not Int!",
        "A.b(c) is Int, not Int = 1.0",
        "A.b(d) is required, and not in the contract",
        "I(k) is required, and not in the contract",
    ]


def _places(fields: dict[str, str]) -> set[str]:
    return {f"{kind}.{name}" for kind, names in fields.items() for name in names.split()}
