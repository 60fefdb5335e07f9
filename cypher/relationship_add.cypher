// Relate memories; the same two with the same type, or its inverse from the other end, meet again.
// params: now, only_agent, principal, rows, space
// returns: at, made, relationship, source_id, target_id, type
// index: memory_key
CYPHER 25
UNWIND $rows AS row
MATCH (a:Memory {space: $space, id: row.source_id}), (b:Memory {space: $space, id: row.target_id})
WHERE $only_agent IS NULL OR (a.agent = $only_agent AND b.agent = $only_agent)
FOREACH (inverse IN row.inverses |
  SET a.locked = true
  SET b.locked = true
  REMOVE a.locked
  REMOVE b.locked
)
WITH row, a, b
CALL (row, a, b) {
  OPTIONAL MATCH (b)-[inverse:$any(row.inverses)]->(a)
  CALL (row, a, b, inverse) {
    WITH *
    WHERE inverse IS NULL
    MERGE (a)-[r:$(row.type)]->(b)
    ON CREATE SET r.id = row.id, r.space = $space, r.created_at = $now,
      r.created_by = $principal, r.status = 'SUGGESTED'
    RETURN r
    UNION
    WITH *
    WHERE inverse IS NOT NULL
    RETURN inverse AS r
  }
  WITH row, r, r.id = row.id AS made
  SET r.score = coalesce(row.score, r.score), r.metadata = coalesce(row.metadata, r.metadata),
    r.origin = CASE WHEN made OR r.origin <> 'MANUAL' THEN row.origin ELSE r.origin END,
    r.status = CASE WHEN r.status = 'REJECTED' THEN 'SUGGESTED' ELSE r.status END,
    r.confidence = row.confidence, r.reason = coalesce(row.reason, r.reason),
    r.updated_at = $now
  FOREACH (key IN row.keys |
    CREATE (:IdempotencyKey {
      space: $space, key: key, relationship: r.id, request_sha256: row.request_sha256,
      created_at: $now
    })
  )
  RETURN r, made
}
RETURN row.at AS at, made AS made, r {.*, created_at: toString(r.created_at)} AS relationship,
  startNode(r).id AS source_id, endNode(r).id AS target_id, type(r) AS type
