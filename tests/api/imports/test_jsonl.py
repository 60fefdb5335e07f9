"""JSON lines as memories and links."""

import json
from pathlib import Path

import pytest

from hippograph.api.imports.findings import Draft, Finding, Link, Remark, Skip, Wanted
from hippograph.api.imports.jsonl import read_jsonl
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.relationships import RelationshipType


def found(folder: Path, *lines: object) -> list[Finding]:
    """What is found in a file of these lines; text stands as it is, else as JSON."""
    file = folder / "memories.jsonl"
    texts = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    file.write_text("\n".join(texts), encoding="utf-8")
    return list(read_jsonl(file, Wanted()))


def test_a_line_gives_the_fields_of_a_memory(tmp_path: Path) -> None:
    line = {
        "text": "Ada likes tea.",
        "id": "tea",
        "kind": "SEMANTIC",
        "importance": 0.8,
        "tags": ["drink"],
        "metadata": {"n": 1},
        "createdAt": "2026-04-04T09:00:00+02:00",
    }

    (draft,) = found(tmp_path, line)

    assert isinstance(draft, Draft)
    assert draft.kind is MemoryKind.SEMANTIC
    assert draft.as_input() == {**line, "createdAt": "2026-04-04T07:00:00Z"}


def test_links_come_after_all_memories_under_their_canonical_type(tmp_path: Path) -> None:
    findings = found(
        tmp_path,
        {"text": "a", "id": "a", "links": [{"type": "causal", "target": "b"}]},
        {"text": "b", "id": "b"},
    )

    assert findings[2] == Link(
        place="memories.jsonl:1", source_id="a", target_id="b", type=RelationshipType.CAUSES
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"text": ', "is no JSON"),
        ("[1]", "the line: "),
        ('{"id": "x"}', "text: Field required"),
        ('{"text": "a", "importance": "much"}', "importance: "),
        ('{"text": "a", "importance": NaN}', "NaN is not allowed"),
        ('{"text": "a", "colour": "red"}', "colour: "),
        ('{"text": "a", "links": [{"type": "eats", "target": "b"}]}', "links.0.type: "),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_a_broken_line_is_skipped_whole_with_its_number_and_field(
    tmp_path: Path, line: str, reason: str
) -> None:
    good, skip, other = found(tmp_path, {"text": "good"}, line, {"text": "other"})

    assert isinstance(good, Draft)
    assert isinstance(other, Draft)
    assert isinstance(skip, Skip)
    assert skip.place == "memories.jsonl:2"
    assert reason in skip.reason


def test_a_time_without_an_offset_counts_as_utc_and_is_told(tmp_path: Path) -> None:
    remark, draft = found(tmp_path, {"text": "a", "createdAt": "2026-04-04T09:00:00"})

    assert remark == Remark("times without an offset taken as UTC")
    assert isinstance(draft, Draft)
    assert draft.as_input()["createdAt"] == "2026-04-04T09:00:00Z"


def test_a_text_over_the_limit_is_split_not_refused(tmp_path: Path) -> None:
    findings = found(tmp_path, {"text": "A sentence of words. " * 5000, "id": "long"})

    drafts = [one for one in findings if isinstance(one, Draft)]
    parts = [one for one in findings if isinstance(one, Link)]
    assert drafts[0].id == "long"
    assert max(len(one.text.encode()) for one in drafts) <= 64 * 1024
    assert [one.target_id for one in parts] == ["long"] * (len(drafts) - 1)


def test_the_same_line_has_the_same_id_wherever_it_stands(tmp_path: Path) -> None:
    (alone,) = found(tmp_path, {"text": "a"})
    _, below = found(tmp_path, {"text": "b"}, {"text": "a"})

    assert isinstance(alone, Draft)
    assert isinstance(below, Draft)
    assert alone.id == below.id


def test_a_line_beyond_all_measure_is_skipped_without_being_read_whole(tmp_path: Path) -> None:
    huge, good = found(tmp_path, "x" * (17 * 1024 * 1024), {"text": "good"})

    assert huge == Skip(place="memories.jsonl:1", reason="the line is longer than 16 MiB")
    assert isinstance(good, Draft)
