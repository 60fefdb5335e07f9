// Relationships of memories, strongest first, with both ends visible to the caller.
// params: first, ids, incoming, min_score, only_agent, outgoing, space
// returns: id, relationships
// index: memory_key
CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {space: $space, id: id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
CALL (m) {
  MATCH (m)-[r]-(o:Memory {space: $space})
  WHERE ((startNode(r) = m AND type(r) IN $outgoing) OR (endNode(r) = m AND type(r) IN $incoming))
    AND ($only_agent IS NULL OR o.agent = $only_agent)
    AND r.status <> 'REJECTED'
    AND ($min_score IS NULL OR r.score >= $min_score)
  WITH r
  ORDER BY coalesce(r.score, r.confidence) DESC, r.id
  LIMIT $first
  RETURN collect({
    relationship: r {.*, created_at: toString(r.created_at)}, source_id: startNode(r).id, target_id: endNode(r).id, type: type(r)
  }) AS relationships
}
RETURN id AS id, relationships AS relationships
