# make serve          set up .venv and start the server with a demonstration table;
#                     HOST=0.0.0.0 lets other machines in, PORT=80 is another port
# make test           set up .venv and run the tests
# make check          lint, strict types, tests
# make test-compiled  compile what is hot in a place of its own and run the tests on it
# make test-long      the long forms of some tests (minutes to hours)
# make bench          measure beside the peers; prints ratios
# make screenshots    pictures of the web client, in build/screenshots
# make tables         compute the tables of hand shapes anew
# make docs           print the tables of engine/RULES.md anew
# make clean          remove everything that was made
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOST :=
PORT :=
COMPILED := .venv-compiled

.PHONY: serve venv test check lint types test-compiled test-long bench screenshots tables docs clean

serve: $(VENV)/.runs
	$(BIN)/jantaku serve --demo$(if $(HOST), --host $(HOST))$(if $(PORT), --port $(PORT))

# What the server needs and no more. The build warns of folders named like a package: there are none.
$(VENV)/.runs: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --editable .
	touch $@

venv: $(VENV)/.ready

# The pip that comes with a new venv may be too old for dependency groups.
$(VENV)/.ready: $(VENV)/.runs
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

test: venv
	$(BIN)/python -m pytest -n auto

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: venv
	$(BIN)/mypy

check: lint types test

# Without the source folders on its path this run can only see what was installed.
test-compiled:
	rm -rf $(COMPILED)
	$(PYTHON) -m venv $(COMPILED)
	$(COMPILED)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(COMPILED)/bin/python -m pip install --quiet . --group dev
	$(COMPILED)/bin/jantaku --version | grep 'compiled engine'
	$(COMPILED)/bin/python -m pytest -n auto -o pythonpath=

test-long: venv
	$(BIN)/python -m pytest -m long

bench:
	$(PYTHON) tests/bench/run.py

screenshots: venv
	$(BIN)/python tests/web/screenshots.py build/screenshots

tables: venv
	$(BIN)/python engine/make_tables.py

docs: venv
	$(BIN)/jantaku rules --markdown engine/RULES.md

clean:
	rm -rf $(VENV) $(COMPILED) .bench build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
