"""The shapes of the service's answers, as far as the command line asks for them.

They stand in the words of GraphQL, so that --json passes them on as they came.
"""

from typing import TypedDict


class Memory(TypedDict):
    """A memory."""

    id: str
    agentId: str
    text: str
    kind: str
    state: str
    tier: str
    category: str
    importance: float
    score: float
    accessCount: int
    tags: list[str]
    entities: list[str]
    sessionId: str | None
    source: str | None
    metadata: object
    createdAt: str
    recordedAt: str
    expiresAt: str | None
    version: int


class End(TypedDict):
    """A memory at an end of a relationship, told by the least that can be drawn."""

    id: str
    text: str


class Relationship(TypedDict):
    """A relationship with both ends."""

    id: str
    type: str
    source: End
    target: End
    score: float | None
    confidence: float
    reason: str | None
    origin: str
    status: str
    metadata: object
    createdAt: str


class OneMemory(Memory):
    """A memory with its relationships."""

    relationships: list[Relationship]


class PageInfo(TypedDict):
    """Whether more follow."""

    hasNextPage: bool
    endCursor: str | None


class MemoryPage(TypedDict):
    """A page of memories."""

    items: list[Memory]
    pageInfo: PageInfo
    totalCount: int


class Id(TypedDict):
    """An id and nothing else."""

    id: str


class Topic(TypedDict):
    """A memory that stands for a topic of the demo."""

    id: str
    category: str
    text: str
    relationships: list[Id]


class TopicPage(TypedDict):
    """Topics of the demo."""

    items: list[Topic]


class Hit(TypedDict):
    """A memory that was recalled or walked to."""

    memory: Memory
    relevance: float
    trace: list[str]
    hops: int
    via: list[Relationship]
    scores: dict[str, float | None]


class Recall(TypedDict):
    """The answer of recall."""

    primary: list[Hit]
    connected: list[Hit]
    strategyUsed: str
    fallbackReason: str | None
    contextBytes: int
    tookMs: float
    recallId: str
    omitted: int


class Path(TypedDict):
    """A path between two memories."""

    nodes: list[End]
    edges: list[Relationship]
    length: int


class Refusal(TypedDict):
    """Why something was refused."""

    code: str
    message: str
    field: str | None


class MemoryResult(TypedDict):
    """The result of writing a memory."""

    success: bool
    memory: Memory
    links: list[Relationship]
    error: Refusal | None


class RelationshipResult(TypedDict):
    """The result of writing a relationship."""

    success: bool
    relationship: Relationship | None
    updated: bool
    error: Refusal | None


class Stored(TypedDict):
    """The least of a stored memory that an import needs to know."""

    id: str
    recordedAt: str


class Form(TypedDict):
    """What an import may bring up to date of a stored memory."""

    text: str
    category: str
    importance: float
    tags: list[str]


class StoredResult(TypedDict):
    """The result of one memory of an import."""

    success: bool
    memory: Stored | None
    error: Refusal | None


class LinkedResult(TypedDict):
    """The result of one relationship of an import."""

    success: bool
    error: Refusal | None


class Principal(TypedDict):
    """Who a key stands for."""

    space: str
    name: str
    role: str
    agentId: str | None


class AccessKey(TypedDict):
    """A key, without its secret."""

    id: str
    principal: Principal
    createdAt: str
    expiresAt: str | None
    lastUsedAt: str | None
    revoked: bool


class AccessKeyResult(TypedDict):
    """The result of making or ending a key; the secret is told this once."""

    success: bool
    key: AccessKey | None
    secret: str | None
    error: Refusal | None


class Setting(TypedDict):
    """A setting in force."""

    key: str
    value: object
    origin: str
    environment: str | None


class TypeInfo(TypedDict):
    """A relationship type."""

    type: str
    meaning: str
    symmetric: bool
    inverse: str | None
    aliases: list[str]
