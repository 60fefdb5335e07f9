// Indexes that do not answer yet.
// returns: name, state
CYPHER 25
SHOW INDEXES YIELD name AS name, state AS state
WHERE state <> 'ONLINE'
RETURN name AS name, state AS state
