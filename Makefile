# One word a task; CI uses the same words.
PYTHON ?= python3
BIN ?= .venv/bin
EXTRA ?= dev

.PHONY: setup test slow fuzz lint types contract reference picture spelling docs bench package all

setup:  ## a virtual environment to work in (EXTRA=test for the tests only)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable ".[$(EXTRA)]"

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

reference:  ## write docs/reference/cli.md and docs/reference/methods.md from the commands and explanations
	$(BIN)/python site_build/write_cli_reference.py
	$(BIN)/python site_build/write_methods.py

picture:  ## draw the README's badges, and its pictures from real output (the last needs chromium)
	$(BIN)/python site_build/draw_badges.py
	$(BIN)/python site_build/draw_picture.py
	$(BIN)/python site_build/draw_report_picture.py

spelling:  ## check the words of the pages (needs hunspell and its dictionary en_GB)
	$(BIN)/python site_build/check_words.py

docs:  ## build the site into site/, after running the code of its pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

bench:  ## us and the neighbours side by side (pip install ".[bench]")
	$(BIN)/python -m benchmarks

package:  ## build wheel and sdist, check them, use the wheel in an empty environment (DIST=dist keeps them)
	PYTHON=$(BIN)/python .ci/package $(DIST)

all: lint types contract test slow
