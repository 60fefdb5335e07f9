"""Relationships and walks over GraphQL."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest

from tests.api.memories import RELATE, relate, store
from tests.service import Api

EDGES = """query($id: ID!, $types: [RelationshipType!], $direction: Direction) {
  memory(id: $id) {
    relationships(types: $types, direction: $direction) {
      id type source { id } target { id }
    }
    crossReferenceCount effectiveImportance
  }
}"""
CONNECTED = """query($id: ID!, $depth: Int, $types: [RelationshipType!]) {
  connectedMemories(memoryId: $id, depth: $depth, types: $types) {
    memory { id } hops relevance trace via { type }
  }
}"""
PATH = """query($a: ID!, $b: ID!, $weighted: Boolean) {
  connectionPath(sourceId: $a, targetId: $b, weighted: $weighted) {
    length nodes { id } edges { type score }
  }
}"""
REMOVE = """mutation($id: ID!) {
  removeRelationship(id: $id) { success relationship { id type } error { code message field } }
}"""
TYPES = [
    "REFERENCES",
    "DERIVES_FROM",
    "CONTRADICTS",
    "SUPPORTS",
    "GENERALIZES",
    "SPECIALIZES",
    "TEMPORAL_SEQUENCE",
    "CAUSES",
    "SIMILAR",
    "RELATED",
    "PART_OF",
]
SYMMETRIC = {"CONTRADICTS", "SIMILAR", "RELATED"}


@pytest.fixture
def three(api: Api) -> Api:
    """A space with the memories a, b and c."""
    for name in "abc":
        store(api, f"memory {name}", id=name)
    return api


def edges(api: Api, memory: str, **wanted: object) -> list[dict[str, Any]]:
    return api.ask(EDGES, id=memory, **wanted)["relationships"]


@pytest.mark.row("COR-19")
@pytest.mark.row("CON-27")
@pytest.mark.parametrize("kind", TYPES)
def test_every_type_is_added_with_its_facts(three: Api, kind: str) -> None:
    result = relate(three, "b", kind, "a", score=0.85, metadata={"discoveredBy": "me"})

    edge = result["relationship"]
    assert result["success"]
    assert not result["updated"]
    assert (edge["type"], edge["score"], edge["confidence"]) == (kind, 0.85, 1.0)
    assert (edge["origin"], edge["status"]) == ("MANUAL", "SUGGESTED")
    assert edge["metadata"] == {"discoveredBy": "me"}
    ends = ("a", "b") if kind in SYMMETRIC else ("b", "a")
    assert (edge["source"]["id"], edge["target"]["id"]) == ends


@pytest.mark.parametrize("kind", TYPES)
def test_adding_the_same_again_updates_it_and_says_so(three: Api, kind: str) -> None:
    first = relate(three, "a", kind, "b", score=0.5, metadata={"a": 1})

    again = relate(three, "a", kind, "b", score=0.7)

    assert again["updated"]
    assert again["relationship"]["id"] == first["relationship"]["id"]
    assert again["relationship"]["score"] == 0.7
    assert again["relationship"]["metadata"] == {"a": 1}
    assert len(edges(three, "a")) == 1


def test_the_inverse_from_the_other_end_is_the_same_relationship(three: Api) -> None:
    first = relate(three, "a", "SPECIALIZES", "b")

    again = relate(three, "b", "GENERALIZES", "a")

    assert again["updated"]
    assert again["relationship"]["id"] == first["relationship"]["id"]
    [seen] = edges(three, "b", types=["GENERALIZES"], direction="OUTGOING")
    assert seen["id"] == first["relationship"]["id"]
    assert edges(three, "b", types=["GENERALIZES"], direction="INCOMING") == []


@pytest.mark.parametrize("kind", ["SIMILAR", "RELATED", "SUPPORTS"])
def test_many_at_once_make_one_relationship(three: Api, kind: str) -> None:
    def both_ways(at: int) -> str:
        ends = ("a", "b") if at % 2 or kind == "SUPPORTS" else ("b", "a")
        return relate(three, ends[0], kind, ends[1])["relationship"]["id"]

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(both_ways, range(12)))) == 1


def test_a_relationship_changes_neither_memory(three: Api) -> None:
    document = '{ memory(id: "a") { version importance accessCount metadata tags } }'
    before = three.ask(document)

    relate(three, "a", "CAUSES", "b")

    assert three.ask(document) == before


def test_references_from_others_raise_effective_importance(three: Api) -> None:
    relate(three, "b", "REFERENCES", "a")
    relate(three, "c", "SUPPORTS", "a")
    relate(three, "c", "SIMILAR", "a")
    relate(three, "a", "CAUSES", "b")

    counted = three.ask(EDGES, id="a")

    assert counted["crossReferenceCount"] == 2
    assert counted["effectiveImportance"] == pytest.approx(0.6)


def test_directions_are_kept(three: Api) -> None:
    relate(three, "a", "CAUSES", "b")

    assert len(edges(three, "a", direction="OUTGOING")) == 1
    assert edges(three, "a", direction="INCOMING") == []
    assert len(edges(three, "b", direction="INCOMING")) == 1
    assert edges(three, "a", types=["SUPPORTS"]) == []


def test_a_batch_answers_in_the_place_of_each_input(three: Api) -> None:
    asked = [
        {"sourceId": "a", "targetId": "b", "relationshipType": "CAUSES", "origin": "IMPORT"},
        {"sourceId": "a", "targetId": "nobody", "relationshipType": "CAUSES"},
        {"sourceId": "a", "targetId": "a", "relationshipType": "CAUSES"},
        {"sourceId": "b", "targetId": "c", "relationshipType": "CAUSES", "score": 3},
        {"sourceId": "b", "targetId": "c", "relationshipType": "CAUSES"},
    ]

    answers = three.ask(
        """mutation($inputs: [AddRelationshipInput!]!) {
          addRelationships(inputs: $inputs) {
            success relationship { origin } error { code field }
          }
        }""",
        inputs=asked,
    )

    codes = [answer["error"] and answer["error"]["code"] for answer in answers]
    assert codes == [None, "NOT_FOUND", "INVALID", "INVALID", None]
    assert answers[0]["relationship"]["origin"] == "IMPORT"


def test_a_repeated_key_gives_the_first_relationship_back(three: Api) -> None:
    first = relate(three, "a", "CAUSES", "b", score=0.4, idempotencyKey="k")

    same = relate(three, "a", "CAUSES", "b", score=0.4, idempotencyKey="k")
    other = relate(three, "a", "CAUSES", "c", idempotencyKey="k")

    assert same["relationship"]["id"] == first["relationship"]["id"]
    assert (other["error"]["code"], other["error"]["field"]) == ("CONFLICT", "idempotencyKey")
    assert edges(three, "c") == []


def test_a_relationship_is_taken_back_and_the_memories_stay(three: Api) -> None:
    edge = relate(three, "a", "CAUSES", "b")["relationship"]["id"]

    removed = three.ask(REMOVE, id=edge)
    again = three.ask(REMOVE, id=edge)

    assert removed["relationship"] == {"id": edge, "type": "CAUSES"}
    assert again["error"]["code"] == "NOT_FOUND"
    assert edges(three, "a") == []
    assert three.ask("{ memories { totalCount } }")["totalCount"] == 3


@pytest.mark.row("CON-29")
def test_connected_memories_are_those_within_some_hops(api: Api) -> None:
    chain = [store(api, f"link {at}", id=f"n{at}")["id"] for at in range(5)]
    for one, next_one in pairwise(chain):
        relate(api, one, "CAUSES", next_one, score=0.9)

    def reached(**wanted: object) -> list[tuple[str, int]]:
        hits = api.ask(CONNECTED, id="n0", **wanted)
        return [(hit["memory"]["id"], hit["hops"]) for hit in hits]

    assert reached(depth=1) == [("n1", 1)]
    assert reached() == [("n1", 1), ("n2", 2)]
    assert reached(depth=3) == [("n1", 1), ("n2", 2), ("n3", 3)]
    assert reached(types=["SIMILAR"]) == []
    via = api.ask(CONNECTED, id="n2", depth=1)
    assert {hit["memory"]["id"] for hit in via} == {"n1", "n3"}


@pytest.mark.row("CON-32")
def test_a_path_takes_the_fewest_edges(api: Api) -> None:
    for name in "abcde":
        store(api, f"station {name}", id=name)
    for one, other in ("ab", "bc", "cd", "ad"):
        relate(api, one, "RELATED", other)

    path = api.ask(PATH, a="a", b="d")

    assert path["length"] == 1
    assert [node["id"] for node in path["nodes"]] == ["a", "d"]
    assert api.ask(PATH, a="a", b="e") is None
    assert api.ask(PATH, a="a", b="a") == {"length": 0, "nodes": [{"id": "a"}], "edges": []}


def test_a_weighted_path_prefers_strong_edges(api: Api) -> None:
    for name in "abcd":
        store(api, f"place {name}", id=name)
    relate(api, "a", "SUPPORTS", "b", score=0.1)
    relate(api, "b", "SUPPORTS", "d", score=0.1)
    relate(api, "a", "SUPPORTS", "c", score=0.9)
    relate(api, "c", "SUPPORTS", "d", score=0.9)

    path = api.ask(PATH, a="a", b="d", weighted=True)

    assert [node["id"] for node in path["nodes"]] == ["a", "c", "d"]


@pytest.mark.row("CON-28")
def test_no_walk_leaves_the_space(api: Api, stranger: Api) -> None:
    store(api, "mine", id="mine")
    store(stranger, "theirs", id="theirs")
    edge = relate(stranger, store(stranger, "x")["id"], "CAUSES", "theirs")["relationship"][
        "id"
    ]

    refused = relate(api, "mine", "CAUSES", "theirs")["error"]

    assert (refused["code"], refused["field"]) == ("NOT_FOUND", "targetId")
    assert refused["message"] == relate(api, "mine", "CAUSES", "nobody")["error"][
        "message"
    ].replace("nobody", "theirs")
    assert api.ask(REMOVE, id=edge)["error"]["code"] == "NOT_FOUND"
    assert api.refused(PATH, a="mine", b="theirs")["code"] == "NOT_FOUND"
    assert api.refused(CONNECTED, id="theirs")["code"] == "NOT_FOUND"


def test_a_key_of_one_agent_sees_no_edge_to_another(api: Api) -> None:
    store(api, "one", id="one", agentId="one")
    store(api, "two", id="two", agentId="two")
    store(api, "more", id="more", agentId="one")
    relate(api, "one", "CAUSES", "two")
    relate(api, "two", "CAUSES", "more")
    made = api.ask(
        'mutation { createAccessKey(name: "w", role: WRITER, agentId: "one") { secret } }'
    )
    limited = api.as_(made["secret"])

    assert edges(limited, "one") == []
    assert limited.ask(CONNECTED, id="one") == []
    assert limited.ask(PATH, a="one", b="more") is None
    assert (
        limited.ask(
            RELATE, input={"sourceId": "one", "targetId": "two", "relationshipType": "CAUSES"}
        )["error"]["code"]
        == "NOT_FOUND"
    )


def test_the_table_of_types_is_told(api: Api) -> None:
    rows = api.ask("{ relationshipTypes { type meaning symmetric inverse aliases } }")

    assert [row["type"] for row in rows] == TYPES
    assert {row["type"] for row in rows if row["symmetric"]} == SYMMETRIC
    by_type = {row["type"]: row for row in rows}
    assert by_type["GENERALIZES"]["inverse"] == "SPECIALIZES"
    assert "causal" in by_type["CAUSES"]["aliases"]
    assert "opposite" in by_type["CONTRADICTS"]["aliases"]


def test_a_write_is_seen_by_what_follows_it_in_one_request(three: Api) -> None:
    answer = three.ask(
        """mutation {
          a: addRelationship(input: {sourceId: "a", targetId: "b", relationshipType: CAUSES}) {
            relationship { source { text } } }
          b: updateMemory(input: {id: "a", text: "changed meanwhile"}) { success }
          c: addRelationship(input: {sourceId: "a", targetId: "c", relationshipType: CAUSES}) {
            relationship { source { text } } }
        }"""
    )

    assert answer["a"]["relationship"]["source"]["text"] == "memory a"
    assert answer["c"]["relationship"]["source"]["text"] == "changed meanwhile"


def test_an_import_again_does_not_relabel_what_a_person_related(three: Api) -> None:
    relate(three, "a", "CAUSES", "b")

    again = relate(three, "a", "CAUSES", "b", origin="IMPORT")

    assert again["relationship"]["origin"] == "MANUAL"


def test_references_of_other_agents_do_not_count_for_a_limited_key(api: Api) -> None:
    store(api, "one", id="one", agentId="one")
    store(api, "two", id="two", agentId="two")
    relate(api, "two", "REFERENCES", "one")
    made = api.ask(
        'mutation { createAccessKey(name: "r", role: READER, agentId: "one") { secret } }'
    )

    assert api.ask(EDGES, id="one")["crossReferenceCount"] == 1
    assert api.as_(made["secret"]).ask(EDGES, id="one")["crossReferenceCount"] == 0
