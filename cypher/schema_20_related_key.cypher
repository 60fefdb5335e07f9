// A RELATED relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT related_key IF NOT EXISTS
FOR ()-[r:RELATED]-() REQUIRE (r.space, r.id) IS UNIQUE
