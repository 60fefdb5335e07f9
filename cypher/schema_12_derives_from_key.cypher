// A DERIVES_FROM relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT derives_from_key IF NOT EXISTS
FOR ()-[r:DERIVES_FROM]-() REQUIRE (r.space, r.id) IS UNIQUE
