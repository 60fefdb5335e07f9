// A PART_OF relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT part_of_key IF NOT EXISTS
FOR ()-[r:PART_OF]-() REQUIRE (r.space, r.id) IS UNIQUE
