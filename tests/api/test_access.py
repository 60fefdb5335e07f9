"""Spaces, keys and roles over GraphQL, and the doors of HTTP."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.api.memories import RELATE, STORE, UPDATE, store
from tests.service import Api, Service, new_space

CREATE_KEY = """mutation($name: String!, $role: Role!, $agentId: String, $days: Int) {
  createAccessKey(name: $name, role: $role, agentId: $agentId, days: $days) {
    success secret
    key { id expiresAt revoked principal { space name role agentId } }
    error { code message field }
  }
}"""
REVOKE = """mutation($id: ID!) {
  revokeAccessKey(id: $id) { success key { id revoked } error { code message field } }
}"""
CREATE_SPACE = """mutation($space: ID!) {
  createSpace(space: $space, ownerName: "ann") {
    success secret key { principal { space name role } } error { code message field }
  }
}"""


def key(api: Api, role: str, **fields: object) -> Api:
    made = api.ask(CREATE_KEY, name=f"a-{role.lower()}", role=role, **fields)
    assert made["success"], made["error"]
    return api.as_(made["secret"])


def test_a_space_is_made_once_with_its_owner(operator: Api) -> None:
    name = new_space(operator).ask("{ whoami { space } }")["space"]

    again = operator.ask(CREATE_SPACE, space=name)
    bad = operator.ask(CREATE_SPACE, space="no blanks")

    assert (again["error"]["code"], again["error"]["field"]) == ("CONFLICT", "space")
    assert (bad["error"]["code"], bad["error"]["field"]) == ("INVALID", "space")


def test_a_caller_is_who_the_key_says(api: Api) -> None:
    limited = key(api, "WRITER", agentId="scout")

    assert limited.ask("{ whoami { name role agentId } }") == {
        "name": "a-writer",
        "role": "WRITER",
        "agentId": "scout",
    }


def test_the_local_token_owns_the_default_space(service: Service, operator: Api) -> None:
    local = operator.as_(service.token)

    assert local.ask("{ whoami { space role } }") == {"space": "default", "role": "OWNER"}


@pytest.mark.parametrize(
    ("role", "document", "variables"),
    [
        ("READER", STORE, {"input": {"text": "x"}}),
        ("READER", UPDATE, {"input": {"id": "x", "text": "x"}}),
        (
            "READER",
            RELATE,
            {"input": {"sourceId": "a", "targetId": "b", "relationshipType": "CAUSES"}},
        ),
        ("READER", "mutation { reinforceMemory(id: 1) { error { code } } }", {}),
        ("READER", "mutation { removeRelationship(id: 1) { error { code } } }", {}),
        ("CURATOR", CREATE_KEY, {"name": "x", "role": "READER"}),
        ("CURATOR", REVOKE, {"id": "x"}),
        ("OWNER", CREATE_SPACE, {"space": "x"}),
    ],
)
def test_a_role_that_does_not_reach_is_forbidden(
    api: Api, role: str, document: str, variables: dict[str, Any]
) -> None:
    answer = key(api, role).ask(document, **variables)

    assert answer["error"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    ("role", "document"),
    [
        ("WRITER", "{ accessKeys { id } }"),
        ("OWNER", "{ settings { key } }"),
    ],
)
def test_a_query_that_a_role_does_not_reach_is_an_error(
    api: Api, role: str, document: str
) -> None:
    assert key(api, role).refused(document)["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    "document",
    [
        '{ memory(id: "x") { id } }',
        "{ memories { totalCount } }",
        '{ recall(query: "x") { totalResults } }',
        '{ connectedMemories(memoryId: "x") { hops } }',
        '{ connectionPath(sourceId: "x", targetId: "y") { length } }',
        "{ agents }",
    ],
)
def test_an_operator_reads_no_memory(operator: Api, document: str) -> None:
    assert operator.refused(document)["code"] == "FORBIDDEN"


def test_a_reader_reads(api: Api) -> None:
    memory = store(api, "for all to see")

    assert key(api, "READER").ask(
        "query($id: ID!) { memory(id: $id) { text } }", id=memory["id"]
    ) == {"text": "for all to see"}


def test_a_key_of_one_agent_is_confined_to_it(api: Api) -> None:
    theirs = store(api, "of another agent", agentId="other")
    limited = key(api, "WRITER", agentId="scout")

    mine = store(limited, "of the scout")

    assert mine["agentId"] == "scout"
    refused = limited.ask(STORE, input={"text": "x", "agentId": "other"})["error"]
    assert (refused["code"], refused["field"]) == ("FORBIDDEN", "agentId")
    assert limited.ask("query($id: ID!) { memory(id: $id) { id } }", id=theirs["id"]) is None
    assert limited.ask("{ memories { totalCount } }")["totalCount"] == 1
    assert limited.ask("{ agents }") == ["scout"]
    assert limited.refused('{ recall(query: "x", agentId: "other") { omitted } }')["code"] == (
        "FORBIDDEN"
    )
    across = limited.ask(
        """{ recall(query: "agent", options: {acrossAgents: true}) {
          primary { memory { id } } } }"""
    )
    assert [hit["memory"]["id"] for hit in across["primary"]] == [mine["id"]]


def test_a_revoked_key_opens_nothing_at_once(api: Api) -> None:
    made = api.ask(CREATE_KEY, name="brief", role="READER")
    brief = api.as_(made["secret"])
    brief.ask("{ whoami { name } }")

    revoked = api.ask(REVOKE, id=made["key"]["id"])

    assert revoked["key"] == {"id": made["key"]["id"], "revoked": True}
    assert brief.refused("{ whoami { name } }")["code"] == "UNAUTHENTICATED"


def test_the_last_owner_can_not_lock_everybody_out(api: Api) -> None:
    [only] = api.ask("{ accessKeys { id } }")

    refused = api.ask(REVOKE, id=only["id"])

    assert refused["error"]["code"] == "CONFLICT"
    key(api, "OWNER")
    assert api.ask(REVOKE, id=only["id"])["success"]


def test_keys_of_another_space_are_unknown(api: Api, stranger: Api) -> None:
    [theirs] = stranger.ask("{ accessKeys { id } }")

    refused = api.ask(REVOKE, id=theirs["id"])["error"]

    assert refused["code"] == "NOT_FOUND"
    assert refused["message"] == api.ask(REVOKE, id="nothing")["error"]["message"].replace(
        "nothing", theirs["id"]
    )
    assert stranger.ask("{ whoami { role } }")["role"] == "OWNER"


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("name", {"name": "no blanks"}),
        ("role", {"role": "OPERATOR"}),
        ("days", {"days": 0}),
        ("agentId", {"agentId": ""}),
    ],
)
def test_a_bad_key_is_refused_by_the_name_of_its_field(
    api: Api, field: str, given: dict[str, Any]
) -> None:
    result = api.ask(CREATE_KEY, **{"name": "x", "role": "READER", **given})

    assert (result["error"]["code"], result["error"]["field"]) == ("INVALID", field)


def test_a_principal_keeps_its_role(api: Api) -> None:
    api.ask(CREATE_KEY, name="sam", role="READER")

    again = api.ask(CREATE_KEY, name="sam", role="READER", days=3)
    other = api.ask(CREATE_KEY, name="sam", role="OWNER")

    assert again["success"]
    assert again["key"]["expiresAt"] is not None
    assert (other["error"]["code"], other["error"]["field"]) == ("CONFLICT", "role")
    assert len(api.ask("{ accessKeys { id } }")) == 3


def test_settings_are_for_operators_and_show_no_secret(operator: Api) -> None:
    settings = {
        one["key"]: one for one in operator.ask("{ settings { key value origin environment } }")
    }

    assert settings["correlator.min_score"]["value"] == 0.6
    assert settings["correlator.min_score"]["environment"] == "MIN_CORRELATION_SCORE"
    assert settings["neo4j.heap_mb"]["origin"] == "environment"
    assert settings["sync.token"]["value"] is None


@pytest.mark.parametrize(
    "header", [{}, {"Authorization": "Bearer hg_wrong"}, {"Authorization": "Basic abc"}]
)
def test_without_a_valid_key_nothing_opens(
    http: httpx.Client, service: Service, header: dict[str, str]
) -> None:
    answer = http.post(service.url, json={"query": "{ whoami { name } }"}, headers=header)

    assert answer.status_code == 401
    assert answer.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


def test_health_is_open_and_metrics_are_for_operators(
    service: Service, api: Api, operator: Api
) -> None:
    base = service.url.removesuffix("/graphql")

    def get(path: str, key: str | None = None) -> httpx.Response:
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        return httpx.get(f"{base}/{path}", headers=headers)

    assert get("livez").json() == {"status": "ok"}
    assert get("readyz").json()["checks"] == {
        "neo4j": "ok",
        "indexes": "ok",
        "model": "ok",
        "model_name": "all-MiniLM-L6-v2",
    }
    assert get("metrics").status_code == 401
    assert get("metrics", api.token).status_code == 403
    assert "hippograph_requests_total" in get("metrics", operator.token).text


def test_a_request_carries_its_id(api: Api) -> None:
    def identified(given: str) -> str:
        answer = api.client.post(
            api.url,
            json={"query": "{ whoami { name } }"},
            headers={"Authorization": f"Bearer {api.token}", "X-Request-Id": given},
        )
        return answer.headers["x-request-id"]

    assert identified("abc-1") == "abc-1"
    assert identified("no good id") != "no good id"


def test_logs_hold_no_text_of_a_memory(service: Service, api: Api) -> None:
    store(api, "xyzzy is a magic word")
    api.post('{ memory(id: "xyzzy" }')
    api.post(
        'mutation { storeMemory(input: {text: "xyzzy", importance: "xyzzy"}) { success } }'
    )
    api.post('{ recall(query: "xyzzy") { omitted } }')

    log = (service.home / "logs" / "api.log").read_text("utf-8")

    assert "request_id" in log
    assert "xyzzy" not in log


def test_a_key_of_one_agent_manages_no_keys(api: Api) -> None:
    limited = key(api, "OWNER", agentId="scout")

    assert limited.refused("{ accessKeys { id } }")["code"] == "FORBIDDEN"
    made = limited.ask(CREATE_KEY, name="wide", role="OWNER")
    [owner, _] = api.ask("{ accessKeys { id } }")
    assert made["error"]["code"] == "FORBIDDEN"
    assert limited.ask(REVOKE, id=owner["id"])["error"]["code"] == "FORBIDDEN"


def test_two_owners_who_revoke_each_other_leave_one(api: Api) -> None:
    other = key(api, "OWNER")
    first, second = (one["id"] for one in api.ask("{ accessKeys { id } }"))

    with ThreadPoolExecutor(2) as pool:
        answers = [
            pool.submit(api.post, REVOKE, id=second),
            pool.submit(other.post, REVOKE, id=first),
        ]
    done = [
        answer.result()["data"]["revokeAccessKey"]["success"]
        for answer in answers
        if answer.result()["data"]
    ]

    assert done.count(True) == 1
