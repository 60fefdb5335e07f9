// The vector index of memories, with what a search filters on kept inside it.
// params: options
CYPHER 25
CREATE VECTOR INDEX memory_embedding IF NOT EXISTS
FOR (m:Memory) ON m.embedding
WITH [m.space, m.agent, m.live, m.created_at, m.lapses_at, m.freezes_at]
OPTIONS $options
