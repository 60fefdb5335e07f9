"""The correlation score of two memories.

    score = 0.40 x semantic + 0.25 x co-occurrence + 0.15 x temporal + 0.20 x cross-reference

The temporal part counts for two episodic memories only; for any other pair it leaves the sum,
and the other weights are divided by 0.85. All parts are 0 to 1.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from hippograph.schema.kinds import MemoryKind
from hippograph.schema.times import days_between
from hippograph.schema.words import folded

SEMANTIC, CO_OCCURRENCE, TEMPORAL, CROSS_REFERENCE = 0.40, 0.25, 0.15, 0.20
# A sum of products can fall a hair under a border that it meets in real numbers.
BORDER_DECIMALS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """The parts of a correlation score, each 0 to 1; `temporal` None when it does not apply."""

    semantic: float
    co_occurrence: float
    temporal: float | None
    cross_reference: float

    @property
    def score(self) -> float:
        """The weighted sum."""
        parts = SEMANTIC * self.semantic + CO_OCCURRENCE * self.co_occurrence
        parts += CROSS_REFERENCE * self.cross_reference
        if self.temporal is None:
            return min(1.0, parts / (1 - TEMPORAL))
        return min(1.0, parts + TEMPORAL * self.temporal)


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine of two vectors, -1 to 1; 0 when either is all zeros."""
    length = math.hypot(*a) * math.hypot(*b)
    if length == 0:
        return 0.0
    return max(-1.0, min(1.0, sum(x * y for x, y in zip(a, b, strict=True)) / length))


def semantic_part(similarity: float) -> float:
    """A cosine as a part of the score: opposites count as strangers."""
    return max(0.0, min(1.0, similarity))


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """Shared over all entities, folded; 0 for two empty sets, which are no evidence."""
    left, right = {folded(one) for one in a}, {folded(one) for one in b}
    union = left | right
    return len(left & right) / len(union) if union else 0.0


def temporal_proximity(a: datetime, b: datetime, *, tau_days: float = 7.0) -> float:
    """exp(-days apart / tau)."""
    return math.exp(-abs(days_between(a, b)) / tau_days)


def cross_reference(count: int, *, max_references: int = 3) -> float:
    """Mentions in both directions against the number that counts as full."""
    return min(1.0, count / max_references)


def temporal_part(
    a: tuple[MemoryKind, datetime], b: tuple[MemoryKind, datetime], *, tau_days: float = 7.0
) -> float | None:
    """Closeness in time of two episodic memories; None for any other pair."""
    if not a[0] is b[0] is MemoryKind.EPISODIC:
        return None
    return temporal_proximity(a[1], b[1], tau_days=tau_days)


def is_admitted(score: float, min_score: float) -> bool:
    """Whether a score reaches the floor; the floor itself is in."""
    return round(score, BORDER_DECIMALS) >= round(min_score, BORDER_DECIMALS)


def expansion_size(correlations: Sequence[int], *, top: int = 5, each: int = 3) -> int:
    """How many correlations the first `top` hits bring, at most `each` apiece."""
    return sum(min(each, count) for count in correlations[:top])
