"""Documents that tests of memories share, and builders of what they store."""

from typing import Any

from tests.service import Api

STORE = """mutation($input: StoreMemoryInput!) {
  storeMemory(input: $input) {
    success notices
    memory {
      id agentId text kind state tier score category importance accessCount tags entities
      metadata createdAt recordedAt version sessionId source expiresAt lastAccessedAt
    }
    links { id }
    error { code message field }
  }
}"""
STORE_MANY = """mutation($inputs: [StoreMemoryInput!]!) {
  storeMemories(inputs: $inputs) {
    success memory { id text } error { code message field }
  }
}"""
UPDATE = """mutation($input: UpdateMemoryInput!) {
  updateMemory(input: $input) {
    success
    memory {
      id text version category importance tags metadata
      revisions { version text validFrom validTo changedBy }
    }
    error { code message field }
  }
}"""
RELATE = """mutation($input: AddRelationshipInput!) {
  addRelationship(input: $input) {
    success updated
    relationship {
      id type score confidence origin status metadata createdAt
      source { id } target { id }
    }
    error { code message field }
  }
}"""
RECALL = """query($query: String!, $agentId: String, $options: RecallOptions) {
  recall(query: $query, agentId: $agentId, options: $options) {
    primary {
      memory { id text }
      relevance trace hops via { type }
      scores { semantic lexical graph recency centrality }
    }
    connected { memory { id } relevance hops trace via { type source { id } target { id } } }
    expanded {
      targetId targetType relationshipType score reason
      breakdown {
        semanticSimilarity coOccurrence temporalProximity crossReference score
      }
    }
    totalResults strategyUsed fallbackReason contextBytes tookMs recallId omitted
  }
}"""


def store(api: Api, text: str, **fields: object) -> dict[str, Any]:
    """A memory that is stored, as the answer shows it."""
    result = api.ask(STORE, input={"text": text, **fields})
    assert result["success"], result["error"]
    return result["memory"]


def refusal(api: Api, text: str, **fields: object) -> dict[str, Any]:
    """The error of a memory that must not be stored."""
    result = api.ask(STORE, input={"text": text, **fields})
    assert not result["success"]
    assert result["memory"] is None
    return result["error"]


def relate(api: Api, source: str, kind: str, target: str, **fields: object) -> dict[str, Any]:
    """The whole answer to a relationship that is asked for."""
    ends = {"sourceId": source, "targetId": target, "relationshipType": kind}
    return api.ask(RELATE, input={**ends, **fields})


def recalled(api: Api, query: str, **options: object) -> list[str]:
    """The ids of the direct hits of a recall, best first."""
    answer = api.ask(RECALL, query=query, options=options)
    return [hit["memory"]["id"] for hit in answer["primary"]]
