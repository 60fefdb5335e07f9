// Earlier texts of memories, newest first.
// params: first, ids, only_agent, space
// returns: id, revisions
// index: memory_key
CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {space: $space, id: id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
CALL (m) {
  MATCH (m)-[:HAS_REVISION]->(r:Revision)
  WITH r
  ORDER BY r.version DESC
  LIMIT $first
  RETURN collect(r {.version, .text, .valid_from, .valid_to, .changed_by}) AS revisions
}
RETURN id AS id, revisions AS revisions
