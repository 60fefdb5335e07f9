"""Relationships on the command line: relate, connected, path."""

from typing import Annotated

import typer

from hippograph.api.cli import documents, drawing
from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.screen import short
from hippograph.api.cli.values import Metadata, Types, named, number, relationship_type
from hippograph.schema.relationships import RelationshipType

DEPTH = 2


def register(app: typer.Typer) -> None:
    """Add relate, connected and path to the command line."""
    command(app, "relate")(relate)
    command(app, "connected")(connected)
    command(app, "path")(path)


def relate(
    caller: Caller,
    source: Annotated[str | None, typer.Argument(help="A memory's id.")] = None,
    kind: Annotated[
        RelationshipType | None,
        typer.Argument(
            metavar="TYPE", parser=relationship_type, help="A type, by any of its names."
        ),
    ] = None,
    target: Annotated[str | None, typer.Argument(help="A memory's id.")] = None,
    *,
    remove: Annotated[
        str | None, typer.Option(metavar="ID", help="Take this relationship back instead.")
    ] = None,
    score: Annotated[
        float | None, typer.Option(parser=number, metavar="NUMBER", help="From 0 to 1.")
    ] = None,
    metadata: Metadata = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="Makes a repetition give the first one back.")
    ] = None,
) -> None:
    """Relate two memories, or take a relationship back."""
    ends = (source, kind, target)
    if remove is not None:
        if any(ends):
            raise typer.BadParameter("--remove takes no SOURCE, TYPE and TARGET")
        return _remove(caller, remove)
    if source is None or kind is None or target is None:
        raise typer.BadParameter("SOURCE, TYPE and TARGET are needed")
    given = named(score=score, metadata=metadata, idempotencyKey=idempotency_key)
    given |= {"sourceId": source, "targetId": target, "relationshipType": kind.value}
    return _add(caller, given)


def _add(caller: Caller, given: dict[str, object]) -> None:
    with caller.service() as service:
        made = service.change(documents.RELATE, input=given)
    edge = made["relationship"]
    drawn = [drawing.edge_line(edge), edge["id"]] if edge else []
    if made["updated"]:
        drawn.append("It was there already and was updated.")
    caller.screen.show({**(edge or {}), "updated": made["updated"]}, *drawn)


def _remove(caller: Caller, relationship_id: str) -> None:
    with caller.service() as service:
        gone = service.change(documents.UNRELATE, id=relationship_id)
    caller.screen.show(
        gone["relationship"] or {"id": relationship_id}, f"Took back {relationship_id}."
    )


def connected(
    caller: Caller,
    memory: Annotated[str, typer.Argument(help="A memory's id.")],
    *,
    depth: Annotated[int, typer.Option(help="Hops, 1 to 3.")] = DEPTH,
    types: Types = None,
) -> None:
    """Memories within some hops of one."""
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    wanted = [one.value for one in types] if types else None
    with caller.service() as service:
        start = service.ask(documents.MEMORY, id=memory)
        found = service.ask(documents.CONNECTED, memoryId=memory, depth=depth, types=wanted)
    title = Text(short(start["text"]) if start else memory, style="bold")
    caller.screen.show(found, drawing.neighbourhood(title, memory, found))


def path(
    caller: Caller,
    source: Annotated[str, typer.Argument(help="A memory's id.")],
    target: Annotated[str, typer.Argument(help="A memory's id.")],
    *,
    weighted: Annotated[bool, typer.Option("--weighted", help="Prefer strong edges.")] = False,
) -> None:
    """The shortest path between two memories; null with --json when there is none."""
    with caller.service() as service:
        found = service.ask(
            documents.PATH, sourceId=source, targetId=target, weighted=weighted or None
        )
    drawn = drawing.path(found) if found else "There is no path between the two."
    caller.screen.show(found, drawn)
