"""Shuffled labels: under the null hypothesis any system could have had any of a query's scores.

Within every query the scores of all systems are shuffled among the systems. Of each draw only one
number is stored, a statistic of the systems' means. With two systems this is a random sign for
every difference.

Memory is bounded: the scores and some random words per thread.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..parallel.work import Arrays, bind, fill_arrays, layout_of, run_work
from ._kernels import add_shuffled
from .seeds import Purpose, stream

Floats = NDArray[np.float64]

UNIT = 16  # draws from one stream of random numbers; changing it changes every result
SWAPPING = 4  # operations to swap two scores
WORDS_AT_ONCE = 1 << 17  # random words in memory at a time, 1 MiB


def shuffle_labels(
    scores: Floats,
    n_resamples: int,
    seed: int,
    statistic: Callable[[Floats], Floats],
    *,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """Return ``statistic`` of the means after shuffling ``scores`` (system x query), per draw.

    ``statistic`` takes means as draw x system. It is a named function or a ``partial`` of one, so
    that it identifies a checkpoint. The same seed gives the same bits for any number of threads,
    and more draws begin with the same ones. ``progress`` is called after every ``UNIT``.
    """
    rows = np.ascontiguousarray(scores.T)
    statistics = np.empty(-(-n_resamples // UNIT) * UNIT)
    work = bind(
        shuffle_unit,
        "shuffled scores",
        options={"n_resamples": n_resamples, "seed": seed},
        inputs={"rows": "the scores"},
        rows=rows,
        seed=seed,
        statistic=statistic,
    )
    cost = UNIT * rows.size * SWAPPING
    layout = layout_of(UNIT, statistics)
    n_units = statistics.size // UNIT
    fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=progress), statistics)
    return statistics[:n_resamples]


def shuffle_unit(
    unit: int, *, rows: Floats, seed: int, statistic: Callable[[Floats], Floats]
) -> Arrays:
    """Return ``statistic`` of the draws of a unit, from scores by query (``rows``)."""
    means = _sum_shuffled(rows, stream(seed, Purpose.label_shuffles, unit)) / len(rows)
    return (statistic(means),)


def _sum_shuffled(rows: Floats, generator: np.random.Generator) -> Floats:
    """Return the sums over queries of one unit's draws: draw x system."""
    n_queries, n_systems = rows.shape
    n_words = n_systems // 2  # n - 1 swaps, two per word
    step = max(WORDS_AT_ONCE // max(UNIT * n_words, 1), 1)
    sums = np.zeros((UNIT, n_systems))
    for begin in range(0, n_queries, step):
        part = rows[begin : begin + step].copy()  # shuffled in place
        size = (len(part), UNIT, n_words)
        add_shuffled(part, generator.integers(0, 2**64, size=size, dtype=np.uint64), sums)
    return sums
