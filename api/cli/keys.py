"""Who may call: keys, spaces, agents."""

from typing import Annotated

import typer

from hippograph.api.cli import answers, documents
from hippograph.api.cli.command import Caller, command
from hippograph.api.cli.screen import table
from hippograph.api.cli.values import AgentId
from hippograph.schema.access import Role

KEY_COLUMNS = ("id", "name", "role", "agent", "created", "expires", "last used", "revoked")


def register(app: typer.Typer) -> None:
    """Add keys, spaces, whoami and agents to the command line."""
    keys = typer.Typer(help="Keys of the space.", no_args_is_help=True)
    app.add_typer(keys, name="keys")
    command(keys, "list")(list_keys)
    command(keys, "create")(create_key)
    command(keys, "revoke")(revoke_key)
    spaces = typer.Typer(help="Spaces of the service.", no_args_is_help=True)
    app.add_typer(spaces, name="spaces")
    command(spaces, "create")(create_space)
    command(app, "whoami")(whoami)
    command(app, "agents")(agents)


def list_keys(caller: Caller) -> None:
    """Keys of the space, without their secrets."""
    with caller.service() as service:
        keys = service.ask(documents.KEYS)
    caller.screen.show(keys, table(KEY_COLUMNS, map(_key_row, keys)))


def create_key(
    caller: Caller,
    name: Annotated[str, typer.Argument(help="Name of the principal the key stands for.")],
    *,
    role: Annotated[
        Role, typer.Option(case_sensitive=False, help="What the key may do.")
    ] = Role.WRITER,
    agent_id: AgentId = None,
    days: Annotated[int | None, typer.Option(help="Days it lives; for ever else.")] = None,
) -> None:
    """Make a key; its secret is shown this once."""
    with caller.service() as service:
        made = service.change(
            documents.CREATE_KEY, name=name, role=role.value, agentId=agent_id, days=days
        )
    _show_secret(caller, made)


def revoke_key(
    caller: Caller, key_id: Annotated[str, typer.Argument(metavar="ID", help="The key's id.")]
) -> None:
    """End a key at once."""
    with caller.service() as service:
        ended = service.change(documents.REVOKE_KEY, id=key_id)
    caller.screen.show(ended["key"], f"Key {key_id} no longer opens anything.")


def create_space(
    caller: Caller,
    space: Annotated[str, typer.Argument(metavar="ID", help="Id of the new space.")],
    *,
    owner: Annotated[str, typer.Option(help="Name of its first owner.")],
) -> None:
    """Make a space and its first owner's key, which is shown this once; for operators."""
    with caller.service(operator=True) as service:
        made = service.change(documents.CREATE_SPACE, space=space, ownerName=owner)
    _show_secret(caller, made)


def whoami(caller: Caller) -> None:
    """Whom the key in use stands for."""
    with caller.service() as service:
        who = service.ask(documents.WHOAMI)
    limited = who["agentId"] or "every agent"
    caller.screen.show(
        who, f"{who['name']}, {who['role']} of space {who['space'] or '-'}, for {limited}"
    )


def agents(caller: Caller) -> None:
    """Agents of the space."""
    with caller.service() as service:
        names = service.ask(documents.AGENTS)
    caller.screen.show(names, *names)


def _show_secret(caller: Caller, made: answers.AccessKeyResult) -> None:
    key = made["key"]
    answer = {"secret": made["secret"], "key": key}
    if key is None:
        caller.screen.show(answer, str(made["secret"]))
        return
    caller.screen.note("The secret is shown only now; keep it in a file of mode 0600.")
    caller.screen.show(answer, table(KEY_COLUMNS, [_key_row(key)]), str(made["secret"]))


def _key_row(key: answers.AccessKey) -> tuple[object, ...]:
    who = key["principal"]
    return (
        key["id"],
        who["name"],
        who["role"],
        who["agentId"],
        key["createdAt"],
        key["expiresAt"],
        key["lastUsedAt"],
        "yes" if key["revoked"] else None,
    )
