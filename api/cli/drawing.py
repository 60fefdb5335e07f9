"""Memories and relationships as people read them: trees and arrows."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hippograph.api.cli import answers
from hippograph.api.cli.screen import plain, short

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree


def hits(recall: answers.Recall) -> "Tree":
    """What was recalled: the direct hits, and below each what its connections led to."""
    from rich.tree import Tree  # noqa: PLC0415 - not needed to answer with JSON

    root = Tree(_counted(recall), guide_style="dim")
    branches = [root.add(_hit(hit, whole=True)) for hit in recall["primary"]]
    for hit in recall["connected"]:
        branches[nearest(hit, recall["primary"])].add(_reached(hit, hit["memory"]["id"]))
    return root


def nearest(hit: answers.Hit, primary: Sequence[answers.Hit]) -> int:
    """The place of the direct hit that a connected one was reached from, by its edges."""
    ends = {end for edge in hit["via"] for end in (edge["source"]["id"], edge["target"]["id"])}
    places = (place for place, one in enumerate(primary) if one["memory"]["id"] in ends)
    return next(places, 0)


def neighbourhood(start: "Text", start_id: str, found: Iterable[answers.Hit]) -> "Tree":
    """What is connected with a memory, each below the memory it was reached over."""
    from rich.tree import Tree  # noqa: PLC0415 - not needed to answer with JSON

    root = Tree(start, guide_style="dim")
    branches = {start_id: root}
    for hit in sorted(found, key=lambda one: one["hops"]):
        own = hit["memory"]["id"]
        branches[own] = branches.get(_parent(hit), root).add(_reached(hit, own))
    return root


def path(found: answers.Path) -> "Text":
    """A path as memories with arrows between them, in the direction of each edge."""
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    drawn = Text(short(found["nodes"][0]["text"]))
    for node, edge in zip(found["nodes"][1:], found["edges"], strict=True):
        drawn.append("\n  ")
        drawn.append(arrow(edge, forward=edge["target"]["id"] == node["id"]), style="cyan")
        drawn.append(" " + short(node["text"]))
    return drawn


def arrow(edge: answers.Relationship, *, forward: bool) -> str:
    """An edge of a path, pointing from its source to its target."""
    return f"—{edge['type']}→" if forward else f"←{edge['type']}—"


def edge_line(edge: answers.Relationship) -> str:
    """An edge with both ends on one line."""
    source, target = short(edge["source"]["text"], 40), short(edge["target"]["text"], 40)
    return f"{source} {arrow(edge, forward=True)} {target}"


def _counted(recall: answers.Recall) -> "Text":
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    words = f"{len(recall['primary'])} found by {recall['strategyUsed']}"
    words += f", {len(recall['connected'])} over connections, {recall['tookMs']:.0f} ms"
    if recall["omitted"]:
        words += f", {recall['omitted']} left out for size"
    if recall["fallbackReason"]:
        words += f" ({recall['fallbackReason']})"
    return Text(words, style="dim")


def _hit(hit: answers.Hit, *, whole: bool) -> "Text":
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    memory = hit["memory"]
    drawn = Text(f"{hit['relevance']:.2f}", style="bold")
    drawn.append(f"  {memory['category'] or '-'}  {memory['id']}", style="dim")
    drawn.append("\n" + (plain(memory["text"]) if whole else short(memory["text"])), "default")
    if whole and hit["trace"]:
        drawn.append("\n" + plain("; ".join(hit["trace"])), style="dim italic")
    return drawn


def _reached(hit: answers.Hit, own: str) -> "Text":
    from rich.text import Text  # noqa: PLC0415 - not needed to answer with JSON

    drawn = Text()
    edge = _last_edge(hit)
    if edge is not None:
        drawn.append(arrow(edge, forward=edge["target"]["id"] == own) + " ", style="cyan")
    drawn.append(short(hit["memory"]["text"]))
    drawn.append(f"  {own}", style="dim")
    return drawn


def _last_edge(hit: answers.Hit) -> answers.Relationship | None:
    own = hit["memory"]["id"]
    touching = [
        edge for edge in hit["via"] if own in (edge["source"]["id"], edge["target"]["id"])
    ]
    return touching[-1] if touching else None


def _parent(hit: answers.Hit) -> str:
    edge = _last_edge(hit)
    if edge is None:
        return ""
    source, target = edge["source"]["id"], edge["target"]["id"]
    return source if target == hit["memory"]["id"] else target
