"""Rules are tried on generated cases: fewer than usual, and without a clock beside them."""

from hypothesis import settings

settings.register_profile("schema", deadline=None, max_examples=50)
settings.load_profile("schema")
