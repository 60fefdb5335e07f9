"""Vectors of texts met before, so that a text that comes again costs no second embedding."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hippograph.schema.embedding import Embedded, Role

if TYPE_CHECKING:
    from array import array


@dataclass(frozen=True, slots=True)
class Kept:
    """A vector in 4 bytes a number, not the 32 of Python's own, and what is known with it."""

    vector: "array[float]"
    pieces: int
    tokens: int

    def shown(self) -> Embedded:
        """The same as callers get it."""
        return Embedded(
            vector=tuple(self.vector.tolist()), pieces=self.pieces, tokens=self.tokens
        )


class KeptVectors:
    """The vectors last used of one model: some 1.8 KB each, by hash of role and text."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()

    def get(self, key: bytes) -> Kept | None:
        """What is kept under a key, which now is the last used."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
        return kept

    def put(self, key: bytes, kept: Kept) -> None:
        """Keep a vector, and let go of the one not used for longest if there are too many."""
        self._kept[key] = kept
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)


def key_of(role: Role, text: bytes) -> bytes:
    """The key of a text in UTF-8: a query and a passage of the same words differ."""
    return hashlib.sha256(role.value.encode() + b"\0" + text).digest()
