// What stands already under the ids and repeat-safe keys of a request.
// params: rows, space
// returns: at, key, same_key, same_id, by_key, by_id
// index: idempotency_key, memory_key
CYPHER 25
UNWIND $rows AS row
OPTIONAL MATCH (k:IdempotencyKey {space: $space, key: row.key})
OPTIONAL MATCH (a:Memory {space: $space, id: k.memory})
OPTIONAL MATCH (b:Memory {space: $space, id: row.id})
RETURN row.at AS at, k.key AS key, k.request_sha256 AS same_key, b.request_sha256 AS same_id,
  a {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(a.created_at), recorded_at: toString(a.recorded_at),
    updated_at: toString(a.updated_at), text_since: toString(a.text_since),
    last_accessed_at: toString(a.last_accessed_at), expires_at: toString(a.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(a)-[e:MENTIONS]->() | e {.position, .name}]} AS by_key,
  b {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(b.created_at), recorded_at: toString(b.recorded_at),
    updated_at: toString(b.updated_at), text_since: toString(b.text_since),
    last_accessed_at: toString(b.last_accessed_at), expires_at: toString(b.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(b)-[e:MENTIONS]->() | e {.position, .name}]} AS by_id
