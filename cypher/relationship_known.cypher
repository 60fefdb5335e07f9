// What stands already under the repeat-safe keys of a request.
// params: rows, space
// returns: at, key
// index: idempotency_key
CYPHER 25
UNWIND $rows AS row
MATCH (k:IdempotencyKey {space: $space, key: row.key})
RETURN row.at AS at, k {.memory, .relationship, .request_sha256} AS key
