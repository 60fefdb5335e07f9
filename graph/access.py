"""Spaces and the keys that open them."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from hippograph.graph.records import access_key_from
from hippograph.graph.statements import statement
from hippograph.schema.access import NO_SPACE, SERVICE, AccessKey, Role
from hippograph.schema.errors import ConflictError, ForbiddenError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from hippograph.graph.database import Database, Row, Transaction
    from hippograph.schema.access import Scope

CREATE_SPACE = statement("space_create")
READ_SPACE = statement("space_read")
LOCK_SPACE = statement("space_lock")
CREATE_KEY = statement("key_create")
FIND_KEY = statement("key_find")
LIST_KEYS = statement("key_list")
REVOKE_KEY = statement("key_revoke")
KEY_USED = statement("key_used")

# Keys begin so that secret scanners and people know them.
PREFIX = "hg_"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that is to be made: for whom, with which role, limited to an agent, until when."""

    name: str
    role: Role
    agent: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeKey:
    """A key with its secret, which is never shown again."""

    key: AccessKey
    secret: str


def new_secret() -> str:
    """A secret of 256 random bits."""
    return PREFIX + secrets.token_urlsafe(32)


def secret_digest(secret: str) -> str:
    """What is stored of a secret: its sha256; the secret itself has too many bits to guess."""
    return hashlib.sha256(secret.encode("utf-8")).hexdigest()


async def create_space(
    db: Database, space: str, owner_name: str, *, agent: str, now: datetime
) -> MadeKey:
    """Make a tenant with its first owner; raises ConflictError when it is there."""
    secret = new_secret()
    new = NewKey(name=owner_name, role=Role.OWNER)

    async def work(tx: Transaction) -> MadeKey:
        if await tx.row(READ_SPACE, id=space):
            raise ConflictError(f"the space {space} is there already", field="space")
        await tx.rows(CREATE_SPACE, id=space, agent=agent, now=now)
        return MadeKey(key=await _create(tx, space, new, secret, now=now), secret=secret)

    return await db.write(SERVICE, work)


async def ensure_key(
    db: Database, space: str, new: NewKey, secret: str, *, agent: str, now: datetime
) -> None:
    """See to it that a space is there and a given secret opens it; safe to run again."""

    async def work(tx: Transaction) -> None:
        if space != NO_SPACE and not await tx.row(READ_SPACE, id=space):
            await tx.rows(CREATE_SPACE, id=space, agent=agent, now=now)
        if not await tx.row(FIND_KEY, hash=secret_digest(secret)):
            await _create(tx, space, new, secret, now=now)

    await db.write(SERVICE, work)


async def create_access_key(
    db: Database, scope: Scope, new: NewKey, *, now: datetime
) -> MadeKey:
    """Make a key of the scope's space.

    Raises ConflictError when the principal is there with another role.
    """
    _require_whole_space(scope)
    secret = new_secret()

    async def work(tx: Transaction) -> MadeKey:
        key = await _create(tx, scope.space, new, secret, now=now)
        if key.role is not new.role:
            raise ConflictError(
                f"{new.name} has the role {key.role.value} already; take another name",
                field="role",
            )
        return MadeKey(key=key, secret=secret)

    return await db.write(scope, work)


async def access_keys(db: Database, scope: Scope) -> list[AccessKey]:
    """The keys of the scope's space, oldest first; raises ForbiddenError to a limited key."""
    _require_whole_space(scope)

    async def work(tx: Transaction) -> list[AccessKey]:
        return [access_key_from(row["key"]) for row in await tx.rows(LIST_KEYS)]

    return await db.read(scope, work)


async def revoke_access_key(
    db: Database, scope: Scope, key_id: str, *, now: datetime
) -> AccessKey:
    """End a key; a revoked one stays revoked.

    Raises NotFoundError, and ConflictError for the last valid key of an owner, without which
    nobody could manage the space.
    """
    _require_whole_space(scope)

    async def work(tx: Transaction) -> AccessKey:
        await tx.rows(LOCK_SPACE)  # two owners may revoke each other at once
        keys = [access_key_from(row["key"]) for row in await tx.rows(LIST_KEYS)]
        found = next((key for key in keys if key.id == key_id), None)
        if found is None:
            raise NotFoundError("key", key_id, field="id")
        owners = [
            key.id
            for key in keys
            if key.role is Role.OWNER and key.agent is None and key.is_valid(now)
        ]
        if owners == [key_id]:
            raise ConflictError("this is the last key of an owner; make another first")
        row = await tx.row(REVOKE_KEY, id=key_id)
        return found if row is None else access_key_from(row["key"])

    return await db.write(scope, work)


async def key_of(db: Database, secret: str) -> AccessKey | None:
    """The key that a secret is for, whether or not it is still valid."""

    async def work(tx: Transaction) -> Row | None:
        return await tx.row(FIND_KEY, hash=secret_digest(secret))

    row = await db.read(SERVICE, work)
    return None if row is None else access_key_from(row["key"])


async def note_use(db: Database, used: Mapping[str, datetime]) -> None:
    """Note when keys were last used, to the hour; `used` is by digest of the secret."""
    rows = [
        {"hash": digest, "at": at.replace(minute=0, second=0, microsecond=0)}
        for digest, at in used.items()
    ]

    async def work(tx: Transaction) -> None:
        await tx.rows(KEY_USED, rows=rows)

    await db.write(SERVICE, work)


def lasting(days: int | None, now: datetime) -> datetime | None:
    """When a key that lives so many days expires; None for ever."""
    return None if days is None else now + timedelta(days=days)


def _require_whole_space(scope: Scope) -> None:
    """A key that is limited to an agent manages no keys: it could make an unlimited one."""
    if scope.agent is not None:
        raise ForbiddenError("managing keys", "a key of the whole space, not of one agent")


async def _create(
    tx: Transaction, space: str, new: NewKey, secret: str, *, now: datetime
) -> AccessKey:
    row = await tx.row(
        CREATE_KEY,
        at_space=space,
        hash=secret_digest(secret),
        id=str(uuid7()),
        name=new.name,
        now=now,
        only=new.agent,
        role=new.role.value,
        until=new.expires_at,
    )
    if row is None:
        raise NotFoundError("space", space)
    return access_key_from(row["key"])
