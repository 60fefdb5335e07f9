// Memories by id.
// params: ids, only_agent, space
// returns: memory
// index: memory_key
CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {space: $space, id: id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
RETURN m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .created_at, .recorded_at, .updated_at, .text_since, .last_accessed_at, .expires_at, .version,
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
