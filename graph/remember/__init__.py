"""Storing memories, changing them and counting that they were used."""
