// Change a memory that is still at the version it was read at, and keep its earlier text.
// Setting a property and taking it back takes the lock, so that the version is read under it.
// params: boost, burst_slowing, changes, floor, id, now, only_agent, revisions, space, tau_days, version
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
    valid_from: m.text_since,
    valid_to: CASE WHEN m.text_since > $now THEN m.text_since ELSE $now END, changed_by: revision.changed_by
  })
)
SET m += $changes, m.version = m.version + 1, m.updated_at = $now
WITH m, m.importance * (1 + $boost * m.access_count) AS fresh,
  1 - $burst_slowing * m.burst_confidence AS rate
SET m.freezes_at = CASE
    WHEN fresh <= $floor THEN m.created_at
    WHEN rate <= 0 THEN datetime('9999-01-01T00:00:00Z')
    WHEN $tau_days / rate * log(fresh / $floor) > 1000000
      THEN datetime('9999-01-01T00:00:00Z')
    ELSE m.created_at + duration({
      milliseconds: toInteger($tau_days / rate * log(fresh / $floor) * 86400000)
    })
  END
RETURN m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(m.created_at), recorded_at: toString(m.recorded_at),
    updated_at: toString(m.updated_at), text_since: toString(m.text_since),
    last_accessed_at: toString(m.last_accessed_at), expires_at: toString(m.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
