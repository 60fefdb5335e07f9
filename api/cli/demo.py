"""The demo: Python's own language reference becomes a memory graph, and answers questions."""

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from hippograph.api.cli import answers, documents, drawing
from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.screen import err, short, table
from hippograph.api.imports.findings import Draft

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import RenderableType

    from hippograph.api.cli.background import Place
    from hippograph.api.cli.client import Service
    from hippograph.api.cli.loading import Report
    from hippograph.api.demo.browser import BrowserQuery
    from hippograph.api.imports.findings import Finding

QUESTIONS = (
    "How do I make sure cleanup code runs even if an exception is raised?",
    "How can a nested function rebind a variable of the enclosing function?",
    "Which has higher precedence, not or and?",
)
# How the little anonymous functions hang together with the with statement.
PATH_FROM, PATH_TO = "lambda", "context-managers"
MOST = 8
HITS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the demo shows."""

    report: "Report"
    answered: list[tuple[str, answers.Recall]]
    path: answers.Path | None
    topics: list[answers.Topic]
    graphql: str
    place: "Place | None"
    queries: "list[BrowserQuery]"


def register(app: typer.Typer) -> None:
    """Add demo to the command line."""
    command(app, "demo")(demo)


def demo(caller: Caller) -> None:
    """Store Python's language reference and ask it; starts the service if it is not running.

    It keeps to the agent `python-reference`, and a second run stores nothing twice.
    """
    place = _brought_up(caller) if caller.url is None else None
    with caller.service() as service:
        shown = _shown(service, place)
    caller.screen.show(_as_json(shown), *_drawn(shown))


def _brought_up(caller: Caller) -> "Place":
    """The service of the caller's home, started if it does not run."""
    from hippograph.api.cli.background import brought_up  # noqa: PLC0415 - imports are slow
    from hippograph.api.cli.installing import drawn  # noqa: PLC0415 - needed here only
    from hippograph.schema.settings import process_settings  # noqa: PLC0415 - as above

    with drawn() as progress:
        place, _ = brought_up(process_settings(home=caller.home), os.environ, progress)
    return place


def _shown(service: "Service", place: "Place | None") -> Shown:
    from hippograph.api.demo.browser import browser_queries  # noqa: PLC0415 - needed here only
    from hippograph.api.demo.memories import (  # noqa: PLC0415 - needed here only
        AGENT,
        TOPIC_TAG,
        findings,
        first_memories,
    )

    report = _loaded(service, findings())
    first = first_memories()
    topics = service.ask(
        documents.TOPICS, filter={"agentId": AGENT, "tags": [TOPIC_TAG]}, first=100
    )["items"]
    return Shown(
        report=report,
        answered=[(question, _asked(service, question, AGENT)) for question in QUESTIONS],
        path=service.ask(documents.PATH, sourceId=first[PATH_FROM], targetId=first[PATH_TO]),
        topics=sorted(topics, key=lambda one: -_references(one))[:MOST],
        graphql=service.url,
        place=place,
        queries=list(browser_queries(service.ask(documents.WHOAMI)["space"])),
    )


def _asked(service: "Service", question: str, agent: str) -> answers.Recall:
    options = {"limit": HITS, "connectionHops": 1, "reinforce": False}
    return service.ask(documents.RECALL, query=question, agentId=agent, options=options)


def _loaded(service: "Service", found: "Iterable[Finding]") -> "Report":
    from rich.progress import (  # noqa: PLC0415 - needed here only
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    from hippograph.api.cli.loading import Loader  # noqa: PLC0415 - needed here only

    everything = list(found)
    total = sum(isinstance(one, Draft) for one in everything)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=err()) as progress:
        task = progress.add_task("Storing Python's language reference", total=total)
        loader = Loader(
            service=service,
            update=True,
            at_once=64,
            progress=lambda report: progress.update(task, completed=report.memories),
        )
        return loader.load(everything)


def _as_json(shown: Shown) -> dict[str, object]:
    return {
        "report": shown.report.as_json(),
        "questions": [
            {"question": question, "answers": [hit["memory"] for hit in recall["primary"]]}
            for question, recall in shown.answered
        ],
        "path": shown.path,
        "mostReferred": [
            {"id": one["id"], "category": one["category"], "references": _references(one)}
            for one in shown.topics
        ],
        "graphql": shown.graphql,
        "service": shown.place.as_json() if shown.place else None,
        "cypher": [asdict(one) for one in shown.queries],
    }


def _drawn(shown: Shown) -> "Iterator[RenderableType]":
    from rich.rule import Rule  # noqa: PLC0415 - needed here only

    report = shown.report
    yield (
        f"{report.stored} memories stored, {report.already_there + report.updated} there "
        f"already, {report.links} relationships"
    )
    for question, recall in shown.answered:
        yield Rule(question, align="left")
        yield drawing.hits(recall)
    yield Rule("A path through the graph", align="left")
    yield drawing.path(shown.path) if shown.path else "There is none."
    yield Rule("The topics that most others refer to", align="left")
    rows = [(one["category"], _references(one), short(one["text"], 60)) for one in shown.topics]
    yield table(("topic", "references", "begins"), rows)
    yield Rule("Ask it yourself", align="left")
    yield 'hippograph retrieve "your question" --agent-id python-reference'
    yield from _addresses(shown)


def _addresses(shown: Shown) -> "Iterator[RenderableType]":
    from rich.rule import Rule  # noqa: PLC0415 - needed here only

    rows: list[tuple[str, object]] = [("GraphQL", shown.graphql)]
    place = shown.place
    if place is not None:
        rows.append(("Key", f"in {place.token_file}"))
    if place is not None and place.browser is not None:
        rows.append(("Browser", place.browser))
        rows.append(("Password", f"of user neo4j, in {place.neo4j_password_file}"))
    yield from (f"{name:<9} {where}" for name, where in rows)
    yield Rule("To try in Neo4j Browser", align="left")
    for query in shown.queries:
        yield f"// {query.purpose}\n{query.text}\n"


def _references(topic: answers.Topic) -> int:
    return len(topic["relationships"])
