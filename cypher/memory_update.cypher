// Change a memory that is still at the version it was read at, and keep its earlier text.
// Setting a property and taking it back takes the lock, so that the version is read under it.
// params: changes, id, now, only_agent, revisions, space, version
// returns: memory
// index: memory_key
CYPHER 25
MATCH (m:Memory {space: $space, id: $id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
SET m.locked = true
REMOVE m.locked
WITH m
WHERE m.version = $version
FOREACH (revision IN $revisions |
  CREATE (m)-[:HAS_REVISION]->(:Revision {
    space: $space, memory: m.id, version: m.version, text: m.text,
    valid_from: m.text_since, valid_to: $now, changed_by: revision.changed_by
  })
)
SET m += $changes, m.version = m.version + 1, m.updated_at = $now
RETURN m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .created_at, .recorded_at, .updated_at, .text_since, .last_accessed_at, .expires_at, .version,
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
