// The shortest paths between two memories, over memories that the caller may see.
// params: limit, now, only_agent, source_id, space, target_id, types
// returns: nodes, edges
// index: memory_key
CYPHER 25
MATCH (m:Memory {space: $space, id: $source_id}), (o:Memory {space: $space, id: $target_id})
WHERE $only_agent IS NULL OR (m.agent = $only_agent AND o.agent = $only_agent)
MATCH p = ALL SHORTEST (m)((a:Memory)-[r:$any($types) WHERE r.status <> 'REJECTED']-(b:Memory
    WHERE b.space = $space AND ($only_agent IS NULL OR b.agent = $only_agent)
      AND (b.id = $target_id OR (b.live AND b.lapses_at > $now)))){1,20}(o)
WITH p
LIMIT $limit
RETURN [n IN nodes(p) | n {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(n.created_at), recorded_at: toString(n.recorded_at),
    updated_at: toString(n.updated_at), text_since: toString(n.text_since),
    last_accessed_at: toString(n.last_accessed_at), expires_at: toString(n.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(n)-[e:MENTIONS]->() | e {.position, .name}]}] AS nodes,
  [r IN relationships(p) | {
    relationship: r {.*, created_at: toString(r.created_at)}, source_id: startNode(r).id, target_id: endNode(r).id, type: type(r)
  }] AS edges
