"""How the command line starts, and how it says no; no service is needed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hippograph.api.cli.main import exit_code

HEAVY = ("fastembed", "neo4j", "strawberry", "numpy", "httpx", "pydantic", "onnxruntime")
SCRIPT = Path(sys.executable).parent / "hippograph"


def test_help_loads_nothing_heavy() -> None:
    source = "import sys, hippograph.api.cli.main; print(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )

    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded.isdisjoint(HEAVY)


def test_the_installed_script_answers() -> None:
    done = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True, check=True)

    assert done.stdout.strip()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["store"], "--text"),
        (["store", "--text", "a", "--kind", "dream"], "semantic"),
        (["store", "--text", "a", "--importance", "nan"], "finite"),
        (["store", "--text", "a", "--metadata", "{"], "--metadata"),
        (["store", "--text", "a", "--metadata", '{"a": NaN}'], "NaN is not allowed"),
        (["store", "--text", "a", "--created-at", "soon"], "2026-04-04T09:00:00Z"),
        (["store", "--text", "\udcff"], "not UTF-8"),
        (["list", "--tier", "tepid"], "WARM"),
        (["retrieve", "a", "--strategy", "luck"], "HYBRID"),
        (["retrieve"], "one question"),
        (["retrieve", "a", "--query", "b"], "one question"),
        (["relate", "a", "eats", "b"], "REFERENCES"),
        (["relate", "a"], "TARGET"),
        (["import", ".", "--format", "word"], "markdown"),
        (["whoami", "--url", "nowhere"], "--url"),
        (["whoami", "--url", "http://example.org"], "--token-file"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_use_is_told_on_standard_error_with_exit_code_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = exit_code(words)

    captured = capsys.readouterr()
    assert code == 2
    assert said in captured.err
    assert captured.out == ""


def test_a_service_that_is_not_running_is_told_with_the_command_that_starts_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "token"
    key.write_text("key", encoding="utf-8")

    code = exit_code(["whoami", "--url", "http://127.0.0.1:9", "--token-file", str(key)])

    assert code == 1
    assert "hippograph up" in capsys.readouterr().err


def test_a_home_without_a_key_is_told_with_the_command_that_makes_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = exit_code(["whoami", "--home", str(tmp_path)])

    assert code == 1
    assert "hippograph up" in capsys.readouterr().err


def test_config_check_names_the_nearest_setting_of_a_misspelt_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.json").write_text('{"server": {"prt": 1}}', encoding="utf-8")

    code = exit_code(["config", "check", "--home", str(tmp_path)])

    assert code == 1
    assert "server.port" in capsys.readouterr().err


def test_a_dry_run_needs_no_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text("Tea is hot.", encoding="utf-8")

    code = exit_code(["import", str(tmp_path), "--dry-run"])

    assert code == 0
    assert "1 memories and 0 links would come" in capsys.readouterr().out


def test_a_file_that_is_no_export_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "conversations.json").write_text("{}", encoding="utf-8")

    code = exit_code(["import", str(tmp_path), "--dry-run"])

    assert code == 1
    assert "no JSON array" in capsys.readouterr().err


def test_a_line_with_half_a_surrogate_pair_is_skipped_and_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text('{"text": "a", "tags": ["\\ud83d"]}\n{"text": "b"}', encoding="utf-8")

    code = exit_code(["import", str(file), "--dry-run", "--json"])

    report = json.loads(capsys.readouterr().out)
    assert code == 0
    assert (report["stored"], report["skipped"][0]["place"]) == (1, "memories.jsonl:1")
