"""Every way in which Hippograph refuses or fails.

    HippographError
    ├── RefusedError           an expected refusal; a caller can act on it
    │   ├── NotFoundError      NOT_FOUND
    │   ├── ForbiddenError     FORBIDDEN
    │   ├── InvalidError       INVALID
    │   ├── ConflictError      CONFLICT
    │   ├── LimitReachedError  LIMIT_REACHED
    │   └── NotReachedError    UNAVAILABLE
    ├── UnauthenticatedError   UNAUTHENTICATED
    ├── UnavailableError       UNAVAILABLE
    ├── SetupError             the service can't start as it is set up
    │   └── EngineError        the managed Neo4j can't be installed, started or stopped
    └── StatementError         a statement and its header or parameters disagree

`api/errors.py` turns this tree into GraphQL answers and exit codes.
"""

from enum import StrEnum


class ErrorCode(StrEnum):
    """Machine-readable reasons for a refusal."""

    NOT_FOUND = "NOT_FOUND"
    FORBIDDEN = "FORBIDDEN"
    INVALID = "INVALID"
    CRITERIA_NOT_MET = "CRITERIA_NOT_MET"
    CONSENSUS_REQUIRED = "CONSENSUS_REQUIRED"
    CONFLICT = "CONFLICT"
    LIMIT_REACHED = "LIMIT_REACHED"
    DISABLED = "DISABLED"
    UNAVAILABLE = "UNAVAILABLE"
    WINDOW_PASSED = "WINDOW_PASSED"


class HippographError(Exception):
    """Anything that Hippograph raises on purpose; its text is fit for a user."""

    code = "INTERNAL"


class RefusedError(HippographError):
    """A request that was understood and is not carried out; nothing was changed."""

    code = ErrorCode.INVALID
    field: str | None = None


class NotFoundError(RefusedError):
    """Absent, or not visible in this scope: the caller cannot tell which."""

    code = ErrorCode.NOT_FOUND

    def __init__(self, subject: str, identity: str, *, field: str | None = None) -> None:
        super().__init__(f"no {subject} {identity} in this scope")
        self.subject = subject
        self.identity = identity
        self.field = field


class ForbiddenError(RefusedError):
    """The caller's role or key does not reach this far."""

    code = ErrorCode.FORBIDDEN

    def __init__(self, action: str, needed: str, *, field: str | None = None) -> None:
        super().__init__(f"{action} needs {needed}")
        self.action = action
        self.needed = needed
        self.field = field


class InvalidError(RefusedError):
    """Input outside what is allowed; the message says what would be."""

    code = ErrorCode.INVALID

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field
        self.problem = problem


class ConflictError(RefusedError):
    """Already in that state, taken, or changed meanwhile."""

    code = ErrorCode.CONFLICT

    def __init__(self, problem: str, *, field: str | None = None) -> None:
        super().__init__(problem)
        self.field = field


class LimitReachedError(RefusedError):
    """A limit would be passed."""

    code = ErrorCode.LIMIT_REACHED

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field


class NotReachedError(RefusedError):
    """One of a batch that the database stopped answering before it was known to be written."""

    code = ErrorCode.UNAVAILABLE

    def __init__(self) -> None:
        super().__init__(
            "the database stopped answering before this was known to be written; send it again "
            "with the same id or idempotencyKey, and it is stored once"
        )


class UnauthenticatedError(HippographError):
    """No key, or one that is unknown, revoked or expired."""

    code = "UNAUTHENTICATED"

    def __init__(self) -> None:
        super().__init__("send a valid key as: Authorization: Bearer KEY")


class UnavailableError(HippographError):
    """Something that this request needs does not answer now; it may be tried again."""

    code = ErrorCode.UNAVAILABLE

    def __init__(self, what: str, problem: str) -> None:
        super().__init__(f"{what} {problem}")
        self.what = what


class SetupError(HippographError):
    """The service can't start as it is set up; the message says what to change."""

    code = "SETUP"


class EngineError(SetupError):
    """The managed Neo4j can't be installed, started or stopped."""

    code = "ENGINE"


class StatementError(HippographError):
    """A Cypher file and its header, or a call and its parameters, disagree."""

    code = "STATEMENT"
