// What the database was made for: version of the graph, embedding model, constants of decay.
// returns: version, model, model_sha256, dimension, tau_days, boost, burst_slowing
CYPHER 25
MATCH (s:Service {id: 'hippograph'})
RETURN s.version AS version, s.model AS model, s.model_sha256 AS model_sha256,
  s.dimension AS dimension, s.tau_days AS tau_days, s.boost AS boost,
  s.burst_slowing AS burst_slowing
