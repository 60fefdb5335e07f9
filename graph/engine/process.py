"""Processes that outlive the one that starts them, and are told from strangers."""

import os
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from hippograph.graph.engine.home import Started
from hippograph.schema.errors import EngineError

LARGEST_LOG = 10 * 1024 * 1024
# The kernel's clock and ours may drift apart while a process lives.
DRIFT_SECONDS = 60.0
_TAIL_BYTES = 64 * 1024


def detached(
    command: Sequence[str], log: Path, environment: Mapping[str, str]
) -> psutil.Process:
    """Start a process in a session of its own, with what it prints appended to `log`.

    It lives on when this process ends, and no Ctrl-C of the terminal reaches it.
    """
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        if log.exists() and log.stat().st_size > LARGEST_LOG:
            log.replace(log.with_name(log.name + ".1"))
        with log.open("ab") as file:
            child = subprocess.Popen(  # noqa: S603 - a command of ours
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                cwd=log.parent,
                env=dict(environment),
                start_new_session=True,
            )
    except OSError as error:
        raise EngineError(f"{command[0]} can't be started: {error}") from error
    process = psutil.Process(child.pid)
    process.create_time()  # kept from now on; one that was reaped can't be asked any more
    # Else it stays a zombie when it ends while this process lives.
    threading.Thread(target=child.wait, name=f"reap-{child.pid}", daemon=True).start()
    return process


def alive(started: Started | None, mark: str) -> psutil.Process | None:
    """The process that was started, if it still runs.

    A stranger under the same pid is told by its start, and by lacking `mark` among its
    arguments.
    """
    if started is None:
        return None
    try:
        process = psutil.Process(started.pid)
        ours = (
            abs(process.create_time() - started.created) < DRIFT_SECONDS
            and mark in process.cmdline()
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None
    return process if ours else None


def runs(process: psutil.Process) -> bool:
    """Whether a process still runs; a zombie does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end(process: psutil.Process, *, seconds: float) -> bool:
    """Ask a process to end, and kill it after a while; whether it ended by itself."""
    try:
        process.terminate()
        process.wait(seconds)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        process.kill()
        process.wait(seconds)
        return False
    return True


def tail(log: Path, lines: int) -> list[str]:
    """The last lines of a log, the newest last; none when there is no log."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            return file.read().decode(errors="replace").splitlines()[-lines:]
    except FileNotFoundError:
        return []


def is_free(host: str, port: int) -> bool:
    """Whether this process could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError:
            return False
        return True


def free_port(host: str = "127.0.0.1") -> int:
    """A port on which nothing listens now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listener:
        listener.bind((host, 0))
        return listener.getsockname()[1]


def listens(host: str, port: int) -> bool:
    """Whether something accepts connections there."""
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False
