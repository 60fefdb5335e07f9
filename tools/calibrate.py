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
from pathlib import Path
from typing import Any

from hippograph.graph.embed import Embedder, open_embedder
from hippograph.graph.engine.install import model_jar
from hippograph.schema.embedding import DEFAULT_MODEL, IDENTITY, MODELS, calibrated
from hippograph.schema.settings import process_settings

PAIRS = Path(__file__).parents[1] / "tests" / "data" / "similarity_pairs.jsonl"
# The values at which MiniLM's scale is pinned: nothing in common, and the three thresholds.
PINS = (0.0, 0.3, 0.6, 0.8)
BANDS = PINS[1:]
SAME = 0.6


async def main() -> None:
    """Measure, write, print."""
    pairs: list[dict[str, Any]] = [
        json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()
    ]
    cosines = {name: await measured(name, pairs) for name in MODELS}
    for at, pair in enumerate(pairs):
        pair["cosines"] = {name: cosines[name][at] for name in MODELS}
    PAIRS.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    labels = [pair["label"] for pair in pairs]
    for name in MODELS:
        report(name, cosines[name], cosines[DEFAULT_MODEL], labels)


async def measured(name: str, pairs: list[dict[str, Any]]) -> list[float]:
    """The cosine of each pair, both texts embedded as passages, to four decimals."""
    settings = process_settings().settings
    jar = model_jar(MODELS[name].artifact, settings.cache)
    embedder: Embedder = await open_embedder(
        name, cache=settings.cache, model_jar=jar, settings=settings.embedding
    )
    firsts = await embedder.passages([pair["first"] for pair in pairs])
    seconds = await embedder.passages([pair["second"] for pair in pairs])
    embedder.close()
    return [
        round(math.fsum(x * y for x, y in zip(one.vector, other.vector, strict=True)), 4)
        for one, other in zip(firsts, seconds, strict=True)
    ]


def fitted(own: list[float], reference: list[float]) -> list[tuple[float, float]]:
    """For each pin the cosine with as many pairs below as MiniLM has below the pin."""
    own, reference = sorted(own), sorted(reference)
    knots: list[tuple[float, float]] = []
    for pin in PINS:
        at = bisect_left(reference, pin)
        knots.append((round((own[at - 1] + own[at]) / 2, 3), pin))
    return knots


def report(name: str, own: list[float], reference: list[float], labels: list[str]) -> None:
    """Print the knots, the agreement with MiniLM and the error against the labels."""
    after = [calibrated(name, one) for one in own]
    print(name, "fitted:", fitted(own, reference), "in force:", MODELS[name].calibration)
    for when, values in (("before", own), ("after", after)):
        together = zip(values, reference, strict=True)
        agreeing = sum(band(one) == band(other) for one, other in together) / len(own)
        counted = {
            label: sum(
                value >= SAME for value, one in zip(values, labels, strict=True) if one == label
            )
            for label in ("same", "related", "unrelated")
        }
        print(f"  {when}: same band {agreeing:.3f}, at least {SAME}: {counted}")
        if MODELS[name].calibration == IDENTITY:
            break


def band(value: float) -> int:
    """The triage band of a value: 0 to 3."""
    return bisect_right(BANDS, value)


if __name__ == "__main__":
    asyncio.run(main())
