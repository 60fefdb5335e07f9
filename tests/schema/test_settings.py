"""Settings: environment over file over default, and nothing wrong gets past the start."""

import json
from pathlib import Path

import pytest

from hippograph.schema.errors import SetupError
from hippograph.schema.settings import Origin, SettingInForce, setting_fields, settings_from

JsonValue = dict[str, object]


def a_home(folder: Path, content: JsonValue | str) -> dict[str, str]:
    """The environment of a home folder whose `config.json` has this content."""
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / "config.json").write_text(text, encoding="utf-8")
    return {"HIPPOGRAPH_HOME": str(folder)}


def in_force(environment: dict[str, str], key: str) -> SettingInForce:
    """One setting as it is shown."""
    return next(one for one in settings_from(environment).in_force() if one.key == key)


def test_without_file_and_environment_every_setting_is_its_default(tmp_path: Path) -> None:
    shown = settings_from({}, home=tmp_path).in_force()

    defaults = {one.key: one.default for one in setting_fields()}
    for one in shown:
        if one.key not in {"home", "cache", "egress.allow"}:
            assert one.value == defaults[one.key]
            assert one.origin is Origin.DEFAULT


def test_the_file_wins_over_the_default(tmp_path: Path) -> None:
    environment = a_home(tmp_path, {"correlator": {"min_score": 0.7}, "agent_id": "ada"})

    assert in_force(environment, "correlator.min_score").value == 0.7
    assert in_force(environment, "correlator.min_score").origin is Origin.FILE
    assert in_force(environment, "agent_id").value == "ada"
    assert in_force(environment, "correlator.max_links").origin is Origin.DEFAULT


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    environment = a_home(tmp_path, {"correlator": {"min_score": 0.7}})
    environment["MIN_CORRELATION_SCORE"] = "0.8"

    assert in_force(environment, "correlator.min_score").value == 0.8
    assert in_force(environment, "correlator.min_score").origin is Origin.ENVIRONMENT


def test_an_empty_variable_counts_as_left_out(tmp_path: Path) -> None:
    environment = a_home(tmp_path, {"server": {"port": 9000}}) | {"HIPPOGRAPH_PORT": ""}

    assert in_force(environment, "server.port").value == 9000


def test_a_home_given_by_the_caller_wins_over_the_environment(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"

    loaded = settings_from({"HIPPOGRAPH_HOME": str(elsewhere)}, home=tmp_path)

    assert loaded.settings.home == tmp_path


def test_home_and_cache_become_absolute() -> None:
    loaded = settings_from({"HIPPOGRAPH_HOME": "here", "HIPPOGRAPH_CACHE": "~/there"})

    assert loaded.settings.home == Path.cwd() / "here"
    assert loaded.settings.cache == Path.home() / "there"


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("0", False), ("off", False), ("YES", True)]
)
def test_a_switch_in_the_environment_may_be_spelt_in_several_ways(
    tmp_path: Path, text: str, *, value: bool
) -> None:
    environment = {"HIPPOGRAPH_HOME": str(tmp_path), "CORRELATOR_ENABLED": text}

    assert in_force(environment, "correlator.enabled").value is value


