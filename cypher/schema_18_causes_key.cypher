// A CAUSES relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT causes_key IF NOT EXISTS
FOR ()-[r:CAUSES]-() REQUIRE (r.space, r.id) IS UNIQUE
