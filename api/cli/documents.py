"""Every GraphQL document that the command line sends."""

from hippograph.api.cli import answers
from hippograph.api.cli.client import Document

_MEMORY = """
    id agentId text kind state tier category importance score accessCount tags entities
    sessionId source metadata createdAt recordedAt expiresAt version
"""
_EDGE = """
    id type source { id text } target { id text } score confidence reason origin status metadata
    createdAt
"""
_HIT = f"""
    memory {{ {_MEMORY} }} relevance trace hops via {{ {_EDGE} }}
    scores {{ semantic lexical graph recency centrality }}
"""
_ERROR = "error { code message field }"
_RESULT = f"success memory {{ {_MEMORY} }} links {{ {_EDGE} }} {_ERROR}"
_LINKED = f"success relationship {{ {_EDGE} }} updated {_ERROR}"
_PRINCIPAL = "space name role agentId"
_KEY = f"id principal {{ {_PRINCIPAL} }} createdAt expiresAt lastUsedAt revoked"

MEMORY: Document[answers.OneMemory | None] = Document(
    "memory",
    f"query($id: ID!) {{ memory(id: $id) {{ {_MEMORY} relationships {{ {_EDGE} }} }} }}",
)
MEMORIES: Document[answers.MemoryPage] = Document(
    "memories",
    f"""query($filter: MemoryFilter, $first: Int, $after: String) {{
        memories(filter: $filter, first: $first, after: $after) {{
            items {{ {_MEMORY} }} pageInfo {{ hasNextPage endCursor }} totalCount
        }}
    }}""",
)
TOPICS: Document[answers.TopicPage] = Document(
    "memories",
    """query($filter: MemoryFilter, $first: Int) {
        memories(filter: $filter, first: $first) {
            items {
                id category text
                relationships(types: [REFERENCES], direction: INCOMING, first: 50) { id }
            }
        }
    }""",
)
RECALL: Document[answers.Recall] = Document(
    "recall",
    f"""query($query: String!, $agentId: String, $options: RecallOptions) {{
        recall(query: $query, agentId: $agentId, options: $options) {{
            primary {{ {_HIT} }} connected {{ {_HIT} }}
            strategyUsed fallbackReason contextBytes tookMs recallId omitted
        }}
    }}""",
)
CONNECTED: Document[list[answers.Hit]] = Document(
    "connectedMemories",
    f"""query($memoryId: ID!, $depth: Int, $types: [RelationshipType!]) {{
        connectedMemories(memoryId: $memoryId, depth: $depth, types: $types) {{ {_HIT} }}
    }}""",
)
PATH: Document[answers.Path | None] = Document(
    "connectionPath",
    f"""query($sourceId: ID!, $targetId: ID!, $weighted: Boolean) {{
        connectionPath(sourceId: $sourceId, targetId: $targetId, weighted: $weighted) {{
            nodes {{ id text }} edges {{ {_EDGE} }} length
        }}
    }}""",
)
STORE: Document[answers.MemoryResult] = Document(
    "storeMemory",
    f"mutation($input: StoreMemoryInput!) {{ storeMemory(input: $input) {{ {_RESULT} }} }}",
)
UPDATE: Document[answers.MemoryResult] = Document(
    "updateMemory",
    f"mutation($input: UpdateMemoryInput!) {{ updateMemory(input: $input) {{ {_RESULT} }} }}",
)
REINFORCE: Document[answers.MemoryResult] = Document(
    "reinforceMemory",
    f"mutation($id: ID!) {{ reinforceMemory(id: $id) {{ {_RESULT} }} }}",
)
RELATE: Document[answers.RelationshipResult] = Document(
    "addRelationship",
    f"""mutation($input: AddRelationshipInput!) {{
        addRelationship(input: $input) {{ {_LINKED} }}
    }}""",
)
UNRELATE: Document[answers.RelationshipResult] = Document(
    "removeRelationship",
    f"mutation($id: ID!) {{ removeRelationship(id: $id) {{ {_LINKED} }} }}",
)
STORE_MANY: Document[list[answers.StoredResult]] = Document(
    "storeMemories",
    f"""mutation($inputs: [StoreMemoryInput!]!) {{
        storeMemories(inputs: $inputs) {{ success memory {{ id recordedAt }} {_ERROR} }}
    }}""",
)
UPDATE_ONE: Document[answers.StoredResult] = Document(
    "updateMemory",
    f"""mutation($input: UpdateMemoryInput!) {{
        updateMemory(input: $input) {{ success memory {{ id recordedAt }} {_ERROR} }}
    }}""",
)
FORM: Document[answers.Form | None] = Document(
    "memory", "query($id: ID!) { memory(id: $id) { text category importance tags } }"
)
RELATE_MANY: Document[list[answers.LinkedResult]] = Document(
    "addRelationships",
    f"""mutation($inputs: [AddRelationshipInput!]!) {{
        addRelationships(inputs: $inputs) {{ success {_ERROR} }}
    }}""",
)
WHOAMI: Document[answers.Principal] = Document(
    "whoami", f"query {{ whoami {{ {_PRINCIPAL} }} }}"
)
AGENTS: Document[list[str]] = Document("agents", "query { agents }")
KEYS: Document[list[answers.AccessKey]] = Document(
    "accessKeys", f"query {{ accessKeys {{ {_KEY} }} }}"
)
CREATE_KEY: Document[answers.AccessKeyResult] = Document(
    "createAccessKey",
    f"""mutation($name: String!, $role: Role!, $agentId: String, $days: Int) {{
        createAccessKey(name: $name, role: $role, agentId: $agentId, days: $days) {{
            success key {{ {_KEY} }} secret {_ERROR}
        }}
    }}""",
)
REVOKE_KEY: Document[answers.AccessKeyResult] = Document(
    "revokeAccessKey",
    f"""mutation($id: ID!) {{
        revokeAccessKey(id: $id) {{ success key {{ {_KEY} }} secret {_ERROR} }}
    }}""",
)
CREATE_SPACE: Document[answers.AccessKeyResult] = Document(
    "createSpace",
    f"""mutation($space: ID!, $ownerName: String!) {{
        createSpace(space: $space, ownerName: $ownerName) {{
            success key {{ {_KEY} }} secret {_ERROR}
        }}
    }}""",
)
SETTINGS: Document[list[answers.Setting]] = Document(
    "settings", "query { settings { key value origin environment } }"
)
TYPES: Document[list[answers.TypeInfo]] = Document(
    "relationshipTypes",
    "query { relationshipTypes { type meaning symmetric inverse aliases } }",
)
