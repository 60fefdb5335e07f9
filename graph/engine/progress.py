"""How an installation tells what it is doing; who draws it is not its business."""

from pathlib import Path
from typing import Protocol


class Progress(Protocol):
    """Told from several threads at once."""

    def begun(self, what: str, *, jars: int, there: int) -> None:
        """`jars` are needed for `what`, of which `there` are fetched already."""

    def received(self, count: int) -> None:
        """So many more bytes have come."""

    def fetched(self, name: str) -> None:
        """One more jar is there, whole and checked."""

    def waiting(self, lock: Path) -> None:
        """Another process installs the same; this one waits for it."""


class Unwatched:
    """Progress that nobody looks at."""

    def begun(self, what: str, *, jars: int, there: int) -> None:
        """Say nothing."""

    def received(self, count: int) -> None:
        """Say nothing."""

    def fetched(self, name: str) -> None:
        """Say nothing."""

    def waiting(self, lock: Path) -> None:
        """Say nothing."""
