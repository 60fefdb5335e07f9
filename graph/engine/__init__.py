"""The managed Neo4j: fetched once, run as a child of its own, one to a home folder."""
