"""How people and programs come in: GraphQL, health and the command line."""
