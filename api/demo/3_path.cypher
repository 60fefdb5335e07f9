// How lambda and context managers hang together. Shown as a graph.
MATCH (a:Memory {space: $space, agent: "python-reference", category: "python/lambda"})
MATCH (b:Memory {space: $space, agent: "python-reference", category: "python/context-managers"})
WHERE "topic" IN a.tags AND "topic" IN b.tags
MATCH p = shortestPath((a)-[:REFERENCES|PART_OF*..8]-(b))
WHERE all(m IN nodes(p) WHERE m.space = $space)
RETURN p
