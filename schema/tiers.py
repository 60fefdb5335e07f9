"""The memory score and the tier that follows from it.

    score = importance x exp(-age x rate / tau) x (1 + boost x accesses)

with the age in days, tau the time constant `scoring.half_life_days`, and a rate below 1 for
memories that belong to a burst. Both are functions of facts and a clock: nothing decays in
place. Borders are compared after rounding to nine decimals, so that 0.7, 0.3 and 0.05 fall on
the same side in Python and in Cypher.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from hippograph.schema.settings import Settings
from hippograph.schema.times import FAR_FUTURE, days_between

BORDER_DECIMALS = 9


class Tier(StrEnum):
    """Temperature by score, warmest first."""

    HOT = "HOT"
    WARM = "WARM"
    COLD = "COLD"
    FROZEN = "FROZEN"


# The lowest score of each tier, warmest first.
TIER_FLOORS: dict[Tier, float] = {
    Tier.HOT: 0.7,
    Tier.WARM: 0.3,
    Tier.COLD: 0.05,
    Tier.FROZEN: 0.0,
}
# Just below what still rounds to the floor of COLD: from here on a memory is FROZEN.
FROZEN_BELOW = TIER_FLOORS[Tier.COLD] - 0.5 * 10**-BORDER_DECIMALS


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """The constants of the score.

    `tau_days` is the age at which a score falls to 1/e, `boost` what one access adds, and
    `burst_slowing` the share by which full burst confidence slows decay.
    """

    tau_days: float = 30.0
    boost: float = 0.1
    burst_slowing: float = 0.3

    @classmethod
    def of(cls, settings: Settings) -> "Decay":
        """The constants that the settings give."""
        return cls(
            tau_days=settings.scoring.half_life_days,
            boost=settings.scoring.reinforcement_boost,
            burst_slowing=settings.temporal.burst_slowing if settings.temporal.enabled else 0.0,
        )

    def rate(self, burst_confidence: float) -> float:
        """Factor on the rate of decay: 1 without a burst, less the surer the burst is."""
        return 1 - self.burst_slowing * burst_confidence


def age_in_days(created_at: datetime, now: datetime) -> float:
    """Fractional days since creation; a creation in the future counts as now."""
    return max(0.0, days_between(created_at, now))


def score_at_age(
    decay: Decay,
    age_days: float,
    *,
    importance: float,
    access_count: int,
    burst_confidence: float = 0.0,
) -> float:
    """The memory score; it may pass 1 through use, and rules never squash it."""
    fading = math.exp(-age_days * decay.rate(burst_confidence) / decay.tau_days)
    return importance * fading * (1 + decay.boost * access_count)


def tier_of(score: float) -> Tier:
    """The tier that a score falls in; a floor belongs to its tier."""
    rounded = round(score, BORDER_DECIMALS)
    return next(tier for tier, floor in TIER_FLOORS.items() if rounded >= floor)


def age_at_score(
    decay: Decay,
    score: float,
    *,
    importance: float,
    access_count: int,
    burst_confidence: float = 0.0,
) -> float:
    """The age in days at which a memory's score has fallen to `score`.

    0 when it never was that high; infinite when decay is stopped or `score` is 0.
    """
    fresh = importance * (1 + decay.boost * access_count)
    if fresh <= score or fresh == 0:
        return 0.0
    rate = decay.rate(burst_confidence)
    if score <= 0 or rate <= 0:
        return math.inf
    return decay.tau_days / rate * math.log(fresh / score)


def freezes_at(
    decay: Decay,
    created_at: datetime,
    *,
    importance: float,
    access_count: int,
    burst_confidence: float = 0.0,
) -> datetime:
    """The instant from which a memory is FROZEN if nobody uses it again.

    Kept beside the memory so that an index can leave frozen memories out of a search.
    """
    days = age_at_score(
        decay,
        FROZEN_BELOW,
        importance=importance,
        access_count=access_count,
        burst_confidence=burst_confidence,
    )
    try:
        return created_at + timedelta(days=days)
    except OverflowError:
        return FAR_FUTURE
