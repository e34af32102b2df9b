"""Shuffled labels: under the null hypothesis any system could have had any of a query's scores.

Within every query the scores of all systems are shuffled among the systems; what is kept of a draw
is one number, a statistic of the systems' means. With two systems this is a random sign for every
difference.

Memory is bounded: the scores and some random words for each thread.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..parallel.work import Arrays, bind, fill_arrays, layout_of, run_work
from ._kernels import add_shuffled
from .seeds import Purpose, stream

Floats = NDArray[np.float64]

UNIT = 16  # draws that share a stream of random numbers; changing it changes every result
SWAPPING = 4  # operations to swap two scores
WORDS_AT_ONCE = 1 << 17  # of random numbers, 1 MiB


def shuffle_labels(
    scores: Floats,
    n_resamples: int,
    seed: int,
    statistic: Callable[[Floats], Floats],
    *,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """``statistic`` of the means after shuffling ``scores`` (system x query), draw by draw.

    ``statistic`` is given means as draw x system; it has a name of its own, or is a ``partial`` of
    one that has. The same seed gives the same bits wherever it is done, and more draws only add to
    fewer; ``progress`` is called after every ``UNIT``.
    """
    rows = np.ascontiguousarray(scores.T)
    found = np.empty(-(-n_resamples // UNIT) * UNIT)
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
    layout = layout_of(UNIT, found)
    n_units = found.size // UNIT
    fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=progress), found)
    return found[:n_resamples]


def shuffle_unit(
    unit: int, *, rows: Floats, seed: int, statistic: Callable[[Floats], Floats]
) -> Arrays:
    """``statistic`` of a unit's draws, from scores by query (``rows``)."""
    means = _shuffled_sums(rows, stream(seed, Purpose.label_shuffles, unit)) / len(rows)
    return (statistic(means),)


def _shuffled_sums(rows: Floats, generator: np.random.Generator) -> Floats:
    """Sums over queries of one unit's draws: draw x system."""
    n_queries, n_systems = rows.shape
    n_words = n_systems // 2  # n - 1 swaps, two a word
    step = max(WORDS_AT_ONCE // max(UNIT * n_words, 1), 1)
    sums = np.zeros((UNIT, n_systems))
    for begin in range(0, n_queries, step):
        here = rows[begin : begin + step].copy()  # shuffled in place
        size = (len(here), UNIT, n_words)
        add_shuffled(here, generator.integers(0, 2**64, size=size, dtype=np.uint64), sums)
    return sums
