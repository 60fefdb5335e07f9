// End a key.
// params: id, space
// returns: key
// index: access_key_id
CYPHER 25
MATCH (k:AccessKey {space: $space, id: $id})-[:STANDS_FOR]->(p:Principal)
SET k.revoked = true
RETURN k {.*, name: p.name, role: p.role} AS key
