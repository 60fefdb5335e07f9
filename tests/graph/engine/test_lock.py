"""The lock of jars."""

import re

import pytest

from hippograph.graph.engine.lock import Lock, Place, lock_from, shipped_lock
from hippograph.schema.embedding import MODELS
from hippograph.schema.errors import EngineError
from tests.graph.engine.registry import a_jar

LINES = """\
# a remark
io.netty:netty-epoll:4.2:linux-x86_64 aa lib
org.neo4j.gds:proc:2.26 bb plugins
"""


def test_a_line_is_read_with_and_without_classifier() -> None:
    netty, proc = lock_from(LINES).jars

    assert (netty.name, str(netty)) == (
        "netty-epoll-4.2-linux-x86_64.jar",
        "io.netty:netty-epoll:4.2:linux-x86_64",
    )
    assert (proc.name, proc.sha256, proc.place) == ("proc-2.26.jar", "bb", Place.PLUGINS)


def test_the_shipped_lock_holds_hashes_and_no_two_files_of_one_name() -> None:
    jars = shipped_lock().jars

    assert all(re.fullmatch(r"[0-9a-f]{64}", jar.sha256) for jar in jars)
    assert len({jar.name for jar in jars}) == len(jars)


def test_graph_data_science_goes_to_the_plugins_and_nothing_else_does() -> None:
    jars = shipped_lock().engine

    assert all((jar.place is Place.PLUGINS) == (jar.group == "org.neo4j.gds") for jar in jars)


def test_every_known_model_stands_in_the_lock() -> None:
    lock = shipped_lock()

    assert all(lock.model(model.artifact).place is Place.MODEL for model in MODELS.values())


def test_a_new_model_does_not_make_neo4j_be_fetched_again() -> None:
    engine, model = a_jar("engine"), a_jar("model", place=Place.MODEL)

    assert Lock((engine,)).engine_digest == Lock((engine, model)).engine_digest


def test_an_unknown_model_is_refused_by_its_name() -> None:
    with pytest.raises(EngineError, match="no model gpt"):
        shipped_lock().model("gpt")
