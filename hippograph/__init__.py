"""Hippograph: a memory service for AI agents over a real property graph."""

__version__ = "0.1.0"
