# `make` lists the targets. Everything runs in .venv, which is made on first use.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PEERS := .venv-peers/bin

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-peers mutate lint types docs check bench fuzz clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

demo: .venv/demo  ## set up, evaluate a made-up experiment, write tables, figures and the report to gaincurve-demo/
	@$(BIN)/gaincurve demo gaincurve-demo

quick: .venv/test  ## the tests that a change to numbers or notation needs while working: under a minute
	@GAINCURVE_QUICK=1 $(BIN)/python -m pytest -n auto tests/unit tests/golden tests/properties \
		tests/contract/test_imports.py tests/contract/test_public.py \
		-k 'not figure and not test_against_pytrec_eval and not logged and not conversations and not cranfield'

test: .venv/test  ## set up, run all tests (as root, installs Chromium and Node where missing)
	@$(BIN)/python tools/programs.py
	@$(BIN)/python -m pytest -n auto

test-peers: .venv-peers/ready  ## set up the big libraries we work beside (about 3 GB, apart), run the tests against them
	@$(PEERS)/python tools/programs.py peers
	@GAINCURVE_PEERS=1 $(PEERS)/python -m pytest --disable-warnings -W default tests/peers

mutate: .venv/test  ## change the numeric code in over a hundred places, one at a time: the tests must notice each
	@$(BIN)/python tools/mutate.py

lint: .venv/dev  ## ruff: rules and formatting
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: .venv/dev  ## mypy, strict
	@$(BIN)/mypy

docs: .venv/test  ## write the reference pages from the code
	@$(BIN)/python tools/reference.py

check: lint types test test-peers  ## everything the CI runs

bench: .venv/test  ## time and memory against pytrec_eval, as ratios
	@$(BIN)/python bench/run.py
	@$(BIN)/python bench/significance.py
	@$(BIN)/python bench/sessions.py
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check duckdb
	@$(BIN)/python bench/tables.py
	@$(BIN)/python bench/frames.py
	@$(BIN)/python bench/report.py
	@$(BIN)/python bench/report_page.py

fuzz: .venv/dev  ## broken text: every reader and parser, then the compiled scanner under AddressSanitizer (needs gcc)
	@$(BIN)/python tools/fuzz_readers.py
	@$(BIN)/python tools/fuzz_scanner.py
	@$(BIN)/python tools/fuzz_scanner.py --plain

clean:  ## remove the environment and everything made
	@rm -rf .venv .venv-peers gaincurve-demo bench/data build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache

.venv/ready:
	@if [ -z "$(PYTHON)" ]; then echo "gaincurve needs Python 3.11 or newer; none was found on the PATH." >&2; \
		echo "Install one, or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 2; fi
	@$(PYTHON) -m venv .venv || { echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@touch $@

# One stamp per set of extras: reinstalled only when pyproject.toml or the scanner changes.
.venv/demo: .venv/ready pyproject.toml src/gaincurve/_scan.pyx
	@echo "installing gaincurve with its extras into .venv …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all]'
	@touch $@

.venv/test: .venv/ready pyproject.toml src/gaincurve/_scan.pyx
	@echo "installing gaincurve with what its tests need into .venv …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

.venv/dev: .venv/ready pyproject.toml src/gaincurve/_scan.pyx
	@echo "installing gaincurve with its development tools into .venv …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# torch comes first and by itself: what depends on it would otherwise bring a build with several GB for graphics cards.
.venv-peers/ready: pyproject.toml src/gaincurve/_scan.pyx
	@if [ -z "$(PYTHON)" ]; then $(MAKE) --no-print-directory .venv/ready; fi
	@$(PYTHON) -m venv .venv-peers || { echo "On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@echo "installing gaincurve with its peers into .venv-peers …"
	@$(PEERS)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	@$(PEERS)/python -m pip install --quiet --disable-pip-version-check -e '.[peers]'
	@touch $@
