"""The pages that are made from the code: run this file to write them, the tests compare."""

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from hippograph.api.schema import printed
from hippograph.schema.setting_groups import Group
from hippograph.schema.settings import SettingField, Settings, setting_fields
from tests.house.tree import ROOT

SETTINGS = ROOT / "docs" / "settings.md"
SCHEMA = ROOT / "docs" / "schema.graphql"

_TOP = """# Settings

All are optional. The environment wins over `config.json` in the home folder, the file over the
default. In the file, a dot is a level:

```json
{"correlator": {"min_score": 0.7}, "server": {"port": 9000}}
```

An unknown key, a value out of bounds, or thresholds out of order stop the service at start with
the setting's name. `hippograph config show` lists what is in force and where it came from;
secrets are never shown.
"""


def settings_page() -> str:
    """`docs/settings.md`: every setting with its default, its variable and what it does."""
    parts = [_TOP]
    for group, fields in groupby(setting_fields(), key=lambda one: one.key.rpartition(".")[0]):
        title = f"\n## {group}\n\n{_introduction(group)}\n" if group else ""
        parts.append("\n".join([title, *settings_table(fields)]) + "\n")
    return "".join(parts)


def settings_table(fields: Iterator[SettingField]) -> list[str]:
    """The lines of a table of settings."""
    return [
        "| Key | Default | Environment variable | What it does |",
        "|---|---|---|---|",
        *(setting_row(one) for one in fields),
    ]


def setting_row(one: SettingField) -> str:
    """The line of one setting."""
    variable = f"`{one.environment}`" if one.environment else "-"
    return f"| `{one.key}` | {_default(one.default)} | {variable} | {one.meaning} |"


PAGES: dict[Path, Callable[[], str]] = {SETTINGS: settings_page, SCHEMA: printed}


def _introduction(group: str) -> str:
    described = Settings.model_fields[group].annotation
    if not (isinstance(described, type) and issubclass(described, Group)):
        raise TypeError(group)
    return (described.__doc__ or "").splitlines()[0]


def _default(value: object) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Path):
        return f"`~/{value.relative_to(Path.home())}`"
    return str(value)


if __name__ == "__main__":
    for page, text in PAGES.items():
        page.write_text(text(), encoding="utf-8")
