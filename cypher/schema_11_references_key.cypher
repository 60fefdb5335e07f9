// A REFERENCES relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT references_key IF NOT EXISTS
FOR ()-[r:REFERENCES]-() REQUIRE (r.space, r.id) IS UNIQUE
