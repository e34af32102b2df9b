"""Shuffled labels: under the null hypothesis any system could have had any of a query's scores.

Within every query the scores of all systems are shuffled among the systems; what is kept of a draw
is one number, a statistic of the systems' means. With two systems this is a random sign for every
difference.

Memory is bounded: the scores and a stretch of random words for each thread.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..kernels.shuffling import add_shuffled
from .blocks import work_through
from .streams import Purpose, stream

__all__ = ["UNIT", "shuffle_labels"]

Floats = NDArray[np.float64]

UNIT = 16  # draws that share a stream of random numbers; changing it changes every result
STRETCH = 1 << 17  # random words drawn at once, 1 MiB


def shuffle_labels(
    scores: Floats,
    n_resamples: int,
    seed: int,
    statistic: Callable[[Floats], Floats],
    *,
    threads: int | None = None,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """``statistic`` of the means after shuffling ``scores`` (system x query), draw by draw.

    ``statistic`` is given means as draw x system. The same seed gives the same bits on any number
    of threads, and more draws only add to fewer; ``progress`` is called after every ``UNIT``.
    """
    rows = np.ascontiguousarray(scores.T)
    found = np.empty(-(-n_resamples // UNIT) * UNIT)

    def fill(unit: int) -> None:
        means = _shuffled_sums(rows, stream(seed, Purpose.label_shuffles, unit)) / len(rows)
        found[unit * UNIT : (unit + 1) * UNIT] = statistic(means)

    work_through(found.size // UNIT, fill, threads=threads, progress=progress)
    return found[:n_resamples]


def _shuffled_sums(rows: Floats, generator: np.random.Generator) -> Floats:
    """Sums over queries of one unit's draws: draw x system."""
    n_queries, n_systems = rows.shape
    n_words = n_systems // 2  # n - 1 swaps, two a word
    step = max(STRETCH // max(UNIT * n_words, 1), 1)
    sums = np.zeros((UNIT, n_systems))
    for begin in range(0, n_queries, step):
        here = rows[begin : begin + step].copy()  # shuffled in place
        size = (len(here), UNIT, n_words)
        add_shuffled(here, generator.integers(0, 2**64, size=size, dtype=np.uint64), sums)
    return sums