@pytest.mark.parametrize(
    ("content", "nearest"),
    [
        ({"correlator": {"min_scor": 0.7}}, "correlator.min_score"),
        ({"agentid": "ada"}, "agent_id"),
        ({"correlator": 5}, "correlator.enabled"),
        ({"agent_id": {"name": "ada"}}, "agent_id"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known_one(
    tmp_path: Path, content: JsonValue, nearest: str
) -> None:
    with pytest.raises(SetupError, match=rf"unknown setting .*nearest known one is {nearest}$"):
        settings_from(a_home(tmp_path, content))


@pytest.mark.parametrize("text", ["{", "[1, 2]", "5", '"text"', "\ufeff\x00"])
def test_a_file_that_holds_no_object_is_refused_by_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(SetupError, match=r"config\.json"):
        settings_from(a_home(tmp_path, text))


def test_a_file_that_can_not_be_read_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "config.json").mkdir()

    with pytest.raises(SetupError, match=r"config\.json can't be read"):
        settings_from({}, home=tmp_path)


@pytest.mark.parametrize(
    ("variable", "value", "key"),
    [
        ("ARCHIVE_ACCESS_THRESHOLD", "-1", "lifecycle.archive_access"),
        ("PROMOTION_ACCESS_THRESHOLD", "-1", "lifecycle.promotion_access"),
        ("MIN_CORRELATION_SCORE", "-0.1", "correlator.min_score"),
        ("MIN_CORRELATION_SCORE", "1.1", "correlator.min_score"),
        ("MIN_CORRELATION_SCORE", "nan", "correlator.min_score"),
        ("ARCHIVE_AGE_DAYS", "inf", "lifecycle.archive_age_days"),
        ("ARCHIVE_AGE_DAYS", "0", "lifecycle.archive_age_days"),
        ("MAX_LINKS_PER_MEMORY", "0", "correlator.max_links"),
        ("HIPPOGRAPH_PORT", "65536", "server.port"),
        ("HIPPOGRAPH_PORT", "http", "server.port"),
        ("HIPPOGRAPH_LOG_LEVEL", "loud", "server.log_level"),
        ("CORRELATOR_ENABLED", "perhaps", "correlator.enabled"),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_the_setting_and_its_variable(
    tmp_path: Path, variable: str, value: str, key: str
) -> None:
    with pytest.raises(SetupError) as refused:
        settings_from({variable: value}, home=tmp_path)

    assert f"{key} ({variable})" in str(refused.value)


def test_a_number_that_is_none_is_refused_in_the_file(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"correlator\.min_score"):
        settings_from(a_home(tmp_path, '{"correlator": {"min_score": NaN}}'))


@pytest.mark.parametrize(
    "environment",
    [
        {"CONNECTION_AUTO_SIMILAR": "0.5"},
        {"CONNECTION_AUTO_RELATED": "0.2"},
        {"CONNECTION_AUTO_RELATED": "0.9"},
        {"CONNECTION_LLM_REQUIRED": "0.7"},
    ],
)
def test_thresholds_out_of_order_are_refused(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with pytest.raises(SetupError, match="CONNECTION_AUTO_RELATED"):
        settings_from(environment, home=tmp_path)


def test_equal_thresholds_are_in_order(tmp_path: Path) -> None:
    environment = {"HIPPOGRAPH_HOME": str(tmp_path), "CONNECTION_AUTO_RELATED": "0.8"}

    assert in_force(environment, "connections.auto_related").value == 0.8


def test_a_secret_is_shown_masked_and_read_in_full(tmp_path: Path) -> None:
    loaded = settings_from({"HIPPOGRAPH_NEO4J_PASSWORD": "open sesame"}, home=tmp_path)

    password = loaded.settings.neo4j.password
    assert password is not None
    assert password.get_secret_value() == "open sesame"
    assert "sesame" not in f"{loaded}{loaded.in_force()}{loaded.settings.model_dump_json()}"


def test_a_secret_is_absent_from_the_error_that_refuses_it(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as refused:
        settings_from(a_home(tmp_path, {"neo4j": {"password": 90210}}))

    assert "neo4j.password" in str(refused.value)
    assert "90210" not in f"{refused.value}{refused.value.__cause__}"


def test_the_honest_name_of_the_time_constant_is_read_from_a_file(tmp_path: Path) -> None:
    environment = a_home(tmp_path, {"scoring": {"time_constant_days": 12}})

    assert in_force(environment, "scoring.half_life_days").value == 12
    assert in_force(environment, "scoring.half_life_days").origin is Origin.FILE


def test_both_names_of_the_time_constant_at_once_are_refused(tmp_path: Path) -> None:
    both = {"time_constant_days": 12, "half_life_days": 12}

    with pytest.raises(SetupError, match="one setting"):
        settings_from(a_home(tmp_path, {"scoring": both}))


def test_outlets_are_opened_one_by_one(tmp_path: Path) -> None:
    environment = a_home(tmp_path, {"egress": {"allow": ["sync"]}})

    assert in_force(environment, "egress.allow").value == ["sync"]
    with pytest.raises(SetupError, match=r"egress\.allow"):
        settings_from(a_home(tmp_path, {"egress": {"allow": ["everything"]}}))


def test_every_setting_says_what_it_does_and_variables_are_distinct() -> None:
    fields = list(setting_fields())
    variables = [one.environment for one in fields if one.environment]

    assert all(one.meaning for one in fields)
    assert len(set(variables)) == len(variables)
