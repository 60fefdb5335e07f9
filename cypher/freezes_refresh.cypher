// Work out anew when every memory freezes, after the constants of decay changed.
// params: boost, burst_slowing, floor, tau_days
CYPHER 25
MATCH (m:Memory)
CALL (m) {
  WITH m, m.importance * (1 + $boost * m.access_count) AS fresh,
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
} IN TRANSACTIONS OF 1000 ROWS
