"""The demo: Python's own language reference becomes a memory graph, and answers questions."""

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
class Findings:
    """What the demo shows."""

    report: "Report"
    answered: list[tuple[str, answers.Recall]]
    path: answers.Path | None
    topics: list[answers.Topic]
    space: str


def register(app: typer.Typer) -> None:
    """Add demo to the command line."""
    command(app, "demo")(demo)


def demo(caller: Caller) -> None:
    """Store Python's language reference and ask it; starts the service if it is not running.

    It keeps to the agent `python-reference`, and a second run stores nothing twice.
    """
    from hippograph.api.demo.browser import browser_queries  # noqa: PLC0415 - needed here only

    with caller.service() as service:
        shown = _shown(service)
        queries = list(browser_queries(shown.space))
        answer = _as_json(shown, service.url, queries)
    caller.screen.show(answer, *_drawn(shown, service.url, queries))


def _shown(service: "Service") -> Findings:
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
    return Findings(
        report=report,
        answered=[(question, _asked(service, question, AGENT)) for question in QUESTIONS],
        path=service.ask(documents.PATH, sourceId=first[PATH_FROM], targetId=first[PATH_TO]),
        topics=sorted(topics, key=lambda one: -len(one["relationships"]))[:MOST],
        space=service.ask(documents.WHOAMI)["space"],
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


def _as_json(shown: Findings, graphql: str, queries: "list[BrowserQuery]") -> dict[str, object]:
    return {
        "report": shown.report.as_json(),
        "questions": [
            {"question": question, "answers": [hit["memory"] for hit in recall["primary"]]}
            for question, recall in shown.answered
        ],
        "path": shown.path,
        "mostReferred": shown.topics,
        "graphql": graphql,
        "cypher": [asdict(one) for one in queries],
    }


def _drawn(
    shown: Findings, graphql: str, queries: "list[BrowserQuery]"
) -> "Iterator[RenderableType]":
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
    rows = [
        (one["category"], len(one["relationships"]), short(one["text"], 60))
        for one in shown.topics
    ]
    yield table(("topic", "referred to by", "begins"), rows)
    yield Rule("Look further", align="left")
    yield f"GraphQL  {graphql}"
    for query in queries:
        yield f"\n{query.purpose}\n\n{query.text}"
