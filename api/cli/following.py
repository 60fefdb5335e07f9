"""Log files, shown as they grow."""

from dataclasses import dataclass
from pathlib import Path

import typer

from hippograph.api.cli.screen import plain
from hippograph.graph.engine.process import tail


@dataclass(slots=True)
class Follower:
    """Shows one log; remembers how far."""

    log: Path
    label: str
    _shown: int = 0

    def show_last(self, lines: int) -> None:
        """Show the last lines; what comes later is new."""
        self._shown = self._size()
        for line in tail(self.log, lines):
            self._show(line)

    def show_new(self) -> None:
        """Show the whole lines that came since; a log that was begun anew, from its start."""
        size = self._size()
        if size < self._shown:
            self._shown = 0
        if size == self._shown:
            return
        with self.log.open("rb") as file:
            file.seek(self._shown)
            grown = file.read()
        whole = grown[: grown.rfind(b"\n") + 1]
        self._shown += len(whole)
        for line in whole.decode(errors="replace").splitlines():
            self._show(line)

    def _size(self) -> int:
        return self.log.stat().st_size if self.log.exists() else 0

    def _show(self, line: str) -> None:
        typer.echo(plain(f"{self.label:<5} | {line}" if self.label else line))
