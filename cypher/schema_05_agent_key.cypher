// An agent has one id in its space.
CYPHER 25
CREATE CONSTRAINT agent_key IF NOT EXISTS
FOR (a:Agent) REQUIRE (a.space, a.id) IS UNIQUE
