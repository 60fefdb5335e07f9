"""The command line: a GraphQL client of the running service, and what starts it."""
