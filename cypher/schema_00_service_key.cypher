// There is one record of what the database was made for.
CYPHER 25
CREATE CONSTRAINT service_key IF NOT EXISTS
FOR (s:Service) REQUIRE s.id IS UNIQUE
