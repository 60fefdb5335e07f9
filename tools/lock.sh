#!/usr/bin/env bash
# Write requirements.lock from pyproject.toml, for every platform and Python from 3.11 on.
# For maintainers; needs uv on PATH. The lock names versions and hashes, never a host.
set -euo pipefail
cd "$(dirname "$0")/.."
uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
    --no-annotate --no-emit-index-url --no-strip-extras --group dev pyproject.toml --output-file requirements.lock
