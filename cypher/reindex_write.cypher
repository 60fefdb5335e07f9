// Give memories that still have the text that was embedded their new vectors.
// params: model, rows
// index: memory_key
CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {space: row.space, id: row.id})
WHERE m.text = row.text
SET m.embedding = toFloatList(row.vector), m.embedding_model = $model
