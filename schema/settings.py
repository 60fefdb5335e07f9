"""Every setting: its default, its bounds and its environment variable.

The environment wins over the file `config.json` in the home folder, the file over the default.
"""

from __future__ import annotations

import difflib
import json
import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from hippograph.schema.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UnitInterval = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
AtLeastOne = Annotated[int, Field(ge=1)]
Port = Annotated[int, Field(ge=0, le=65535)]


@dataclass(frozen=True, slots=True)
class Env:
    """The mark of a field that an environment variable sets."""

    name: str


class Group(BaseModel):
    """Settings that belong together; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CorrelatorSettings(Group):
    """How memories are compared and linked."""

    enabled: Annotated[bool, Env("CORRELATOR_ENABLED")] = True
    min_score: Annotated[UnitInterval, Env("MIN_CORRELATION_SCORE")] = 0.6
    max_links: Annotated[AtLeastOne, Env("MAX_LINKS_PER_MEMORY")] = 50
    auto_discover: Annotated[bool, Env("AUTO_DISCOVER_ENABLED")] = True
    embedding_model: Annotated[str, Env("EMBEDDING_MODEL")] = "all-MiniLM-L6-v2"
    tau_days: Positive = 7
    max_references: AtLeastOne = 3


class LifecycleSettings(Group):
    """When memories are promoted and archived."""

    enabled: Annotated[bool, Env("ARCHIVIST_ENABLED")] = True
    promotion_access: Annotated[Count, Env("PROMOTION_ACCESS_THRESHOLD")] = 10
    promotion_importance: Annotated[UnitInterval, Env("PROMOTION_IMPORTANCE_THRESHOLD")] = 0.8
    promotion_references: Count = 3
    archive_age_days: Annotated[Positive, Env("ARCHIVE_AGE_DAYS")] = 30
    archive_importance: Annotated[UnitInterval, Env("ARCHIVE_IMPORTANCE_THRESHOLD")] = 0.3
    archive_access: Annotated[Count, Env("ARCHIVE_ACCESS_THRESHOLD")] = 0
    auto_archive: Annotated[bool, Env("AUTO_ARCHIVE_ENABLED")] = False
    review_margin: UnitInterval = 0.2
    undo_days: Positive = 7


class ConsensusSettings(Group):
    """How many must agree before something destructive happens."""

    quorum: AtLeastOne = 2
    expiry_days: Positive = 7


class ConnectionSettings(Group):
    """How pairs of memories are triaged by similarity."""

    enabled: bool = True
    auto_similar: Annotated[UnitInterval, Env("CONNECTION_AUTO_SIMILAR")] = 0.8
    auto_related: Annotated[UnitInterval, Env("CONNECTION_AUTO_RELATED")] = 0.6
    model_required: Annotated[UnitInterval, Env("CONNECTION_LLM_REQUIRED")] = 0.3
    profile: Literal["accurate", "balanced", "fast"] = "balanced"
    model: Annotated[str | None, Env("CONNECTION_MODEL")] = None
    enhanced_model: Annotated[str | None, Env("CONNECTION_ENHANCED_MODEL")] = None
    always_advanced: Annotated[bool, Env("CONNECTION_ALWAYS_ADVANCED")] = False
    prefer_quality: Annotated[bool, Env("CONNECTION_PREFER_QUALITY")] = False
    max_candidates: AtLeastOne = 20
    batch_size: AtLeastOne = 10
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] = 0.2

    @model_validator(mode="after")
    def thresholds_in_order(self) -> Self:
        """Refuse bands that overlap."""
        if not self.model_required <= self.auto_related <= self.auto_similar:
            raise ValueError(
                "connections.model_required, connections.auto_related and "
                "connections.auto_similar must not fall in this order"
            )
        return self


class TemporalSettings(Group):
    """What closeness in time does."""

    enabled: bool = True
    burst_minutes: Positive = 30
    burst_slowing: UnitInterval = 0.3


class HotSettings(Group):
    """Bounds of the hot store."""

    max_bytes: AtLeastOne = 5120
    max_lessons: AtLeastOne = 20
    max_events: AtLeastOne = 10
    max_tasks: AtLeastOne = 10


class WarmSettings(Group):
    """Bounds of the warm tier."""

    max_kb: AtLeastOne = 50
    retention_days: Positive = 30
    eviction_threshold: UnitInterval = 0.3


class ColdSettings(Group):
    """Bounds of the cold store."""

    backend: Literal["neo4j", "turso"] = "neo4j"
    retention_years: Positive = 10


class ScoringSettings(Group):
    """The memory score: importance x exp(-age / half_life_days) x (1 + boost x accesses).

    `half_life_days` is a time constant in days, not a half-life; old files use this name.
    """

    half_life_days: Positive = 30
    reinforcement_boost: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.1

    @model_validator(mode="before")
    @classmethod
    def accept_alias(cls, values: Any) -> Any:
        """Read `time_constant_days`, the honest name, as `half_life_days`."""
        if isinstance(values, dict) and "time_constant_days" in values:
            raw = dict(cast("dict[str, object]", values))
            raw.setdefault("half_life_days", raw.pop("time_constant_days"))
            return raw
        return cast("object", values)


class TreeSettings(Group):
    """Bounds of the category tree."""

    max_nodes: AtLeastOne = 50
    max_depth: AtLeastOne = 4
    max_size_bytes: AtLeastOne = 2048
    max_children: AtLeastOne = 10


class DistillationSettings(Group):
    """How text is cut down."""

    aggression: UnitInterval = 0.7
    max_distilled_bytes: AtLeastOne = 100
    max_core_bytes: AtLeastOne = 40
    mode: Literal["rule", "llm"] = "rule"


class ModelSettings(Group):
    """Language models, all optional."""

    endpoint: Annotated[str | None, Env("HIPPOGRAPH_MODEL_ENDPOINT")] = None
    tree_rebuild: str | None = None


class SyncSettings(Group):
    """Where copies go."""

    url: Annotated[str | None, Env("TURSO_URL")] = None
    token: Annotated[SecretStr | None, Env("TURSO_TOKEN")] = None


class EgressSettings(Group):
    """What may leave the machine: nothing until it is named here."""

    allow: tuple[Literal["triage", "tree", "distill", "sync"], ...] = ()


class ScheduleSettings(Group):
    """When the passes run."""

    quick: str = "hourly"
    daily: str = "00:00"
    monthly: str = "1 00:30"


class ServerSettings(Group):
    """Where the API listens and how it logs."""

    host: Annotated[str, Env("HIPPOGRAPH_HOST")] = "127.0.0.1"
    port: Annotated[Port, Env("HIPPOGRAPH_PORT")] = 8420
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Env("HIPPOGRAPH_LOG_LEVEL")
    ] = "info"


class Neo4jSettings(Group):
    """The database: a given one when `uri` is set, else a managed one.

    `heap_mb` and `page_cache_mb` of 0 are sized from the machine's memory.
    """

    uri: Annotated[str | None, Env("HIPPOGRAPH_NEO4J_URI")] = None
    username: Annotated[str, Env("HIPPOGRAPH_NEO4J_USERNAME")] = "neo4j"
    password: Annotated[SecretStr | None, Env("HIPPOGRAPH_NEO4J_PASSWORD")] = None
    database: Annotated[str, Env("HIPPOGRAPH_NEO4J_DATABASE")] = "neo4j"
    bolt_port: Annotated[Port, Env("HIPPOGRAPH_BOLT_PORT")] = 7687
    browser_port: Annotated[Port, Env("HIPPOGRAPH_BROWSER_PORT")] = 7474
    heap_mb: Annotated[Count, Env("HIPPOGRAPH_HEAP_MB")] = 0
    page_cache_mb: Annotated[Count, Env("HIPPOGRAPH_PAGE_CACHE_MB")] = 0


class EmbeddingSettings(Group):
    """How much of the machine embedding takes."""

    threads: Annotated[AtLeastOne, Env("HIPPOGRAPH_EMBEDDING_THREADS")] = 2
    cache_entries: Annotated[Count, Env("HIPPOGRAPH_EMBEDDING_CACHE")] = 10_000


class Settings(BaseSettings):
    """All settings in force."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    home: Annotated[Path, Env("HIPPOGRAPH_HOME")] = Field(
        default_factory=lambda: Path.home() / ".hippograph"
    )
    cache: Annotated[Path, Env("HIPPOGRAPH_CACHE")] = Field(
        default_factory=lambda: Path.home() / ".cache" / "hippograph"
    )
    agent_id: str = "default"
    server: ServerSettings = ServerSettings()
    neo4j: Neo4jSettings = Neo4jSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    correlator: CorrelatorSettings = CorrelatorSettings()
    lifecycle: LifecycleSettings = LifecycleSettings()
    consensus: ConsensusSettings = ConsensusSettings()
    connections: ConnectionSettings = ConnectionSettings()
    temporal: TemporalSettings = TemporalSettings()
    hot: HotSettings = HotSettings()
    warm: WarmSettings = WarmSettings()
    cold: ColdSettings = ColdSettings()
    scoring: ScoringSettings = ScoringSettings()
    tree: TreeSettings = TreeSettings()
    distillation: DistillationSettings = DistillationSettings()
    models: ModelSettings = ModelSettings()
    sync: SyncSettings = SyncSettings()
    egress: EgressSettings = EgressSettings()
    schedule: ScheduleSettings = ScheduleSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take values from the caller alone: `settings_from` merges file and environment."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


