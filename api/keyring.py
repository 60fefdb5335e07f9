"""Keys that were seen lately, so that a request costs no look-up of its key.

A key that is revoked here is forgotten at once; one revoked by another process of the service
stays valid here for SECONDS at most.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from hippograph.graph.access import key_of, note_use, secret_digest
from hippograph.schema.errors import UnauthenticatedError, UnavailableError

if TYPE_CHECKING:
    from datetime import datetime

    from hippograph.graph.database import Database
    from hippograph.schema.access import AccessKey

SECONDS = 5.0
MOST_KEPT = 10_000


class Keyring:
    """Secrets to keys."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._seen: dict[str, tuple[float, AccessKey]] = {}
        self._noted: dict[str, int] = {}

    async def key(self, secret: str | None, now: datetime) -> AccessKey:
        """The valid key that a secret is for; raises UnauthenticatedError."""
        if not secret:
            raise UnauthenticatedError
        digest = secret_digest(secret)
        kept = self._seen.get(digest)
        if kept is not None and time.monotonic() - kept[0] < SECONDS:
            key = kept[1]
        else:
            found = await key_of(self._db, secret)
            if found is None:
                raise UnauthenticatedError
            key = found
            self._keep(digest, key)
        if not key.is_valid(now):
            raise UnauthenticatedError
        await self._note(digest, now)
        return key

    def forget(self, key_id: str) -> None:
        """Look a key up anew when it comes next."""
        self._seen = {
            digest: kept for digest, kept in self._seen.items() if kept[1].id != key_id
        }

    def _keep(self, digest: str, key: AccessKey) -> None:
        if len(self._seen) >= MOST_KEPT:
            self._seen.clear()
            self._noted.clear()
        self._seen[digest] = time.monotonic(), key

    async def _note(self, digest: str, now: datetime) -> None:
        """Write the hour of the last use, once an hour."""
        hour = int(now.timestamp() // 3600)
        if self._noted.get(digest) == hour:
            return
        with contextlib.suppress(UnavailableError):  # a read needs no writes
            await note_use(self._db, {digest: now})
            self._noted[digest] = hour
