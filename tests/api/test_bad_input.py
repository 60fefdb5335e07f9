"""What callers get wrong: a typed error that names the field, and nothing half done."""

import pytest

from tests.api.memories import RECALL, RELATE, STORE, UPDATE, refusal, store
from tests.service import Api

TOO_LONG = "x" * (64 * 1024 + 1)
BAD_MEMORIES: list[tuple[str, dict[str, object]]] = [
    ("text", {"text": ""}),
    ("text", {"text": " \t\n"}),
    ("text", {"text": "\u200b\u200d"}),
    ("text", {"text": "half \ud800 pair"}),
    ("text", {"text": "nul \x00 inside"}),
    ("text", {"text": TOO_LONG}),
    ("text", {"text": "é" * (32 * 1024) + "x"}),
    ("importance", {"importance": 1.0000001}),
    ("importance", {"importance": -0.1}),
    ("tags", {"tags": [f"t{at}" for at in range(33)]}),
    ("tags", {"tags": [" "]}),
    ("tags", {"tags": ["x" * 129]}),
    ("entities", {"entities": [f"e{at}" for at in range(65)]}),
    ("metadata", {"metadata": {"m": "x" * (16 * 1024)}}),
    ("metadata", {"metadata": [1, 2]}),
    ("createdAt", {"createdAt": "2026-01-01T00:00:00"}),
    ("expiresAt", {"expiresAt": "2026-01-01"}),
    ("category", {"category": "a/b/c/d/e"}),
    ("category", {"category": "a//b"}),
    ("agentId", {"agentId": "no blanks"}),
    ("agentId", {"agentId": ""}),
    ("id", {"id": "no blanks"}),
    ("id", {"id": "x" * 129}),
    ("idempotencyKey", {"idempotencyKey": "  "}),
    ("sessionId", {"sessionId": "x" * 257}),
    ("source", {"source": ""}),
]


@pytest.mark.parametrize(("field", "given"), BAD_MEMORIES)
def test_a_bad_memory_is_refused_by_the_name_of_its_field(
    api: Api, field: str, given: dict[str, object]
) -> None:
    fields = {"text": "good", **given}

    error = refusal(api, str(fields.pop("text")), **fields)

    assert (error["code"], error["field"]) == ("INVALID", field)
    assert error["message"].startswith(field)
    assert api.ask("{ memories { totalCount } }")["totalCount"] == 0


def test_the_largest_that_is_allowed_goes_in(api: Api) -> None:
    memory = store(
        api,
        "word " * 13107 + "x",
        tags=[f"t{at}" for at in range(32)],
        entities=[f"e{at}" for at in range(64)],
        metadata={"m": "x" * (16 * 1024 - 9)},
        category="a/b/c/d",
        id="x" * 128,
    )

    assert len(memory["text"]) == 64 * 1024


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused_by_the_name_of_its_field(
    api: Api, number: str
) -> None:
    body = '{"query": %s, "variables": {"input": {"text": "x", "importance": %s}}}'
    document = (
        '"mutation($input: StoreMemoryInput!) { storeMemory(input: $input) { success } }"'
    )

    answer = api.client.post(
        api.url,
        content=body % (document, number),
        headers={"Authorization": f"Bearer {api.token}", "Content-Type": "application/json"},
    ).json()

    [error] = answer["errors"]
    assert error["extensions"] == {"code": "INVALID", "field": "importance"}


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("limit", {"limit": 0}),
        ("limit", {"limit": 101}),
        ("connectionHops", {"connectionHops": 0}),
        ("connectionHops", {"connectionHops": 4}),
        ("recencyWeight", {"recencyWeight": 1.1}),
        ("recencyWeight", {"recencyWeight": -0.1}),
        ("kinds", {"kinds": []}),
        ("tiers", {"tiers": []}),
        ("connectionTypes", {"connectionTypes": []}),
        ("asOf", {"asOf": "2026-01-01T00:00:00"}),
        ("maxBytes", {"maxBytes": 0}),
        ("category", {"category": "a/b/c/d/e"}),
    ],
)
def test_a_bad_option_of_recall_is_refused_by_its_name(
    api: Api, field: str, options: dict[str, object]
) -> None:
    refused = api.refused(RECALL, query="anything", options=options)

    assert (refused["code"], refused["field"]) == ("INVALID", field)


@pytest.mark.parametrize("query", ["", "  ", "\u200b"])
def test_a_question_of_nothing_is_refused(api: Api, query: str) -> None:
    refused = api.refused(RECALL, query=query)

    assert (refused["code"], refused["field"]) == ("INVALID", "query")


@pytest.mark.parametrize(
    "query",
    ["C++", "a/b", 'foo"', "AND", "OR NOT", "tb-", "*", "?", "(", "a:b^2~", "\\", "!&&"],
)
def test_lucene_syntax_in_a_question_is_plain_text(api: Api, query: str) -> None:
    memory = store(api, f"a note on {query} and little else")

    answer = api.ask(RECALL, query=query, options={"reinforce": False})

    assert [hit["memory"]["id"] for hit in answer["primary"]] == [memory["id"]]


@pytest.mark.parametrize(
    "query", ["😀", "ما هي القهوة؟", "日本語の本", "nul \x00 inside", "w " * 32000]
)
def test_a_strange_question_is_answered(api: Api, query: str) -> None:
    store(api, "something to find")

    assert api.ask(RECALL, query=query)["strategyUsed"] in {"HYBRID", "VECTOR", "KEYWORD"}


