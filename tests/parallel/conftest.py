"""A pool of processes, started once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest


@pytest.fixture(scope="package")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Yield two spawned processes: forking a process with threads is not safe."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool
