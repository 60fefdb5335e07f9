"""Recall and relationships on the command line, against the running service."""

from tests.api.cli.shell import Shell


def test_retrieve_answers_a_list_whose_memories_have_a_text(shell: Shell) -> None:
    shell.store("The deployment uses Kubernetes on Hetzner.")
    shell.store("Ada prefers green tea.")

    answer = shell.json("retrieve", "--query", "Which tea does Ada like?", "--limit", "1")

    assert [one["text"] for one in answer] == ["Ada prefers green tea."]
    assert set(answer[0]) >= {"id", "relevance", "scores", "trace", "connected"}


def test_retrieve_takes_its_question_as_an_argument_too(shell: Shell) -> None:
    own = shell.store("Ada prefers green tea.")

    assert [one["id"] for one in shell.json("retrieve", "green tea")] == [own]


def test_what_connections_led_to_stands_with_the_hit_it_was_reached_from(shell: Shell) -> None:
    tea = shell.store("Ada prefers green tea.")
    shop = shell.store("The corner store opens at nine.")
    shell.json("relate", tea, "references", shop)

    (hit,) = shell.json("retrieve", "Which tea does Ada like?", "--limit", "1")

    assert [one["id"] for one in hit["connected"]] == [shop]


def test_no_hops_leave_connections_out(shell: Shell) -> None:
    tea = shell.store("Ada prefers green tea.")
    shell.json("relate", tea, "references", shell.store("The corner store opens at nine."))

    (hit,) = shell.json("retrieve", "Which tea?", "--limit", "1", "--hops", "0")

    assert hit["connected"] == []


def test_a_relationship_is_made_by_any_name_of_its_type(shell: Shell) -> None:
    a, b = shell.store("Rain fell."), shell.store("The street is wet.")

    edge = shell.json("relate", a, "Causal", b, "--score", "0.9", "--metadata", '{"by": "me"}')

    assert (edge["type"], edge["source"]["id"], edge["target"]["id"]) == ("CAUSES", a, b)
    assert (edge["score"], edge["metadata"]) == (0.9, {"by": "me"})


def test_a_relationship_can_be_taken_back(shell: Shell) -> None:
    a, b = shell.store("A wheel."), shell.store("A cart.")
    edge = shell.json("relate", a, "part of", b)

    shell.json("relate", "--remove", edge["id"])

    assert shell.json("connected", a) == []


def test_connected_memories_are_drawn_as_a_tree_with_arrows(shell: Shell) -> None:
    a, b, c = shell.store("First."), shell.store("Second."), shell.store("Third.")
    shell.json("relate", a, "references", b)
    shell.json("relate", c, "part_of", b)

    drawn = shell.run("connected", a).out

    assert "—REFERENCES→ Second." in drawn
    assert "←PART_OF— Third." in drawn


def test_connected_memories_can_be_narrowed_to_a_type(shell: Shell) -> None:
    a, b, c = shell.store("First."), shell.store("Second."), shell.store("Third.")
    shell.json("relate", a, "references", b)
    shell.json("relate", a, "supports", c)

    found = shell.json("connected", a, "--type", "supports")

    assert [one["memory"]["id"] for one in found] == [c]


def test_a_path_shows_each_edge_in_its_own_direction(shell: Shell) -> None:
    a, b, c = shell.store("First."), shell.store("Second."), shell.store("Third.")
    shell.json("relate", a, "references", b)
    shell.json("relate", c, "references", b)

    lines = shell.run("path", a, c).out.splitlines()

    assert [line.strip() for line in lines] == [
        "First.",
        "—REFERENCES→ Second.",
        "←REFERENCES— Third.",
    ]


def test_no_path_is_null_and_no_failure(shell: Shell) -> None:
    assert shell.json("path", shell.store("First."), shell.store("Second.")) is None
