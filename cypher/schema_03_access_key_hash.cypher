// An access key is found by the hash of its secret.
CYPHER 25
CREATE CONSTRAINT access_key_hash IF NOT EXISTS
FOR (k:AccessKey) REQUIRE k.hash IS UNIQUE
