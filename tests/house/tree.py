"""The repository as the house rules see it."""

import ast
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("schema", "graph", "api")
# What `make` and the tools leave behind, for a copy of the tree that is no git repository.
LEFT_BEHIND = {".git", ".venv", "__pycache__", "dist", "build", ".hypothesis", "htmlcov"}


def tracked() -> list[Path]:
    """Every file of the repository that is or would be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
        return sorted(path for name in set(names) if os.path.lexists(path := ROOT / name))
    return sorted(_walked(ROOT))


def _walked(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in folder.iterdir():
        if path.name in LEFT_BEHIND or path.name.endswith(("_cache", ".egg-info", ".coverage")):
            continue
        if path.is_dir() and not path.is_symlink():
            found.extend(_walked(path))
        else:
            found.append(path)
    return found


def sources(*folders: str) -> list[Path]:
    """The Python files of some folders at the top."""
    return [
        path
        for path in tracked()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders
    ]


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def shown(path: Path, line: int | None = None) -> str:
    """A place in the repository as an editor understands it."""
    where = str(path.relative_to(ROOT))
    return where if line is None else f"{where}:{line}"
