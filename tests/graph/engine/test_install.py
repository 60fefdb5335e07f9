"""Installing: exactly the lock's jars, whole or not at all, and no more than is missing."""

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hippograph.graph.engine.fetch import disk_error
from hippograph.graph.engine.install import Installation, installed
from hippograph.graph.engine.lock import Lock, shipped_lock
from hippograph.graph.engine.progress import Unwatched
from hippograph.schema.errors import EngineError
from tests.graph.engine.registry import a_lock, shelf_with

LOCK = a_lock("apple", "pear", "plum")


def files(there: Installation) -> dict[str, str]:
    return {path.name: path.read_text() for path in there.lib.iterdir()}


def test_every_jar_of_the_lock_is_there_and_nothing_else(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        there = installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert files(there) == {
        "apple-1.0.jar": "apple",
        "pear-1.0.jar": "pear",
        "plum-1.0.jar": "plum",
    }
    assert not (there.folder / "coming").exists()


def test_a_complete_installation_asks_the_registry_for_nothing(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        first = installed(tmp_path, lock=LOCK, registry=shelf.registry)
        shelf.asked.clear()
        second = installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert second == first
    assert not shelf.asked


def test_a_jar_with_other_content_is_refused_and_not_kept(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        shelf.jars["pear-1.0.jar"] = b"a worm"
        with pytest.raises(EngineError, match=r"org\.example:pear:1\.0 came with sha256"):
            installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert "a worm" not in [
        path.read_text() for path in tmp_path.rglob("*.jar") if path.is_file()
    ]


def test_a_missing_jar_is_named(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        del shelf.jars["plum-1.0.jar"]
        with pytest.raises(EngineError, match=r"org\.example:plum:1\.0 is missing"):
            installed(tmp_path, lock=LOCK, registry=shelf.registry)


def test_an_unreachable_registry_is_told_as_such(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        registry = shelf.registry

    with pytest.raises(EngineError, match="registry can't be reached"):
        installed(tmp_path, lock=LOCK, registry=registry)


def test_what_was_fetched_before_a_failure_is_not_fetched_again(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        fruit = Lock(LOCK.jars[:2])
        there = Installation(tmp_path / "neo4j" / LOCK.engine_digest[:16])
        early = installed(tmp_path / "early", lock=fruit, registry=shelf.registry)
        early.folder.rename(_made(there.folder))  # as one that was broken off leaves it
        shelf.asked.clear()
        installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert {name for name in shelf.asked if name.endswith(".jar")} == {"plum-1.0.jar"}


def test_what_a_killed_installation_left_is_mended(tmp_path: Path) -> None:
    folder = tmp_path / "neo4j" / LOCK.engine_digest[:16]
    for half in (folder / "lib" / "pear-1.0.jar", folder / "coming" / "plum-1.0.jar"):
        half.parent.mkdir(parents=True)
        half.write_text("p")

    with shelf_with(LOCK) as shelf:
        there = installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert files(there)["pear-1.0.jar"] == "pear"
    assert not (folder / "coming").exists()


def test_an_installation_that_lost_a_jar_is_not_taken_as_complete(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf:
        there = installed(tmp_path, lock=LOCK, registry=shelf.registry)
        (there.lib / "pear-1.0.jar").write_text("pea")
        installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert files(there)["pear-1.0.jar"] == "pear"


def test_two_that_install_at_once_fetch_each_jar_once(tmp_path: Path) -> None:
    with shelf_with(LOCK) as shelf, ThreadPoolExecutor(4) as threads:
        jobs = [
            threads.submit(installed, tmp_path, lock=LOCK, registry=shelf.registry)
            for _ in range(4)
        ]
        assert len({job.result() for job in jobs}) == 1

    assert {shelf.asked[f"{jar.artifact}-1.0.jar"] for jar in LOCK.jars} == {1}


def test_an_installation_that_was_interrupted_is_completed_by_the_next(tmp_path: Path) -> None:
    class Impatient(Unwatched):
        def begun(self, what: str, *, jars: int, there: int) -> None:
            super().begun(what, jars=jars, there=there)
            raise KeyboardInterrupt

    with shelf_with(LOCK) as shelf:
        with pytest.raises(KeyboardInterrupt):
            installed(tmp_path, Impatient(), lock=LOCK, registry=shelf.registry)
        there = installed(tmp_path, lock=LOCK, registry=shelf.registry)

    assert there.is_complete(LOCK)


def test_a_full_disk_is_told_with_the_way_out(tmp_path: Path) -> None:
    told = disk_error(OSError(errno.ENOSPC, "No space left on device"), tmp_path)

    assert "no space is left" in str(told)
    assert "HIPPOGRAPH_CACHE" in str(told)


def test_two_real_jars_come_from_the_real_registry(tmp_path: Path) -> None:
    small = ("jakarta.inject", "javax.annotation-api")
    lock = Lock(tuple(jar for jar in shipped_lock().jars if jar.artifact in small))

    there = installed(tmp_path, lock=lock)

    assert {path.name.rsplit("-", 1)[0] for path in there.lib.iterdir()} == set(small)


def _made(folder: Path) -> Path:
    folder.parent.mkdir(parents=True)
    return folder
