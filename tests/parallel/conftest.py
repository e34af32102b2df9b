"""Other processes to work in: started once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest


@pytest.fixture(scope="package")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Two, started anew: to fork with threads about is not safe."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool
