"""Keys, spaces and settings on the command line, against the running service."""

from pathlib import Path

import pytest

from hippograph.api.cli.main import exit_code
from tests.api.cli.shell import Shell
from tests.service import Service


@pytest.mark.parametrize("words", [["whoami"], ["config", "show"]])
def test_a_home_tells_address_and_keys_by_itself(
    service: Service, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = exit_code([*words, "--home", str(service.home)])

    assert code == 0, capsys.readouterr().err


def test_a_new_space_is_its_owners(shell: Shell) -> None:
    who = shell.json("whoami")

    assert (who["name"], who["role"]) == ("ada", "OWNER")


def test_a_key_opens_what_its_role_allows_until_it_is_revoked(
    shell: Shell, tmp_path: Path
) -> None:
    made = shell.json("keys", "create", "bob", "--role", "reader", "--days", "3")
    key = tmp_path / "bob"
    key.write_text(made["secret"], encoding="utf-8")

    assert shell.run("agents", token_file=key).code == 0
    assert "WRITER" in shell.run("store", "--text", "a", token_file=key).err
    shell.json("keys", "revoke", made["key"]["id"])
    assert shell.run("agents", token_file=key).code == 1


def test_a_secret_is_shown_once(shell: Shell) -> None:
    made = shell.json("keys", "create", "bob")

    listed = shell.run("keys", "list", "--json")

    assert made["key"]["id"] in listed.out
    assert made["secret"] not in listed.out


def test_agents_are_listed_once_they_have_memories(shell: Shell) -> None:
    shell.store("a memory", "--agent-id", "helper")

    assert "helper" in shell.json("agents")


def test_settings_in_force_are_for_operators(shell: Shell, operator_shell: Shell) -> None:
    keys = [one["key"] for one in operator_shell.json("config", "show")]

    assert "correlator.embedding_model" in keys
    assert shell.run("config", "show").code == 1


def test_relationship_types_tell_their_other_names(shell: Shell) -> None:
    aliases = {one["type"]: one["aliases"] for one in shell.json("relationship-types")}

    assert len(aliases) == 11
    assert "causal" in aliases["CAUSES"]
