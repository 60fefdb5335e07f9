// How many memories there are, and how many have a vector of another model.
// params: model
// returns: total, waiting
CYPHER 25
MATCH (m:Memory)
WHERE m.text IS NOT NULL
RETURN count(m) AS total,
  count(CASE WHEN m.embedding_model <> $model THEN 1 END) AS waiting
