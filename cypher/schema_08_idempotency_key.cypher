// A repeat-safe key stands for one request in its space.
CYPHER 25
CREATE CONSTRAINT idempotency_key IF NOT EXISTS
FOR (k:IdempotencyKey) REQUIRE (k.space, k.key) IS UNIQUE
