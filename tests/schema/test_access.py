"""Who is calling, and how far they reach."""

from datetime import UTC, datetime, timedelta

import pytest

from hippograph.schema.access import SERVICE, AccessKey, Role, Scope
from hippograph.schema.errors import ForbiddenError

NOON = datetime(2026, 4, 4, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)
LADDER = [Role.READER, Role.WRITER, Role.CURATOR, Role.OWNER]
REACHED = [(LADDER[at], needed) for at in range(4) for needed in LADDER[: at + 1]]
REACHED.append((Role.OPERATOR, Role.OPERATOR))
BEYOND = [(held, needed) for held in Role for needed in Role if (held, needed) not in REACHED]


def a_scope(role: Role = Role.OWNER, agent: str | None = None) -> Scope:
    return Scope(space="s1", principal="p1", role=role, agent=agent)


def a_key(
    *, expires_at: datetime | None = None, revoked: bool = False, agent: str | None = None
) -> AccessKey:
    return AccessKey(
        id="k1",
        space="s1",
        principal="p1",
        role=Role.WRITER,
        agent=agent,
        created_at=NOON,
        expires_at=expires_at,
        last_used_at=None,
        revoked=revoked,
    )


@pytest.mark.parametrize(("held", "needed"), REACHED)
def test_a_role_reaches_itself_and_the_ones_before_it(held: Role, needed: Role) -> None:
    a_scope(held).require(needed, "this")


@pytest.mark.parametrize(("held", "needed"), BEYOND)
def test_a_role_reaches_no_further_and_an_operator_into_no_space(
    held: Role, needed: Role
) -> None:
    with pytest.raises(ForbiddenError, match=f"this needs the role {needed.value}"):
        a_scope(held).require(needed, "this")


def test_the_service_itself_stands_in_no_space() -> None:
    assert (SERVICE.space, SERVICE.role, SERVICE.agent) == ("", Role.OPERATOR, None)


@pytest.mark.parametrize(("asked", "agent"), [(None, "default"), ("", ""), ("a1", "a1")])
def test_an_open_key_acts_for_the_agent_asked_for(asked: str | None, agent: str) -> None:
    assert a_scope().agent_for(asked, default="default") == agent


@pytest.mark.parametrize("asked", [None, "a1"])
def test_a_limited_key_acts_for_its_own_agent(asked: str | None) -> None:
    assert a_scope(agent="a1").agent_for(asked, default="default") == "a1"


@pytest.mark.parametrize("asked", ["a2", "A1", "", "default"])
def test_a_limited_key_acts_for_no_other_agent(asked: str) -> None:
    with pytest.raises(ForbiddenError, match="the agent a1") as refusal:
        a_scope(agent="a1").agent_for(asked, default="default")

    assert refusal.value.field == "agentId"


def test_a_request_reaches_as_far_as_its_key() -> None:
    expected = Scope(space="s1", principal="p1", role=Role.WRITER, agent="a1")

    assert a_key(agent="a1").scope() == expected


@pytest.mark.parametrize("expires_at", [None, NOON + SECOND])
def test_a_key_opens_until_it_expires(expires_at: datetime | None) -> None:
    assert a_key(expires_at=expires_at).is_valid(NOON)


@pytest.mark.parametrize("expires_at", [NOON, NOON - SECOND])
def test_a_key_opens_nothing_from_the_instant_it_expires(expires_at: datetime) -> None:
    assert not a_key(expires_at=expires_at).is_valid(NOON)


@pytest.mark.parametrize("expires_at", [None, NOON + SECOND])
def test_a_revoked_key_opens_nothing(expires_at: datetime | None) -> None:
    assert not a_key(expires_at=expires_at, revoked=True).is_valid(NOON)
