// An access key has one id in its space.
CYPHER 25
CREATE CONSTRAINT access_key_id IF NOT EXISTS
FOR (k:AccessKey) REQUIRE (k.space, k.id) IS UNIQUE
