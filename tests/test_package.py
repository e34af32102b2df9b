"""The package as a whole: what it loads, what it exports, what its documents say."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

import irbounds

ROOT = Path(__file__).parent.parent
HEAVY = {"numba", "polars", "pandas", "altair", "dask", "distributed", "pooch"}


def loaded_by(*arguments: str) -> set[str]:
    """Top-level packages that Python imports, as ``-X importtime`` has it."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=True
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    assert len(lines) > 20
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import irbounds"),
        ("-m", "irbounds", "--help"),
        ("-m", "irbounds", "--version"),
        ("-m", "irbounds", "evaluate", "--help"),
        ("-m", "irbounds", "data", "--help"),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(arguments):
    assert not loaded_by(*arguments) & HEAVY


def test_the_check_above_can_fail():
    assert "numba" in loaded_by("-c", "import irbounds.kernels.judging")


def test_every_exported_name_is_there():
    for name in irbounds.__all__:
        assert getattr(irbounds, name) is not None
    assert set(irbounds.__all__) <= set(dir(irbounds))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = irbounds.nothing


def test_one_version_everywhere():
    assert version("irbounds") == irbounds.__version__
    shown = subprocess.run(
        [sys.executable, "-m", "irbounds", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"irbounds {irbounds.__version__}\n"
    assert f"version: {irbounds.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {irbounds.__version__} " in (ROOT / "CHANGELOG.md").read_text()


def modules() -> list[str]:
    found = pkgutil.walk_packages(irbounds.__path__, "irbounds.")
    return sorted(module.name for module in found if module.name != "irbounds.__main__")


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")  # results show themselves as wide as the terminal
    module = importlib.import_module(name)
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("page", "script"), [("cli.md", "write_cli_reference"), ("methods.md", "write_methods")]
)
def test_generated_pages_are_up_to_date(page, script):
    spec = importlib.util.spec_from_file_location(script, ROOT / "docs" / f"{script}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[script] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert text == module.reference(), "run: make reference"


@pytest.mark.parametrize("page", ["README.md", *sorted(p.name for p in ROOT.glob("docs/*.md"))])
def test_links_lead_somewhere(page):
    path = ROOT / page if page == "README.md" else ROOT / "docs" / page
    links = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text())
    for link in links:
        assert (path.parent / link).exists(), link


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text()
    commands = re.findall(r"^## irbounds (\w+)", (ROOT / "docs" / "cli.md").read_text(), re.M)
    assert set(commands) >= {"evaluate", "check", "demo", "simulate", "data"}
    for command in commands:
        assert f"irbounds {command}" in readme


def test_no_dependency_is_pinned_to_a_single_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [one for one in project["dependencies"] if "==" in one.partition(";")[0]]


def test_what_the_benchmarks_import_comes_with_their_extra():
    """What they import by themselves, and what irbounds needs for Dask."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert "irbounds[dask]" in extras["bench"]
    installed = {_base_name(one) for one in (*project["dependencies"], *extras["bench"])}
    known = packages_distributions()
    for file in sorted((ROOT / "benchmarks").glob("*.py")):
        for module in _imported(file.read_text()) - set(sys.stdlib_module_names):
            assert _base_name(known.get(module, [module])[0]) in installed, (file.name, module)


def _imported(text: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def _base_name(requirement: str) -> str:
    return re.split(r"[\[<>=!; ]", requirement)[0].lower().replace("_", "-")
