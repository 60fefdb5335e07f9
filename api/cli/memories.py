"""Memories one by one: store, update, show, list, reinforce."""

from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.api.cli import answers, documents
from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.screen import plain, short, table
from hippograph.api.cli.values import (
    AgentId,
    Metadata,
    instant,
    named,
    number,
    text_given,
    tier,
)
from hippograph.schema.errors import NotFoundError
from hippograph.schema.kinds import MemoryKind, MemoryState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

Category = Annotated[str | None, typer.Option(metavar="PATH", help="Category path.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be repeated.")]
Importance = Annotated[
    float | None, typer.Option(parser=number, metavar="NUMBER", help="From 0 to 1.")
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")]


def register(app: typer.Typer) -> None:
    """Add store, update, show, list and reinforce to the command line."""
    command(app, "store")(store)
    command(app, "update")(update)
    command(app, "show")(show)
    command(app, "list")(list_memories)
    command(app, "reinforce")(reinforce)


def store(
    caller: Caller,
    *,
    text: Annotated[
        str, typer.Option(parser=text_given, metavar="TEXT", help="The text; - reads it.")
    ],
    category: Category = None,
    importance: Importance = None,
    kind: Annotated[MemoryKind | None, typer.Option(case_sensitive=False)] = None,
    tags: Tags = None,
    entities: Annotated[
        list[str] | None,
        typer.Option("--entity", help="A person, thing or term in it; may be repeated."),
    ] = None,
    agent_id: AgentId = None,
    session: Annotated[str | None, typer.Option(help="Conversation or run.")] = None,
    source: Annotated[str | None, typer.Option(help="Where it comes from.")] = None,
    created_at: Annotated[
        str | None, typer.Option(parser=instant, metavar="TIME", help="When it happened.")
    ] = None,
    expires_at: Annotated[
        str | None, typer.Option(parser=instant, metavar="TIME", help="When it ends.")
    ] = None,
    memory_id: Annotated[str | None, typer.Option("--id", help="An id of your choice.")] = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="Makes a repetition give the first memory back.")
    ] = None,
    metadata: Metadata = None,
) -> None:
    """Store a memory."""
    given = named(
        text=text,
        category=category,
        importance=importance,
        kind=kind.value if kind else None,
        tags=tags or None,
        entities=entities or None,
        agentId=agent_id,
        sessionId=session,
        source=source,
        createdAt=created_at,
        expiresAt=expires_at,
        id=memory_id,
        idempotencyKey=idempotency_key,
        metadata=metadata,
    )
    with caller.service() as service:
        stored = service.change(documents.STORE, input=given)
    answer = {**stored["memory"], "links": stored["links"]}
    caller.screen.show(answer, *_drawn(stored["memory"]), *_edges(stored["links"]))


def update(
    caller: Caller,
    memory_id: MemoryId,
    *,
    text: Annotated[
        str | None,
        typer.Option(parser=text_given, metavar="TEXT", help="New text; - reads it."),
    ] = None,
    category: Category = None,
    importance: Importance = None,
    tags: Tags = None,
    metadata: Metadata = None,
    expected_version: Annotated[
        int | None, typer.Option(help="Refuse when the memory has another version by now.")
    ] = None,
) -> None:
    """Change a memory; its earlier text stays as a revision."""
    given = named(
        id=memory_id,
        text=text,
        category=category,
        importance=importance,
        tags=tags or None,
        metadata=metadata,
        expectedVersion=expected_version,
    )
    with caller.service() as service:
        stored = service.change(documents.UPDATE, input=given)
    caller.screen.show(stored["memory"], *_drawn(stored["memory"]))


def show(caller: Caller, memory_id: MemoryId) -> None:
    """One memory and its relationships."""
    with caller.service() as service:
        memory = service.ask(documents.MEMORY, id=memory_id)
    if memory is None:
        raise NotFoundError("memory", memory_id, field="id")
    caller.screen.show(memory, *_drawn(memory), *_edges(memory["relationships"]))


def list_memories(
    caller: Caller,
    *,
    agent_id: AgentId = None,
    kinds: Annotated[
        list[MemoryKind] | None, typer.Option("--kind", case_sensitive=False)
    ] = None,
    states: Annotated[
        list[MemoryState] | None, typer.Option("--state", case_sensitive=False)
    ] = None,
    tiers: Annotated[
        list[object] | None, typer.Option("--tier", parser=tier, metavar="TIER")
    ] = None,
    category: Category = None,
    tags: Tags = None,
    created_from: Annotated[
        str | None, typer.Option(parser=instant, metavar="TIME", help="From this time on.")
    ] = None,
    created_before: Annotated[
        str | None, typer.Option(parser=instant, metavar="TIME", help="Before this time.")
    ] = None,
    first: Annotated[int, typer.Option(help="How many, at most 100.")] = 20,
    after: Annotated[str | None, typer.Option(help="The cursor of the page before.")] = None,
) -> None:
    """Memories by filter, a page at a time."""
    wanted = named(
        agentId=agent_id,
        kinds=[kind.value for kind in kinds or ()] or None,
        states=[state.value for state in states or ()] or None,
        tiers=tiers or None,
        category=category,
        tags=tags or None,
        createdFrom=created_from,
        createdBefore=created_before,
    )
    with caller.service() as service:
        page = service.ask(documents.MEMORIES, filter=wanted or None, first=first, after=after)
    rows = [
        (one["id"], one["kind"], one["tier"], one["category"], short(one["text"]))
        for one in page["items"]
    ]
    caller.screen.show(
        page, table(("id", "kind", "tier", "category", "text"), rows), _paging(page)
    )


def reinforce(caller: Caller, memory_id: MemoryId) -> None:
    """Count an access, which strengthens a memory."""
    with caller.service() as service:
        stored = service.change(documents.REINFORCE, id=memory_id)
    caller.screen.show(stored["memory"], *_drawn(stored["memory"]))


def _paging(page: answers.MemoryPage) -> str:
    shown = f"{len(page['items'])} of {page['totalCount']}"
    more = page["pageInfo"]
    return f"{shown}; --after {more['endCursor']}" if more["hasNextPage"] else shown


def _drawn(memory: answers.Memory) -> "Iterator[RenderableType]":
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    facts = [memory["kind"], memory["state"], memory["tier"], f"score {memory['score']:.3f}"]
    places = [memory["category"] or "-", memory["agentId"], f"version {memory['version']}"]
    yield Text(memory["id"], style="bold")
    yield Text(plain(" · ".join(facts + places)), style="dim")
    yield Text(plain(memory["text"]))


def _edges(relationships: list[answers.Relationship]) -> "Iterator[RenderableType]":
    if relationships:
        rows = [
            (short(one["source"]["text"], 40), one["type"], short(one["target"]["text"], 40))
            for one in relationships
        ]
        yield table(("source", "relationship", "target"), rows)
