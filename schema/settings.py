"""Every setting: its default, its bounds and its environment variable.

The environment wins over the file `config.json` in the home folder, the file over the default.
"""

import difflib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from hippograph.schema.errors import SetupError
from hippograph.schema.setting_groups import (
    ColdSettings,
    ConnectionSettings,
    ConsensusSettings,
    CorrelatorSettings,
    DistillationSettings,
    EgressSettings,
    EmbeddingSettings,
    Env,
    Group,
    HotSettings,
    LifecycleSettings,
    Means,
    ModelSettings,
    Neo4jSettings,
    ScheduleSettings,
    ScoringSettings,
    ServerSettings,
    SyncSettings,
    TemporalSettings,
    TreeSettings,
    WarmSettings,
)

# Old files say the one, the sources' formula means the other.
ALIASES = {"scoring.time_constant_days": "scoring.half_life_days"}


class Settings(BaseSettings):
    """All settings in force."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    home: Annotated[
        Path,
        Env("HIPPOGRAPH_HOME"),
        Means("folder of the managed database, keys, logs and `config.json`"),
    ] = Field(default_factory=lambda: Path.home() / ".hippograph")
    cache: Annotated[
        Path,
        Env("HIPPOGRAPH_CACHE"),
        Means("folder of what is fetched once: Neo4j, Java, embedding models"),
    ] = Field(default_factory=lambda: Path.home() / ".cache" / "hippograph")
    agent_id: Annotated[str, Means("agent of a request that names none")] = "default"
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
    default: object
    meaning: str


def setting_fields(
    model: type[BaseModel] = Settings, prefix: str = ""
) -> Iterator[SettingField]:
    """Every setting in the order of its declaration, keys dotted as in `config.json`."""
    for name, field in model.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, Group):
            yield from setting_fields(group, f"{name}.")
            continue
        marks: list[object] = field.metadata
        yield SettingField(
            key=prefix + name,
            environment=next((one.name for one in marks if isinstance(one, Env)), None),
            default=field.get_default(call_default_factory=True, validated_data={}),
            meaning=next(one.text for one in marks if isinstance(one, Means)),
        )


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
    merged: dict[str, object] = {**from_file, **from_environment}
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
    for alias, key in ALIASES.items():
        if alias in values and key in values:
            raise SetupError(f"{path}: {alias} and {key} are one setting; give one of them")
    known = [one.key for one in setting_fields()]
    for key in values:
        if key not in known and key not in ALIASES:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0)
            raise SetupError(
                f"{path}: unknown setting {key}; the nearest known one is {near[0]}"
            )
    return {ALIASES.get(key, key): value for key, value in values.items()}


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


def _explained(error: ValidationError) -> str:
    environment = {one.key: one.environment for one in setting_fields()}
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        key = ".".join(str(part) for part in problem["loc"])
        name = environment.get(key)
        shown = f"{key} ({name})" if name else key
        lines.append(f"setting {shown}: {problem['msg'].removeprefix('Value error, ')}")
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
