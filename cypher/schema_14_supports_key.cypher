// A SUPPORTS relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT supports_key IF NOT EXISTS
FOR ()-[r:SUPPORTS]-() REQUIRE (r.space, r.id) IS UNIQUE
