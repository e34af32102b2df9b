"""Compilation: said once, kept on disk, and possible where nothing can be kept or read."""

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
    assert first.stderr.count("compiling (once for") == 1
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
def kept(tmp_path_factory) -> Path:
    """A small program with two kernels, and the cache that its first run leaves."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "program.py").write_text(KERNEL)
    assert run_program(folder, folder / "cache") == []
    assert [len(cache_files(folder, ending)) for ending in (".nbi", ".nbc")] == [2, 2]
    return folder


def run_program(folder: Path, cache: Path) -> list[str]:
    """What a program says, which has to give the right answer."""
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
    return done.stderr.splitlines()


SOURCE = str(Path(irbounds.__file__).parents[1])


def cache_files(folder: Path, ending: str) -> list[Path]:
    return sorted(folder.rglob(f"*{ending}"))


def rubbish(size: int) -> bytes:
    return random.Random(size).randbytes(size)


DAMAGES = {
    "empty": lambda content: b"",
    "a few bytes": lambda content: content[:5],
    "half": lambda content: content[: len(content) // 2],
    "all but a byte": lambda content: content[:-1],
    "rubbish": lambda content: rubbish(len(content)),
    "another pickle": lambda content: pickle.dumps(3),
}


@pytest.mark.parametrize(
    "how", [pytest.param(k, marks=[] if k == "half" else pytest.mark.slow) for k in DAMAGES]
)
@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_a_damaged_cache_is_ignored_and_mended(kept, tmp_path, ending, how):
    cache = shutil.copytree(kept / "cache", tmp_path / "cache")
    for file in cache_files(cache, ending):
        file.write_bytes(DAMAGES[how](file.read_bytes()))
    lines = run_program(kept, cache)
    if (how, ending) == ("another pickle", ".nbi"):  # which is another version to numba
        assert lines == []
    else:
        (line,) = lines  # for all of them
        assert line.startswith("ignored the cache of ")
    assert run_program(kept, cache) == []


def test_a_cache_that_cannot_be_written_is_said_and_goes_without(kept, tmp_path):
    """Directories where numba wants its files stop even the superuser."""
    cache = shutil.copytree(kept / "cache", tmp_path / "cache")
    for file in cache_files(cache, ".nb[ic]"):
        file.unlink()
        file.mkdir()
    for _ in range(2):
        first, second = run_program(kept, cache)
        assert first.startswith("ignored the cache of ")
        assert second.startswith(f"compiled functions cannot be cached in {cache}")
