"""The demo, against the running service."""

from typing import Any, cast

import pytest
from neo4j import GraphDatabase

from hippograph.api.demo.browser import browser_queries
from hippograph.api.demo.memories import AGENT, PIECE, findings, first_memories
from hippograph.api.demo.topics import topics
from hippograph.api.imports.findings import Draft, Link
from hippograph.schema.relationships import RelationshipType
from tests.api.cli.shell import Shell
from tests.service import Service


def test_every_topic_of_the_reference_has_a_first_memory() -> None:
    assert len(topics()) > 70
    assert set(first_memories()) == {topic.name for topic in topics()}


def test_memories_of_the_reference_keep_to_their_size_and_ids() -> None:
    drafts = [one for one in findings() if isinstance(one, Draft)]

    assert len({one.id for one in drafts}) == len(drafts) > 400
    assert max(len(one.text) for one in drafts) <= PIECE


def test_links_of_the_reference_join_memories_of_the_reference() -> None:
    ids = {one.id for one in findings() if isinstance(one, Draft)}
    links = [one for one in findings() if isinstance(one, Link)]

    assert {one.source_id for one in links} | {one.target_id for one in links} <= ids
    assert {one.type for one in links} == {
        RelationshipType.REFERENCES,
        RelationshipType.PART_OF,
    }


def test_related_help_topics_and_sections_named_in_the_text_are_references() -> None:
    first = first_memories()
    found = {(one.source_id, one.target_id) for one in findings() if isinstance(one, Link)}

    assert (first["with"], first["context-managers"]) in found
    assert (first["lambda"], first["function"]) in found


def test_a_topic_that_a_longer_one_repeats_is_part_of_it() -> None:
    first = first_memories()
    parts = {
        (one.source_id, one.target_id)
        for one in findings()
        if isinstance(one, Link) and one.type is RelationshipType.PART_OF
    }

    assert (first["with"], first["compound"]) in parts


@pytest.fixture
def shown(shell: Shell) -> Shell:
    """A shell in whose space the demo has run."""
    shell.json("demo")
    return shell


def test_the_demo_answers_its_questions_and_stores_nothing_twice(shown: Shell) -> None:
    again = shown.json("demo")

    assert (again["report"]["stored"], again["report"]["updated"]) == (0, 0)
    assert again["report"]["skipped"] == []
    assert [len(one["answers"]) for one in again["questions"]] == [2, 2, 2]
    assert again["path"]["length"] > 1
    assert AGENT in shown.json("agents")


def test_the_queries_for_browser_find_what_the_demo_stored_in_its_space_only(
    shown: Shell, service: Service
) -> None:
    password = service.password_file.read_text("utf-8").strip()
    space = shown.json("whoami")["space"]

    with cast("Any", GraphDatabase).driver(service.bolt, auth=("neo4j", password)) as driver:
        for here, elsewhere in zip(
            browser_queries(space), browser_queries("elsewhere"), strict=True
        ):
            assert driver.execute_query(here.text).records, here.purpose
            assert not driver.execute_query(elsewhere.text).records
