"""What tests of the command line stand on: shells that reach the running service."""

import secrets
from pathlib import Path

import pytest

from tests.api.cli.shell import Shell
from tests.service import Service


@pytest.fixture
def operator_shell(service: Service, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell under the operator's key."""
    return Shell(url=service.url, token_file=service.operator_token_file, capture=capsys)


@pytest.fixture
def shell(operator_shell: Shell, tmp_path: Path) -> Shell:
    """A shell whose commands reach a fresh space."""
    name = f"cli-{secrets.token_hex(6)}"
    made = operator_shell.json("spaces", "create", name, "--owner", "ada")
    token_file = tmp_path / "token"
    token_file.write_text(made["secret"], encoding="utf-8")
    return Shell(url=operator_shell.url, token_file=token_file, capture=operator_shell.capture)
