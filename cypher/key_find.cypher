// The key of a secret, by its hash.
// params: hash
// returns: key
// index: access_key_hash
CYPHER 25
MATCH (k:AccessKey {hash: $hash})-[:STANDS_FOR]->(p:Principal)
RETURN k {.*, name: p.name, role: p.role} AS key
