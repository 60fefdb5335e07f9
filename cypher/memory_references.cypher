// How many other memories refer to each memory; similarity and bursts are no reference.
// params: ids, only_agent, space, symmetric
// returns: id, references
// index: memory_key
CYPHER 25
UNWIND $ids AS id
MATCH (m:Memory {space: $space, id: id})
WHERE $only_agent IS NULL OR m.agent = $only_agent
RETURN id AS id, COUNT {
  MATCH (m)-[r]-(o:Memory {space: $space})
  WHERE (endNode(r) = m OR type(r) IN $symmetric)
    AND ($only_agent IS NULL OR o.agent = $only_agent)
    AND type(r) <> 'SIMILAR' AND r.origin <> 'BURST' AND r.status <> 'REJECTED'
  RETURN DISTINCT o
} AS references
