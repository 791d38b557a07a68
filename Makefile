# make run    set up and open the gantry crane in the browser (prints the address)
# make test   set up and run all tests
# make check  style and types
# make docs   reference pages written anew, then all pages built into build/site
# make bench  our cost beside the peers that are installed
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TEST_STAMP := $(VENV)/.installed-test

.PHONY: run test check bench docs clean

run: $(STAMP)
	$(BIN)/taut view gantry

test: $(TEST_STAMP)
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(TEST_STAMP)
	$(BIN)/python -m ruff check src tests examples tools
	$(BIN)/python -m ruff format --check src tests examples tools
	$(BIN)/python -m mypy

docs: $(TEST_STAMP)
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/measured.py
	$(BIN)/python -m mkdocs build --strict

bench: $(STAMP)
	$(BIN)/taut bench

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $(STAMP)

$(TEST_STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test,dev]"
	touch $(STAMP) $(TEST_STAMP)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
