// Make a space with its default agent.
// params: agent, now, id
// returns: id
// index: agent_key
CYPHER 25
CREATE (s:Space {id: $id, created_at: $now})
MERGE (a:Agent {space: $id, id: $agent})
ON CREATE SET a.created_at = $now
RETURN s.id AS id
