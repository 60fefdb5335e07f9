// A CONTRADICTS relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT contradicts_key IF NOT EXISTS
FOR ()-[r:CONTRADICTS]-() REQUIRE (r.space, r.id) IS UNIQUE
