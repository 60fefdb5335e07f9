// A GENERALIZES relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT generalizes_key IF NOT EXISTS
FOR ()-[r:GENERALIZES]-() REQUIRE (r.space, r.id) IS UNIQUE
