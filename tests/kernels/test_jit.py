"""Compilation: reported once, cached on disk, and possible without a usable cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import irbounds

SCORE = (
    "import logging; logging.basicConfig(level='INFO', format='%(message)s'); import irbounds;"
    "t = irbounds.score({'q': {'a': 1}}, {'r': {'q': {'a': 1.0, 'b': 2.0}}}, ['AP']);"
    "print(t.values.ravel()[0])"
)


def copy_package(directory: Path) -> Path:
    """Copy the package without compiled files to a directory."""
    source = Path(irbounds.__file__).parent
    shutil.copytree(source, directory / "irbounds", ignore=shutil.ignore_patterns("__pycache__"))
    return directory


def run_score(directory: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-c", SCORE],
        env={**inherited, "PYTHONPATH": str(directory), **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.slow
def test_compilation_is_reported_only_on_first_use(tmp_path):
    directory = copy_package(tmp_path)
    first, second = run_score(directory), run_score(directory)
    assert first.stdout == second.stdout == "0.5\n"
    assert first.stderr.count("compiling (once for") == 1
    assert "compiling" not in second.stderr


@pytest.mark.slow
def test_compilation_works_without_writable_directory(tmp_path):
    directory = copy_package(tmp_path)
    # files in place of numba's directories prevent even root from writing a cache
    (directory / "irbounds" / "kernels" / "__pycache__").write_text("")
    (tmp_path / "home").write_text("")
    home = str(tmp_path / "home")
    result = run_score(directory, HOME=home, XDG_CACHE_HOME=home, PYTHONDONTWRITEBYTECODE="1")
    assert result.stdout == "0.5\n"
    assert "compiling" in result.stderr
