"""Texts to vectors: models from their files, long texts in pieces, a fair turn for all."""

from hippograph.graph.embed.embedder import Embedder, open_embedder

__all__ = ["Embedder", "open_embedder"]
