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
SET m += row.properties, m.embedding = toFloatList(row.vector), m.recorded_at = $now, m.updated_at = $now, m.text_since = $now,
  m.created_at = datetime(row.times.created_at), m.expires_at = datetime(row.times.expires_at),
  m.lapses_at = datetime(row.times.lapses_at), m.freezes_at = datetime(row.times.freezes_at)
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
    .version, created_at: toString(m.created_at), recorded_at: toString(m.recorded_at),
    updated_at: toString(m.updated_at), text_since: toString(m.text_since),
    last_accessed_at: toString(m.last_accessed_at), expires_at: toString(m.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
