// A TEMPORAL_SEQUENCE relationship has one id in its space.
CYPHER 25
CREATE CONSTRAINT temporal_sequence_key IF NOT EXISTS
FOR ()-[r:TEMPORAL_SEQUENCE]-() REQUIRE (r.space, r.id) IS UNIQUE
