// Take back a relationship; the memories at its ends stay as they are.
// params: id, only_agent, space
// returns: relationship, source_id, target_id, type
// index: references_key
CYPHER 25
MATCH (a:Memory)-[r:REFERENCES|DERIVES_FROM|CONTRADICTS|SUPPORTS|GENERALIZES|SPECIALIZES|TEMPORAL_SEQUENCE|CAUSES|SIMILAR|RELATED|PART_OF]->(b:Memory)
WHERE r.space = $space AND r.id = $id
  AND a.space = $space AND ($only_agent IS NULL OR a.agent = $only_agent)
  AND b.space = $space AND ($only_agent IS NULL OR b.agent = $only_agent)
WITH r, r {.*} AS kept, a.id AS source_id, b.id AS target_id, type(r) AS type
DELETE r
RETURN kept AS relationship, source_id AS source_id, target_id AS target_id, type AS type
