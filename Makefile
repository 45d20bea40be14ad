# Two commands to know: `make run` and `make test`.  Each sets up what it needs; a second run installs nothing.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
QUICK := tests/api/test_games.py tests/cli/matches/test_play.py tests/contest tests/core tests/course tests/defaults tests/games \
	tests/kernels/test_loops.py tests/laws tests/match tests/net/test_session.py tests/report tests/rl/test_seat_env.py \
	tests/run/test_bots.py tests/store/test_history.py tests/web/test_games.py tests/web/http/test_limits.py tests/test_architecture.py \
	tests/test_catalog.py tests/test_game_files.py tests/test_golden.py tests/test_names.py tests/test_setups.py tests/testing
INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The tests start thousands of processes: without compiled modules each would take longer to start.
unexport PYTHONDONTWRITEBYTECODE

# Compiles what house players run, which is kept for later.
COMPILE := for game in fish trains labyrinth; do $(BIN)/fairplay play $$game easy medium --no-store; done

# Half of the time, a test waits for a process or a page.
WORKERS := $$(( 2 * $$(getconf _NPROCESSORS_ONLN) ))

.PHONY: help run serve test thorough quick check fix machine docs notebooks dist bench marathon fuzz soak clean

help:  ## list these commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

# While Fish is played, what the players of the other games run is compiled, so that no processor waits.
run: $(VENV)/.fast  ## play a tournament of the house players of every game, and write reports
	@for game in trains "labyrinth --variant multi-goal"; do \
		$(BIN)/fairplay play $$game easy medium --no-store >/dev/null 2>&1; \
	done & \
	$(BIN)/fairplay tournament run fish levels greedy minimax --games 1 --seed 1 --report reports/fish.html; \
	status=$$?; wait; exit $$status
	@$(BIN)/fairplay tournament run trains levels planner buy-now --games 1 --seed 1 --report reports/trains.html
	@$(BIN)/fairplay tournament run labyrinth levels lookahead euclid --variant multi-goal --games 1 --seed 1 \
		--report reports/labyrinth.html

serve: $(VENV)/.fast  ## serve the web page: play against the house, watch, replay
	@$(BIN)/fairplay serve --open

# While mypy is at work, tests and house players are compiled: the workers would do the one each, and wait for the other.
test: machine $(VENV)/.test  ## run every check and every test that does not take long
	@{ $(BIN)/python -m pytest --collect-only -q; $(COMPILE); } >/dev/null 2>&1 & \
	$(MAKE) --no-print-directory check; status=$$?; wait; exit $$status
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q -m "not thorough"

thorough: machine $(VENV)/.test  ## run every test, those that take long too, with the coverage of each folder
	$(BIN)/python -m pytest -n auto --cov --cov-report=
	$(BIN)/python tests/coverage_by_folder.py

quick: check  ## run every check and the quick tests: for every change
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n auto -q -m "not thorough" $(QUICK)

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

soak: machine $(VENV)/.test  ## play MATCHES=1000 at a time for MINUTES=60, some players faulty: nothing may grow, leak or get lost
	FAIRPLAY_KILLS=20 $(BIN)/python -m pytest -n auto -q -k kill tests/store/test_kills.py tests/cli/tournament/test_run.py
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

# numba has no packages for some machines and the newest versions of Python.
$(VENV)/.fast: $(VENV)/.made pyproject.toml constraints.txt
	@$(INSTALL) --only-binary numba,llvmlite,numpy --editable '.[fast]' 2>$(VENV)/fast.log || { $(INSTALL) --editable . && \
		echo "numba could not be installed (see $(VENV)/fast.log): the strongest house players are not offered."; }
	@touch $(VENV)/.run $@

$(VENV)/.test: $(VENV)/.run
	@$(INSTALL) --editable '.[test]'
	@touch $@

machine: $(VENV)/.made
	@sh tests/machine.sh $(VENV)

# atheris has packages for few machines.  Where it cannot be installed the inputs are not guided, and `make fuzz` says so.
$(VENV)/.fuzz: $(VENV)/.test
	@$(INSTALL) --only-binary atheris --editable '.[fuzz]' || echo "atheris could not be installed."
	@touch $@

$(VENV)/.docs: $(VENV)/.run
	@$(INSTALL) --editable '.[docs]'
	@touch $@

$(VENV)/.bench: $(VENV)/.run
	@$(INSTALL) --editable '.[bench]'
	@touch $@
