"""Memories over GraphQL: stored exactly once, changed without loss, listed right."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.memories import STORE, STORE_MANY, UPDATE, refusal, store
from tests.service import Api

MEMORY = "query($id: ID!) { memory(id: $id) { id text accessCount lastAccessedAt } }"
PAGE = """query($filter: MemoryFilter, $first: Int, $after: String) {
  memories(filter: $filter, first: $first, after: $after) {
    items { id } pageInfo { hasNextPage endCursor } totalCount
  }
}"""
REINFORCE = """mutation($id: ID!) {
  reinforceMemory(id: $id) {
    success memory { accessCount lastAccessedAt score } error { code field message }
  }
}"""


def listed(api: Api, **filters: object) -> list[str]:
    page = api.ask(PAGE, filter=filters)
    assert page["totalCount"] == len(page["items"])
    return [item["id"] for item in page["items"]]


@pytest.mark.row("TIER-61")
def test_a_memory_is_stored_with_all_that_was_given(api: Api) -> None:
    memory = store(
        api,
        "Decided on raw JSON-RPC to keep the binary small.",
        category="projects/atlas/architecture",
        importance=0.8,
        kind="SEMANTIC",
        tags=["decision", "decision", " build "],
        entities=["JSON-RPC"],
        metadata={"big": 12345678901234567890123},
        createdAt="2026-04-04T11:00:00+02:00",
        sessionId="s-1",
        source="notes",
        expiresAt="2999-01-01T00:00:00Z",
        id="the-id",
    )

    assert memory["id"] == "the-id"
    assert memory["category"] == "projects/atlas/architecture"
    assert (memory["importance"], memory["kind"], memory["state"]) == (
        0.8,
        "SEMANTIC",
        "SEMANTIC",
    )
    assert memory["tags"] == ["decision", "build"]
    assert memory["entities"] == ["JSON-RPC"]
    assert memory["metadata"] == {"big": 12345678901234567890123}
    assert memory["createdAt"] == "2026-04-04T09:00:00Z"
    assert memory["recordedAt"] > memory["createdAt"]
    assert (memory["sessionId"], memory["source"]) == ("s-1", "notes")
    assert memory["expiresAt"] == "2999-01-01T00:00:00Z"
    assert (memory["version"], memory["accessCount"], memory["lastAccessedAt"]) == (1, 0, None)


def test_what_is_left_out_or_null_takes_the_default(api: Api) -> None:
    memory = store(
        api, "plain", importance=None, kind=None, tags=None, agentId=None, entities=None
    )

    assert (memory["importance"], memory["kind"], memory["agentId"]) == (
        0.5,
        "EPISODIC",
        "default",
    )
    assert (memory["tags"], memory["entities"], memory["category"]) == ([], [], "")


def test_equal_texts_without_a_key_stay_two_memories(api: Api) -> None:
    assert store(api, "the same")["id"] != store(api, "the same")["id"]


@pytest.mark.parametrize("handle", ["id", "idempotencyKey"])
def test_a_repeated_request_gives_the_first_memory_back(api: Api, handle: str) -> None:
    first = store(api, "once", **{handle: "h"}, tags=["a"])
    api.ask(UPDATE, input={"id": first["id"], "text": "changed since"})

    again = api.ask(STORE, input={"text": "once", handle: "h", "tags": ["a"]})

    assert again["memory"]["id"] == first["id"]
    assert again["memory"]["text"] == "changed since"
    assert len(again["notices"]) == 1
    assert len(listed(api)) == 1


@pytest.mark.parametrize("handle", ["id", "idempotencyKey"])
def test_a_handle_used_for_other_content_is_a_conflict(api: Api, handle: str) -> None:
    store(api, "first", **{handle: "h"})

    error = refusal(api, "second", **{handle: "h"})

    assert (error["code"], error["field"]) == ("CONFLICT", handle)
    assert len(listed(api)) == 1


def test_the_same_key_from_many_at_once_stores_one_memory(api: Api) -> None:
    def once(_: int) -> str:
        return store(api, "raced", idempotencyKey="race")["id"]

    with ThreadPoolExecutor(8) as pool:
        ids = set(pool.map(once, range(16)))

    assert len(ids) == 1
    assert listed(api) == list(ids)


def test_a_key_of_another_space_is_another_key(api: Api, stranger: Api) -> None:
    mine = store(api, "mine", idempotencyKey="k", id="i")
    theirs = store(stranger, "theirs", idempotencyKey="k", id="i")

    assert (mine["text"], theirs["text"]) == ("mine", "theirs")


def test_each_answer_of_a_batch_stands_where_its_input_stood(api: Api) -> None:
    inputs: list[dict[str, Any]] = [
        {"text": "good"},
        {"text": "\u200b"},
        {"text": "twice", "id": "d"},
        {"text": "twice", "id": "d"},
        {"text": "otherwise", "id": "d"},
        {"text": "naive", "createdAt": "2026-01-01T00:00:00"},
        {"text": "also good"},
    ]

    answers = api.ask(STORE_MANY, inputs=inputs)

    codes = [answer["error"] and answer["error"]["code"] for answer in answers]
    assert codes == [None, "INVALID", None, None, "CONFLICT", "INVALID", None]
    assert answers[0]["memory"]["text"] == "good"
    assert answers[2]["memory"]["id"] == answers[3]["memory"]["id"] == "d"
    assert answers[5]["error"]["field"] == "createdAt"
    assert answers[6]["memory"]["text"] == "also good"
    assert len(listed(api)) == 3


def test_a_thousand_memories_go_in_at_once_and_one_more_does_not(api: Api) -> None:
    inputs = [{"text": f"note number {at}", "id": f"n{at}"} for at in range(1000)]

    answers = api.ask(STORE_MANY, inputs=inputs)
    refused = api.refused(STORE_MANY, inputs=[*inputs, {"text": "one more"}])

    assert [answer["memory"]["id"] for answer in answers] == [one["id"] for one in inputs]
    assert (refused["code"], refused["field"]) == ("INVALID", "inputs")


def test_an_update_keeps_the_earlier_text_and_merges_metadata(api: Api) -> None:
    memory = store(api, "Ada lives in Berlin.", metadata={"a": 1, "b": 2}, tags=["x"])

    updated = api.ask(
        UPDATE,
        input={
            "id": memory["id"],
            "text": "Ada lives in Oslo.",
            "metadata": {"b": 3, "c": 4},
            "importance": None,
            "expectedVersion": 1,
        },
    )["memory"]

    assert updated["version"] == 2
    assert updated["metadata"] == {"a": 1, "b": 3, "c": 4}
    assert (updated["importance"], updated["tags"]) == (0.5, ["x"])
    [revision] = updated["revisions"]
    assert (revision["version"], revision["text"]) == (1, "Ada lives in Berlin.")
    assert revision["validFrom"] == memory["recordedAt"]
    assert revision["validFrom"] < revision["validTo"]


def test_a_changed_text_is_found_by_its_new_meaning(api: Api) -> None:
    memory = store(api, "The cat sleeps on the sofa.")
    store(api, "Payroll runs on Fridays.")
    api.ask(UPDATE, input={"id": memory["id"], "text": "Wire transfers settle overnight."})

    found = api.ask(
        """{ recall(query: "bank payments", options: {strategy: VECTOR, limit: 1}) {
          primary { memory { id } } } }"""
    )

    assert found["primary"][0]["memory"]["id"] == memory["id"]


def test_an_update_of_another_version_is_a_conflict_and_changes_nothing(api: Api) -> None:
    memory = store(api, "as it is")

    refused = api.ask(
        UPDATE, input={"id": memory["id"], "text": "not this", "expectedVersion": 7}
    )

    assert (refused["error"]["code"], refused["error"]["field"]) == (
        "CONFLICT",
        "expectedVersion",
    )
    assert api.ask(MEMORY, id=memory["id"])["text"] == "as it is"


def test_of_many_updates_of_one_version_one_wins(api: Api) -> None:
    memory = store(api, "start")

    def change(at: int) -> bool:
        asked = {"id": memory["id"], "text": f"text {at}", "expectedVersion": 1}
        return api.ask(UPDATE, input=asked)["success"]

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(change, range(6))).count(True) == 1


def test_updates_without_a_version_all_arrive(api: Api) -> None:
    memory = store(api, "start")

    def note(at: int) -> bool:
        asked = {"id": memory["id"], "metadata": {f"k{at}": at}}
        return api.ask(UPDATE, input=asked)["success"]

    with ThreadPoolExecutor(3) as pool:
        assert all(pool.map(note, range(3)))
    stored = api.ask(
        "query($id: ID!) { memory(id: $id) { metadata version } }", id=memory["id"]
    )
    assert stored["metadata"] == {"k0": 0, "k1": 1, "k2": 2}
    assert stored["version"] == 4


def test_an_unknown_memory_and_one_of_another_space_are_the_same_to_a_caller(
    api: Api, stranger: Api
) -> None:
    theirs = store(stranger, "secret")["id"]

    def answers(memory_id: str) -> list[object]:
        update = api.ask(UPDATE, input={"id": memory_id, "text": "mine now"})["error"]
        reinforce = api.ask(REINFORCE, id=memory_id)["error"]
        shown = [api.ask(MEMORY, id=memory_id), update, reinforce]
        return [str(one).replace(memory_id, "ID") for one in shown]

    assert answers(theirs) == answers("no-such-memory")
    assert stranger.ask(MEMORY, id=theirs)["text"] == "secret"


def test_an_access_counts_once_for_a_memory_agent_and_hour(api: Api) -> None:
    memory = store(api, "used")

    first = api.ask(REINFORCE, id=memory["id"])["memory"]
    second = api.ask(REINFORCE, id=memory["id"])["memory"]

    assert (first["accessCount"], second["accessCount"]) == (1, 1)
    assert second["lastAccessedAt"] >= first["lastAccessedAt"]
    assert first["score"] > memory["score"]


def test_pages_stay_right_while_others_write(api: Api) -> None:
    ids = [store(api, f"page {at}", id=f"p{at}")["id"] for at in range(5)]

    first = api.ask(PAGE, first=2)
    store(api, "newer than the first page")
    second = api.ask(PAGE, first=2, after=first["pageInfo"]["endCursor"])
    third = api.ask(PAGE, first=2, after=second["pageInfo"]["endCursor"])

    seen = [item["id"] for page in (first, second, third) for item in page["items"]]
    assert seen == ids[::-1]
    assert not third["pageInfo"]["hasNextPage"]
    assert third["totalCount"] == 6


def test_memories_of_one_moment_are_paged_without_loss(api: Api) -> None:
    moment = "2026-05-05T05:05:05Z"
    ids = {store(api, f"same {at}", createdAt=moment)["id"] for at in range(5)}

    seen: list[str] = []
    after = None
    for _ in range(5):
        page = api.ask(PAGE, first=1, after=after)
        seen += [item["id"] for item in page["items"]]
        after = page["pageInfo"]["endCursor"]

    assert set(seen) == ids
    assert len(seen) == 5


def test_filters_narrow_a_list(api: Api) -> None:
    a = store(api, "a", kind="SEMANTIC", category="work/x", tags=["t", "u"], importance=0.9)
    b = store(api, "b", category="work", agentId="other", createdAt="2026-01-01T00:00:00Z")

    assert listed(api, kinds=["SEMANTIC"]) == [a["id"]]
    assert listed(api, category="work") == [a["id"], b["id"]]
    assert listed(api, category="work/x") == [a["id"]]
    assert listed(api, category="wor") == []
    assert listed(api, tags=["u", "t"]) == [a["id"]]
    assert listed(api, tags=["t", "nope"]) == []
    assert listed(api, agentId="other") == [b["id"]]
    assert listed(api, states=["ARCHIVAL"]) == []
    assert listed(api, tiers=["HOT"]) == [a["id"]]
    assert listed(api, createdBefore="2026-01-01T00:00:00Z") == []
    assert listed(
        api, createdFrom="2026-01-01T00:00:00Z", createdBefore="2026-01-02T00:00:00Z"
    ) == [b["id"]]


def test_an_expired_memory_is_neither_listed_nor_recalled_but_read_by_id(api: Api) -> None:
    gone = store(api, "the old door code", expiresAt="2020-01-01T00:00:00Z")

    assert listed(api) == []
    answer = api.ask('{ recall(query: "door code") { primary { memory { id } } } }')
    assert answer["primary"] == []
    assert api.ask(MEMORY, id=gone["id"])["text"] == "the old door code"


@pytest.mark.row("TIER-50")
def test_agents_of_a_space_are_apart(api: Api) -> None:
    store(api, "Ada likes tea", agentId="one")
    store(api, "Ada likes coffee", agentId="two")

    answer = api.ask(
        """{ recall(query: "what does Ada like?", agentId: "two") {
          primary { memory { text } } } }"""
    )

    assert [hit["memory"]["text"] for hit in answer["primary"]] == ["Ada likes coffee"]
    assert api.ask("{ agents }") == ["default", "one", "two"]


def test_a_long_text_is_kept_whole_and_the_caller_is_told(api: Api) -> None:
    text = "A sentence about gardening and soil. " * 1700

    result = api.ask(STORE, input={"text": text})

    assert result["memory"]["text"] == text
    assert "pieces" in result["notices"][0]


def test_metadata_in_another_order_is_the_same_request(api: Api) -> None:
    first = store(api, "once", idempotencyKey="k", metadata={"a": 1, "b": 2})

    again = store(api, "once", idempotencyKey="k", metadata={"b": 2, "a": 1})

    assert again["id"] == first["id"]
