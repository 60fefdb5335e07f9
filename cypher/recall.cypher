// Recall: the vector and the word leg fused, and what the connections of the best reach.
// params: agent_from, agent_to, at, boost, burst_slowing, category, central, central_weight, expand, fan, hops, kinds, lexical_weight, limit, neighbours, probe, recency_days, recency_weight, seeds, space, tau_days, tiers, types, unfrozen, until, vector, words, written
// returns: hits, connected
// index: memory_embedding, memory_words
CYPHER 25
CALL () {
  MATCH (near:Memory)
  SEARCH near IN (
    VECTOR INDEX memory_embedding FOR $vector
    WHERE near.space = $space AND near.agent >= $agent_from AND near.agent <= $agent_to
      AND near.live = true AND near.created_at <= $until AND near.lapses_at > $at
      AND near.freezes_at > $unfrozen
    LIMIT $probe
  ) SCORE AS closeness
  WITH near, closeness
  WHERE ($kinds IS NULL OR near.kind IN $kinds)
    AND ($category IS NULL OR near.category = $category
      OR near.category STARTS WITH $category + '/')
  RETURN near AS hit, 2 * closeness - 1 AS cosine, 0.0 AS words
  UNION ALL
  UNWIND $words AS query
  CALL db.index.fulltext.queryNodes('memory_words', query, {limit: $probe})
  YIELD node AS n, score
  WITH n, score
  WHERE score > 0
    AND n.space = $space AND n.live AND n.lapses_at > $at
    AND n.created_at <= $until AND n.freezes_at > $unfrozen
    AND n.agent >= $agent_from AND n.agent <= $agent_to
    AND ($kinds IS NULL OR n.kind IN $kinds)
    AND ($category IS NULL OR n.category = $category
      OR n.category STARTS WITH $category + '/')
  RETURN n AS hit, null AS cosine, score AS words
}
WITH hit, max(words) AS words, max(cosine) AS cosine
WITH hit, words,
  coalesce(cosine, 2 * vector.similarity.cosine(hit.embedding, $vector) - 1) AS semantic,
  CASE WHEN hit.created_at >= $at THEN duration('PT0S')
    ELSE duration.inSeconds(hit.created_at, $at) END AS age,
  CASE WHEN $central THEN COUNT {
    MATCH (hit)-[r:$any($types)]-(o:Memory)
    WHERE r.status <> 'REJECTED' AND r.created_at <= $written AND o.space = $space AND o.live
      AND o.agent >= $agent_from AND o.agent <= $agent_to
  } ELSE 0 END AS degree
WITH hit, words, semantic, degree,
  age.seconds / 86400.0 + age.nanosecondsOfSecond / 86400.0e9 AS days
WITH hit, words, semantic, degree, days,
  round(hit.importance * exp(-days * (1 - $burst_slowing * hit.burst_confidence) / $tau_days)
    * (1 + $boost * hit.access_count), 9) AS score
WHERE $tiers IS NULL OR any(tier IN $tiers WHERE tier.floor <= score AND score < tier.ceiling)
WITH collect({hit: hit, words: words, semantic: semantic, degree: degree, days: days}) AS found,
  max(words) AS most, max(degree) AS most_degrees
UNWIND found AS f
WITH most_degrees, f.hit AS hit, f.semantic AS semantic, f.degree AS degree,
  exp(-f.days / $recency_days) AS recency,
  CASE WHEN f.words > 0 THEN f.words / most END AS lexical
WITH most_degrees, hit, semantic, degree, lexical, recency,
  $lexical_weight * coalesce(lexical, 0.0)
  + (1 - $lexical_weight) * CASE WHEN semantic > 0 THEN semantic ELSE 0.0 END AS fit
WITH most_degrees, hit, semantic, degree, lexical,
  (fit * (1 - $recency_weight) + $recency_weight * recency)
  * CASE WHEN most_degrees > 0 THEN 1 + $central_weight * degree / most_degrees ELSE 1 END
  AS relevance
ORDER BY relevance DESC, hit.id
LIMIT $limit
WITH most_degrees, collect({
    node: hit, seed: hit.id, edges: [], semantic: semantic, lexical: lexical, degree: degree
  }) AS hits
