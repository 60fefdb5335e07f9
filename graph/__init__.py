"""What happens: a module for each service, and the only folder that knows Neo4j."""
