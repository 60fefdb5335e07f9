// Memories by id.
// params: ids, only_agent, space
// returns: memory
// index: memory_key
CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {space: $space, id: id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
RETURN m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(m.created_at), recorded_at: toString(m.recorded_at),
    updated_at: toString(m.updated_at), text_since: toString(m.text_since),
    last_accessed_at: toString(m.last_accessed_at), expires_at: toString(m.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
