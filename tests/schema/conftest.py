"""Rules are tried on generated cases; a busy machine may take its time over one."""

from hypothesis import settings

settings.register_profile("schema", deadline=None)
settings.load_profile("schema")
