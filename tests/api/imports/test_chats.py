"""Exports of ChatGPT and Claude as memories in the order in which they were said."""

import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.imports.exports import conversations
from hippograph.api.imports.findings import Draft, Finding, Format, Link, Remark, Skip, Wanted
from hippograph.api.imports.formats import findings, format_of
from hippograph.schema.errors import InvalidError
from hippograph.schema.relationships import RelationshipType


def a_node(name: str, parent: str | None, role: str, text: str, **content: object) -> Any:
    """A node of ChatGPT's tree, its one message said at second 1,700,000,000."""
    return {
        "id": name,
        "parent": parent,
        "children": [],
        "message": {
            "id": name,
            "author": {"role": role, "name": None},
            "create_time": 1_700_000_000.5,
            "content": {"content_type": "text", "parts": [text], **content},
            "metadata": {},
        },
    }


def a_chatgpt_conversation(*nodes: Any, last: str) -> Any:
    """A conversation whose branch last shown ends at `last`."""
    root = {"id": "root", "message": None, "parent": None, "children": ["1"]}
    return {
        "title": "Tea",
        "create_time": 1_700_000_000.0,
        "conversation_id": "c-1",
        "current_node": last,
        "mapping": {"root": root} | {node["id"]: node for node in nodes},
    }


def a_claude_conversation(*messages: tuple[str, str]) -> Any:
    """A conversation of these senders and texts."""
    return {
        "uuid": "c-2",
        "name": "Coffee",
        "created_at": "2026-01-01T00:00:00Z",
        "chat_messages": [
            {
                "uuid": f"m{n}",
                "sender": sender,
                "text": text,
                "content": [{"type": "text", "text": text}],
                "created_at": "2026-01-02T03:04:05.678901Z",
                "attachments": [],
            }
            for n, (sender, text) in enumerate(messages)
        ],
    }


def an_export(folder: Path, *elements: object) -> Path:
    file = folder / "conversations.json"
    file.write_text(json.dumps(elements), encoding="utf-8")
    return file


def found(path: Path) -> list[Finding]:
    return list(findings(path, Wanted(), None))


def said(all_found: list[Finding]) -> list[tuple[object, str]]:
    """Who said what."""
    drafts = [one for one in all_found if isinstance(one, Draft)]
    return [((one.metadata or {})["speaker"], one.text) for one in drafts]


def test_the_branch_of_chatgpt_last_shown_is_imported_in_order(tmp_path: Path) -> None:
    export = an_export(
        tmp_path,
        a_chatgpt_conversation(
            a_node("1", "root", "user", "Which tea?"),
            a_node("2a", "1", "assistant", "Black."),
            a_node("2b", "1", "assistant", "Green."),
            a_node("3", "2b", "user", "Thanks."),
            last="3",
        ),
    )

    all_found = found(export)

    assert said(all_found) == [
        ("user", "Which tea?"),
        ("assistant", "Green."),
        ("user", "Thanks."),
    ]
    assert Remark("messages of branches not shown last left out") in all_found


def test_messages_of_tools_and_hidden_ones_are_left_out(tmp_path: Path) -> None:
    hidden = a_node("3", "2", "user", "about me")
    hidden["message"]["metadata"] = {"is_visually_hidden_from_conversation": True}
    export = an_export(
        tmp_path,
        a_chatgpt_conversation(
            a_node("1", "root", "system", ""),
            a_node("2", "1", "tool", "result"),
            hidden,
            a_node("4", "3", "assistant", "", content_type="code"),
            a_node("5", "4", "user", "Hello."),
            last="5",
        ),
    )

    assert said(found(export)) == [("user", "Hello.")]


def test_speech_counts_by_its_transcript_and_pictures_by_nothing(tmp_path: Path) -> None:
    parts = [
        {"content_type": "audio_transcription", "text": "Spoken."},
        {"content_type": "image_asset_pointer", "asset_pointer": "file"},
        "Typed.",
    ]
    node = a_node("1", "root", "user", "", content_type="multimodal_text", parts=parts)

    assert said(found(an_export(tmp_path, a_chatgpt_conversation(node, last="1")))) == [
        ("user", "Spoken.\n\nTyped.")
    ]


def test_a_tree_that_runs_in_a_circle_ends(tmp_path: Path) -> None:
    nodes = (a_node("1", "2", "user", "a"), a_node("2", "1", "assistant", "b"))

    assert len(said(found(an_export(tmp_path, a_chatgpt_conversation(*nodes, last="2"))))) == 2


