"""Readers of other people's files: Markdown, JSONL, exports of ChatGPT and Claude."""
