// Count accesses: once for each memory, acting agent and hour; keep when the memory freezes.
// Setting a property and taking it back takes the lock, so that counts are read under it.
// A memory may stand in one row only: a statement does not see what it has just written.
// params: boost, burst_slowing, floor, rows, space, tau_days
// returns: id, counted
// index: memory_key
CYPHER 25
UNWIND $rows AS row
MATCH (m:Memory {space: $space, id: row.id})
SET m.locked = true
REMOVE m.locked
WITH m, row,
  CASE WHEN m.counted_hour = row.hour THEN m.counted_agents ELSE [] END AS counted,
  // A flush that was held up may come after one of a later hour: it counts no more.
  CASE WHEN m.counted_hour > row.hour THEN [] ELSE row.agents END AS agents
WITH m, row, counted, [agent IN agents WHERE NOT agent IN counted] AS fresh
SET m.last_accessed_at = CASE
    WHEN m.last_accessed_at IS NULL OR m.last_accessed_at < row.at THEN row.at
    ELSE m.last_accessed_at
  END,
  m.access_count = m.access_count + size(fresh),
  m.counted_agents = CASE
    WHEN m.counted_hour > row.hour THEN m.counted_agents
    ELSE counted + fresh
  END,
  m.counted_hour = CASE
    WHEN m.counted_hour > row.hour THEN m.counted_hour
    ELSE row.hour
  END
WITH m, size(fresh) AS counted, m.importance * (1 + $boost * m.access_count) AS fresh,
  1 - $burst_slowing * m.burst_confidence AS rate
SET m.freezes_at = CASE
    WHEN fresh <= $floor THEN m.created_at
    WHEN rate <= 0 THEN datetime('9999-01-01T00:00:00Z')
    WHEN $tau_days / rate * log(fresh / $floor) > 1000000
      THEN datetime('9999-01-01T00:00:00Z')
    ELSE m.created_at + duration({
      milliseconds: toInteger($tau_days / rate * log(fresh / $floor) * 86400000)
    })
  END
RETURN m.id AS id, counted AS counted
