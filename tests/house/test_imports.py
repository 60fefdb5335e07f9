"""Imports go one way and by one name, and Python holds no Cypher."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import PACKAGES, ROOT, parsed, shown, sources

CYPHER = re.compile(
    r"\b(?:MATCH|MERGE|CREATE)\s+\w*\s*\(|\bUNWIND\s+\$|\bDETACH\s+DELETE\b|\bCYPHER\s+25\b"
)


def test_the_layers_hold() -> None:
    program = Path(sys.executable).with_name("lint-imports")

    done = subprocess.run(
        [program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def test_a_module_has_one_name() -> None:
    bare = [
        f"{shown(path, line)} imports {name}"
        for path in sources(*PACKAGES, "hippograph", "tests", "benchmarks", "tools")
        for name, line in _imported(path)
        if name.startswith(".") or name.split(".")[0] in {*PACKAGES, "cypher"}
    ]

    assert bare == []


def test_python_holds_no_cypher() -> None:
    spliced = [
        f"{shown(path, node.lineno)}: {node.value[:60]!r}"
        for path in sources(*PACKAGES, "hippograph")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and CYPHER.search(node.value)
    ]

    assert spliced == []


def _imported(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), node.lineno
