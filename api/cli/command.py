"""What every command of the service takes, and what it is given in return: a Caller."""

import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec
from urllib.parse import urlsplit

import typer

from hippograph.api.cli.client import Service, connected, is_local
from hippograph.api.cli.screen import Screen

P = ParamSpec("P")

AsJson = Annotated[bool, typer.Option("--json", help="Answer with JSON on standard output.")]
Home = Annotated[
    Path | None,
    typer.Option("--home", metavar="DIR", help="Home of the service; HIPPOGRAPH_HOME else."),
]
Url = Annotated[
    str | None, typer.Option("--url", metavar="URL", help="Another service than the home's.")
]
TokenFile = Annotated[
    Path | None,
    typer.Option("--token-file", metavar="FILE", help="File with the key to use."),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Which service a command talks to, under which key, and how it shows the answer."""

    home: Path | None
    url: str | None
    token_file: Path | None
    screen: Screen

    @contextmanager
    def service(self, *, operator: bool = False) -> Generator[Service]:
        """The service, under the operator's key or that of the space `default`."""
        if self.url is not None and self.token_file is not None:
            url, token_file = self.url, self.token_file
        else:
            url, token_file = self._of_home(operator=operator)
        with connected(url, token_file) as service:
            yield service

    def _of_home(self, *, operator: bool) -> tuple[str, Path]:
        """Address and key, what is not given on the command line read from the home."""
        from hippograph.api.cli.local import local_service  # noqa: PLC0415 - pydantic is slow

        if self.url is not None and not is_local(self.url):
            raise typer.BadParameter("--url of another machine needs --token-file as well")
        local = local_service(self.home)
        own = local.home.operator_token_file if operator else local.home.token_file
        return self.url or local.url, self.token_file or own


def command(
    app: typer.Typer, name: str
) -> Callable[[Callable[Concatenate[Caller, P], None]], Callable[Concatenate[Caller, P], None]]:
    """Make a command of a function; it also takes --json, --home, --url and --token-file.

    Those four become the Caller that the function gets as its first argument.
    """

    def register(
        function: Callable[Concatenate[Caller, P], None],
    ) -> Callable[Concatenate[Caller, P], None]:
        def run(**given: Any) -> None:
            caller = Caller(
                home=given.pop("home"),
                url=_checked(given.pop("url")),
                token_file=given.pop("token_file"),
                screen=Screen(as_json=given.pop("as_json")),
            )
            function(caller, **given)  # pyright: ignore[reportCallIssue] - typer gives just these

        own = list(inspect.signature(function).parameters.values())[1:]
        signature = inspect.Signature([*own, *_CALLER_OPTIONS])
        run.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess] - typer reads it
        run.__annotations__ = {key: one.annotation for key, one in signature.parameters.items()}
        run.__doc__ = function.__doc__
        app.command(name)(run)
        return function

    return register


def _option(name: str, annotation: object, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


_CALLER_OPTIONS = (
    _option("as_json", AsJson, default=False),
    _option("home", Home, default=None),
    _option("url", Url, default=None),
    _option("token_file", TokenFile, default=None),
)


def _checked(url: str | None) -> str | None:
    if url is None:
        return None
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise typer.BadParameter("--url must be an address such as http://127.0.0.1:8420")
    return url
