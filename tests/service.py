"""The running service as tests see it, and GraphQL over HTTP as one principal."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

HIPPOGRAPH = Path(sys.executable).with_name("hippograph")

CREATE_SPACE = """mutation($space: ID!, $name: String!) {
  createSpace(space: $space, ownerName: $name) { secret error { message } }
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The running service, as `hippograph up --json` tells of it."""

    url: str
    ws: str
    health: str
    home: Path
    token_file: Path
    operator_token_file: Path
    bolt: str
    password_file: Path

    @property
    def token(self) -> str:
        """The key of the owner of the space `default`."""
        return self.token_file.read_text("utf-8").strip()

    @property
    def operator_token(self) -> str:
        """The operator's key."""
        return self.operator_token_file.read_text("utf-8").strip()


@dataclass(frozen=True, slots=True)
class Api:
    """GraphQL over HTTP as one principal."""

    client: httpx.Client
    url: str
    token: str

    def post(self, query: str, /, **variables: object) -> dict[str, Any]:
        """The whole answer, errors included."""
        answer = self.client.post(
            self.url,
            content=json.dumps({"query": query, "variables": variables}),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
            },
        )
        return answer.json()

    def ask(self, query: str, /, **variables: object) -> Any:
        """The data of an answer that must have no errors; of a single field its value."""
        answer = self.post(query, **variables)
        assert "errors" not in answer, answer["errors"]
        data = answer["data"]
        return next(iter(data.values())) if len(data) == 1 else data

    def refused(self, query: str, /, **variables: object) -> dict[str, Any]:
        """Code and field of the one error of an answer, with its message."""
        [error] = self.post(query, **variables)["errors"]
        return {**error["extensions"], "message": error["message"]}

    def as_(self, token: str) -> "Api":
        """The same service as somebody else."""
        return Api(self.client, self.url, token)


def new_space(operator: Api, name: str = "owner") -> Api:
    """The owner of a space that is made for the test."""
    made = operator.ask(CREATE_SPACE, space=f"space-{uuid4().hex}", name=name)
    return operator.as_(made["secret"])
