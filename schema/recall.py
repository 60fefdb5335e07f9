"""What a recall is asked, what it answers, and how its relevance is made up."""

import math
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hippograph.schema.correlation import Breakdown
from hippograph.schema.kinds import MemoryKind
from hippograph.schema.memory import Memory
from hippograph.schema.relationships import Relationship, RelationshipType
from hippograph.schema.tiers import Tier, age_in_days

# Share of the words in a mix of words and meaning.
LEXICAL_WEIGHT = 0.5
# Age in days at which recency has fallen to 1/e.
RECENCY_DAYS = 30.0
# What full centrality adds to a relevance.
CENTRAL_WEIGHT = 0.2
# What is left of a relevance after each step along a connection.
HOP_SHARE = 0.5


class RetrievalStrategy(StrEnum):
    """How recall finds candidates."""

    KEYWORD = "KEYWORD"
    TREE = "TREE"
    MODEL_TREE = "MODEL_TREE"
    VECTOR = "VECTOR"
    HYBRID = "HYBRID"


class RecallPreset(StrEnum):
    """How far connections are followed when a caller does not say."""

    PRECISE = "PRECISE"
    BALANCED = "BALANCED"
    RESEARCH = "RESEARCH"


PRESET_HOPS = {RecallPreset.PRECISE: 1, RecallPreset.BALANCED: 2, RecallPreset.RESEARCH: 3}
DEFAULT_TIERS = (Tier.HOT, Tier.WARM, Tier.COLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuestion:
    """A question with its options, checked.

    `hops` 0 follows no connections; `max_bytes` bounds the texts of the answer in UTF-8.
    """

    query: str
    agent: str
    strategy: RetrievalStrategy = RetrievalStrategy.HYBRID
    limit: int = 5
    hops: int = 2
    types: tuple[RelationshipType, ...] | None = None
    boost_central: bool = False
    recency_weight: float = 0.2
    expand_top: int = 5
    correlations_per_result: int = 3
    kinds: tuple[MemoryKind, ...] | None = None
    tiers: tuple[Tier, ...] = DEFAULT_TIERS
    category: str | None = None
    as_of: datetime | None = None
    reinforce: bool = True
    max_bytes: int = 3072
    across_agents: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallScores:
    """What a relevance is made of.

    `semantic` is the plain cosine of query and memory, `lexical` 0 to 1 within the answer;
    None when not compared and when no word matched. The others are what they add.
    """

    semantic: float | None
    lexical: float | None
    graph: float
    recency: float
    centrality: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallHit:
    """A recalled memory, how it was reached and what its relevance is made of."""

    memory: Memory
    relevance: float
    trace: tuple[str, ...]
    hops: int
    via: tuple[Relationship, ...]
    scores: RecallScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A memory correlated with a hit, and the parts of the score."""

    target: Memory
    relationship_type: RelationshipType
    score: float
    reason: str
    breakdown: Breakdown


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallAnswer:
    """Direct hits, what their connections reach, and the correlations of the best."""

    recall_id: str
    primary: tuple[RecallHit, ...]
    connected: tuple[RecallHit, ...] = ()
    expanded: tuple[Correlation, ...] = ()
    strategy_used: RetrievalStrategy = RetrievalStrategy.HYBRID
    fallback_reason: str | None = None
    omitted: int = 0

    @property
    def context_bytes(self) -> int:
        """UTF-8 bytes of all returned texts."""
        hits = (*self.primary, *self.connected)
        texts = [hit.memory.text for hit in hits] + [one.target.text for one in self.expanded]
        return sum(len(text.encode("utf-8")) for text in texts)

    @property
    def total_results(self) -> int:
        """Primary and expanded together, repeats included."""
        return len(self.primary) + len(self.expanded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """How a strategy mixes its legs: `lexical_weight` is the share of the words."""

    strategy: RetrievalStrategy
    uses_words: bool
    uses_vector: bool
    lexical_weight: float
    fallback_reason: str | None = None


LEGS = {
    RetrievalStrategy.KEYWORD: Legs(
        strategy=RetrievalStrategy.KEYWORD,
        uses_words=True,
        uses_vector=False,
        lexical_weight=1.0,
    ),
    RetrievalStrategy.VECTOR: Legs(
        strategy=RetrievalStrategy.VECTOR,
        uses_words=False,
        uses_vector=True,
        lexical_weight=0.0,
    ),
    RetrievalStrategy.HYBRID: Legs(
        strategy=RetrievalStrategy.HYBRID,
        uses_words=True,
        uses_vector=True,
        lexical_weight=LEXICAL_WEIGHT,
    ),
}


def legs_for(strategy: RetrievalStrategy, *, has_words: bool, has_meaning: bool) -> Legs:
    """The legs that really run, and why they differ from the strategy asked for.

    `has_words` and `has_meaning` tell whether the query has a word to look up and a token to
    embed.
    """
    if strategy not in LEGS:
        reason = f"{strategy.value} needs a category tree, and there is none"
        found = legs_for(RetrievalStrategy.HYBRID, has_words=has_words, has_meaning=has_meaning)
        return _because(found, "; ".join(filter(None, (reason, found.fallback_reason))))
    legs = LEGS[strategy]
    if legs.uses_words and not has_words:
        return _because(LEGS[RetrievalStrategy.VECTOR], "the query has no word to look up")
    if legs.uses_vector and not has_meaning:
        return _because(LEGS[RetrievalStrategy.KEYWORD], "the query has nothing to embed")
    return legs


def _because(legs: Legs, reason: str) -> Legs:
    return Legs(
        strategy=legs.strategy,
        uses_words=legs.uses_words,
        uses_vector=legs.uses_vector,
        lexical_weight=legs.lexical_weight,
        fallback_reason=reason,
    )


def hops_allowed(hops: int) -> bool:
    """Whether recall follows connections this far: 1 to 3."""
    return 1 <= hops <= 3  # noqa: PLR2004 - the bounds are the rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What the graph measured of one hit; `degree` and `most_degrees` count relationships."""

    semantic: float | None
    lexical: float | None
    degree: int
    most_degrees: int


def relevance_of(
    memory: Memory, measures: Measures, question: RecallQuestion, legs: Legs, now: datetime
) -> tuple[float, RecallScores]:
    """Relevance of a direct hit with its parts.

        fit       = w x lexical + (1 - w) x max(0, semantic)
        blended   = fit x (1 - r) + r x recency
        relevance = blended + centrality, centrality = 0.2 x blended x degree / largest degree

    with w the lexical weight of the legs and r the recency weight of the question.
    """
    fit = legs.lexical_weight * (measures.lexical or 0.0)
    fit += (1 - legs.lexical_weight) * max(0.0, measures.semantic or 0.0)
    recency = recency_of(memory, now)
    blended = fit * (1 - question.recency_weight) + question.recency_weight * recency
    central = measures.degree / measures.most_degrees if measures.most_degrees else 0.0
    centrality = CENTRAL_WEIGHT * blended * central
    scores = RecallScores(
        semantic=measures.semantic,
        lexical=measures.lexical,
        graph=0.0,
        recency=recency,
        centrality=centrality,
    )
    return blended + centrality, scores


def recency_of(memory: Memory, now: datetime) -> float:
    """exp(-age in days / 30), 0 to 1."""
    return math.exp(-age_in_days(memory.created_at, now) / RECENCY_DAYS)


def connected_relevance(seed_relevance: float, via: tuple[Relationship, ...]) -> float:
    """Relevance along a way: the seed's, halved at each step and times each edge's strength."""
    relevance = seed_relevance
    for edge in via:
        relevance *= HOP_SHARE * edge.strength
    return relevance


def trace_of(measures: Measures, scores: RecallScores) -> tuple[str, ...]:
    """How a direct hit was reached, in words."""
    steps: list[str] = []
    if measures.lexical is not None:
        steps.append(f"words {measures.lexical:.3f}")
    if measures.semantic is not None:
        steps.append(f"meaning {measures.semantic:.3f}")
    steps.append(f"recency {scores.recency:.3f}")
    if scores.centrality:
        steps.append(f"central +{scores.centrality:.3f}")
    return tuple(steps)


def fitting(sizes: list[int], max_bytes: int) -> list[bool]:
    """Which of the texts in order of rank go into an answer of `max_bytes`.

    The first always goes whole; a later one that does not fit is left out, not cut.
    """
    kept: list[bool] = []
    used = 0
    for size in sizes:
        fits = not kept or used + size <= max_bytes
        kept.append(fits)
        used += size if fits else 0
    return kept
