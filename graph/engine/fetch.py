"""One jar from the package registry, checked, into its place."""

import errno
import hashlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from jgo.maven import MavenContext, PythonResolver
from requests import RequestException
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


class _UnfitError(Exception):
    """The registry sent other bytes than the lock names."""


class _StoppedError(Exception):
    """The installation was called off while this jar was coming."""


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches jars through a scratch folder of its own; safe from several threads."""

    registry: Registry
    scratch: Path
    received: Callable[[int], None]
    stop: Event = field(default_factory=Event)

    def fetch(self, jar: Jar, target: Path) -> None:
        """Put a jar at `target`, whole and checked or not at all.

        What fails in passing is tried again. Raises EngineError when it goes on failing.
        """
        pause = self.registry.pause_seconds
        attempts = Retrying(
            stop=stop_after_attempt(self.registry.tries) | stop_when_event_set(self.stop),
            wait=wait_exponential(pause, max=8) + wait_random(0, pause),
            retry=retry_if_exception_type((RequestException, RuntimeError, _UnfitError)),
            sleep=sleep_using_event(self.stop),
            reraise=True,
        )
        try:
            attempts(self._fetch_once, jar, target)
        except _StoppedError as error:
            raise EngineError(f"fetching {jar} was called off") from error
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
        except RuntimeError as error:  # all that jgo raises for an answer other than 200
            raise EngineError(
                f"{jar} is missing in the package registry, or the registry refuses to hand "
                "it out; try again later, what was fetched is kept"
            ) from error
        except OSError as error:
            raise disk_error(error, target) from error

    def _fetch_once(self, jar: Jar, target: Path) -> None:
        # jgo takes any file in its cache for a whole one and refuses to write over it.
        folder = self.scratch / jar.sha256
        coming = MavenContext(
            repo_cache=folder,
            remote_repos=None if self.registry.remotes is None else dict(self.registry.remotes),
            timeout=self.registry.silence_seconds,
            resolver=PythonResolver(progress_callback=self._watched),
        )
        component = coming.project(jar.group, jar.artifact).at_version(jar.version)
        artifact = component.artifact(classifier=jar.classifier)
        partial = artifact.cached_path
        if partial is not None:
            partial.unlink(missing_ok=True)
        path = artifact.resolve()
        digest = sha256_of(path)
        if digest != jar.sha256:
            raise _UnfitError(digest)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)

    @contextmanager
    def _watched(self, name: str, size: int) -> Generator[Callable[[int], None]]:
        del name, size

        def received(count: int) -> None:
            if self.stop.is_set():
                raise _StoppedError
            self.received(count)

        yield received


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
