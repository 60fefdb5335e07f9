"""Markdown folders as memories and links."""

from pathlib import Path

from hippograph.api.imports.findings import Draft, Finding, Link, Remark, Skip, Wanted
from hippograph.api.imports.markdown import read_markdown
from hippograph.schema.relationships import RelationshipType


def found(folder: Path, **notes: str) -> list[Finding]:
    """What is found in a folder of these notes; `a__b` becomes the file `a/b.md`."""
    for name, text in notes.items():
        file = folder / (name.replace("__", "/") + ".md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return list(read_markdown(folder, Wanted()))


def drafts(findings: list[Finding]) -> list[Draft]:
    return [one for one in findings if isinstance(one, Draft)]


def references(findings: list[Finding]) -> list[tuple[str, str]]:
    """The places that REFERENCES lead from and to."""
    places = {one.id: one.place for one in drafts(findings)}
    return [
        (places[one.source_id], places[one.target_id])
        for one in findings
        if isinstance(one, Link) and one.type is RelationshipType.REFERENCES
    ]


def test_a_note_is_cut_at_its_headings_under_the_trail_of_their_names(tmp_path: Path) -> None:
    findings = found(tmp_path, note="# Tea\n\nHot.\n\n## Green\n\nSteep briefly.\n")

    assert [one.text for one in drafts(findings)] == [
        "Tea\n\nHot.",
        "Tea > Green\n\nSteep briefly.",
    ]


def test_the_sections_of_a_note_are_part_of_its_first_memory(tmp_path: Path) -> None:
    findings = found(tmp_path, note="Intro.\n\n# One\n\na\n\n# Two\n\nb\n")

    first, *others = [one.id for one in drafts(findings)]
    links = [one for one in findings if isinstance(one, Link)]
    assert {one.type for one in links} == {RelationshipType.PART_OF}
    assert [(one.source_id, one.target_id) for one in links] == [(one, first) for one in others]


def test_a_note_that_begins_with_a_section_is_stood_for_by_its_outline(tmp_path: Path) -> None:
    findings = found(tmp_path, note="# Tea\n\n## Green\n\na\n\n## Black\n\nb\n")

    assert drafts(findings)[0].text == "Tea\n\nSections: Green; Black"


def test_no_memory_of_a_long_section_passes_the_bound(tmp_path: Path) -> None:
    findings = found(tmp_path, note="# Long\n\n" + "A sentence of words. " * 500)

    assert len(drafts(findings)) > 5
    assert max(len(one.text) for one in drafts(findings)) <= 1500
    assert all(one.text.startswith("Long\n\n") for one in drafts(findings))


def test_wiki_links_refer_to_the_first_memory_of_the_note_they_name(tmp_path: Path) -> None:
    findings = found(
        tmp_path,
        a="See [[B#Part|that]] and [[deep/C]].",
        B="# B\n\nFirst.\n\n# Part\n\nSecond.",
        deep__C="Back to [[a]].",
    )

    assert references(findings) == [
        ("a.md:1", "B.md:3"),
        ("a.md:1", "deep/C.md:1"),
        ("deep/C.md:1", "a.md:1"),
    ]


def test_relative_markdown_links_are_found_from_the_folder_of_the_note(tmp_path: Path) -> None:
    findings = found(tmp_path, x__a="[b](../y/b%20c.md#part)", **{"y__b c": "Here."})

    assert references(findings) == [("x/a.md:1", "y/b c.md:1")]


def test_links_in_code_are_no_links(tmp_path: Path) -> None:
    findings = found(tmp_path, a="`[[b]]`\n\n```\n[[b]]\n```\n", b="Here.")

    assert references(findings) == []


def test_links_to_pictures_and_other_places_are_passed_over(tmp_path: Path) -> None:
    findings = found(
        tmp_path, a="![[p.png]] [x](https://example.org/b.md) [[#Part]] [y](z.pdf)"
    )

    assert [one for one in findings if isinstance(one, Skip)] == []


def test_a_link_to_no_note_is_skipped_with_its_place(tmp_path: Path) -> None:
    findings = found(tmp_path, a="One.\n\n[[Nowhere]]")

    assert findings[-1] == Skip(place="a.md:1", reason="there is no note 'Nowhere'")


def test_simple_front_matter_gives_title_tags_and_time(tmp_path: Path) -> None:
    front = "---\ntitle: Tea time\ntags:\n  - hot\n  - '#green'\ndate: 2024-03-01\n---\nText."

    (draft,) = drafts(found(tmp_path, note=front))

    assert draft.text == "Tea time\n\nText."
    assert draft.tags == ("hot", "green")
    assert draft.created_at is not None
    assert draft.created_at.isoformat() == "2024-03-01T00:00:00+00:00"
    assert draft.place == "note.md:8"


def test_folders_become_the_category(tmp_path: Path) -> None:
    assert drafts(found(tmp_path, x__y__note="Text."))[0].category == "x/y"


def test_hidden_folders_are_passed_over(tmp_path: Path) -> None:
    assert found(tmp_path, **{".trash__old": "Gone."}) == []


def test_a_note_that_is_not_utf8_is_skipped_with_its_line_and_others_go_on(
    tmp_path: Path,
) -> None:
    (tmp_path / "bad.md").write_bytes(b"fine\nnot \xff fine")

    findings = found(tmp_path, good="Text.")

    assert findings[0] == Skip(place="bad.md:2", reason="is not UTF-8")
    assert [one.place for one in drafts(findings)] == ["good.md:1"]


def test_an_empty_note_is_only_counted(tmp_path: Path) -> None:
    assert found(tmp_path, empty="# Only a heading\n") == [Remark("empty notes left out")]


def test_reading_again_gives_the_same_ids(tmp_path: Path) -> None:
    assert found(tmp_path, note="# A\n\nb\n") == found(tmp_path, note="# A\n\nb\n")


def test_another_agent_gets_other_ids(tmp_path: Path) -> None:
    mine = drafts(found(tmp_path, note="Text."))[0]
    theirs = drafts(list(read_markdown(tmp_path, Wanted(agent_id="other"))))[0]

    assert mine.id != theirs.id
