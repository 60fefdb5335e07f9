// Note that keys were used, to the hour.
// params: rows
// index: access_key_hash
CYPHER 25
UNWIND $rows AS row
MATCH (k:AccessKey {hash: row.hash})
SET k.last_used_at = row.at
