"""The package as a whole: loaded modules, examples of docstrings, generated pages and links."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import irbounds

ROOT = Path(__file__).parent.parent
HEAVY = {"numba", "polars", "pandas", "altair", "dask", "distributed", "pooch"}


def list_loaded_packages(*arguments: str) -> set[str]:
    """Return the top-level packages that Python imports, from ``-X importtime``."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True
    )
    lines = [line for line in result.stderr.splitlines() if line.startswith("import time:")]
    assert len(lines) > 20
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import irbounds"),
        ("-m", "irbounds", "--help"),
        ("-m", "irbounds", "--version"),
        ("-m", "irbounds", "evaluate", "--help"),
    ],
)
def test_heavy_packages_are_not_loaded_early(arguments):
    assert not list_loaded_packages(*arguments) & HEAVY


def test_check_of_loaded_packages_can_fail():
    assert "numba" in list_loaded_packages("-c", "import irbounds.measurement._kernels")


def list_modules() -> list[str]:
    infos = pkgutil.walk_packages(irbounds.__path__, "irbounds.")
    return sorted(module.name for module in infos if module.name != "irbounds.__main__")


@pytest.mark.parametrize("name", list_modules())
def test_examples_in_docstrings(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")  # results are printed as wide as the terminal
    module = importlib.import_module(name)
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("page", "script"), [("cli", "write_cli_reference"), ("methods", "write_methods")]
)
def test_generated_pages_are_up_to_date(page, script):
    spec = importlib.util.spec_from_file_location(script, ROOT / "site_build" / f"{script}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[script] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    text = (ROOT / f"docs/reference/{page}.md").read_text(encoding="utf-8")
    assert text == module.reference(), "run: make reference"


def test_paths_of_pages_exist():
    """In the README and other files beside the pages, and in code."""
    suffixes = (".py", ".md", ".toml", ".yml", ".ipynb")
    places = ("src", "tests", "benchmarks", "examples", "site_build")
    files = [path for place in places for path in (ROOT / place).rglob("*")]
    files = [path for path in (*files, *ROOT.glob("*")) if path.suffix in suffixes]
    assert len(files) > 300
    for path in files:
        for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8")):
            assert (ROOT / page).is_file(), f"{path}: {page}"
