"""The demo: Python's own language reference as a memory graph."""
