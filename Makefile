# `make demo` and `make test` need Python 3.11 or newer and nothing else: they create .venv.
# `make demo` installs what deduce needs to run; every other target installs the development tools too.
PYTHON ?= python3
BIN := .venv/bin
RUNTIME := .venv/.runtime
DEVELOPMENT := .venv/.development
EXTRAS := test,plot,docs,notebook,app
INSTALL := $(BIN)/uv pip install --quiet --python .venv -c constraints.txt
# Tests start some hundred programs; compiling deduce anew for each would double their time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test cases lint types contract package lowest bench gym docs site page clean

demo: $(RUNTIME)
	$(BIN)/deduce cluedo check games/cluedo/examples/evening.cluedo
	$(BIN)/deduce cluedo sheet games/cluedo/examples/evening.cluedo

# In the order of the files: small pages of the documents are last, so that both processes end together.
# What opens a browser is part of `make page`, what builds and installs a wheel of `make package`.
IN_BROWSER := $(wildcard tests/*/test_*browser.py)
test: $(DEVELOPMENT)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(IN_BROWSER:%=--ignore=%) --ignore=tests/test_wheel.py

# All recorded cases, of which the suite replays every 120th, and those of others where they are beside the project.
cases: $(DEVELOPMENT)
	$(BIN)/deduce cases tests/data/*.json $(wildcard ../shared/cases/published/*.json)

lint: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEVELOPMENT)
	$(BIN)/mypy

contract: $(DEVELOPMENT)
	$(BIN)/lint-imports

# The wheel and the sdist in dist, as they would be published, and a wheel that is installed; and what
# describes the project, against its schemas.
CHECK_SCHEMA := $(BIN)/check-jsonschema --quiet --builtin-schema
package: .venv/.extra-release
	rm -rf dist
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/uv pip check --quiet --python .venv
	$(BIN)/python -m pytest -q tests/test_wheel.py
	$(CHECK_SCHEMA) vendor.citation-file-format CITATION.cff
	$(CHECK_SCHEMA) vendor.github-workflows .github/workflows/*.yml
	$(CHECK_SCHEMA) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(CHECK_SCHEMA) vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

# The suite with the lowest versions that pyproject.toml declares, in an environment of its own. Later
# versions of pyparsing warn of what matplotlib 3.10.0 calls, and warnings are errors.
lowest:
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lowest/bin/uv pip install --quiet --python build/lowest --resolution lowest-direct -e '.[test,plot,docs,notebook,app]' 'pyparsing>=3.2,<3.3'
	build/lowest/bin/python -m pytest -n 2 --dist loadfile $(TESTS)

# One JSON of a run and its page, in build/bench, beside the programs of others; the long measurements
# have commands of their own.
bench: run := build/bench/$(shell date -u +%Y-%m-%dT%H-%M-%S).json
bench: .venv/.extra-peers
	mkdir -p build/bench
	$(BIN)/python -m pytest tests/benchmarks/bench_quick.py tests/benchmarks/bench_goals.py -q -p no:cacheprovider \
	  --benchmark-only --benchmark-timer=time.process_time --benchmark-json=$(run)
	$(BIN)/python -m tests.benchmarks.page $(run) --page build/bench/latest.md

# The adapters of the gym, by the packages that they are for. These want other versions of mcp and tabulate
# than constraints.txt, so they have an environment of their own.
gym: build/gym/.installed
	build/gym/bin/python -m pytest -q tests/gym

build/gym/.installed: $(DEVELOPMENT)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python build/gym
	$(BIN)/uv pip install --quiet --python build/gym -e '.[test,gym]'
	@touch $@

# In many small parts, so that not all notebooks are in the same one.
docs: $(DEVELOPMENT)
	$(BIN)/python -m sphinx -j 20 -b html -q -W --keep-going docs docs/_build/html
	$(BIN)/python docs/check_links.py docs/_build/html
	@echo "open docs/_build/html/index.html"

# The page as a static site, in build/site, and the notebooks in build/site/lab; needs npm and node.
site: .venv/.extra-lite
	$(BIN)/deduce site build/site
	$(BIN)/python docs/lite.py build/site/lab

# The types of the front end, the recorded cases inside Pyodide, and the tests in a browser, with axe;
# needs npm, node and `make site`. Without a browser its tests are skipped.
page: .venv/.extra-browser
	cd tests/web && npm install --silent --no-audit --no-fund --no-package-lock
	tests/web/node_modules/.bin/tsc -p tests/web/tsconfig.json
	node tests/web/cases.mjs build/site $(BIN)/python
	$(BIN)/python -m pytest -q $(IN_BROWSER)

$(RUNTIME): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "deduce needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(INSTALL) -e .
	@touch $@

$(DEVELOPMENT): $(RUNTIME)
	$(INSTALL) -e '.[$(EXTRAS)]'
	@touch $@

# What an extra of pyproject.toml names, for the few targets that need it.
.venv/.extra-%: $(DEVELOPMENT)
	$(INSTALL) -e '.[$*]'
	@touch $@

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis .benchmarks docs/_build docs/api docs/notebooks