def test_claude_messages_carry_where_they_come_from(tmp_path: Path) -> None:
    export = an_export(
        tmp_path, a_claude_conversation(("human", "Coffee?"), ("assistant", "Yes."))
    )

    drafts = [one for one in found(export) if isinstance(one, Draft)]

    assert drafts[0].as_input() == {
        "id": drafts[0].id,
        "text": "Coffee?",
        "category": "conversations",
        "kind": "EPISODIC",
        "createdAt": "2026-01-02T03:04:05.678901Z",
        "sessionId": "c-2",
        "source": "claude",
        "metadata": {
            "importedFrom": "claude",
            "conversation": "c-2",
            "title": "Coffee",
            "message": "m0",
            "speaker": "user",
        },
    }


def test_each_message_happened_before_the_one_that_followed(tmp_path: Path) -> None:
    export = an_export(tmp_path, a_claude_conversation(("human", "a"), ("assistant", "b")))

    first, second, link = found(export)

    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    assert isinstance(link, Link)
    assert (link.source_id, link.target_id) == (first.id, second.id)
    assert link.type is RelationshipType.TEMPORAL_SEQUENCE


def test_a_long_message_is_split_into_parts_of_its_beginning(tmp_path: Path) -> None:
    export = an_export(tmp_path, a_claude_conversation(("human", "A sentence. " * 300)))

    all_found = found(export)

    drafts = [one for one in all_found if isinstance(one, Draft)]
    assert len(drafts) > 2
    assert {one.target_id for one in all_found if isinstance(one, Link)} == {drafts[0].id}


def test_a_conversation_that_does_not_fit_is_skipped_whole_by_title(tmp_path: Path) -> None:
    bad = {"title": "Odd", "mapping": {"1": {"message": {"id": 7}}}}
    good = a_chatgpt_conversation(a_node("1", "root", "user", "Hello."), last="1")

    all_found = found(an_export(tmp_path, bad, good))

    assert isinstance(all_found[0], Skip)
    assert all_found[0].place == "conversations.json, conversation 1 'Odd'"
    assert "mapping.1.message" in all_found[0].reason
    assert said(all_found) == [("user", "Hello.")]


def test_an_export_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    export = an_export(tmp_path, a_claude_conversation(("human", "a")), {"uuid": "rest"})
    export.write_bytes(export.read_bytes()[:-5])

    *before, last = found(export)

    assert said(before) == [("user", "a")]
    assert isinstance(last, Skip)
    assert last.place == "conversations.json, after conversation 1"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "holds no JSON array"),
        ("hello", "holds no JSON array"),
        ('{"a": 1}', "holds no JSON array"),
        ("[1]", "element 1 is no object"),
        ("[{", "is no JSON"),
        ("[]", "neither ChatGPT nor Claude"),
        ('[{"a": 1}]', "neither ChatGPT nor Claude"),
    ],
)
def test_a_file_that_is_no_export_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(InvalidError, match=reason):
        found(file)


def test_a_folder_and_a_zip_are_read_as_the_file_in_them(tmp_path: Path) -> None:
    export = an_export(tmp_path, a_claude_conversation(("human", "a")))
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(export, "data/conversations.json")

    assert said(found(tmp_path)) == said(found(packed)) == [("user", "a")]


def test_an_export_is_known_by_its_first_conversation(tmp_path: Path) -> None:
    export = an_export(tmp_path, a_claude_conversation(("human", "a")))

    assert format_of(export) is Format.CLAUDE


def test_an_export_of_one_kind_is_not_taken_for_the_other(tmp_path: Path) -> None:
    export = an_export(tmp_path, a_claude_conversation(("human", "a")))

    with pytest.raises(InvalidError, match="no export of chatgpt"):
        list(findings(export, Wanted(), Format.CHATGPT))


def test_a_large_export_is_read_with_one_conversation_in_memory(tmp_path: Path) -> None:
    export = tmp_path / "conversations.json"
    body = json.dumps(a_claude_conversation(("human", "word " * 20_000)))
    with export.open("w", encoding="utf-8") as file:
        file.write("[" + body)
        for _ in range(200):
            file.write("," + body)
        file.write("]")

    peak = _peak(conversations(export))

    assert export.stat().st_size > 40_000_000
    assert peak < 4_000_000


def _peak(everything: Iterator[object]) -> int:
    """The most bytes in use at once while all of it is read."""
    tracemalloc.start()
    try:
        for _ in everything:
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
