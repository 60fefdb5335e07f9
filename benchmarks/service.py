"""What the service costs over what it stands on, each pair measured in turn in one run.

    .venv/bin/python benchmarks/service.py [--memories 10000] [--runs 5] [--out FILE]

Starts services of its own on free ports in a temporary folder and stops them again. Absolute
times depend on the machine; the ratios are what counts.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import httpx
import psutil
from neo4j import GraphDatabase

from hippograph.api.parts import opened_embedder
from hippograph.graph.engine.home import Home
from hippograph.graph.engine.server import started, stopped
from hippograph.schema.settings import settings_from

HIPPOGRAPH = Path(sys.executable).with_name("hippograph")
PORTS = ("--port", "0", "--bolt-port", "0", "--browser-port", "0")
SIZES = {"HIPPOGRAPH_HEAP_MB": "1024", "HIPPOGRAPH_PAGE_CACHE_MB": "512"}
BATCH = 1000
STORE = """mutation($inputs: [StoreMemoryInput!]!) {
  storeMemories(inputs: $inputs) { success error { message } }
}"""
RECALL = """query($query: String!) {
  recall(query: $query, options: {reinforce: false}) {
    primary { memory { id text } relevance }
  }
}"""
NEAREST = """CYPHER 25
MATCH (m:Memory)
SEARCH m IN (
  VECTOR INDEX memory_embedding FOR $vector
  WHERE m.space = $space AND m.agent = $agent AND m.live = true
  LIMIT 5
) SCORE AS score
RETURN m.id AS id, m.text AS text, score"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A running service and a way to ask it."""

    told: dict[str, Any]
    client: httpx.Client

    def ask(self, document: str, **variables: object) -> Any:
        """The data of an answer without errors."""
        token = Path(self.told["token_file"]).read_text("utf-8").strip()
        answer = self.client.post(
            self.told["graphql"],
            json={"query": document, "variables": variables},
            headers={"Authorization": f"Bearer {token}"},
        ).json()
        if "errors" in answer:
            raise SystemExit(answer["errors"])
        return answer["data"]


