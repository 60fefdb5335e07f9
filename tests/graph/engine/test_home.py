"""The files of a home folder."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hippograph.graph.engine.home import Home, Started, local_secrets
from hippograph.schema.errors import EngineError


def test_secrets_are_made_once_and_for_their_owner_alone(tmp_path: Path) -> None:
    first = local_secrets(tmp_path)

    again = local_secrets(tmp_path)

    assert (again.owner, again.operator) == (first.owner, first.operator)
    assert first.owner.startswith("hg_")
    assert first.owner != first.operator
    modes = [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()]
    assert modes == [0o600, 0o600]


def test_a_secret_that_many_make_at_once_is_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = {one.owner for one in threads.map(local_secrets, [tmp_path] * 64)}

    assert len(made) == 1


def test_an_empty_secret_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "token").touch()

    with pytest.raises(EngineError, match="token is empty; remove it"):
        local_secrets(tmp_path)


def test_secrets_show_in_no_repr(tmp_path: Path) -> None:
    made = local_secrets(tmp_path)

    assert made.owner not in repr(made)


def test_what_was_started_is_read_back(tmp_path: Path) -> None:
    home, started = Home(tmp_path), Started(pid=7, created=1.5, ports={"bolt": 7687})

    home.record("neo4j", started)

    assert home.started("neo4j") == started
    assert home.started("api") is None


def test_a_record_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.record("api", Started(pid=7, created=1.5, ports={}))
    (tmp_path / "run" / "api.json").write_text("{")

    with pytest.raises(EngineError, match=r"api\.json can't be read"):
        home.started("api")


def test_only_one_starts_a_home_at_a_time(tmp_path: Path) -> None:
    with (
        Home(tmp_path).starting("api"),
        pytest.raises(EngineError, match="another `hippograph up`"),
        Home(tmp_path).starting("api"),
    ):
        pass

    with Home(tmp_path).starting("api"):
        pass


def test_a_new_home_is_closed_to_others(tmp_path: Path) -> None:
    with Home(tmp_path / "home").starting("api"):
        pass

    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700
