"""Compilation: said once, kept on disk, and possible where nothing can be kept."""

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


def copy_of_package(folder: Path) -> Path:
    """The package alone, without compiled leftovers, in a folder of its own."""
    source = Path(irbounds.__file__).parent
    shutil.copytree(source, folder / "irbounds", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def score_in(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-c", SCORE],
        env={**kept, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.slow
def test_the_first_use_says_that_it_compiles_and_the_second_does_not(tmp_path):
    folder = copy_of_package(tmp_path)
    first, second = score_in(folder), score_in(folder)
    assert first.stdout == second.stdout == "0.5\n"
    assert first.stderr.count("compiling for this machine") == 1
    assert "compiling" not in second.stderr


@pytest.mark.slow
def test_a_place_where_nothing_can_be_written_does_not_break_it(tmp_path):
    folder = copy_of_package(tmp_path)
    # plain files where numba wants folders stop even root from writing a cache
    (folder / "irbounds" / "kernels" / "__pycache__").write_text("")
    (tmp_path / "home").write_text("")
    home = str(tmp_path / "home")
    done = score_in(folder, HOME=home, XDG_CACHE_HOME=home, PYTHONDONTWRITEBYTECODE="1")
    assert done.stdout == "0.5\n"
    assert "compiling" in done.stderr
