// Relationships by id, with both ends visible to the caller.
// params: ids, only_agent, space
// returns: relationship, source_id, target_id, type
// index: references_key
CYPHER 25
UNWIND $ids AS id
MATCH (a:Memory)-[r:REFERENCES|DERIVES_FROM|CONTRADICTS|SUPPORTS|GENERALIZES|SPECIALIZES|TEMPORAL_SEQUENCE|CAUSES|SIMILAR|RELATED|PART_OF]->(b:Memory)
WHERE r.space = $space AND r.id = id
  AND a.space = $space AND ($only_agent IS NULL OR a.agent = $only_agent)
  AND b.space = $space AND ($only_agent IS NULL OR b.agent = $only_agent)
RETURN r {.*, created_at: toString(r.created_at)} AS relationship, a.id AS source_id, b.id AS target_id, type(r) AS type
