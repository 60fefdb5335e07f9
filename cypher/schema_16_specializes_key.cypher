// A SPECIALIZES relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT specializes_key IF NOT EXISTS
FOR ()-[r:SPECIALIZES]-() REQUIRE (r.space, r.id) IS UNIQUE
