// Make a key for a principal, who is made with it when new.
// params: at_space, hash, id, name, now, only, role, until
// returns: key, role
// index: principal_key
CYPHER 25
MERGE (p:Principal {space: $at_space, name: $name})
ON CREATE SET p.role = $role, p.created_at = $now
MERGE (k:AccessKey {hash: $hash})
ON CREATE SET k.id = $id, k.space = $at_space, k.agent_id = $only, k.created_at = $now,
  k.expires_at = $until, k.revoked = false
MERGE (k)-[:STANDS_FOR]->(p)
RETURN k {.*, name: p.name, role: p.role} AS key, p.role AS role
