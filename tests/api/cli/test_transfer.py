"""Import on the command line, against the running service."""

import json
from pathlib import Path

from tests.api.cli.shell import Shell


def a_vault(folder: Path) -> Path:
    """Two notes that refer to each other."""
    vault = folder / "vault"
    vault.mkdir()
    (vault / "Tea.md").write_text("# Tea\n\nSee [[Pot]].\n\n## Green\n\nSteep briefly.")
    (vault / "Pot.md").write_text("A pot keeps [[Tea]] warm.")
    return vault


def test_an_import_stores_memories_and_links_and_reports_them(
    shell: Shell, tmp_path: Path
) -> None:
    report = shell.json("import", str(a_vault(tmp_path)))

    assert (report["stored"], report["links"], report["skipped"]) == (3, 3, [])
    assert shell.json("list")["totalCount"] == 3


def test_importing_again_stores_nothing_twice(shell: Shell, tmp_path: Path) -> None:
    vault = a_vault(tmp_path)
    shell.json("import", str(vault))

    again = shell.json("import", str(vault))

    assert (again["stored"], again["alreadyThere"]) == (0, 3)
    assert shell.json("list")["totalCount"] == 3


def test_a_dry_run_writes_nothing(shell: Shell, tmp_path: Path) -> None:
    report = shell.json("import", str(a_vault(tmp_path)), "--dry-run")

    assert report["stored"] == 3
    assert len(report["examples"]) == 3
    assert shell.json("list")["totalCount"] == 0


def test_a_changed_note_is_brought_up_to_date_only_when_asked(
    shell: Shell, tmp_path: Path
) -> None:
    vault = a_vault(tmp_path)
    shell.json("import", str(vault))
    (vault / "Pot.md").write_text("A pot keeps [[Tea]] hot.")

    kept = shell.json("import", str(vault))
    updated = shell.json("import", str(vault), "--update")
    settled = shell.json("import", str(vault))

    assert [one["place"] for one in kept["skipped"]] == ["Pot.md:1"]
    assert updated["updated"] == 1
    assert (settled["alreadyThere"], settled["skipped"]) == (3, [])


def test_what_the_service_refuses_is_skipped_with_its_place_and_reason(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "memories.jsonl"
    lines = [
        {"text": "Good.", "id": "good", "links": [{"type": "related", "target": "bad"}]},
        {"text": "Bad.", "id": "bad", "importance": 2},
        {"text": "Also good.", "links": [{"type": "related", "target": "good"}]},
    ]
    file.write_text("\n".join(map(json.dumps, lines)))

    report = shell.json("import", str(file))

    assert (report["stored"], report["links"]) == (2, 1)
    assert [one["place"] for one in report["skipped"]] == [
        "memories.jsonl:2",
        "memories.jsonl:1",
    ]
    assert "importance must be a number from 0 to 1" in report["skipped"][0]["reason"]


def test_an_import_of_nothing_good_is_a_failure(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text("{")

    outcome = shell.run("import", str(file))

    assert outcome.code == 1
    assert "memories.jsonl:1" in outcome.out


def test_an_imported_agent_and_category_hold_for_everything(
    shell: Shell, tmp_path: Path
) -> None:
    words = ("--agent-id", "notes", "--category", "inbox")

    shell.json("import", str(a_vault(tmp_path)), *words)

    stored = shell.json("list", "--agent-id", "notes")["items"]
    assert {one["category"] for one in stored} == {"inbox"}
    assert len(stored) == 3


def test_a_line_that_stands_twice_is_stored_once(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    file.write_text('{"text": "Tea."}\n{"text": "Tea."}\n')

    report = shell.json("import", str(file))

    assert (report["stored"], report["alreadyThere"]) == (1, 1)