@pytest.mark.parametrize(
    ("code", "field", "given"),
    [
        ("NOT_FOUND", "sourceId", {"sourceId": "nobody"}),
        ("NOT_FOUND", "targetId", {"targetId": "nobody"}),
        ("INVALID", "targetId", {"targetId": "a"}),
        ("INVALID", "score", {"score": 1.5}),
        ("INVALID", "metadata", {"metadata": "text"}),
        ("INVALID", "origin", {"origin": "BURST"}),
    ],
)
def test_a_bad_relationship_is_refused_by_the_name_of_its_field(
    api: Api, code: str, field: str, given: dict[str, object]
) -> None:
    store(api, "one end", id="a")
    store(api, "other end", id="b")
    asked = {"sourceId": "a", "targetId": "b", "relationshipType": "RELATED", **given}

    result = api.ask(RELATE, input=asked)

    assert (result["error"]["code"], result["error"]["field"]) == (code, field)
    assert api.ask('{ memory(id: "a") { relationships { id } } }')["relationships"] == []


@pytest.mark.parametrize(
    ("field", "document"),
    [
        ("first", "{ memories(first: 0) { totalCount } }"),
        ("first", "{ memories(first: 101) { totalCount } }"),
        ("after", '{ memories(after: "bm9wZQ==") { totalCount } }'),
        ("kinds", "{ memories(filter: {kinds: []}) { totalCount } }"),
        ("createdFrom", '{ memories(filter: {createdFrom: "2026-01-01"}) { totalCount } }'),
        ("depth", '{ connectedMemories(memoryId: "a", depth: 0) { hops } }'),
        ("depth", '{ connectedMemories(memoryId: "a", depth: 4) { hops } }'),
        ("types", '{ connectedMemories(memoryId: "a", types: []) { hops } }'),
        ("first", '{ memory(id: "a") { relationships(first: 51) { id } } }'),
        ("minScore", '{ memory(id: "a") { relationships(minScore: 2) { id } } }'),
        ("first", '{ memory(id: "a") { revisions(first: 0) { version } } }'),
    ],
)
def test_a_bad_argument_is_refused_by_its_name(api: Api, field: str, document: str) -> None:
    store(api, "here", id="a")

    refused = api.refused(document)

    assert (refused["code"], refused["field"]) == ("INVALID", field)


def test_a_bad_update_changes_nothing(api: Api) -> None:
    memory = store(api, "as it was")
    for given in ({"text": " "}, {"importance": 7}, {"metadata": [1]}, {"text": TOO_LONG}):
        result = api.ask(UPDATE, input={"id": memory["id"], **given})
        assert (result["error"]["code"], result["error"]["field"]) == ("INVALID", *given)

    stored = api.ask("query($id: ID!) { memory(id: $id) { text version } }", id=memory["id"])
    assert stored == {"text": "as it was", "version": 1}


def test_what_is_no_graphql_is_said_to_be_invalid(api: Api) -> None:
    assert api.refused("{ nonsense }")["code"] == "INVALID"
    assert api.refused("{ memory(")["code"] == "INVALID"
    assert api.refused(STORE)["code"] == "INVALID"
    deep = "{ memory(id: 1) { " + "relationships { source { " * 9 + "id" + " } }" * 9 + " } }"
    assert api.refused(deep)["code"] == "INVALID"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "null",
        "1",
        '"query"',
        "[]",
        "[1]",
        '{"query": 1}',
        '{"query": "{ whoami { name } }", "operationName": 1}',
        '{"query": "{ whoami { name } }", "variables": []}',
        '{"variables": {"n": %s}}' % ("9" * 5000),
    ],
)
def test_a_body_that_is_no_request_is_said_to_be_invalid(api: Api, body: str) -> None:
    answer = api.client.post(
        api.url,
        content=body,
        headers={"Authorization": f"Bearer {api.token}", "Content-Type": "application/json"},
    )

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["extensions"]["code"] == "INVALID"


HALF = "half \ud800 pair"


@pytest.mark.parametrize(
    ("field", "document"),
    [
        ("id", "query($x: ID!) { memory(id: $x) { id } }"),
        ("memoryId", "query($x: ID!) { connectedMemories(memoryId: $x) { hops } }"),
        ("sourceId", "query($x: ID!) { connectionPath(sourceId: $x, targetId: 1) { length } }"),
        ("targetId", "query($x: ID!) { connectionPath(sourceId: 1, targetId: $x) { length } }"),
    ],
)
def test_an_id_that_no_text_can_be_is_invalid(api: Api, field: str, document: str) -> None:
    refused = api.refused(document, x=HALF)

    assert (refused["code"], refused["field"]) == ("INVALID", field)


def test_a_time_that_is_none_is_refused_by_the_name_of_its_field(api: Api) -> None:
    refused = api.refused(STORE, input={"text": "x", "createdAt": "yesterday"})

    assert (refused["code"], refused["field"]) == ("INVALID", "createdAt")


def test_a_question_that_multiplies_is_stopped(api: Api) -> None:
    for at in range(40):
        store(api, f"node {at}", id=f"n{at}")
    inputs = [
        {"sourceId": f"n{a}", "targetId": f"n{b}", "relationshipType": "CAUSES"}
        for a in range(40)
        for b in range(a + 1, min(a + 26, 40))
    ]
    api.ask(
        """mutation($inputs: [AddRelationshipInput!]!) {
          addRelationships(inputs: $inputs) { success } }""",
        inputs=inputs,
    )

    refused = api.post(
        """{ memories(first: 40) { items { relationships(first: 50) {
          target { relationships(first: 50) { id } } } } } }"""
    )["errors"]

    assert {error["extensions"]["code"] for error in refused} == {"LIMIT_REACHED"}
