"""The files of a home folder: what runs there, its secrets, its logs."""

import json
import os
import secrets
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from hippograph.schema.errors import EngineError


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A process that was started for a home, and the ports that it was given."""

    pid: int
    created: float  # seconds since 1970; with the command line it tells a reused pid
    ports: dict[str, int]


@dataclass(frozen=True, slots=True)
class Home:
    """A home folder; knows where everything is, and makes folders as they are needed."""

    folder: Path

    @property
    def neo4j(self) -> Path:
        """Neo4j's own home: conf, data, its own logs."""
        return self.folder / "neo4j"

    @property
    def token_file(self) -> Path:
        """The key of the owner of the space `default`."""
        return self.folder / "token"

    @property
    def operator_token_file(self) -> Path:
        """The operator's key."""
        return self.folder / "operator.token"

    @property
    def password_file(self) -> Path:
        """The password of the managed Neo4j."""
        return self.folder / "neo4j.password"

    def log(self, name: str) -> Path:
        """What the process `api` or `neo4j` prints."""
        return self.folder / "logs" / f"{name}.log"

    def started(self, name: str) -> Started | None:
        """What was started last as `api` or `neo4j`, running or not."""
        try:
            read = json.loads(self._record(name).read_text("utf-8"))
            return Started(pid=read["pid"], created=read["created"], ports=read["ports"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise EngineError(
                f"{self._record(name)} can't be read ({error}); remove it when nothing runs"
            ) from error

    def record(self, name: str, started: Started) -> None:
        """Remember what was started."""
        write_whole(self._record(name), json.dumps(asdict(started)))

    def secret(self, path: Path, prefix: str = "") -> str:
        """The secret in a file of mode 0600, made when it is missing.

        Two processes that make it at once end up with the same one.
        """
        if not path.exists():
            draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
            write_whole(draft, prefix + secrets.token_urlsafe(32) + "\n")
            try:
                os.link(draft, path)  # unlike a rename, it never replaces
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        try:
            text = path.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise EngineError(f"{path} can't be read: {error}") from error
        if not text:
            raise EngineError(f"{path} is empty; remove it to have a new one made")
        return text

    @contextmanager
    def starting(self, name: str, *, patience: float = 0) -> Generator[None]:
        """Be the only one that starts or stops `api` or `neo4j` in this home.

        Raises EngineError when another process is at it for longer than `patience` seconds.
        """
        lock = FileLock(self._record(name).with_suffix(".lock"))
        try:
            # What Neo4j stores there is readable by everyone otherwise.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._record(name).parent.mkdir(exist_ok=True)
            lock.acquire(timeout=patience)
        except Timeout as error:
            raise EngineError(
                f"another `hippograph up` is starting this home, or a `down` is stopping it "
                f"({self.folder}); wait for it"
            ) from error
        except OSError as error:
            raise EngineError(f"{self.folder} can't be written: {error}") from error
        try:
            yield
        finally:
            lock.release()

    def _record(self, name: str) -> Path:
        return self.folder / "run" / f"{name}.json"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LocalSecrets:
    """The keys that open the service of a home to whoever can read its files."""

    owner: str
    operator: str


def local_secrets(folder: Path) -> LocalSecrets:
    """The keys of a home folder, made at the first call."""
    home = Home(folder)
    return LocalSecrets(
        owner=home.secret(home.token_file, "hg_"),
        operator=home.secret(home.operator_token_file, "hg_"),
    )


def write_whole(path: Path, text: str) -> None:
    """Write a file of mode 0600 whole or not at all, even through a loss of power."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(draft).replace(path)
        finally:
            Path(draft).unlink(missing_ok=True)
    except OSError as error:
        raise EngineError(f"{path} can't be written: {error}") from error
