"""How the service is set up, and which relationship types it knows."""

from typing import TYPE_CHECKING

import typer

from hippograph.api.cli import documents
from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.screen import table

if TYPE_CHECKING:
    from hippograph.schema.settings import SettingInForce


def register(app: typer.Typer) -> None:
    """Add config and relationship-types to the command line."""
    config = typer.Typer(help="Settings.", no_args_is_help=True)
    app.add_typer(config, name="config")
    command(config, "show")(show)
    command(config, "check")(check)
    command(app, "relationship-types")(relationship_types)


def show(caller: Caller) -> None:
    """Settings in force at the running service, and where each came from; for operators."""
    with caller.service(operator=True) as service:
        settings = service.ask(documents.SETTINGS)
    rows = [(one["key"], one["value"], one["origin"], one["environment"]) for one in settings]
    caller.screen.show(settings, table(("key", "value", "origin", "environment"), rows))


def check(caller: Caller) -> None:
    """Read config.json and the environment as a start would; exit 1 when it would fail."""
    from hippograph.schema.settings import process_settings  # noqa: PLC0415 - pydantic is slow

    changed = [one for one in process_settings(home=caller.home).in_force() if _is_set(one)]
    answer = [_as_json(one) for one in changed]
    rows = [(one.key, one.value, one.origin.value, one.environment) for one in changed]
    caller.screen.show(
        answer,
        f"The settings are good; {len(changed)} differ from the defaults.",
        *([table(("key", "value", "origin", "environment"), rows)] if rows else []),
    )


def relationship_types(caller: Caller) -> None:
    """Relationship types: what each says, and the other names it goes by."""
    with caller.service() as service:
        types = service.ask(documents.TYPES)
    rows = [
        (
            one["type"],
            one["meaning"],
            "both ways" if one["symmetric"] else one["inverse"],
            ", ".join(one["aliases"]),
        )
        for one in types
    ]
    caller.screen.show(types, table(("type", "meaning", "from the other end", "names"), rows))


def _is_set(one: "SettingInForce") -> bool:
    return one.origin.value != "default"


def _as_json(one: "SettingInForce") -> dict[str, object]:
    return {
        "key": one.key,
        "value": one.value,
        "origin": one.origin.value,
        "environment": one.environment,
    }
