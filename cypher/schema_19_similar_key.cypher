// A SIMILAR relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT similar_key IF NOT EXISTS
FOR ()-[r:SIMILAR]-() REQUIRE (r.space, r.id) IS UNIQUE
