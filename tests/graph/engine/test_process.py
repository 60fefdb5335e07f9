"""Processes that are started, recognised and ended."""

import os
import socket
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from hippograph.graph.engine.home import Started
from hippograph.graph.engine.process import alive, detached, end, is_free, runs, tail
from hippograph.schema.errors import EngineError

SECONDS = 10.0
STUBBORN = "trap '' TERM; echo ready; while true; do sleep 0.1; done"

Launch = Callable[..., psutil.Process]


@pytest.fixture
def launch(tmp_path: Path) -> Generator[Launch]:
    """Start a shell on a script, and see to it that none is left."""
    launched: list[psutil.Process] = []

    def start(script: str, *arguments: str) -> psutil.Process:
        command = ["/bin/sh", "-c", script, "sh", *arguments]
        launched.append(detached(command, tmp_path / "log", os.environ))
        return launched[-1]

    yield start
    for process in launched:
        end(process, seconds=0.1)


def until(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def record_of(process: psutil.Process) -> Started:
    return Started(pid=process.pid, created=process.create_time(), ports={})


def test_what_a_process_prints_is_in_its_log(launch: Launch, tmp_path: Path) -> None:
    process = launch("echo out; echo err >&2")

    until(lambda: not runs(process))

    assert tail(tmp_path / "log", 2) == ["out", "err"]


def test_a_process_is_known_by_its_mark(launch: Launch) -> None:
    process = launch("sleep 60; true", "--home-dir=here")
    record = record_of(process)

    assert alive(record, "--home-dir=here") == process
    assert alive(record, "--home-dir=there") is None


def test_a_stranger_under_the_same_pid_is_not_taken_for_ours(launch: Launch) -> None:
    process = launch("sleep 60; true", "mark")
    record = replace(record_of(process), created=process.create_time() - 3600)

    assert alive(record, "mark") is None


def test_a_process_that_ended_is_not_alive(launch: Launch) -> None:
    process = launch("exit 3", "mark")
    record = record_of(process)

    until(lambda: not runs(process))

    assert alive(record, "mark") is None
    assert alive(None, "mark") is None


def test_a_process_that_ends_when_asked_is_not_killed(launch: Launch) -> None:
    assert end(launch("exec sleep 60"), seconds=SECONDS)


def test_a_process_that_ignores_the_request_is_killed(launch: Launch, tmp_path: Path) -> None:
    process = launch(STUBBORN)
    until(lambda: tail(tmp_path / "log", 1) == ["ready"])

    assert not end(process, seconds=0.2)
    assert not runs(process)


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="no-such-program can't be started"):
        detached(["/no-such-program"], tmp_path / "log", os.environ)


def test_a_large_log_is_put_aside(launch: Launch, tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        log.truncate(11 * 1024 * 1024)

    process = launch("echo new")
    until(lambda: not runs(process))

    assert tail(tmp_path / "log", 5) == ["new"]
    assert (tmp_path / "log.1").exists()


def test_a_port_that_someone_listens_on_is_not_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert not is_free("127.0.0.1", port)

    assert is_free("127.0.0.1", port)
