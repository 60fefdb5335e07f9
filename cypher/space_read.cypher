// Whether a space is there.
// params: id
// returns: id
// index: space_key
CYPHER 25
MATCH (s:Space {id: $id})
RETURN s.id AS id
