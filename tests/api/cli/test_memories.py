"""Memories on the command line, against the running service."""

import json
import subprocess
import sys
from pathlib import Path

from tests.api.cli.shell import Shell


def test_a_stored_memory_is_shown_as_it_was_given(shell: Shell) -> None:
    own = shell.store(
        "Ada prefers tea.",
        *("--category", "people/ada", "--importance", "0.8", "--kind", "semantic"),
        *("--tag", "drink", "--tag", "ada", "--entity", "Ada", "--session", "s1"),
        *("--source", "chat", "--metadata", '{"n": 12345678901234567890}'),
    )

    shown = shell.json("show", own)

    assert shown["text"] == "Ada prefers tea."
    assert shown["category"] == "people/ada"
    assert shown["kind"] == "SEMANTIC"
    assert shown["importance"] == 0.8
    assert shown["tags"] == ["drink", "ada"]
    assert "Ada" in shown["entities"]
    assert (shown["sessionId"], shown["source"]) == ("s1", "chat")
    assert shown["metadata"] == {"n": 12345678901234567890}


def test_a_text_can_come_from_standard_input(shell: Shell) -> None:
    words = ["--url", shell.url, "--token-file", str(shell.token_file)]
    script = Path(sys.executable).parent / "hippograph"

    done = subprocess.run(
        [script, "store", "--text", "-", "--json", *words],
        input="Tee heiß.\n".encode(),
        capture_output=True,
        check=True,
    )

    assert json.loads(done.stdout)["text"] == "Tee heiß."


def test_a_time_without_an_offset_is_taken_as_utc_and_said(shell: Shell) -> None:
    outcome = shell.run(
        "store", "--text", "Rain.", "--created-at", "2026-04-04T09:00:00", "--json"
    )

    assert "taken as UTC" in outcome.err
    assert outcome.json["createdAt"] == "2026-04-04T09:00:00Z"


def test_an_update_changes_what_is_named_and_nothing_else(shell: Shell) -> None:
    own = shell.store("Ada prefers tea.", "--tag", "drink")

    updated = shell.json("update", own, "--text", "Ada prefers coffee.")

    assert updated["text"] == "Ada prefers coffee."
    assert updated["tags"] == ["drink"]
    assert updated["version"] == 2


def test_an_update_of_another_version_is_refused(shell: Shell) -> None:
    own = shell.store("Ada prefers tea.")

    outcome = shell.run("update", own, "--text", "Coffee.", "--expected-version", "7")

    assert outcome.code == 1
    assert "expectedVersion" in outcome.err


def test_a_refusal_names_the_field_and_what_is_allowed(shell: Shell) -> None:
    outcome = shell.run("store", "--text", "a", "--importance", "2")

    assert outcome.code == 1
    assert outcome.err == "importance must be a number from 0 to 1\n"
    assert outcome.out == ""


def test_a_memory_that_is_not_there_is_told(shell: Shell) -> None:
    outcome = shell.run("show", "nowhere")

    assert outcome.code == 1
    assert "no memory nowhere" in outcome.err


def test_a_list_is_paged_by_cursor(shell: Shell) -> None:
    stored = {shell.store(f"Fact number {n}.", "--tag", "fact") for n in range(3)}
    shell.store("Something else.")

    tiers = ("--tier", "hot", "--tier", "warm")
    first = shell.json("list", "--tag", "fact", *tiers, "--first", "2")
    cursor = first["pageInfo"]["endCursor"]
    second = shell.json("list", "--tag", "fact", "--first", "2", "--after", cursor)

    assert first["totalCount"] == 3
    assert {one["id"] for page in (first, second) for one in page["items"]} == stored
    assert not second["pageInfo"]["hasNextPage"]


def test_reinforcing_counts_an_access(shell: Shell) -> None:
    own = shell.store("Ada prefers tea.")

    assert shell.json("reinforce", own)["accessCount"] == 1


def test_what_people_see_holds_no_terminal_controls(shell: Shell) -> None:
    own = shell.store("red \x1b[31m alert")

    assert "\x1b" not in shell.run("show", own).out


def test_a_key_that_is_no_key_is_told(shell: Shell) -> None:
    shell.token_file.write_text("wrong", encoding="utf-8")

    outcome = shell.run("whoami")

    assert outcome.code == 1
    assert "unknown, revoked or expired" in outcome.err
