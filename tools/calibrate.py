"""Measure the labelled pairs with every model of the table and print the calibrations.

For maintainers, when a model is added or its file changes: writes the measured cosines back
into tests/data/similarity_pairs.jsonl, and prints what belongs into schema/embedding.py and
docs/embeddings.md. Fetches the models that are not in the cache yet.

    .venv/bin/python tools/calibrate.py
"""

import asyncio
import json
import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hippograph.graph.embed import open_embedder
from hippograph.graph.engine.install import model_jar
from hippograph.schema.embedding import DEFAULT_MODEL, MODELS, Embedded, Role, calibrated
from hippograph.schema.settings import process_settings

PAIRS = Path(__file__).parents[1] / "tests" / "data" / "similarity_pairs.jsonl"
# The values at which MiniLM's scale is pinned: nothing in common, and the three thresholds.
PINS = (0.0, 0.3, 0.6, 0.8)
BANDS = PINS[1:]
SAME = 0.6
FIELDS = {Role.PASSAGE: "cosines", Role.QUERY: "query_cosines"}


async def main() -> None:
    """Measure, write, print."""
    pairs: list[dict[str, Any]] = [
        json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()
    ]
    measured = {name: await cosines(name, pairs) for name in MODELS}
    for at, pair in enumerate(pairs):
        for role, field in FIELDS.items():
            pair[field] = {name: measured[name][role][at] for name in MODELS}
    PAIRS.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    reference = measured[DEFAULT_MODEL][Role.PASSAGE]
    for name in MODELS:
        for role in Role:
            report(name, role, measured[name][role], reference, pairs)


async def cosines(name: str, pairs: list[dict[str, Any]]) -> dict[Role, list[float]]:
    """The cosine of each pair to four decimals, its first text as passage and as query."""
    settings = process_settings().settings
    jar = model_jar(MODELS[name].artifact, settings.cache)
    embedder = await open_embedder(
        name, cache=settings.cache, model_jar=jar, settings=settings.embedding
    )
    seconds = await embedder.passages([pair["second"] for pair in pairs])
    firsts = await embedder.passages([pair["first"] for pair in pairs])
    queries = [await embedder.query(pair["first"]) for pair in pairs]
    embedder.close()
    return {Role.PASSAGE: compared(firsts, seconds), Role.QUERY: compared(queries, seconds)}


def compared(ones: Sequence[Embedded], others: Sequence[Embedded]) -> list[float]:
    """The cosines of vectors side by side."""
    return [
        round(math.fsum(x * y for x, y in zip(one.vector, other.vector, strict=True)), 4)
        for one, other in zip(ones, others, strict=True)
    ]


def fitted(own: list[float], reference: list[float]) -> list[tuple[float, float]]:
    """For each pin the cosine with as many pairs below as MiniLM has below the pin."""
    own, reference = sorted(own), sorted(reference)
    knots: list[tuple[float, float]] = []
    for pin in PINS:
        at = bisect_left(reference, pin)
        knots.append((round((own[at - 1] + own[at]) / 2, 3), pin))
    return knots


def report(
    name: str,
    role: Role,
    own: list[float],
    reference: list[float],
    pairs: list[dict[str, Any]],
) -> None:
    """Print the knots, the agreement with MiniLM and what the labels say."""
    print(f"{name}, {role} and passage, fitted: {fitted(own, reference)}")
    after = [calibrated(name, one, role=role) for one in own]
    for when, values in (("before", own), ("after", after)):
        together = zip(values, reference, strict=True)
        agreeing = sum(band(one) == band(other) for one, other in together) / len(own)
        kept = [
            pair["label"] for value, pair in zip(values, pairs, strict=True) if value >= SAME
        ]
        counted = {label: kept.count(label) for label in ("same", "related", "unrelated")}
        print(f"  {when}: same band {agreeing:.3f}, at least {SAME}: {counted}")


def band(value: float) -> int:
    """The triage band of a value: 0 to 3."""
    return bisect_right(BANDS, value)


if __name__ == "__main__":
    asyncio.run(main())
