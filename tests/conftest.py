"""What several tests need: the real data where it is, and small inputs."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

# the same examples on every machine; no deadline, since the first call compiles
settings.register_profile("irbounds", deadline=None, derandomize=True)
settings.load_profile("irbounds")

# a shell has what it starts in the background ignore Ctrl-C, and tests send it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data; tests that need it are skipped without it."""
    folder = os.environ.get("IRBOUNDS_DATA")
    if not folder:
        pytest.skip(
            "needs real data: set IRBOUNDS_DATA to a folder laid out as docs/data-sets.md says"
        )
    return Path(folder).resolve()


@pytest.fixture(scope="session")
def robust03(data_folder: Path) -> Path:
    """TREC 2003 Robust: judgments and 14 runs."""
    folder = data_folder / "robust03"
    if not folder.is_dir():
        pytest.skip(f"needs robust03, which {data_folder} does not hold")
    return folder


@pytest.fixture
def write(tmp_path: Path):
    """Write a file of the given text (or bytes) and give its path."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture
def within():
    """Fail where a ``with`` block takes more than so many seconds, by the clock.

    For work that takes no time unless something in it grows with the square of its input.
    """

    def fail(number, frame):
        raise AssertionError("takes too long")

    @contextmanager
    def limit(seconds: float):
        before = signal.signal(signal.SIGALRM, fail)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return limit
