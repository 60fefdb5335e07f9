"""Another embedding model, from the refusal to the answer, as a person would go about it."""

import json
import os
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.service import HIPPOGRAPH

OTHER = "bge-small-en-v1.5"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Generator[Run]:
    """Runs `hippograph` with one home; takes the model and the words of the command."""

    def run_command(model: str, *words: str) -> subprocess.CompletedProcess[str]:
        sizes = {"HIPPOGRAPH_HEAP_MB": "512", "HIPPOGRAPH_PAGE_CACHE_MB": "256"}
        return subprocess.run(
            [HIPPOGRAPH, *words, "--home", tmp_path],
            env={**os.environ, **sizes, "EMBEDDING_MODEL": model},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    yield run_command
    run_command(OTHER, "down")


PORTS = ("--port", "0", "--bolt-port", "0", "--browser-port", "0")


def test_a_changed_model_is_refused_until_the_memories_are_embedded_anew(run: Run) -> None:
    first = "all-MiniLM-L6-v2"
    assert run(first, "up", *PORTS).returncode == 0
    for text in ("Mira keeps bees.", "The train leaves at nine."):
        assert run(first, "store", "--text", text).returncode == 0
    assert "hippograph down" in run(first, "reindex").stderr
    run(first, "down")

    refused = run(OTHER, "up", *PORTS)
    assert refused.returncode == 1
    assert "hippograph reindex" in refused.stderr

    reindexed = run(OTHER, "reindex", "--json")
    assert json.loads(reindexed.stdout) == {"embedded": 2, "model": OTHER}
    assert json.loads(run(OTHER, "reindex", "--json").stdout)["embedded"] == 0

    assert run(OTHER, "up", *PORTS).returncode == 0
    found = run(OTHER, "retrieve", "--query", "insects and honey", "--limit", "1", "--json")
    assert [hit["text"] for hit in json.loads(found.stdout)] == ["Mira keeps bees."]
