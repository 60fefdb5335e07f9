// Store new memories with their agents, entities and repeat-safe keys.
// params: agents, now, rows, space
// returns: at, memory
// index: agent_key
CYPHER 25
CALL () {
  UNWIND $agents AS id
  MERGE (a:Agent {space: $space, id: id})
  ON CREATE SET a.created_at = $now
  RETURN count(a) AS agents
}
UNWIND $rows AS row
CREATE (m:Memory {space: $space, id: row.id})
SET m += row.properties
FOREACH (entity IN row.entities |
  MERGE (e:Entity {space: $space, key: entity.key})
  ON CREATE SET e.name = entity.name
  CREATE (m)-[:MENTIONS {position: entity.position, name: entity.name}]->(e)
)
FOREACH (key IN row.keys |
  CREATE (:IdempotencyKey {
    space: $space, key: key, memory: row.id, request_sha256: row.properties.request_sha256,
    created_at: $now
  })
)
RETURN row.at AS at,
  m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .created_at, .recorded_at, .updated_at, .text_since, .last_accessed_at, .expires_at, .version,
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