WITH most_degrees, hits, hits[0..$seeds] AS seeds, [h IN hits | h.node] AS seen0
CALL (seeds, seen0) {
  UNWIND seeds AS step
  WITH step, step.node AS s, seen0
  WHERE $hops >= 1
  MATCH (s)-[r:$any($types)]-(o:Memory)
  WHERE NOT o IN seen0 AND r.status <> 'REJECTED' AND r.created_at <= $written
    AND o.space = $space AND o.live AND o.lapses_at > $at
    AND o.created_at <= $until AND o.freezes_at > $unfrozen
    AND o.agent >= $agent_from AND o.agent <= $agent_to
    AND ($kinds IS NULL OR o.kind IN $kinds)
    AND ($category IS NULL OR o.category = $category
      OR o.category STARTS WITH $category + '/')
  WITH o, step, r
  ORDER BY coalesce(r.score, r.confidence) DESC, r.id
  WITH o, collect({seed: step.seed, edges: step.edges + [r]})[0] AS way,
    max(coalesce(r.score, r.confidence)) AS best
  ORDER BY best DESC, o.id
  LIMIT $fan
  RETURN collect({node: o, seed: way.seed, edges: way.edges}) AS one
}
WITH most_degrees, hits, one, seen0 + [x IN one | x.node] AS seen1
CALL (one, seen1) {
  UNWIND one AS step
  WITH step, step.node AS s, seen1
  WHERE $hops >= 2
  MATCH (s)-[r:$any($types)]-(o:Memory)
  WHERE NOT o IN seen1 AND r.status <> 'REJECTED' AND r.created_at <= $written
    AND o.space = $space AND o.live AND o.lapses_at > $at
    AND o.created_at <= $until AND o.freezes_at > $unfrozen
    AND o.agent >= $agent_from AND o.agent <= $agent_to
    AND ($kinds IS NULL OR o.kind IN $kinds)
    AND ($category IS NULL OR o.category = $category
      OR o.category STARTS WITH $category + '/')
  WITH o, step, r
  ORDER BY coalesce(r.score, r.confidence) DESC, r.id
  WITH o, collect({seed: step.seed, edges: step.edges + [r]})[0] AS way,
    max(coalesce(r.score, r.confidence)) AS best
  ORDER BY best DESC, o.id
  LIMIT $fan
  RETURN collect({node: o, seed: way.seed, edges: way.edges}) AS two
}
WITH most_degrees, hits, one, two, seen1 + [x IN two | x.node] AS seen2
CALL (two, seen2) {
  UNWIND two AS step
  WITH step, step.node AS s, seen2
  WHERE $hops >= 3
  MATCH (s)-[r:$any($types)]-(o:Memory)
  WHERE NOT o IN seen2 AND r.status <> 'REJECTED' AND r.created_at <= $written
    AND o.space = $space AND o.live AND o.lapses_at > $at
    AND o.created_at <= $until AND o.freezes_at > $unfrozen
    AND o.agent >= $agent_from AND o.agent <= $agent_to
    AND ($kinds IS NULL OR o.kind IN $kinds)
    AND ($category IS NULL OR o.category = $category
      OR o.category STARTS WITH $category + '/')
  WITH o, step, r
  ORDER BY coalesce(r.score, r.confidence) DESC, r.id
  WITH o, collect({seed: step.seed, edges: step.edges + [r]})[0] AS way,
    max(coalesce(r.score, r.confidence)) AS best
  ORDER BY best DESC, o.id
  LIMIT $fan
  RETURN collect({node: o, seed: way.seed, edges: way.edges}) AS three
}
WITH most_degrees, hits, (one + two + three)[0..$fan] AS reached
CALL (reached) {
  UNWIND reached AS x
  WITH x, x.node AS o
  RETURN collect({
    seed: x.seed,
    memory: o {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
      .version, created_at: toString(o.created_at), recorded_at: toString(o.recorded_at),
    updated_at: toString(o.updated_at), text_since: toString(o.text_since),
    last_accessed_at: toString(o.last_accessed_at), expires_at: toString(o.expires_at),
      .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
      entities: [(o)-[e:MENTIONS]->() | e {.position, .name}]},
    edges: [r IN x.edges | {
      relationship: r {.*, created_at: toString(r.created_at)}, source_id: startNode(r).id, target_id: endNode(r).id, type: type(r)
    }]
  }) AS connected
}
UNWIND range(0, size(hits) - 1) AS place
WITH most_degrees, connected, place, hits[place] AS h, hits[place].node AS m
CALL (m, place) {
  WITH m, place
  WHERE place < $expand
  MATCH (m)-[r:$any($types)]-(o:Memory)
  WHERE r.status <> 'REJECTED' AND r.created_at <= $written
    AND o.space = $space AND o.live AND o.lapses_at > $at
    AND o.created_at <= $until AND o.freezes_at > $unfrozen
    AND o.agent >= $agent_from AND o.agent <= $agent_to
    AND ($kinds IS NULL OR o.kind IN $kinds)
    AND ($category IS NULL OR o.category = $category
      OR o.category STARTS WITH $category + '/')
  WITH m, r, o
  ORDER BY coalesce(r.score, r.confidence) DESC, r.id
  WITH m, o, collect(r)[0] AS r
  ORDER BY coalesce(r.score, r.confidence) DESC, r.id
  LIMIT $neighbours
  RETURN collect({
    memory: o {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
      .version, created_at: toString(o.created_at), recorded_at: toString(o.recorded_at),
    updated_at: toString(o.updated_at), text_since: toString(o.text_since),
    last_accessed_at: toString(o.last_accessed_at), expires_at: toString(o.expires_at),
      .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
      entities: [(o)-[e:MENTIONS]->() | e {.position, .name}]},
    relationship: r {.*, created_at: toString(r.created_at)}, source_id: startNode(r).id, target_id: endNode(r).id, type: type(r),
    cosine: 2 * vector.similarity.cosine(m.embedding, o.embedding) - 1,
    mentions: COUNT {
      MATCH (m)-[x:REFERENCES]-(o)
      WHERE x.status <> 'REJECTED' AND x.created_at <= $written
    }
  }) AS correlated
}
WITH most_degrees, connected, place, {
    memory: m {.id, .agent, .kind, .state, .text, .category, .importance, .access_count, .tags,
      .version, created_at: toString(m.created_at), recorded_at: toString(m.recorded_at),
      updated_at: toString(m.updated_at), text_since: toString(m.text_since),
      last_accessed_at: toString(m.last_accessed_at), expires_at: toString(m.expires_at),
      .burst_confidence, .metadata, .summary, .fact, .core, .session, .source,
      entities: [(m)-[e:MENTIONS]->() | e {.position, .name}]},
    semantic: h.semantic, lexical: h.lexical, degree: h.degree, most_degrees: most_degrees,
    correlated: correlated
  } AS hit
ORDER BY place
// One row: each costs the driver as much as ten properties.
RETURN collect(hit) AS hits, head(collect(connected)) AS connected
