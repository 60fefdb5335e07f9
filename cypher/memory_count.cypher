// How many memories a filter leaves.
// params: agent, boost, burst_slowing, category, created_before, created_from, kinds, now, only_agent, space, states, tags, tau_days, tiers
// returns: total
// index: memory_created
CYPHER 25
MATCH (m:Memory {space: $space})
WHERE m.id IS NOT NULL AND m.created_at >= $created_from AND m.created_at < $created_before
  AND ($only_agent IS NULL OR m.agent = $only_agent)
  AND ($agent IS NULL OR m.agent = $agent)
  AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($states IS NULL OR m.state IN $states)
  AND ($category IS NULL OR m.category = $category OR m.category STARTS WITH $category + '/')
  AND ($tags IS NULL OR all(tag IN $tags WHERE tag IN m.tags))
  AND m.lapses_at > $now
WITH m, CASE WHEN m.created_at >= $now THEN duration('PT0S')
    ELSE duration.inSeconds(m.created_at, $now) END AS age
WITH m, age.seconds / 86400.0 + age.nanosecondsOfSecond / 86400.0e9 AS age
WITH m, round(m.importance * exp(-age * (1 - $burst_slowing * m.burst_confidence) / $tau_days)
    * (1 + $boost * m.access_count), 9) AS score
WHERE $tiers IS NULL OR any(tier IN $tiers WHERE tier.floor <= score AND score < tier.ceiling)
RETURN count(m) AS total
