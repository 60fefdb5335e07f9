// Keys of a space, oldest first.
// params: space
// returns: key
// index: access_key_id
CYPHER 25
MATCH (k:AccessKey {space: $space})-[:STANDS_FOR]->(p:Principal)
WHERE k.id IS NOT NULL
RETURN k {.*, name: p.name, role: p.role} AS key
ORDER BY key.created_at, key.id
LIMIT 10000
