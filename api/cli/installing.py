"""How `up` and `serve` show on standard error what takes its time."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.api.cli.screen import err

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

MEGABYTE = 1_000_000


class Drawn:
    """Progress as a bar for each thing that is installed and a line for each step."""

    def __init__(self, bars: "Progress") -> None:
        self._bars = bars
        self._bytes = 0
        self._task: TaskID | None = None
        self._step: TaskID | None = None

    def begun(self, what: str, *, jars: int, there: int) -> None:
        """Draw a bar."""
        self._bytes = 0
        self._task = self._bars.add_task(
            f"Fetching {what}", total=jars, completed=there, size=""
        )

    def received(self, count: int) -> None:
        """Count the megabytes beside the bar."""
        self._bytes += count
        if self._task is not None:
            self._bars.update(self._task, size=f"{self._bytes // MEGABYTE} MB")

    def fetched(self, name: str) -> None:
        """Draw the bar on."""
        del name
        if self._task is not None:
            self._bars.advance(self._task)

    def waiting(self, lock: Path) -> None:
        """Say why nothing moves."""
        del lock
        self._bars.console.print("Another process is fetching the same; waiting for it.")

    def step(self, what: str) -> None:
        """Say what goes on now, in place of the step before."""
        if self._step is not None:
            self._bars.remove_task(self._step)
        self._step = self._bars.add_task(what, total=None, size="")


@contextmanager
def drawn() -> Generator[Drawn]:
    """Progress on standard error; it leaves nothing there when all is done."""
    from rich.progress import (  # noqa: PLC0415 - needed here only
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[size]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err(), transient=True) as bars:
        yield Drawn(bars)
