// A page of memories, newest first; a cursor is the place of its last memory.
// params: after_at, after_id, agent, boost, burst_slowing, category, created_before, created_from, kinds, limit, now, only_agent, space, states, tags, tau_days, tiers
// returns: memory
// index: memory_created
CYPHER 25
MATCH (m:Memory {space: $space})
WHERE m.id IS NOT NULL AND m.created_at >= $created_from AND m.created_at < $created_before
  AND m.created_at <= $after_at AND (m.created_at < $after_at OR m.id < $after_id)
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
ORDER BY m.created_at DESC, m.id DESC
LIMIT $limit
RETURN m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
    .version, created_at: toString(m.created_at), recorded_at: toString(m.recorded_at),
    updated_at: toString(m.updated_at), text_since: toString(m.text_since),
    last_accessed_at: toString(m.last_accessed_at), expires_at: toString(m.expires_at),
    .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
    entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]} AS memory
