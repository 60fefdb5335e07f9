"""The conf and command line of the managed Neo4j."""

from pathlib import Path

import pytest

from hippograph.graph.engine.conf import Memory, command, conf, memory_for
from hippograph.graph.engine.install import Installation
from hippograph.graph.engine.java import Java
from hippograph.schema.settings import settings_from

GIBIBYTE = 1024**3
MEMORY = Memory(heap=1024, page_cache=512)


@pytest.mark.parametrize(
    ("gibibytes", "heap", "page_cache"),
    [(1, 512, 256), (8, 1024, 1024), (24, 3072, 3072), (256, 4096, 8192)],
)
def test_memory_is_an_eighth_of_the_machine_within_bounds(
    tmp_path: Path, gibibytes: int, heap: int, page_cache: int
) -> None:
    settings = settings_from({}, home=tmp_path).settings

    memory = memory_for(settings, gibibytes * GIBIBYTE)

    assert memory == Memory(heap=heap, page_cache=page_cache)


def test_memory_that_is_set_is_taken(tmp_path: Path) -> None:
    sizes = {"HIPPOGRAPH_HEAP_MB": "700", "HIPPOGRAPH_PAGE_CACHE_MB": "90"}
    settings = settings_from(sizes, home=tmp_path).settings

    assert memory_for(settings, 8 * GIBIBYTE) == Memory(heap=700, page_cache=90)


def test_neo4j_listens_on_this_machine_only(tmp_path: Path) -> None:
    text = conf(Installation(tmp_path), MEMORY, bolt_port=7, browser_port=8)

    addresses = [line for line in text.splitlines() if "listen_address" in line]

    assert len(addresses) == 3
    assert all("=127.0.0.1" in line for line in addresses)


@pytest.mark.parametrize(("major", "has_option"), [(21, False), (23, True), (25, True)])
def test_an_option_that_an_older_java_refuses_is_left_out(
    tmp_path: Path, major: int, has_option: bool
) -> None:
    java = Java(path=tmp_path / "java", major=major, has_vector=False)

    words = command(java, Installation(tmp_path), MEMORY, tmp_path)

    assert any("sun-misc-unsafe" in word for word in words) == has_option
    assert not any("--add-modules" in word for word in words)
