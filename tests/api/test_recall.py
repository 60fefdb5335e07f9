"""Recall over GraphQL: what is found, in what order, and what the order is made of."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.memories import RECALL, STORE_MANY, recalled, relate, store
from tests.service import Api


def ask(api: Api, query: str, **options: object) -> dict[str, Any]:
    return api.ask(RECALL, query=query, options={"reinforce": False, **options})


@pytest.fixture
def notes(api: Api) -> Api:
    """A few notes of one agent."""
    store(api, "Mira keeps bees on the roof of the library.", id="bees")
    store(api, "The library closes at six on Fridays.", id="library")
    store(api, "Rust's borrow checker refuses two mutable references.", id="rust")
    return api


@pytest.mark.row("TIER-62")
def test_the_best_match_comes_first_with_its_reasons(notes: Api) -> None:
    answer = ask(notes, "Who keeps bees?")

    hit = answer["primary"][0]
    assert hit["memory"]["id"] == "bees"
    assert hit["hops"] == 0
    assert hit["scores"]["lexical"] == 1.0
    assert 0 < hit["scores"]["semantic"] <= 1
    assert any(step.startswith("words") for step in hit["trace"])
    assert answer["strategyUsed"] == "HYBRID"
    assert answer["fallbackReason"] is None
    assert answer["contextBytes"] > 0
    assert answer["tookMs"] > 0
    assert answer["recallId"]


def test_relevance_can_be_worked_out_from_the_parts(notes: Api) -> None:
    relate(notes, "bees", "RELATED", "library")
    weight = 0.3

    answer = ask(notes, "library bees", recencyWeight=weight, boostCentralMemories=True)

    for hit in answer["primary"]:
        parts = hit["scores"]
        fit = 0.5 * (parts["lexical"] or 0) + 0.5 * max(0, parts["semantic"])
        blended = fit * (1 - weight) + weight * parts["recency"]
        assert hit["relevance"] == pytest.approx(blended + parts["centrality"])
    relevances = [hit["relevance"] for hit in answer["primary"]]
    assert relevances == sorted(relevances, reverse=True)


def test_words_and_meaning_can_be_asked_for_alone(notes: Api) -> None:
    words = ask(notes, "bees", strategy="KEYWORD")
    meaning = ask(notes, "insects that make honey", strategy="VECTOR", limit=1)

    assert [hit["memory"]["id"] for hit in words["primary"]] == ["bees"]
    assert words["primary"][0]["scores"]["semantic"] is None
    assert meaning["primary"][0]["memory"]["id"] == "bees"
    assert meaning["primary"][0]["scores"]["lexical"] is None


@pytest.mark.parametrize("strategy", ["TREE", "MODEL_TREE"])
def test_a_strategy_that_is_not_to_be_had_says_so(notes: Api, strategy: str) -> None:
    answer = ask(notes, "bees", strategy=strategy)

    assert answer["strategyUsed"] == "HYBRID"
    assert strategy in answer["fallbackReason"]
    assert answer["primary"]


def test_words_match_in_other_forms(notes: Api) -> None:
    assert [
        hit["memory"]["id"] for hit in ask(notes, "closing", strategy="KEYWORD")["primary"]
    ] == ["library"]


def test_chinese_words_are_found(api: Api) -> None:
    store(api, "我喜欢喝绿茶", id="tea")
    store(api, "火车晚点了", id="train")

    found = ask(api, "绿茶", strategy="KEYWORD")

    assert [hit["memory"]["id"] for hit in found["primary"]] == ["tea"]


def test_connections_are_followed_and_tell_their_way(notes: Api) -> None:
    store(notes, "Honey is sold at the market.", id="honey")
    store(notes, "The market is on the square.", id="square")
    relate(notes, "bees", "CAUSES", "honey", score=0.9)
    relate(notes, "honey", "RELATED", "square", score=0.9)

    def reached(**options: object) -> dict[str, int]:
        answer = ask(notes, "Who keeps bees?", limit=1, maxBytes=10000, **options)
        return {hit["memory"]["id"]: hit["hops"] for hit in answer["connected"]}

    assert reached() == {"honey": 1, "square": 2}
    assert reached(preset="PRECISE") == {"honey": 1}
    assert reached(connectionHops=1) == {"honey": 1}
    assert reached(useConnections=False) == {}
    assert reached(connectionTypes=["CAUSES"]) == {"honey": 1}
    [hit] = [
        hit
        for hit in ask(notes, "Who keeps bees?", limit=1)["connected"]
        if hit["memory"]["id"] == "square"
    ]
    assert [edge["type"] for edge in hit["via"]] == ["CAUSES", "RELATED"]


def test_the_best_hits_bring_their_correlations(notes: Api) -> None:
    relate(notes, "bees", "RELATED", "library", score=0.9)
    relate(notes, "bees", "REFERENCES", "library", score=0.8)

    answer = ask(notes, "Who keeps bees?", limit=1)

    [correlation] = answer["expanded"]
    assert correlation["targetId"] == "library"
    assert correlation["relationshipType"] == "RELATED"
    assert correlation["breakdown"]["crossReference"] == pytest.approx(1 / 3)
    assert correlation["breakdown"]["score"] == pytest.approx(correlation["score"])
    assert answer["totalResults"] == len(answer["primary"]) + 1
    assert ask(notes, "Who keeps bees?", limit=1, expandTop=0)["expanded"] == []


def test_kinds_and_categories_narrow_an_answer(api: Api) -> None:
    store(api, "tea in the morning", id="a", kind="SEMANTIC", category="home/kitchen")
    store(api, "tea in the evening", id="b", category="home")
    store(api, "tea at noon", id="c", category="homework")

    assert recalled(api, "tea", kinds=["SEMANTIC"]) == ["a"]
    assert sorted(recalled(api, "tea", category="home")) == ["a", "b"]
    assert recalled(api, "tea", category="home/kitchen") == ["a"]


def test_frozen_memories_are_left_out_unless_they_are_asked_for(api: Api) -> None:
    long_ago = (datetime.now(UTC) - timedelta(days=400)).isoformat()
    store(api, "the old wifi password", id="old", createdAt=long_ago)
    store(api, "the new wifi password", id="new", importance=0.9)

    assert recalled(api, "wifi password") == ["new"]
    assert recalled(api, "wifi password", tiers=["FROZEN"]) == ["old"]
    assert recalled(api, "wifi password", tiers=["HOT"]) == ["new"]
    assert sorted(recalled(api, "wifi password", tiers=["HOT", "WARM", "COLD", "FROZEN"])) == [
        "new",
        "old",
    ]


def test_a_question_can_be_asked_as_of_another_time(api: Api) -> None:
    store(api, "the meeting is in room one", id="then", createdAt="2025-03-01T00:00:00Z")
    store(
        api,
        "the meeting is in room two",
        id="short",
        createdAt="2025-03-01T00:00:00Z",
        expiresAt="2025-03-05T00:00:00Z",
    )

    assert recalled(api, "meeting room") == []
    assert sorted(recalled(api, "meeting room", asOf="2025-03-02T00:00:00Z")) == [
        "short",
        "then",
    ]
    assert recalled(api, "meeting room", asOf="2025-03-06T00:00:00Z") == ["then"]
    assert recalled(api, "meeting room", asOf="2001-01-01T00:00:00Z") == []


def test_recency_can_weigh_more_or_nothing(api: Api) -> None:
    month_ago = (datetime.now(UTC) - timedelta(days=30)).isoformat()
    store(api, "tea tea tea green tea", id="fits", createdAt=month_ago)
    store(api, "a cup of something like tea", id="fresh")

    assert recalled(api, "green tea", recencyWeight=0.0)[0] == "fits"
    assert recalled(api, "green tea", recencyWeight=1.0)[0] == "fresh"


def test_texts_are_never_cut_and_what_does_not_fit_is_counted(api: Api) -> None:
    store(api, "tea " * 100, id="long")
    store(api, "tea pot", id="short")

    answer = ask(api, "tea", maxBytes=10, strategy="KEYWORD")

    assert len(answer["primary"]) == 1
    assert answer["omitted"] == 1
    whole = ask(api, "tea", maxBytes=1000)
    assert whole["omitted"] == 0
    assert whole["contextBytes"] == 400 + 7


def test_all_agents_of_a_space_can_be_searched(api: Api, stranger: Api) -> None:
    store(api, "tea of one", id="one", agentId="one")
    store(api, "tea of two", id="two", agentId="two")
    store(stranger, "tea of a stranger")

    assert recalled(api, "tea") == []
    assert sorted(recalled(api, "tea", acrossAgents=True)) == ["one", "two"]


def test_a_small_space_beside_a_large_one_gets_its_full_answer(api: Api, stranger: Api) -> None:
    crowd = [{"text": f"tea number {at} for the crowd"} for at in range(300)]
    stranger.ask(
        STORE_MANY,
        inputs=crowd,
    )
    ids = {store(api, f"tea note {at}")["id"] for at in range(5)}

    for strategy in ("HYBRID", "VECTOR", "KEYWORD"):
        assert set(recalled(api, "tea number for the crowd", strategy=strategy)) == ids


def test_a_recalled_memory_counts_as_used_shortly_after(api: Api) -> None:
    memory = store(api, "the door code is blue")
    recalled(api, "door code")
    recalled(api, "door code")

    until = time.monotonic() + 20
    count = 0
    while count == 0 and time.monotonic() < until:
        count = api.ask("query($id: ID!) { memory(id: $id) { accessCount } }", id=memory["id"])[
            "accessCount"
        ]

    assert count == 1


def test_a_recall_takes_one_statement(api: Api, operator: Api, service: Any) -> None:
    store(api, "tea", id="tea")
    relate(api, "tea", "RELATED", store(api, "pot")["id"])
    ask(api, "warm up the key")

    def counts() -> dict[str, float]:
        text = api.client.get(
            service.health.replace("readyz", "metrics").replace("livez", "metrics"),
            headers={"Authorization": f"Bearer {operator.token}"},
        ).text
        lines = [
            line for line in text.splitlines() if line.startswith("hippograph_statements_total")
        ]
        return {line.split('"')[1]: float(line.split()[-1]) for line in lines}

    before = counts()
    ask(api, "a question about tea")
    after = counts()

    ran = {name: after[name] - before.get(name, 0) for name in after}
    noise = {"memory_touch", "key_find", "key_used", "service_ping", "indexes_offline"}
    assert {name: count for name, count in ran.items() if count and name not in noise} == {
        "recall": 1
    }


def test_a_memory_of_the_future_counts_as_new(api: Api) -> None:
    soon = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    store(api, "the launch is on Friday", id="soon", createdAt=soon)

    assert recalled(api, "when is the launch?") == ["soon"]
