// Wait until every index is populated.
// params: seconds
CYPHER 25
CALL db.awaitIndexes($seconds)
