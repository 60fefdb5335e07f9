// Words of memories, stemmed for English; the tokens are the walls of space and agent.
CYPHER 25
CREATE FULLTEXT INDEX memory_words IF NOT EXISTS
FOR (m:Memory) ON EACH [m.words, m.space_token, m.agent_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}}
