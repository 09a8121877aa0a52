# Every target does all its own set-up; beforehand a machine needs make and Python 3.11 or newer, nothing else.
# PYTHON=/path/to/python chooses the interpreter, PYTEST="-k name" adds arguments to pytest, RELEASE=--flow adds options
# to the releases of the demo, DEFINITION=path is what the benchmark releases.

.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench golden pins clean

BIN := .venv/bin
# Holds what was installed last; it lies in the environment, so that removing the environment removes it too.
STAMP := .venv/pins-installed
PYTEST ?=
RELEASE ?=
DEFINITION ?=

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv and install the pinned packages into it; does nothing where that is done
	@:

$(STAMP): requirements-dev.txt pyproject.toml
	@set -eu; \
	if ! $(BIN)/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
		chosen=''; \
		for candidate in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
			if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
				chosen=$$candidate; break; \
			fi; \
		done; \
		if [ -z "$$chosen" ]; then \
			echo 'No Python 3.11 or newer was found (looked for: $(PYTHON) python3.13 python3.12 python3.11 python3 python).' >&2; \
			echo 'Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; \
			exit 1; \
		fi; \
		rm -rf .venv; \
		if ! "$$chosen" -m venv .venv; then \
			rm -rf .venv; \
			echo "$$chosen cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2; \
			exit 1; \
		fi; \
	fi; \
	echo "Installing the pinned packages into .venv ($$($(BIN)/python -V))" >&2; \
	if ! $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt; then \
		echo 'The pinned packages could not be installed; the lines above say why. Is a package index within reach?' >&2; \
		exit 1; \
	fi; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .; \
	touch $@

demo: setup ## release the example bundle twice, then search it as two different people
	$(BIN)/hanpon release examples/shop-platform $(RELEASE)
	$(BIN)/hanpon release examples/shop-platform $(RELEASE)
	$(BIN)/hanpon names customer v2
	$(BIN)/hanpon search "与信限度額" --as group:engineers@shop.example --limit 3
	$(BIN)/hanpon search "与信限度額" --as group:finance@shop.example --limit 3
	$(BIN)/hanpon search "退会した顧客" --as group:engineers@shop.example --limit 3 \
		--filter 'api: ANY("customer", "COMMON") AND api_version: ANY("v2", "ALL") AND superseded: ANY("false")'
	$(BIN)/hanpon check
	@echo 'Open out/storage/api/customer/v2/index.html, or a page of the hits above, in a browser.'

test: setup ## all tests, in random order, on all cores
	$(BIN)/pytest --numprocesses auto --dist loadgroup $(PYTEST)

# The commands that pages show are typed by `make test` alone: that takes as long as all the rest of this.
check: setup ## format, lint, types, arrows between packages, pins: what a change must pass beside its tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --quiet tests/project --ignore tests/project/test_shown_commands.py

bench: setup ## time a release against the floor of the same run (DEFINITION=path), without one all hot paths
	@set -eu; \
	if [ -n '$(DEFINITION)' ]; then $(BIN)/python benchmarks/definition_to_edition.py '$(DEFINITION)'; exit; fi; \
	for script in $(wildcard benchmarks/*.py); do echo "$$script"; $(BIN)/python "$$script"; done

golden: setup ## write the expected files of the golden cases anew; read the diff like code
	HANPON_GOLDEN=write $(BIN)/pytest --quiet -p no:randomly tests $(PYTEST)

pins: setup ## solve the requirements anew, at the newest versions that pyproject.toml allows
	$(BIN)/uv $(SOLVE) pyproject.toml --output-file requirements.txt
	$(BIN)/uv $(SOLVE) --extra dev --constraint requirements.txt pyproject.toml --output-file requirements-dev.txt

# No annotations and no index: the files must say the same on every machine.
SOLVE := pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-config

clean: ## remove what the targets made; .venv stays
	rm -rf out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
