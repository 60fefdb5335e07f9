"""The service as processes: up, down, status, logs and serve as a user runs them."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from hippograph.graph.engine.home import Home
from tests.service import Service

HIPPOGRAPH = Path(sys.executable).with_name("hippograph")
FREE = ["--port", "0", "--bolt-port", "0", "--browser-port", "0"]
SECONDS = 60.0


def hippograph(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HIPPOGRAPH, *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def until(claim: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def running(*words: str | Path, **environment: str) -> Generator[subprocess.Popen[str]]:
    """A command in the background; killed at the end if it still runs."""
    with subprocess.Popen(
        [HIPPOGRAPH, *words],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_up_of_a_running_home_says_the_same_again(service: Service) -> None:
    again = hippograph("up", "--home", service.home, *FREE, "--json")

    told = json.loads(again.stdout)
    assert again.returncode == 0
    assert (told["graphql"], told["bolt"]) == (service.url, service.bolt)
    assert set(told) == {
        "graphql", "ws", "health", "browser", "bolt", "home", "token_file",
        "operator_token_file", "neo4j_password_file", "pids",
    }  # fmt: skip


def test_up_tells_people_that_it_ran_already(service: Service) -> None:
    again = hippograph("up", "--home", service.home, *FREE)

    assert "running already" in again.stdout
    assert service.url in again.stdout


def test_browser_and_health_answer_where_up_says(service: Service) -> None:
    told = json.loads(hippograph("status", "--home", service.home, "--json").stdout)

    with httpx.Client(trust_env=False) as client:
        assert client.get(told["health"]).status_code == 200
        assert "html" in client.get(told["browser"]).text.lower()


def test_status_of_a_running_home_is_0(service: Service) -> None:
    done = hippograph("status", "--home", service.home)

    assert done.returncode == 0
    assert done.stdout.count("up (process") == 2


def test_status_of_a_home_where_nothing_runs_is_1(tmp_path: Path) -> None:
    done = hippograph("status", "--home", tmp_path, "--json")

    assert done.returncode == 1
    assert json.loads(done.stdout)["pids"] == {"api": None, "neo4j": None}


def test_down_of_a_home_where_nothing_runs_is_no_error(tmp_path: Path) -> None:
    done = hippograph("down", "--home", tmp_path, "--json")

    assert done.returncode == 0
    assert json.loads(done.stdout)["stopped"] == []


def test_down_works_with_settings_that_are_bad(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")

    assert hippograph("down", "--home", tmp_path).returncode == 0


def test_bad_settings_end_with_2_and_name_the_setting(tmp_path: Path) -> None:
    done = hippograph("up", "--home", tmp_path, HIPPOGRAPH_PORT="many")

    assert done.returncode == 2
    assert "server.port (HIPPOGRAPH_PORT)" in done.stderr


def test_a_port_in_use_is_told_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        done = hippograph("up", "--home", tmp_path, *FREE, "--port", port)

    assert done.returncode == 1
    assert f"port {port}" in done.stderr
    assert Home(tmp_path).started("neo4j") is None


def test_a_home_that_another_up_is_starting_is_left_to_it(tmp_path: Path) -> None:
    with Home(tmp_path).starting("api"):
        done = hippograph("up", "--home", tmp_path, *FREE)

    assert done.returncode == 1
    assert "another `hippograph up`" in done.stderr


def test_logs_shows_the_last_lines_of_both(service: Service) -> None:
    done = hippograph("logs", "--home", service.home, "--lines", "1")

    assert [line.split(" | ")[0].strip() for line in done.stdout.splitlines()] == [
        "neo4j",
        "api",
    ]


def test_logs_follows_what_comes(tmp_path: Path) -> None:
    log = Home(tmp_path).log("api")
    log.parent.mkdir()
    log.write_text("old\n")

    with running("logs", "--home", tmp_path, "--which", "api", "--follow") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "old\n"
        with log.open("a") as file:
            file.write("new \x1b[31m\n")
        assert process.stdout.readline() == "new \N{REPLACEMENT CHARACTER}[31m\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_runs_over_a_given_neo4j_until_told_to_end(
    service: Service, tmp_path: Path, number: signal.Signals
) -> None:
    given = {
        "HIPPOGRAPH_NEO4J_URI": service.bolt,
        "HIPPOGRAPH_NEO4J_PASSWORD": service.password_file.read_text().strip(),
    }
    with running("serve", "--home", tmp_path, "--port", "0", **given) as process:
        until(lambda: hippograph("status", "--home", tmp_path, **given).returncode == 0)
        process.send_signal(number)
        _, said = process.communicate(timeout=SECONDS)

    assert process.returncode == 128 + number
    assert "Traceback" not in said
    assert hippograph("status", "--home", tmp_path, **given).returncode == 1


def test_up_quotes_an_api_that_ends_early(tmp_path: Path) -> None:
    given = {
        "HIPPOGRAPH_NEO4J_URI": "nonsense",
        "HIPPOGRAPH_NEO4J_PASSWORD": "none",
    }

    done = hippograph("up", "--home", tmp_path, *FREE, **given)

    assert done.returncode == 1
    assert "the API ended before it answered" in done.stderr
    assert "nonsense" in done.stderr
