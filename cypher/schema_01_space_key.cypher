// A space has one id.
CYPHER 25
CREATE CONSTRAINT space_key IF NOT EXISTS
FOR (s:Space) REQUIRE s.id IS UNIQUE
