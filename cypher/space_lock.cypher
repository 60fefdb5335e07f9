// Let one transaction at a time change what belongs to a space as a whole.
// params: space
// index: space_key
CYPHER 25
MATCH (s:Space {id: $space})
SET s.locked = true
REMOVE s.locked
