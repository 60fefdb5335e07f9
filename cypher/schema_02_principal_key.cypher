// A principal has one name in its space.
CYPHER 25
CREATE CONSTRAINT principal_key IF NOT EXISTS
FOR (p:Principal) REQUIRE (p.space, p.name) IS UNIQUE
