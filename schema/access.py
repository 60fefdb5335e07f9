"""Who is calling, and how far they reach."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hippograph.schema.errors import ForbiddenError

# The space of principals that run the service; no memory can be in it.
NO_SPACE = ""


class Role(StrEnum):
    """What a principal may do; each role up to OWNER includes the ones before it."""

    READER = "READER"
    WRITER = "WRITER"
    CURATOR = "CURATOR"
    OWNER = "OWNER"
    OPERATOR = "OPERATOR"


_REACH = {Role.READER: 1, Role.WRITER: 2, Role.CURATOR: 3, Role.OWNER: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The wall around a request: its space, and the one agent its key is limited to."""

    space: str
    principal: str
    role: Role
    agent: str | None = None

    def require(self, role: Role, action: str) -> None:
        """Raise ForbiddenError unless the caller's role reaches `role`."""
        if role is Role.OPERATOR:
            allowed = self.role is Role.OPERATOR
        else:
            allowed = _REACH.get(self.role, 0) >= _REACH[role]
        if not allowed:
            raise ForbiddenError(action, f"the role {role.value}")

    def agent_for(self, asked: str | None, *, default: str) -> str:
        """The agent a request acts for.

        Raises ForbiddenError when the key is limited to another one.
        """
        if self.agent is None:
            return default if asked is None else asked
        if asked not in (None, self.agent):
            raise ForbiddenError("this key", f"the agent {self.agent}", field="agentId")
        return self.agent


# What the service itself runs under: migrations, key lookup, counting of accesses.
SERVICE = Scope(space=NO_SPACE, principal="service", role=Role.OPERATOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """A key for the API; the secret itself is nowhere stored, only its sha256."""

    id: str
    space: str
    principal: str
    role: Role
    agent: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked: bool

    def scope(self) -> Scope:
        """The scope of a request made with this key."""
        return Scope(
            space=self.space, principal=self.principal, role=self.role, agent=self.agent
        )

    def is_valid(self, now: datetime) -> bool:
        """Whether the key opens anything at `now`."""
        return not self.revoked and (self.expires_at is None or now < self.expires_at)
