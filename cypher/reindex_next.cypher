// The next memories, in order of space and id, whose vector is of another model.
// params: after_id, after_space, limit, model
// returns: space, id, text, metadata, source
// index: memory_key
CYPHER 25
MATCH (m:Memory)
WHERE m.id IS NOT NULL AND m.space >= $after_space
  AND (m.space > $after_space OR m.id > $after_id)
  AND m.embedding_model <> $model AND m.text IS NOT NULL
RETURN m.space AS space, m.id AS id, m.text AS text, m.metadata AS metadata, m.source AS source
ORDER BY space, id
LIMIT $limit
