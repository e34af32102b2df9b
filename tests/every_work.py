"""One of every kind of work that is divided into blocks, small, and small functions to be divided.

In a module of its own at the top, so that other processes can import it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import irbounds
from every_result import collection
from irbounds.errors import DataError
from irbounds.scale.digests import digest_of


def environment(**more: str) -> dict[str, str]:
    """Variables with which another Python finds what this one does."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more


@cache
def scores(n: int = 40) -> pl.DataFrame:
    """Three systems on n queries."""
    drawn = np.random.default_rng(4).beta(2, 3, size=(3, n))
    return pl.DataFrame(dict(zip("abc", drawn, strict=True)))


def _images() -> irbounds.CorpusBootstrap:
    judged, runs = collection()
    return irbounds.corpus_bootstrap(judged, runs, ["AP"], corpus_size=40, n_images=150, rng=1)


def _of_images() -> list[Any]:
    images = _images()
    return [images.scores, images.two_way_means(), images.validity()]


def _pools() -> Any:
    return _images().shallow_pools("a.b", "toString", (2, 5))


def _baseline() -> Any:
    judged, runs = collection()
    options = {"corpus_size": 40, "method": "monte-carlo", "n_draws": 2000}
    return irbounds.random_baseline(judged, runs, ["AP", "nDCG@5"], rng=1, **options)


#: what a person calls, by what it divides
WORK: dict[str, Callable[[], Any]] = {
    "resampled queries": lambda: irbounds.mean_interval(
        scores(), method=["bca", "studentised"], n_resamples=700, rng=1
    ),
    "sign flips": lambda: irbounds.difference_interval(scores(), n_resamples=700, rng=1),
    "exact sign flips": lambda: irbounds.difference_interval(scores(12), rng=1),
    "largest differences": lambda: irbounds.difference_interval(
        scores(), adjustment="max-statistic", n_resamples=300, rng=1
    ),
    "ranks": lambda: irbounds.rank_interval(scores(), n_resamples=300, rng=1),
    "images": _of_images,
    "pools": _pools,
    "calibration": lambda: irbounds.calibrate(
        scores(), [5, 8], n_samples=150, n_resamples=50, rng=1
    ),
    "random rankings": _baseline,
    "recall coverage": lambda: irbounds.recall_coverage(
        "small", n_realisations=3, n_samples=20, rng=1
    ),
}


def bits(name: str) -> str:
    """A digest of all that this work gives."""
    return digest_of(WORK[name]())


def draw(unit: int, *, seed: int, n: int) -> tuple[np.ndarray, ...]:
    """A unit with random numbers of its own."""
    generator = np.random.default_rng([seed, unit])
    return generator.random(n), generator.integers(0, 9, (2, 3))


def draw_slowly(unit: int, *, seed: int, n: int, seconds: float) -> tuple[np.ndarray, ...]:
    time.sleep(seconds)
    return draw(unit, seed=seed, n=n)


def note(unit: int, *, folder: str, n: int) -> tuple[np.ndarray, ...]:
    """Leave a file for each time that a unit is worked on."""
    with (Path(folder) / f"{unit}").open("a") as file:
        file.write("x")
    return (np.full(n, float(unit)),)


def fail(unit: int, *, at: int) -> tuple[np.ndarray, ...]:
    if unit == at:
        raise DataError(f"unit {unit} cannot be")
    return (np.array([unit]),)


def pause(unit: int, *, seconds: float) -> tuple[np.ndarray, ...]:
    time.sleep(seconds)
    return (np.array([unit]),)


def time_out(unit: int) -> tuple[np.ndarray, ...]:
    raise TimeoutError("the work's own")


def who(unit: int) -> tuple[np.ndarray, ...]:
    return (np.array([process()]),)


def process() -> int:
    return os.getpid()


def weigh(unit: int, *, large: np.ndarray) -> tuple[np.ndarray, ...]:
    return (large[unit : unit + 1],)
