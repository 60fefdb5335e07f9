"""The settings in the groups of `config.json`: default, bounds and meaning of each."""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

UnitInterval = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]
Port = Annotated[int, Field(ge=0, le=65535)]


@dataclass(frozen=True, slots=True)
class Env:
    """The mark of a field that an environment variable sets."""

    name: str


@dataclass(frozen=True, slots=True)
class Means:
    """The mark that says what a setting does, in a line of the table of settings."""

    text: str


class Group(BaseModel):
    """Settings that belong together; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ServerSettings(Group):
    """Where the API listens and how it logs."""

    host: Annotated[str, Env("HIPPOGRAPH_HOST"), Means("address that the API listens on")] = (
        "127.0.0.1"
    )
    port: Annotated[
        Port, Env("HIPPOGRAPH_PORT"), Means("port of the API; 0 picks a free one")
    ] = 8420
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Env("HIPPOGRAPH_LOG_LEVEL"),
        Means("least weighty line that is logged: debug, info, warning or error"),
    ] = "info"


class Neo4jSettings(Group):
    """The database: a given one when `uri` is set, else a managed one."""

    uri: Annotated[
        str | None,
        Env("HIPPOGRAPH_NEO4J_URI"),
        Means("Bolt address of a given Neo4j; without it Hippograph runs its own"),
    ] = None
    username: Annotated[
        str, Env("HIPPOGRAPH_NEO4J_USERNAME"), Means("user of a given Neo4j")
    ] = "neo4j"
    password: Annotated[
        SecretStr | None,
        Env("HIPPOGRAPH_NEO4J_PASSWORD"),
        Means("password of a given Neo4j; never shown"),
    ] = None
    database: Annotated[
        str, Env("HIPPOGRAPH_NEO4J_DATABASE"), Means("database of a given Neo4j")
    ] = "neo4j"
    bolt_port: Annotated[
        Port,
        Env("HIPPOGRAPH_BOLT_PORT"),
        Means("Bolt port of the managed Neo4j; 0 picks a free one"),
    ] = 7687
    browser_port: Annotated[
        Port,
        Env("HIPPOGRAPH_BROWSER_PORT"),
        Means("port of Neo4j Browser; 0 picks a free one"),
    ] = 7474
    heap_mb: Annotated[
        Count,
        Env("HIPPOGRAPH_HEAP_MB"),
        Means("heap of the managed Neo4j in MiB; 0 sizes it from the machine's memory"),
    ] = 0
    page_cache_mb: Annotated[
        Count,
        Env("HIPPOGRAPH_PAGE_CACHE_MB"),
        Means("page cache of the managed Neo4j in MiB; 0 sizes it from the machine's memory"),
    ] = 0


class EmbeddingSettings(Group):
    """How much of the machine embedding takes."""

    threads: Annotated[
        AtLeastOne, Env("HIPPOGRAPH_EMBEDDING_THREADS"), Means("texts embedded at once")
    ] = 2
    cache_entries: Annotated[
        Count, Env("HIPPOGRAPH_EMBEDDING_CACHE"), Means("vectors kept in memory by text")
    ] = 10_000


class CorrelatorSettings(Group):
    """How memories are compared and linked."""

    enabled: Annotated[
        bool, Env("CORRELATOR_ENABLED"), Means("compare and link memories at all")
    ] = True
    min_score: Annotated[
        UnitInterval, Env("MIN_CORRELATION_SCORE"), Means("lowest score of a link that is kept")
    ] = 0.6
    max_links: Annotated[
        AtLeastOne, Env("MAX_LINKS_PER_MEMORY"), Means("most links of one memory, both ways")
    ] = 50
    auto_discover: Annotated[
        bool, Env("AUTO_DISCOVER_ENABLED"), Means("look for links when a memory is stored")
    ] = True
    embedding_model: Annotated[
        str,
        Env("EMBEDDING_MODEL"),
        Means("model that turns text into vectors; a stored graph keeps the one it began with"),
    ] = "all-MiniLM-L6-v2"
    tau_days: Annotated[
        Positive, Means("days apart at which closeness in time has fallen to 1/e")
    ] = 7
    max_references: Annotated[
        AtLeastOne, Means("mentions that fill the cross-reference part of a score")
    ] = 3


class LifecycleSettings(Group):
    """When memories are promoted and archived."""

    enabled: Annotated[bool, Env("ARCHIVIST_ENABLED"), Means("run the lifecycle at all")] = True
    promotion_access: Annotated[
        Count, Env("PROMOTION_ACCESS_THRESHOLD"), Means("accesses that justify a promotion")
    ] = 10
    promotion_importance: Annotated[
        UnitInterval,
        Env("PROMOTION_IMPORTANCE_THRESHOLD"),
        Means("importance that justifies a promotion"),
    ] = 0.8
    promotion_references: Annotated[
        Count, Means("memories pointing at one that justify its promotion")
    ] = 3
    archive_age_days: Annotated[
        Positive, Env("ARCHIVE_AGE_DAYS"), Means("age in days from which archiving is possible")
    ] = 30
    archive_importance: Annotated[
        UnitInterval,
        Env("ARCHIVE_IMPORTANCE_THRESHOLD"),
        Means("importance below which archiving is possible"),
    ] = 0.3
    archive_access: Annotated[
        Count,
        Env("ARCHIVE_ACCESS_THRESHOLD"),
        Means("largest number of accesses that still allows archiving"),
    ] = 0
    auto_archive: Annotated[
        bool,
        Env("AUTO_ARCHIVE_ENABLED"),
        Means("let unattended runs archive; otherwise they open proposals"),
    ] = False
    review_margin: Annotated[
        UnitInterval, Means("share of the promotion thresholds that a near miss may lack")
    ] = 0.2
    undo_days: Annotated[Positive, Means("days within which a transition can be undone")] = 7


class ConsensusSettings(Group):
    """How many must agree before something destructive happens."""

    quorum: Annotated[AtLeastOne, Means("distinct principals that must approve")] = 2
    expiry_days: Annotated[Positive, Means("days after which an open proposal lapses")] = 7


class ConnectionSettings(Group):
    """How pairs of memories are triaged by similarity."""

    enabled: Annotated[bool, Means("triage pairs of memories at all")] = True
    auto_similar: Annotated[
        UnitInterval,
        Env("CONNECTION_AUTO_SIMILAR"),
        Means("similarity above which a pair is SIMILAR without a model"),
    ] = 0.8
    auto_related: Annotated[
        UnitInterval,
        Env("CONNECTION_AUTO_RELATED"),
        Means("similarity above which a pair is RELATED without a model"),
    ] = 0.6
    model_required: Annotated[
        UnitInterval,
        Env("CONNECTION_LLM_REQUIRED"),
        Means("similarity above which a pair is worth a closer look"),
    ] = 0.3
    profile: Annotated[
        Literal["accurate", "balanced", "fast"],
        Means("which way the thresholds lean: accurate, balanced or fast"),
    ] = "balanced"
    model: Annotated[
        str | None, Env("CONNECTION_MODEL"), Means("language model for the unclear band")
    ] = None
    enhanced_model: Annotated[
        str | None, Env("CONNECTION_ENHANCED_MODEL"), Means("the better language model")
    ] = None
    always_advanced: Annotated[
        bool,
        Env("CONNECTION_ALWAYS_ADVANCED"),
        Means("send every pair to the better model, whatever its band"),
    ] = False
    prefer_quality: Annotated[
        bool,
        Env("CONNECTION_PREFER_QUALITY"),
        Means("use the better model for the unclear band"),
    ] = False
    max_candidates: Annotated[
        AtLeastOne, Means("most memories that a new one is compared with")
    ] = 20
    batch_size: Annotated[AtLeastOne, Means("pairs in one question to a model")] = 10
    temperature: Annotated[
        float,
        Field(ge=0, le=2, allow_inf_nan=False),
        Means("temperature of the language model"),
    ] = 0.2

    @model_validator(mode="after")
    def thresholds_in_order(self) -> Self:
        """Refuse bands that overlap."""
        if not self.model_required <= self.auto_related <= self.auto_similar:
            raise ValueError(
                "model_required (CONNECTION_LLM_REQUIRED), auto_related "
                "(CONNECTION_AUTO_RELATED) and auto_similar (CONNECTION_AUTO_SIMILAR) "
                "must not fall in this order"
            )
        return self


class TemporalSettings(Group):
    """What closeness in time does."""

    enabled: Annotated[bool, Means("look for bursts and peak hours at all")] = True
    burst_minutes: Annotated[
        Positive, Means("minutes apart within which two memories belong to one burst")
    ] = 30
    burst_slowing: Annotated[
        UnitInterval, Means("share by which a sure burst slows the decay of its memories")
    ] = 0.3


class HotSettings(Group):
    """Bounds of the hot store."""

    max_bytes: Annotated[AtLeastOne, Means("most bytes of an agent's hot store")] = 5120
    max_lessons: Annotated[AtLeastOne, Means("most lessons in it")] = 20
    max_events: Annotated[AtLeastOne, Means("most events in it")] = 10
    max_tasks: Annotated[AtLeastOne, Means("most tasks in it")] = 10


class WarmSettings(Group):
    """Bounds of the warm tier."""

    max_kb: Annotated[AtLeastOne, Means("most KiB of an agent's warm memories")] = 50
    retention_days: Annotated[Positive, Means("days after which a memory turns cold")] = 30
    eviction_threshold: Annotated[
        UnitInterval, Means("score below which a memory turns cold")
    ] = 0.3


class ColdSettings(Group):
    """Bounds of the cold store."""

    backend: Annotated[
        Literal["neo4j", "turso"], Means("where cold memories stay: neo4j or turso")
    ] = "neo4j"
    retention_years: Annotated[
        Positive, Means("years before an unattended run may propose to purge a memory")
    ] = 10


class ScoringSettings(Group):
    """The memory score: importance x exp(-age / half_life_days) x (1 + boost x accesses)."""

    half_life_days: Annotated[
        Positive,
        Means(
            "age in days at which a score has fallen to 1/e: a time constant, which old files "
            "call a half-life; `scoring.time_constant_days` in a file means the same"
        ),
    ] = 30
    reinforcement_boost: Annotated[
        float, Field(ge=0, allow_inf_nan=False), Means("share that one access adds to a score")
    ] = 0.1


class TreeSettings(Group):
    """Bounds of the category tree."""

    max_nodes: Annotated[AtLeastOne, Means("most categories of an agent")] = 50
    max_depth: Annotated[AtLeastOne, Means("most segments of a category path")] = 4
    max_size_bytes: Annotated[AtLeastOne, Means("most bytes of the serialised tree")] = 2048
    max_children: Annotated[AtLeastOne, Means("most children of one category")] = 10


class DistillationSettings(Group):
    """How text is cut down."""

    aggression: Annotated[
        UnitInterval, Means("share of the sentences that is dropped: 0 keeps all, 1 keeps one")
    ] = 0.7
    max_distilled_bytes: Annotated[AtLeastOne, Means("most bytes of a distilled fact")] = 100
    max_core_bytes: Annotated[AtLeastOne, Means("most bytes of a core line")] = 40
    mode: Annotated[
        Literal["rule", "llm"], Means("who distils: rule, or llm when a model is allowed")
    ] = "rule"


class ModelSettings(Group):
    """Language models, all optional."""

    endpoint: Annotated[
        str | None, Env("HIPPOGRAPH_MODEL_ENDPOINT"), Means("address of a language model")
    ] = None
    tree_rebuild: Annotated[
        str | None, Means("language model that rebuilds the category tree")
    ] = None


class SyncSettings(Group):
    """Where copies go."""

    url: Annotated[str | None, Env("TURSO_URL"), Means("target of copies")] = None
    token: Annotated[
        SecretStr | None, Env("TURSO_TOKEN"), Means("secret of that target; never shown")
    ] = None


class EgressSettings(Group):
    """What may leave the machine: nothing until it is named here."""

    allow: Annotated[
        tuple[Literal["triage", "tree", "distill", "sync"], ...],
        Means("outlets that are open: any of triage, tree, distill, sync"),
    ] = ()


class ScheduleSettings(Group):
    """When the passes run."""

    quick: Annotated[str, Means("when the quick pass runs")] = "hourly"
    daily: Annotated[str, Means("time of day of the daily pass")] = "00:00"
    monthly: Annotated[str, Means("day of the month and time of the monthly pass")] = "1 00:30"
