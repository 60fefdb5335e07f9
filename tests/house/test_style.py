"""The measures of size and the rule for ignores, which no linter of ours checks."""

import ast
import re
from pathlib import Path

from tests.house.tree import PACKAGES, ROOT, parsed, shown, sources, tracked

LINES_OF_A_MODULE = 400
LINES_OF_A_FUNCTION = 50
PARAMETERS = 6
# `except Exception` stands where errors are translated: the driver's, the model's, all others.
CATCHES_ALL = {"graph/database.py", "graph/embed/embedder.py", "api/errors.py"}
# An ignore with the rules that it names, if it names any.
IGNORE = re.compile(
    r"#\s*(?:noqa|type: ignore|pyright: ignore)"
    r"(?P<rules>: ?[A-Z]+\d+(?:, ?[A-Z]+\d+)*|\[[\w, -]+\])?"
)


def test_modules_stay_short() -> None:
    long = [
        f"{shown(path)} has {count} lines"
        for path in sources(*PACKAGES)
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > LINES_OF_A_MODULE
    ]

    assert long == []


def test_functions_stay_short_and_take_few_parameters() -> None:
    wrong = [
        f"{shown(path, node.lineno)} {node.name}: {lines} lines, {taken} parameters"
        for path in sources(*PACKAGES)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for lines in [_lines_of(node)]
        for taken in [_parameters_of(node)]
        if lines > LINES_OF_A_FUNCTION or (taken > PARAMETERS and not _is_command(path, node))
    ]

    assert wrong == []


def test_errors_are_swallowed_nowhere() -> None:
    broad = [
        shown(path, node.lineno)
        for path in sources(*PACKAGES)
        if shown(path) not in CATCHES_ALL
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ExceptHandler) and _swallows_all(node)
    ]

    assert broad == []


def test_every_ignore_names_its_rule_and_its_reason() -> None:
    bare = [
        f"{shown(path, number)}: {line.strip()}"
        for path in tracked()
        if path.suffix == ".py"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if IGNORE.search(line) and not _is_reasoned(line)
    ]

    assert bare == []


def _is_reasoned(line: str) -> bool:
    """Whether each ignore on a line names a rule, and words follow the last."""
    ignores = list(IGNORE.finditer(line))
    return all(one["rules"] for one in ignores) and bool(
        re.search(r"\w{2}", line[ignores[-1].end() :])
    )


def _is_command(path: Path, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the parameters are the options of a command or the arguments of a field."""
    taken = function.args.posonlyargs + function.args.args
    is_verb = bool(taken) and taken[0].arg == "caller"
    return path.is_relative_to(ROOT / "api") and (is_verb or bool(function.decorator_list))


def _lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, the docstring left out."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def _parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    named = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    receiver = 1 if named[:1] in (["self"], ["cls"]) else 0
    return len(named) + len(function.args.kwonlyargs) - receiver


def _swallows_all(handler: ast.ExceptHandler) -> bool:
    """Whether every error ends here; one that is raised again after tidying up does not."""
    caught, last = handler.type, handler.body[-1]
    if isinstance(last, ast.Raise) and last.exc is None:
        return False
    return caught is None or (
        isinstance(caught, ast.Name) and caught.id in {"Exception", "BaseException"}
    )
