# Two commands to know: `make run` and `make test`.  Each sets up what it needs; a second run installs nothing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AXE := 4.14.0
INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help run serve test check fix docs notebooks dist bench marathon fuzz soak clean

help:  ## list these commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

run: $(VENV)/.run  ## play a tournament of the house players of every game, and write reports
	@$(BIN)/fairplay tournament run fish random greedy minimax:depth=1 minimax:depth=2 minimax:depth=3 \
		--games 20 --seed 1 --report reports/fish.html
	@$(BIN)/fairplay tournament run trains random buy-now hold-10 planner --games 20 --seed 1 --report reports/trains.html
	@$(BIN)/fairplay tournament run labyrinth random riemann euclid lookahead --variant multi-goal \
		--games 10 --seed 1 --report reports/labyrinth.html

serve: $(VENV)/.run  ## serve the web page: play against the house, watch, replay
	@$(BIN)/fairplay serve --open

test: check  ## run every check and every test
	$(BIN)/python -m pytest -n auto -rsR --cov --cov-report=term

check: $(VENV)/.test  ## check style, types and import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

fix: $(VENV)/.test  ## fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.docs  ## build the documentation as a site, in site/
	$(BIN)/zensical build --strict --clean

notebooks: $(VENV)/.docs  ## write the notebooks of the documentation, in notebooks/
	$(BIN)/python -m tools.notebooks

dist: $(VENV)/.run  ## build the wheel, in dist/
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist/*.whl

bench: $(VENV)/.bench  ## measure how fast the games are, beside OpenSpiel
	@$(BIN)/python -m bench

marathon: $(VENV)/.test  ## play random matches of every game and check every turn; MATCHES=100000 of each
	$(BIN)/python -m tests.marathon $(if $(MATCHES),--matches $(MATCHES))

fuzz: $(VENV)/.fuzz  ## feed damaged input to everything that reads strangers' bytes; RUNS=100000 for each reader
	$(BIN)/python -m tests.fuzz $(if $(RUNS),--runs $(RUNS))

soak: $(VENV)/.test  ## play MATCHES=1000 at a time for MINUTES=60, some players faulty: nothing may grow, leak or get lost
	PYTHONPATH=tests $(BIN)/python -m tests.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(MATCHES),--matches $(MATCHES))

clean:  ## delete the virtual environment and all caches
	rm -rf $(VENV) .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis

# -- set-up: one stamp per set of packages, made again when the list of packages changes --

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Fairplay needs Python 3.11 or newer: make PYTHON=python3.12 run")'
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml constraints.txt
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.run $(VENV)/.bubblewrap $(VENV)/.iproute2 $(VENV)/.postgresql $(VENV)/.chromium $(VENV)/.axe
	@$(INSTALL) --editable '.[test]'
	@touch $@

# Tests use a real sandbox, network, database and browser: how to find out that it is there, and what is skipped without it.
# Where it is missing and cannot be installed, those tests are skipped and say so.
MACHINE := bubblewrap iproute2 postgresql chromium
$(VENV)/.bubblewrap: THERE = command -v bwrap
$(VENV)/.bubblewrap: WITHOUT = programs will be tested with limits alone
$(VENV)/.iproute2: THERE = command -v ip
$(VENV)/.iproute2: WITHOUT = no worker will be cut off from its cluster
$(VENV)/.postgresql: THERE = command -v initdb || ls /usr/lib/postgresql/*/bin/initdb
$(VENV)/.postgresql: WITHOUT = the store will be tested on SQLite alone
$(VENV)/.chromium: THERE = command -v chromium
$(VENV)/.chromium: WITHOUT = no page will be opened in a browser
$(VENV)/.chromium: PACKAGES = chromium fonts-dejavu-core

$(MACHINE:%=$(VENV)/.%): $(VENV)/.%: $(VENV)/.made
	@if ! ($(THERE)) >/dev/null 2>&1; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing $* for the tests ..."; \
			(apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $(or $(PACKAGES),$*)) \
				>/dev/null 2>&1 || echo "$* could not be installed."; \
		else echo "$* is missing: $(WITHOUT)."; fi; \
	fi
	@touch $@

# atheris has packages for few machines.  Where it cannot be installed the inputs are not guided, and `make fuzz` says so.
$(VENV)/.fuzz: $(VENV)/.test
	@$(INSTALL) --only-binary atheris --editable '.[fuzz]' || echo "atheris could not be installed."
	@touch $@

# axe-core checks names and contrast.  Where it cannot be fetched, its tests are skipped and say so.
$(VENV)/.axe: $(VENV)/.made
	@mkdir -p $(VENV)/axe
	@npm pack --silent --pack-destination $(VENV)/axe axe-core@$(AXE) >/dev/null 2>&1 \
		&& tar -xzf $(VENV)/axe/axe-core-$(AXE).tgz -C $(VENV)/axe package/axe.min.js \
		|| echo "axe-core could not be fetched with npm: names and contrast will not be checked."
	@touch $@

$(VENV)/.docs: $(VENV)/.run
	@$(INSTALL) --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(VENV)/.run
	@$(INSTALL) --editable '.[bench]'
	@touch $@
