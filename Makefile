# make test   set up .venv and run the tests        make check  lint, strict types, tests
# make venv   only set up .venv                     make clean  remove everything that was made
# make docs   print the tables of engine/RULES.md anew
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: venv test check lint types docs clean

venv: $(VENV)/.ready

# pip of a venv that `python3 -m venv` makes may be too old for dependency groups.
$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

test: venv
	$(BIN)/python -m pytest -n auto

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: venv
	$(BIN)/mypy

check: lint types test

docs: venv
	$(BIN)/jantaku rules --markdown engine/RULES.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
