// Agents that the caller may see.
// params: only_agent, space
// returns: id
// index: agent_key
CYPHER 25
MATCH (a:Agent {space: $space})
WHERE a.id IS NOT NULL
  AND ($only_agent IS NULL OR a.id = $only_agent)
RETURN a.id AS id
ORDER BY id
LIMIT 10000
