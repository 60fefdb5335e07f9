"""The service as the command line sees it: one GraphQL request in, one typed answer out."""

import ipaddress
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar, cast
from urllib.parse import urlsplit

from hippograph.schema.errors import (
    ErrorCode,
    HippographError,
    RefusedError,
    SetupError,
    UnavailableError,
)

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

# Seconds. Storing 500 long texts on a busy machine takes a minute; a dead host is told early.
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 300.0

UNAUTHORIZED = 401
REFUSAL_CODES = frozenset(code.value for code in ErrorCode)


@dataclass(frozen=True, slots=True)
class Document(Generic[T]):
    """A GraphQL document that asks for one root field, whose answer has the shape T."""

    root: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """An open connection to one service under one key."""

    url: str
    token_file: Path
    http: "httpx.Client" = field(repr=False)

    def ask(self, document: Document[T], **variables: object) -> T:
        """The answer to a document; a variable that is None is left out.

        Raises RefusedError with the service's code and field, UnavailableError when the
        service does not answer, and HippographError for anything else it says went wrong.
        """
        given = {name: value for name, value in variables.items() if value is not None}
        answer = self._answer({"query": document.text, "variables": given})
        errors = cast("list[Mapping[str, object]]", answer.get("errors") or [])
        if errors:
            raise _error_of_query(errors[0])
        data = cast("Mapping[str, object]", answer["data"])
        return cast("T", data[document.root])

    def change(self, document: Document[T], **variables: object) -> T:
        """`ask` of a mutation; raises RefusedError when its result says `success: false`."""
        answer = self.ask(document, **variables)
        result = cast("Mapping[str, object]", answer)
        if not result["success"]:
            raise refusal(cast("Mapping[str, object]", result.get("error") or {}))
        return answer

    def now(self) -> datetime:
        """The time at the service: of this machine's clock, or to the second of another's."""
        if is_local(self.url):
            return datetime.now(UTC)
        import httpx  # noqa: PLC0415 - costs 0.2 s, which `--help` need not wait for

        try:
            told = self.http.get(self.url.removesuffix("graphql") + "livez").headers.get("date")
        except httpx.HTTPError:
            told = None
        return parsedate_to_datetime(told) if told else datetime.now(UTC)

    def _answer(self, body: Mapping[str, object]) -> Mapping[str, object]:
        import httpx  # noqa: PLC0415 - costs 0.2 s, which `--help` need not wait for

        try:
            response = self.http.post(self.url, json=body)
        except httpx.ConnectError as error:
            raise UnavailableError(
                f"the service at {self.url}", "does not answer; start it with: hippograph up"
            ) from error
        except httpx.TimeoutException as error:
            raise UnavailableError(
                f"the service at {self.url}", "did not answer in time"
            ) from error
        except httpx.HTTPError as error:
            raise UnavailableError(f"the service at {self.url}", f"failed: {error}") from error
        if response.status_code == UNAUTHORIZED:
            raise HippographError(
                f"the key in {self.token_file} is unknown, revoked or expired at {self.url}"
            )
        return self._body_of(response)

    def _body_of(self, response: "httpx.Response") -> Mapping[str, object]:
        try:
            body: object = response.json()
        except ValueError:
            body = None
        if isinstance(body, dict) and ("data" in body or "errors" in body):
            return cast("Mapping[str, object]", body)
        raise UnavailableError(
            f"the service at {self.url}", f"answered with HTTP {response.status_code}"
        )


@contextmanager
def connected(url: str, token_file: Path) -> Generator[Service]:
    """A service reached at `url` with the key in `token_file`."""
    import httpx  # noqa: PLC0415 - costs 0.2 s, which `--help` need not wait for

    headers = {"Authorization": f"Bearer {_key_in(token_file)}"}
    limits = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
    # A proxy of the environment is for other machines; to this one it would only be in the way.
    outside = not is_local(url)
    with httpx.Client(headers=headers, timeout=limits, trust_env=outside) as http:
        yield Service(url=graphql_url(url), token_file=token_file, http=http)


def graphql_url(url: str) -> str:
    """The GraphQL address of a service given by its base or by that address itself."""
    bare = url.rstrip("/")
    return bare if bare.endswith("/graphql") else bare + "/graphql"


def is_local(url: str) -> bool:
    """Whether an address is of this machine, so that the local key may be sent there."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def refusal(error: Mapping[str, object]) -> RefusedError:
    """The refusal that a result carries, as the exception it was at the service."""
    refused = RefusedError(str(error.get("message") or "the service refused"))
    code = str(error.get("code"))
    refused.code = ErrorCode(code) if code in REFUSAL_CODES else ErrorCode.INVALID
    at_fault = error.get("field")
    refused.field = str(at_fault) if at_fault else None
    return refused


def _error_of_query(error: Mapping[str, object]) -> HippographError:
    extensions = cast("Mapping[str, object]", error.get("extensions") or {})
    message = str(error.get("message"))
    code = str(extensions.get("code"))
    if code in REFUSAL_CODES:
        return refusal({"message": message, "code": code, "field": extensions.get("field")})
    return HippographError(f"the service could not answer: {message}")


def _key_in(token_file: Path) -> str:
    try:
        key = token_file.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise SetupError(
            f"there is no key at {token_file}; start the service with: hippograph up"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"the key at {token_file} can't be read: {error}") from error
    if not key.isascii() or not key.isprintable() or not key:
        raise SetupError(f"{token_file} holds no key")
    return key
