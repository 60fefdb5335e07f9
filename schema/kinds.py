"""Kinds of memory and the states they pass through.

The kind says what a memory is and is never lost; the state says where it stands in its life.
"""

from enum import StrEnum


class MemoryKind(StrEnum):
    """What kind of knowledge a memory holds."""

    WORKING = "WORKING"
    EPISODIC = "EPISODIC"
    SEMANTIC = "SEMANTIC"
    PROCEDURAL = "PROCEDURAL"


class MemoryState(StrEnum):
    """Where a memory stands: in use as its kind, or out of use."""

    WORKING = "WORKING"
    EPISODIC = "EPISODIC"
    SEMANTIC = "SEMANTIC"
    PROCEDURAL = "PROCEDURAL"
    ARCHIVAL = "ARCHIVAL"
    FORGOTTEN = "FORGOTTEN"


def state_in_use(kind: MemoryKind) -> MemoryState:
    """The state of a memory of this kind while it is in use."""
    return MemoryState(kind.value)
