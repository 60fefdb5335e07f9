"""The `hippograph` command.

Exit codes: 0 done, 1 refused or not reachable, 2 bad use.
"""

import sys
from typing import Annotated

import typer

from hippograph import __version__
from hippograph.api.cli import (
    configuration,
    daemon,
    demo,
    keys,
    memories,
    recall,
    reindexing,
    relations,
    transfer,
)
from hippograph.schema.errors import HippographError, RefusedError

REFUSED = 1

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _about(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Tell the version."
        ),
    ] = False,
) -> None:
    """A memory service for AI agents over a real property graph."""
    del version


for part in (
    daemon,
    memories,
    recall,
    relations,
    transfer,
    demo,
    keys,
    configuration,
    reindexing,
):
    part.register(app)


def main() -> None:
    """Run the command line of this process and end it with its exit code."""
    sys.exit(exit_code(sys.argv[1:]))


def exit_code(words: list[str]) -> int:
    """Run one command; what went wrong stands on standard error in one sentence."""
    try:
        answer: object = app(words, prog_name="hippograph", standalone_mode=False)
    except typer.TyperException as error:
        typer.echo(error.format_message(), err=True)
        return error.exit_code
    except HippographError as error:
        typer.echo(sentence(error), err=True)
        return REFUSED
    return answer if isinstance(answer, int) else 0


def sentence(error: HippographError) -> str:
    """What went wrong in one sentence that names the field at fault."""
    said = str(error)
    if isinstance(error, RefusedError) and error.field and error.field not in said:
        return f"{error.field}: {said}"
    return said
