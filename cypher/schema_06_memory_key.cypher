// A memory has one id in its space.
CYPHER 25
CREATE CONSTRAINT memory_key IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.space, m.id) IS UNIQUE
