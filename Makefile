# Two commands do everything on a machine that has Python 3.11 and a package registry: `make run` and `make test`.
PYTHON ?= python3.11
BIN := .venv/bin
DATA ?= ../shared/data
export DATA

.PHONY: install run test lint test-recordings bench clean

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
	$(BIN)/pytest -n 2 -m "not recordings"

test-recordings: install
	$(BIN)/pytest -n 2 -m recordings

bench: install
	$(BIN)/python -m bench

clean:
	rm -rf .venv out build dist
