// The map of topics: which refers to which. Shown as a graph.
MATCH (a:Memory {space: $space, agent: "python-reference"})-[r:REFERENCES]->(b:Memory {space: $space})
WHERE "topic" IN a.tags AND "topic" IN b.tags
RETURN a, r, b
LIMIT 150
