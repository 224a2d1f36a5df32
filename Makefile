# `make demo` and `make test` need Python 3.11+ and nothing else: they make .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: demo test lint types contract bench docs clean

demo: $(STAMP)
	$(BIN)/deduce cluedo check games/cluedo/examples/evening.cluedo
	$(BIN)/deduce cluedo sheet games/cluedo/examples/evening.cluedo

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbmake --nbmake-timeout=60

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

contract: $(STAMP)
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only -q

docs: $(STAMP)
	$(BIN)/python -m sphinx -b html -q -W --keep-going docs docs/_build/html
	$(BIN)/python docs/check_links.py docs/_build/html
	@echo "open docs/_build/html/index.html"

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "deduce needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,plot,docs,notebook,widgets]'
	@touch $@

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis .benchmarks docs/_build docs/api docs/notebooks
