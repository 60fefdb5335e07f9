# Every recipe is a line that you could type. Only `make install` needs more: Python 3.11 or
# newer as python3, or named: make install PYTHON=python3.12

PYTHON ?= python3

# Settings of pip or Python that would put packages elsewhere than into .venv.
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIREMENT PIP_CONSTRAINT PIP_EDITABLE PIP_GROUP
unexport PIP_REQUIRE_HASHES PIP_NO_BINARY PIP_NO_DEPS PIP_NO_DEPENDENCIES PIP_DRY_RUN
unexport PYTHONPATH PYTHONHOME
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: install demo test check lint bench docs clean

install: .venv/installed

.venv/installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Hippograph needs Python 3.11 or newer, and %s is %d.%d: make install PYTHON=python3.12" % ((sys.executable,) + sys.version_info[:2]))'
	$(PYTHON) -m venv .venv
	.venv/bin/pip install --no-deps --require-hashes -r requirements.lock
	.venv/bin/pip install --no-deps --no-build-isolation -e .
	touch .venv/installed

demo: install
	.venv/bin/hippograph up
	.venv/bin/hippograph demo

test: check
	.venv/bin/pytest --cov

check: install
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/pyright
	.venv/bin/lint-imports

lint: check

bench: install
	.venv/bin/python benchmarks/service.py

docs: install
	.venv/bin/python tests/house/documents.py

clean:
	rm -rf .venv .coverage .hypothesis .import_linter_cache .pytest_cache .ruff_cache build dist
