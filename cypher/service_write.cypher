// Remember what the database was made for.
// params: version, model, model_sha256, dimension, tau_days, boost, burst_slowing
CYPHER 25
MERGE (s:Service {id: 'hippograph'})
SET s.version = $version, s.model = $model, s.model_sha256 = $model_sha256,
  s.dimension = $dimension, s.tau_days = $tau_days, s.boost = $boost,
  s.burst_slowing = $burst_slowing
