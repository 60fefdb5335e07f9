"""Recall: one statement finds, joins and ranks; what is here shapes the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uuid_utils import uuid7

from hippograph.graph.listing import tier_ranges
from hippograph.graph.records import memory_from, relationship_from, vector_of
from hippograph.graph.statements import statement
from hippograph.schema.correlation import (
    Breakdown,
    cross_reference,
    jaccard,
    semantic_part,
    temporal_part,
)
from hippograph.schema.embedding import calibrated
from hippograph.schema.recall import (
    CENTRAL_WEIGHT,
    DEFAULT_TIERS,
    RECENCY_DAYS,
    Correlation,
    Legs,
    Measures,
    RecallAnswer,
    RecallHit,
    RecallScores,
    connected_relevance,
    fitting,
    legs_for,
    recency_of,
    relevance_of,
    trace_of,
)
from hippograph.schema.relationships import walk_over
from hippograph.schema.tiers import Decay, Tier
from hippograph.schema.times import FAR_FUTURE, LONG_AGO
from hippograph.schema.words import lexical_query, wall_token

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.graph.embed import Embedder
    from hippograph.schema.access import Scope
    from hippograph.schema.memory import Memory
    from hippograph.schema.recall import RecallQuestion
    from hippograph.schema.settings import CorrelatorSettings, Settings

RECALL = statement("recall")

# Candidates of each leg: filtered vector search finds all of the exact first ten from 30 on,
# and ten more cost it half a millisecond.
LEAST_PROBE = 20
PROBE_SHARE = 3
# Filters outside the index need room to spare.
SPARE = 4
# How many direct hits connections start from, and how many memories they bring at most.
SEEDS = 5
FAN = 10
# The last character there is: an upper end that every name of an agent lies below.
LAST = "\uffff"


async def recall(
    db: Database,
    scope: Scope,
    embedder: Embedder,
    question: RecallQuestion,
    *,
    now: datetime,
    settings: Settings,
) -> RecallAnswer:
    """Memories that answer a question, with their connections and what they are made of.

    Everything is as of `question.as_of` when that is given. One round trip to the database.
    """
    at = question.as_of or now
    has_meaning = embedder.has_tokens(question.query)
    agent = None if question.across_agents else question.agent
    words = _words(question.query, scope, agent)
    legs = legs_for(question.strategy, has_words=words is not None, has_meaning=has_meaning)
    vector = None
    if legs.uses_vector and has_meaning:
        vector = vector_of((await embedder.query(question.query)).vector)
    params = _params(question, legs, at=at, now=now, decay=Decay.of(settings))

    async def work(tx: Transaction) -> list[Row]:
        return await tx.rows(
            RECALL,
            vector=vector,
            words=[words] if legs.uses_words and words else [],
            agent_from=agent or "",
            agent_to=agent or LAST,
            **params,
        )

    rows = await db.read(scope, work)
    return _answer(rows, scope, question, legs, at=at, correlator=settings.correlator)


def _words(query: str, scope: Scope, agent: str | None) -> str | None:
    if agent is None:
        return lexical_query(query, "space_token", wall_token(scope.space))
    return lexical_query(query, "agent_token", wall_token(scope.space, agent))


def _params(
    question: RecallQuestion, legs: Legs, *, at: datetime, now: datetime, decay: Decay
) -> Row:
    frozen_too = Tier.FROZEN in question.tiers
    plain = not frozen_too and set(question.tiers) == set(DEFAULT_TIERS)
    narrowed = not plain or question.kinds or question.category is not None
    return {
        "at": at,
        "until": question.as_of or FAR_FUTURE,
        "written": question.as_of or now,
        "unfrozen": LONG_AGO if frozen_too else at,
        "tiers": None if plain else tier_ranges(question.tiers),
        "kinds": None if question.kinds is None else [kind.value for kind in question.kinds],
        "category": question.category or None,
        "types": walk_over(question.types).either_way(),
        "hops": question.hops,
        "seeds": min(SEEDS, question.limit),
        "fan": FAN,
        "limit": question.limit,
        "probe": max(LEAST_PROBE, PROBE_SHARE * question.limit) * (SPARE if narrowed else 1),
        "expand": question.expand_top,
        "neighbours": question.correlations_per_result,
        "lexical_weight": legs.lexical_weight,
        "recency_weight": question.recency_weight,
        "recency_days": RECENCY_DAYS,
        "central": question.boost_central,
        "central_weight": CENTRAL_WEIGHT,
        "tau_days": decay.tau_days,
        "boost": decay.boost,
        "burst_slowing": decay.burst_slowing,
    }


def _answer(
    rows: list[Row],
    scope: Scope,
    question: RecallQuestion,
    legs: Legs,
    *,
    at: datetime,
    correlator: CorrelatorSettings,
) -> RecallAnswer:
    hits: list[Row] = rows[0]["hits"] if rows else []
    primary = [_hit(row, scope, question, legs, at) for row in hits]
    seeds = {hit.memory.id: hit for hit in primary}
    reached: list[Row] = (rows[0]["connected"] or []) if rows else []
    connected = [_connected(one, scope, seeds, at) for one in reached]
    connected.sort(key=lambda hit: (-hit.relevance, hit.memory.id))
    expanded = [
        _correlation(one, hit.memory, scope, correlator)
        for row, hit in zip(hits, primary, strict=True)
        for one in row["correlated"]
    ]
    texts = [hit.memory.text for hit in (*primary, *connected)]
    texts += [one.target.text for one in expanded]
    kept = fitting([len(text.encode("utf-8")) for text in texts], question.max_bytes)
    ends = len(primary), len(primary) + len(connected)
    return RecallAnswer(
        recall_id=str(uuid7()),
        primary=tuple(hit for hit, fits in zip(primary, kept, strict=False) if fits),
        connected=tuple(
            hit for hit, fits in zip(connected, kept[ends[0] :], strict=False) if fits
        ),
        expanded=tuple(
            one for one, fits in zip(expanded, kept[ends[1] :], strict=False) if fits
        ),
        strategy_used=legs.strategy,
        fallback_reason=legs.fallback_reason,
        omitted=kept.count(False),
    )


def _hit(
    row: Row, scope: Scope, question: RecallQuestion, legs: Legs, at: datetime
) -> RecallHit:
    memory = memory_from(row["memory"], scope.space)
    measures = Measures(
        semantic=row["semantic"],
        lexical=row["lexical"],
        degree=row["degree"],
        most_degrees=row["most_degrees"] or 0,
    )
    relevance, scores = relevance_of(memory, measures, question, legs, at)
    return RecallHit(
        memory=memory,
        relevance=relevance,
        trace=trace_of(measures, scores),
        hops=0,
        via=(),
        scores=scores,
    )


def _connected(row: Row, scope: Scope, seeds: dict[str, RecallHit], at: datetime) -> RecallHit:
    via = tuple(relationship_from(edge) for edge in row["edges"])
    memory = memory_from(row["memory"], scope.space)
    relevance = connected_relevance(seeds[row["seed"]].relevance, via)
    scores = RecallScores(
        semantic=None,
        lexical=None,
        graph=relevance,
        recency=recency_of(memory, at),
        centrality=0.0,
    )
    steps = (f"from {row['seed']}", *(edge.type.value for edge in via))
    return RecallHit(
        memory=memory,
        relevance=relevance,
        trace=steps,
        hops=len(via),
        via=via,
        scores=scores,
    )


def _correlation(
    row: Row, hit: Memory, scope: Scope, correlator: CorrelatorSettings
) -> Correlation:
    target = memory_from(row["memory"], scope.space)
    breakdown = Breakdown(
        semantic=semantic_part(calibrated(correlator.embedding_model, row["cosine"])),
        co_occurrence=jaccard(hit.entities, target.entities),
        temporal=temporal_part(
            (hit.kind, hit.created_at),
            (target.kind, target.created_at),
            tau_days=correlator.tau_days,
        ),
        cross_reference=cross_reference(
            row["mentions"], max_references=correlator.max_references
        ),
    )
    edge = relationship_from(row)
    return Correlation(
        target=target,
        relationship_type=edge.type,
        score=breakdown.score,
        reason=edge.reason or f"{edge.type.value} with {hit.id}",
        breakdown=breakdown,
    )
