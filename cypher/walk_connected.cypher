// Memories within some steps of one memory, each by one of its shortest ways.
// params: depth, id, limit, now, only_agent, space, types
// returns: memory, hops, edges
// index: memory_key
CYPHER 25
MATCH (m:Memory {space: $space, id: $id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
MATCH p = ANY SHORTEST (m)((a:Memory)-[r:$any($types) WHERE r.status <> 'REJECTED']-(b:Memory
    WHERE b.space = $space AND b.live AND b.lapses_at > $now
      AND ($only_agent IS NULL OR b.agent = $only_agent))){1,3}(o:Memory)
WHERE o <> m AND length(p) <= $depth
WITH o, length(p) AS hops, relationships(p) AS edges
ORDER BY hops, o.id
LIMIT $limit
RETURN o {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(o.created_at), recorded_at: toString(o.recorded_at),
    updated_at: toString(o.updated_at), text_since: toString(o.text_since),
    last_accessed_at: toString(o.last_accessed_at), expires_at: toString(o.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(o)-[e:MENTIONS]->() | e {.position, .name}]} AS memory,
  hops AS hops, [r IN edges | {
    relationship: r {.*, created_at: toString(r.created_at)}, source_id: startNode(r).id, target_id: endNode(r).id, type: type(r)
  }] AS edges
