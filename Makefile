# One word a task; CI uses the same words.
PYTHON ?= python3
BIN ?= .venv/bin

.PHONY: setup test slow fuzz lint types contract reference picture bench all

setup:  ## a virtual environment to work in
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable ".[dev]"

test:  ## the default tests
	$(BIN)/pytest

slow:  ## the tests that take long
	$(BIN)/pytest -m slow

fuzz:  ## a million cases of broken inputs (20 minutes on two cores; CASES=50000 for fewer)
	cd tests && $(abspath $(BIN))/python -m fuzz --cases $(or $(CASES),1000000)

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

contract:  ## who may import whom
	$(BIN)/lint-imports

reference:  ## write docs/cli.md and docs/methods.md from the commands and explanations
	$(BIN)/python docs/write_cli_reference.py
	$(BIN)/python docs/write_methods.py

picture:  ## draw the README's pictures from real output (the second needs chromium)
	$(BIN)/python docs/draw_picture.py
	$(BIN)/python docs/draw_report_picture.py

bench:  ## us and the neighbours side by side (pip install ".[bench]")
	$(BIN)/python -m benchmarks

all: lint types contract test slow
