// Give the managed database a password of its own in place of the one that it is born with.
// params: old, new
CYPHER 25
ALTER CURRENT USER SET PASSWORD FROM $old TO $new
