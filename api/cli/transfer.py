"""Import on the command line: notes, JSONL and conversations become memories."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.screen import err, short, table
from hippograph.api.cli.values import AgentId
from hippograph.api.imports.findings import Draft, Finding, Format, Skip, Wanted
from hippograph.schema.errors import HippographError, InvalidError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from hippograph.api.cli.loading import Report

SHOWN = 20
EXAMPLES = 10


def register(app: typer.Typer) -> None:
    """Add import to the command line."""
    command(app, "import")(import_files)


def format_named(word: str) -> Format | None:
    """The format of that name, or None for `auto`."""
    names = ["auto", *(one.value for one in Format)]
    if word not in names:
        raise typer.BadParameter(f"{word!r} is none of {', '.join(names)}")
    return None if word == "auto" else Format(word)


def import_files(
    caller: Caller,
    path: Annotated[Path, typer.Argument(help="A folder or file.")],
    *,
    file_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            parser=format_named,
            metavar="auto|markdown|jsonl|chatgpt|claude",
            help="The format; found out else.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would come; writes nothing.")
    ] = False,
    agent_id: AgentId = None,
    category: Annotated[
        str | None, typer.Option(metavar="PATH", help="Category for everything imported.")
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Bring memories imported before up to date.")
    ] = False,
) -> None:
    """Import Markdown notes, JSONL, or an export of ChatGPT or Claude.

    Importing the same again stores nothing twice.
    """
    from hippograph.api.imports.formats import findings  # noqa: PLC0415 - pydantic is slow

    found = readable(
        findings(path, Wanted(agent_id=agent_id, category=category), file_format), path
    )
    if dry_run:
        report, examples = _rehearsed(found)
        answer = {
            "dryRun": True,
            **report.as_json(),
            "examples": [_example(one) for one in examples],
        }
        caller.screen.show(answer, *_planned(report, examples), *drawn(report))
    else:
        report = _loaded(caller, found, update=update)
        caller.screen.show(
            {"dryRun": False, **report.as_json()}, _summary(report), *drawn(report)
        )
    if report.skipped and not report.memories:
        raise typer.Exit(1)


def readable(found: Iterable[Finding], path: Path) -> Iterator[Finding]:
    """The same findings, but for drafts that can't be sent.

    Raises InvalidError when the file can't be read to its end.
    """
    try:
        for finding in found:
            if isinstance(finding, Draft) and not finding.is_unicode():
                reason = "holds half of a surrogate pair, which is no text"
                yield Skip(place=finding.place, reason=reason)
            else:
                yield finding
    except OSError as error:
        raise InvalidError("path", f"{path} can't be read: {error.strerror}") from error


def _rehearsed(found: Iterable[Finding]) -> "tuple[Report, list[Draft]]":
    from hippograph.api.cli.loading import rehearsed  # noqa: PLC0415 - needed here only

    return rehearsed(found, examples=EXAMPLES)


def _loaded(caller: Caller, found: Iterable[Finding], *, update: bool) -> "Report":
    from hippograph.api.cli.loading import Loader  # noqa: PLC0415 - needed here only

    with caller.service() as service, err().status("Reading") as status:
        loader = Loader(
            service=service,
            update=update,
            progress=lambda report: status.update(f"{report.memories} memories"),
        )
        try:
            return loader.load(found)
        except HippographError:
            if loader.report.memories:
                caller.screen.note(
                    f"stopped after {loader.report.memories} memories, which are stored; "
                    "run it again to go on, nothing is stored twice"
                )
            raise


def drawn(report: "Report") -> "Iterator[RenderableType]":
    """What was skipped and what was left out, for people."""
    for what, times in report.remarks.items():
        yield f"{times} {what}"
    if report.skipped:
        rows = [(one.place, one.reason) for one in report.skipped[:SHOWN]]
        yield table(("skipped", "because"), rows)
    if len(report.skipped) > SHOWN:
        yield f"and {len(report.skipped) - SHOWN} more; --json lists all"


def _summary(report: "Report") -> str:
    return (
        f"{report.stored} stored, {report.updated} updated, {report.already_there} already "
        f"there, {report.links} links, {len(report.skipped)} skipped"
    )


def _planned(report: "Report", examples: list[Draft]) -> "Iterator[RenderableType]":
    yield table(
        ("from", "category", "text"),
        [(one.place, one.category, short(one.text)) for one in examples],
    )
    yield (
        f"{report.stored} memories and {report.links} links would come, "
        f"{len(report.skipped)} skipped; nothing was written"
    )


def _example(draft: Draft) -> dict[str, object]:
    return {"place": draft.place, **draft.as_input()}
