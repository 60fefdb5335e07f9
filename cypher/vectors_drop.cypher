// Drop the vector index, for vectors of another length.
CYPHER 25
DROP INDEX memory_embedding IF EXISTS
