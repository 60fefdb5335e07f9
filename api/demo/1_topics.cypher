// The topics that most others refer to.
MATCH (m:Memory)-[:REFERENCES]->(topic:Memory {space: $space, agent: "python-reference"})
WHERE m.space = $space AND "topic" IN topic.tags
RETURN topic.category AS topic, count(m) AS references
ORDER BY references DESC, topic
LIMIT 10
