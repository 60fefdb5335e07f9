// Whether the database answers.
// returns: ok
CYPHER 25
RETURN 1 AS ok
