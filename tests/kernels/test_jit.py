"""Compilation: reported once, cached on disk, and possible without a usable cache."""

from __future__ import annotations

import os
import pickle
import random
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


KERNEL = """
import logging
logging.basicConfig(level="INFO", format="%(message)s")
from irbounds.kernels.jit import jit

@jit
def double(number):
    return 2 * number

@jit
def add(one, other):
    return double(one) + other

print(add(1, 2))
"""


@pytest.fixture(scope="module")
def program_directory(tmp_path_factory) -> Path:
    """A directory with a program of two kernels and the cache of its first run."""
    directory = tmp_path_factory.mktemp("kept")
    (directory / "program.py").write_text(KERNEL)
    assert run_program(directory, directory / "cache") == []
    assert [len(list_cache_files(directory, extension)) for extension in (".nbi", ".nbc")] == [2, 2]
    return directory


def run_program(directory: Path, cache: Path) -> list[str]:
    """Check the result of the program and return its messages."""
    result = subprocess.run(
        [sys.executable, "program.py"],
        cwd=directory,
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "4\n"), result.stderr
    return result.stderr.splitlines()


SOURCE = str(Path(irbounds.__file__).parents[1])


def list_cache_files(directory: Path, extension: str) -> list[Path]:
    return sorted(directory.rglob(f"*{extension}"))


def make_random_bytes(size: int) -> bytes:
    return random.Random(size).randbytes(size)


DAMAGES = {
    "empty": lambda content: b"",
    "a few bytes": lambda content: content[:5],
    "half": lambda content: content[: len(content) // 2],
    "all but a byte": lambda content: content[:-1],
    "rubbish": lambda content: make_random_bytes(len(content)),
    "another pickle": lambda content: pickle.dumps(3),
}


@pytest.mark.parametrize(
    "damage", [pytest.param(k, marks=[] if k == "half" else pytest.mark.slow) for k in DAMAGES]
)
@pytest.mark.parametrize("extension", [".nbi", ".nbc"])
def test_damaged_cache_is_ignored_and_replaced(program_directory, tmp_path, extension, damage):
    cache = shutil.copytree(program_directory / "cache", tmp_path / "cache")
    for file in list_cache_files(cache, extension):
        file.write_bytes(DAMAGES[damage](file.read_bytes()))
    lines = run_program(program_directory, cache)
    if (damage, extension) == ("another pickle", ".nbi"):  # numba reads it as another version
        assert lines == []
    else:
        (line,) = lines  # one line for all files
        assert line.startswith("ignored the cache of ")
    assert run_program(program_directory, cache) == []


@pytest.mark.slow
def test_unwritable_cache_is_reported(program_directory, tmp_path):
    """Directories in place of numba's files prevent even root from writing."""
    cache = shutil.copytree(program_directory / "cache", tmp_path / "cache")
    for file in list_cache_files(cache, ".nb[ic]"):
        file.unlink()
        file.mkdir()
    for _ in range(2):
        first, second = run_program(program_directory, cache)
        assert first.startswith("ignored the cache of ")
        assert second.startswith(f"compiled functions cannot be cached in {cache}")
