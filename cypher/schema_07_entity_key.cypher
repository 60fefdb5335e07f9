// An entity has one folded name in its space.
CYPHER 25
CREATE CONSTRAINT entity_key IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.space, e.key) IS UNIQUE
