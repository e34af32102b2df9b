"""The package works without the directory of the replications."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCES = TESTS.parent / "src" / "irbounds"
QRELS = "".join(f"q{k} 0 d{j} {int((j + k) % 3 == 0)}\n" for k in range(6) for j in range(8))
RUNS = {
    name: "".join(
        f"q{k} Q0 d{(j * 5 + k * shift) % 8} 0 {8 - j} t\n" for k in range(6) for j in range(8)
    )
    for name, shift in (("one.run", 0), ("two.run", 1))
}
IMPORT_ALL = """
import importlib, pkgutil, sys, irbounds
names = [one.name for one in pkgutil.walk_packages(irbounds.__path__, "irbounds.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names), "irbounds.replications" in names, irbounds.__file__)
"""


@pytest.fixture(scope="module")
def run_without_replications(tmp_path_factory):
    """Run Python with a copy of the package that has no replications."""
    root = tmp_path_factory.mktemp("without")
    ignore = shutil.ignore_patterns("replications", "__pycache__")
    shutil.copytree(SOURCES, root / "src" / "irbounds", ignore=ignore)
    shutil.copytree(TESTS.parent / "docs", root / "docs")  # what irbounds docs shows
    for name, text in {"qrels.txt": QRELS, **RUNS}.items():
        (root / name).write_text(text)
    environment = {
        **os.environ,
        "PYTHONPATH": str(root / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_DISABLE_JIT": "1",  # compiling the kernels of the copy takes half a minute
    }

    def run(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            **{"cwd": root, "env": environment, "capture_output": True, "text": True, **more},
            check=False,
        )

    return run


def test_every_other_module_can_be_imported(run_without_replications):
    result = run_without_replications("-c", IMPORT_ALL)
    assert result.returncode == 0, result.stderr
    n_modules, has_replications, place = result.stdout.split()
    assert int(n_modules) > 150
    assert has_replications == "False"
    assert "without" in place


def test_help_has_no_group_of_studies(run_without_replications):
    result = run_without_replications("-m", "irbounds", "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert "\n  evaluate " in result.stdout
    assert "study" not in result.stdout


@pytest.mark.parametrize(
    "words", [("study",), ("study", "park2010"), ("help", "study", "park2010")]
)
def test_study_command_is_a_one_line_error(run_without_replications, words):
    result = run_without_replications("-m", "irbounds", *words)
    assert result.returncode == 2
    assert result.stderr == (
        "irbounds: error: no command 'study': the replications of papers are not installed\n"
    )


def test_evaluate_and_report(run_without_replications, tmp_path):
    inputs = ("qrels.txt", "one.run", "two.run", "-m", "AP", "--n-resamples", "20")
    result = run_without_replications("-m", "irbounds", "evaluate", *inputs)
    assert result.returncode == 0, result.stderr
    assert "AP" in result.stdout
    page = tmp_path / "page.html"
    result = run_without_replications("-m", "irbounds", "report", *inputs, "--output", str(page))
    assert result.returncode == 0, result.stderr
    assert "</html>" in page.read_text()


def test_shared_test_modules_can_be_imported(run_without_replications):
    shared = [file.stem for file in TESTS.glob("*.py") if not file.name.startswith("test_")]
    assert "every_result" in shared
    code = f"import sys; sys.path.insert(0, {str(TESTS)!r}); import {', '.join(shared)}"
    result = run_without_replications("-c", code)
    assert result.returncode == 0, result.stderr


def test_no_other_test_imports_replications_at_module_level():
    for file in TESTS.rglob("*.py"):
        if file.parent.name == "replications":
            continue
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                assert "replications" not in ast.unparse(node), file


@pytest.mark.slow
def test_other_tests_can_be_collected(run_without_replications):
    result = run_without_replications(
        *("-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"),
        *("-W", "ignore::RuntimeWarning"),  # numpy warns of overflow that compiled code means
        *("--ignore", str(TESTS / "replications"), str(TESTS)),
        cwd=TESTS.parent,
    )
    assert result.returncode == 0, result.stdout[-2000:]
