// Memories are listed by agent and time of creation.
CYPHER 25
CREATE INDEX memory_created IF NOT EXISTS
FOR (m:Memory) ON (m.space, m.created_at, m.id)