def up(home: Path) -> dict[str, Any]:
    """Start the service of a home; what `up --json` tells."""
    done = subprocess.run(
        [HIPPOGRAPH, "up", "--home", home, *PORTS, "--json"],
        env={**os.environ, **SIZES},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def down(home: Path) -> None:
    """Stop the service of a home."""
    subprocess.run([HIPPOGRAPH, "down", "--home", home], check=True, capture_output=True)


def passages(count: int) -> list[str]:
    """Texts of 300 to 900 characters from Python's own reference, each of them different."""
    blocks = [
        re.sub(r"\s+", " ", block).strip()
        for text in topics.values()
        for block in text.split("\n\n")
    ]
    long = [block[:900] for block in blocks if len(block) >= 300]
    return [f"{text} ({at})" for at, text in enumerate(islice(cycle(long), count))]


def seconds(work: Callable[[], object]) -> float:
    """How long a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def compared(ours: Sequence[float], bare: Sequence[float], unit: str) -> dict[str, object]:
    """Both medians and the median of the ratios pair by pair."""
    ratios = [a / b for a, b in zip(ours, bare, strict=True)]
    return {
        "unit": unit,
        "ours": round(statistics.median(ours), 3),
        "bare": round(statistics.median(bare), 3),
        "ratio": round(statistics.median(ratios), 2),
        "ratios": [round(ratio, 2) for ratio in ratios][:20],
    }


def start_times(folder: Path, runs: int) -> dict[str, object]:
    """`hippograph up` on a home that ran before, against the bare start of its own Neo4j."""
    home = folder / "up"
    environment = {**os.environ, **SIZES, "HIPPOGRAPH_HOME": str(home)}
    environment |= {"HIPPOGRAPH_BOLT_PORT": "0", "HIPPOGRAPH_BROWSER_PORT": "0"}
    settings = settings_from(environment).settings
    up(home)
    down(home)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(runs):
        ours.append(seconds(lambda: up(home)))
        down(home)
        theirs.append(seconds(lambda: started(settings)))
        stopped(Home(home))
    return compared(ours, theirs, "s")


async def raw_rate(texts: Sequence[str], threads: int) -> float:
    """Texts a second of plain fastembed, batch size 1, so many callers at once."""
    settings = settings_from(os.environ).settings
    embedder = await opened_embedder(settings)
    model = embedder._model.encoder  # noqa: SLF001 - the same loaded model, without our part of it
    shares = [texts[at::threads] for at in range(threads)]

    def embed(share: Sequence[str]) -> None:
        for _ in model.embed(list(share), batch_size=1):
            pass

    embed(texts[:20])
    began = time.perf_counter()
    await asyncio.gather(*(asyncio.to_thread(embed, share) for share in shares))
    rate = len(texts) / (time.perf_counter() - began)
    embedder.close()
    return rate


def store_rate(service: Service, texts: Sequence[str]) -> float:
    """Texts a second through storeMemories."""

    def store() -> None:
        for at in range(0, len(texts), BATCH):
            inputs = [{"text": text} for text in texts[at : at + BATCH]]
            answers = service.ask(STORE, inputs=inputs)["storeMemories"]
            if not all(answer["success"] for answer in answers):
                raise SystemExit(answers)

    return len(texts) / seconds(store)


def recall_times(service: Service, runs: int) -> dict[str, object]:
    """Recall over HTTP against embedding the query and the raw vector search over Bolt."""
    settings = settings_from(os.environ).settings
    password = Path(service.told["neo4j_password_file"]).read_text("utf-8").strip()
    questions = [f"How does {topic} work in case {at}?" for at in range(4) for topic in topics]
    ours: list[float] = []
    bare: list[float] = []
    with (
        asyncio.Runner() as runner,
        GraphDatabase.driver(service.told["bolt"], auth=("neo4j", password)) as driver,
        driver.session() as session,
    ):
        embedder = runner.run(opened_embedder(settings))

        def search(question: str) -> None:
            vector = list(runner.run(embedder.query(question)).vector)
            session.run(NEAREST, vector=vector, space="default", agent="default").data()

        for at, question in enumerate(questions[: runs + 20]):
            one = seconds(lambda: service.ask(RECALL, query=question))  # noqa: B023 - called at once
            other = seconds(lambda: search(question))  # noqa: B023 - called at once
            if at >= 20:
                ours.append(one * 1000)
                bare.append(other * 1000)
        embedder.close()
    return compared(ours, bare, "ms")


def main() -> None:
    """Measure everything and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/service.json"))
    asked = parser.parse_args()
    texts = passages(asked.memories)
    sample = texts[:1000]
    results: dict[str, object] = {"cores": os.cpu_count(), "memories": asked.memories}
    with tempfile.TemporaryDirectory() as name, httpx.Client(timeout=600) as client:
        folder = Path(name)
        results["second_up"] = start_times(folder, asked.runs)
        print("second up", results["second_up"], flush=True)
        home = folder / "main"
        service = Service(told=up(home), client=client)
        threads = settings_from(os.environ).settings.embedding.threads
        store_rate(service, sample[:100])
        ours: list[float] = []
        raw: list[float] = []
        for part in range(asked.runs):
            mine = [f"{text} [{part}]" for text in sample]
            ours.append(store_rate(service, mine))
            raw.append(asyncio.run(raw_rate(mine, threads)))
        results["store_memories"] = compared(ours, raw, "texts/s")
        print("store", results["store_memories"], flush=True)
        store_rate(service, texts)
        api = psutil.Process(service.told["pids"]["api"])
        results["api_resident_mb"] = round(api.memory_info().rss / 2**20)
        print("resident", results["api_resident_mb"], flush=True)
        results["recall"] = recall_times(service, 200)
        print("recall", results["recall"], flush=True)
        down(home)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