class Origin(StrEnum):
    """Where a setting came from."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingInForce:
    """One setting as `Query.settings` and `hippograph config` show it; secrets are masked."""

    key: str
    value: object
    origin: Origin
    environment: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingField:
    """One line of the table of settings."""

    key: str
    environment: str | None


def setting_fields(
    model: type[BaseModel] = Settings, prefix: str = ""
) -> Iterator[SettingField]:
    """Every setting in the order of its declaration, keys dotted as in `config.json`."""
    for name, field in model.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, Group):
            yield from setting_fields(group, f"{name}.")
            continue
        named = [mark.name for mark in field.metadata if isinstance(mark, Env)]
        yield SettingField(key=prefix + name, environment=named[0] if named else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSettings:
    """Settings with the origin of each."""

    settings: Settings
    origins: Mapping[str, Origin]

    def in_force(self) -> list[SettingInForce]:
        """Every setting with its value and origin; a secret shows as `**********`."""
        return [
            SettingInForce(
                key=one.key,
                value=_shown(_value_at(self.settings, one.key)),
                origin=self.origins.get(one.key, Origin.DEFAULT),
                environment=one.environment,
            )
            for one in setting_fields()
        ]


def settings_from(
    environment: Mapping[str, str], *, home: Path | None = None
) -> LoadedSettings:
    """Settings from the environment over `config.json` in the home folder over defaults.

    `home`, when given, wins over HIPPOGRAPH_HOME. Raises SetupError for an unknown key, with
    the nearest known one, and for a value out of bounds, with the setting's name.
    """
    from_environment = {
        one.key: environment[one.environment]
        for one in setting_fields()
        if one.environment and environment.get(one.environment, "") != ""
    }
    if home is not None:
        from_environment["home"] = str(home)
    where = Path(from_environment.get("home", str(Settings().home))).expanduser()
    from_file = _file_values(where / "config.json")
    merged: dict[str, object] = {**from_file, **_decoded(from_environment)}
    try:
        settings = Settings.model_validate(_nested(merged))
    except ValidationError as error:
        raise SetupError(_explained(error)) from error
    origins = dict.fromkeys(from_file, Origin.FILE) | dict.fromkeys(
        from_environment, Origin.ENVIRONMENT
    )
    absolute = {"home": settings.home.expanduser().absolute()}
    absolute["cache"] = settings.cache.expanduser().absolute()
    return LoadedSettings(settings=settings.model_copy(update=absolute), origins=origins)


def process_settings(*, home: Path | None = None) -> LoadedSettings:
    """`settings_from` the environment of this process."""
    return settings_from(os.environ, home=home)


def _file_values(path: Path) -> dict[str, object]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} can't be read as JSON: {error}") from error
    if not isinstance(raw, dict):
        raise SetupError(f"{path} must hold one JSON object")
    values = dict(_flattened(cast("dict[str, object]", raw)))
    known = [one.key for one in setting_fields()]
    alias = values.pop("scoring.time_constant_days", None)
    if alias is not None:
        values.setdefault("scoring.half_life_days", alias)
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0)
            raise SetupError(
                f"{path}: unknown setting {key}; the nearest known one is {near[0]}"
            )
    return values


def _flattened(raw: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in raw.items():
        if isinstance(value, dict):
            yield from _flattened(cast("dict[str, object]", value), f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _nested(flat: Mapping[str, object]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        group, _, name = key.rpartition(".")
        (nested.setdefault(group, {}) if group else nested)[name] = value
    return nested


def _decoded(values: Mapping[str, str]) -> dict[str, object]:
    lists = {"egress.allow"}
    return {
        key: [part.strip() for part in value.split(",")] if key in lists else value
        for key, value in values.items()
    }


def _explained(error: ValidationError) -> str:
    environment = {one.key: one.environment for one in setting_fields()}
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        key = ".".join(str(part) for part in problem["loc"])
        name = environment.get(key)
        shown = f"{key} ({name})" if name else key
        lines.append(f"setting {shown}: {problem['msg']}")
    return "; ".join(lines)


def _value_at(settings: Settings, key: str) -> object:
    value: object = settings
    for part in key.split("."):
        value = getattr(value, part)
    return value


def _shown(value: object) -> object:
    if isinstance(value, SecretStr):
        return str(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple):
        return list(cast("tuple[object, ...]", value))
    return value
