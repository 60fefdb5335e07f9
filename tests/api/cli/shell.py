"""A shell in which commands of the command line run against the running service."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.cli.main import exit_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """Runs commands under one key, that of an owner of a space of its own."""

    url: str
    token_file: Path
    capture: pytest.CaptureFixture[str]

    def run(self, *words: str, token_file: Path | None = None) -> Outcome:
        """Run one command with the shell's key, or another one."""
        key = str(token_file or self.token_file)
        self.capture.readouterr()
        code = exit_code([*words, "--url", self.url, "--token-file", key])
        captured = self.capture.readouterr()
        return Outcome(code=code, out=captured.out, err=captured.err)

    def json(self, *words: str) -> Any:
        """The JSON answer of a command that must succeed."""
        outcome = self.run(*words, "--json")
        assert outcome.code == 0, outcome.err
        return outcome.json

    def store(self, text: str, *words: str) -> str:
        """The id of a memory just stored."""
        return self.json("store", "--text", text, *words)["id"]
