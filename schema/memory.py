"""A memory, what a caller gives to make or change one, and its earlier texts."""

from dataclasses import dataclass
from datetime import datetime

from hippograph.schema.kinds import MemoryKind, MemoryState
from hippograph.schema.tiers import Decay, Tier, age_in_days, score_at_age, tier_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory as stored.

    `importance` is 0 to 1 as given; `metadata` is JSON text; `expires_at` None means never.
    `created_at` is when it happened, `recorded_at` when it was stored here.
    """

    id: str
    space: str
    agent: str
    kind: MemoryKind
    state: MemoryState
    text: str
    category: str
    importance: float
    access_count: int
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    created_at: datetime
    recorded_at: datetime
    updated_at: datetime
    text_since: datetime
    last_accessed_at: datetime | None
    expires_at: datetime | None
    version: int
    burst_confidence: float
    metadata: str | None
    summary: str | None
    fact: str | None
    core: str | None
    session: str | None
    source: str | None

    def score(self, decay: Decay, now: datetime) -> float:
        """The memory score at `now`."""
        return score_at_age(
            decay,
            age_in_days(self.created_at, now),
            importance=self.importance,
            access_count=self.access_count,
            burst_confidence=self.burst_confidence,
        )

    def tier(self, decay: Decay, now: datetime) -> Tier:
        """The tier at `now`."""
        return tier_of(self.score(decay, now))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory that a caller asks to store, checked.

    `created_at` None means the moment of storing; `id` None means a new one.
    """

    text: str
    agent: str
    kind: MemoryKind = MemoryKind.EPISODIC
    importance: float = 0.5
    category: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    metadata: str | None = None
    created_at: datetime | None = None
    expires_at: datetime | None = None
    session: str | None = None
    source: str | None = None
    id: str | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange:
    """What an update changes; None leaves a part as it is. `metadata` is merged, key by key."""

    id: str
    text: str | None = None
    category: str | None = None
    importance: float | None = None
    tags: tuple[str, ...] | None = None
    metadata: str | None = None
    expected_version: int | None = None

    def is_empty(self) -> bool:
        """Whether nothing would change."""
        parts = (self.text, self.category, self.importance, self.tags, self.metadata)
        return all(part is None for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """An earlier text of a memory, in force from `valid_from` until `valid_to`."""

    version: int
    text: str
    valid_from: datetime
    valid_to: datetime
    changed_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories a list holds; None is no restriction.

    `category` takes in everything below it, `tags` must all be present, `created_from` is
    inclusive and `created_before` exclusive.
    """

    agent: str | None = None
    kinds: tuple[MemoryKind, ...] | None = None
    states: tuple[MemoryState, ...] | None = None
    tiers: tuple[Tier, ...] | None = None
    category: str | None = None
    tags: tuple[str, ...] | None = None
    created_from: datetime | None = None
    created_before: datetime | None = None
