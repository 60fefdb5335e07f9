"""Recall on the command line: retrieve."""

from typing import Annotated

import typer

from hippograph.api.cli import answers, documents, drawing
from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.values import AgentId, Types, instant, named, strategy


def register(app: typer.Typer) -> None:
    """Add retrieve to the command line."""
    command(app, "retrieve")(retrieve)


def retrieve(
    caller: Caller,
    question: Annotated[str | None, typer.Argument(metavar="QUERY")] = None,
    *,
    query: Annotated[str | None, typer.Option(help="The same as the argument.")] = None,
    limit: Annotated[int, typer.Option(help="How many direct hits, at most 100.")] = 5,
    way: Annotated[
        object | None,
        typer.Option("--strategy", parser=strategy, metavar="STRATEGY", help="How to search."),
    ] = None,
    hops: Annotated[
        int | None, typer.Option(help="How far to follow connections, 1 to 3; 0 for not.")
    ] = None,
    types: Types = None,
    central: Annotated[
        bool, typer.Option("--central", help="Prefer well connected memories.")
    ] = False,
    agent_id: AgentId = None,
    as_of: Annotated[
        str | None, typer.Option(parser=instant, metavar="TIME", help="As it stood then.")
    ] = None,
    across_agents: Annotated[
        bool, typer.Option("--across-agents", help="Search every agent of the space.")
    ] = False,
    max_bytes: Annotated[
        int | None, typer.Option(help="Largest answer text, in bytes.")
    ] = None,
) -> None:
    """Recall what fits a question.

    With --json the answer is a list of the direct hits, best first, each with its text; what
    connections led to stands in `connected` of the hit it was reached from.
    """
    asked = _asked(question, query)
    options = named(
        limit=limit,
        strategy=way,
        useConnections=False if hops == 0 else None,
        connectionHops=hops or None,
        connectionTypes=[one.value for one in types] if types else None,
        boostCentralMemories=central or None,
        asOf=as_of,
        acrossAgents=across_agents or None,
        maxBytes=max_bytes,
    )
    with caller.service() as service:
        recall = service.ask(documents.RECALL, query=asked, agentId=agent_id, options=options)
    caller.screen.show(listed(recall), drawing.hits(recall))


def listed(recall: answers.Recall) -> list[dict[str, object]]:
    """The direct hits as flat objects with a text, each with what it is connected with."""
    flat = [_flat(hit) for hit in recall["primary"]]
    beside: list[list[dict[str, object]]] = [[] for _ in flat]
    for hit in recall["connected"] if flat else ():
        beside[drawing.nearest(hit, recall["primary"])].append(_flat(hit))
    return [{**one, "connected": near} for one, near in zip(flat, beside, strict=True)]


def _flat(hit: answers.Hit) -> dict[str, object]:
    rest = {name: value for name, value in hit.items() if name != "memory"}
    return {**hit["memory"], **rest}


def _asked(question: str | None, query: str | None) -> str:
    given = [one for one in (question, query) if one is not None]
    if len(given) != 1:
        raise typer.BadParameter("give one question, as QUERY or with --query")
    return given[0]
