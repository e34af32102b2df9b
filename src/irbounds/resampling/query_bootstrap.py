"""The bootstrap over queries: means of all systems on the same resampled queries.

A resample draws n of the n queries with replacement; only the counts of the queries matter. The
means of all systems on all resamples are then one product, scores by counts. All systems have the
same resamples, so that differences of their means are paired.

Memory is bounded: the counts of one unit per thread, whatever the number of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighted_sums import add_weighted
from ..parallel import Arrays, fill_arrays, run_work
from ._kernels import count_draws
from .seeds import Purpose, key_and_place

Floats = NDArray[np.float64]
#: a row of scores per system
Rows = Floats | Sequence[Floats]

STREAM = 32  # resamples from one stream of random numbers; changing it changes every result
UNIT = 64  # resamples per unit of work, a multiple of a stream: one cache line of counts
DRAWING = 4  # operations to draw a query
ADDING = 0.08  # operations to add a score; a vector of them at a time
MANY_QUERIES = 1 << 17  # above this a unit is one stream, so that memory stays bounded


def bootstrap_queries(
    scores: Rows,
    n_resamples: int,
    seed: int,
    *,
    place: tuple[int, ...] = (),
    unit: int | None = None,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """Return means of ``scores`` (system x query) on resampled queries: system x resample.

    ``progress`` is called after each unit. The same seed gives the same bits for any number of
    threads and any size of units, and more resamples begin with the same ones. ``place``
    distinguishes bootstraps with one seed.
    """
    columns = np.ascontiguousarray(np.asarray(scores, np.float64).T)
    n, n_systems = columns.shape
    rows = unit or unit_of(n)
    sums = np.empty((n_systems, n_resamples))
    work = partial(
        sum_unit, columns=columns, n_resamples=n_resamples, rows=rows, seed=seed, place=place
    )
    cost = n * rows * (DRAWING + ADDING * n_systems)
    n_units = -(-n_resamples // rows)
    fill_arrays(run_work(work, n_units, cost=cost, progress=progress), sums)
    sums /= n
    sums.setflags(write=False)  # stored in results, whose limits must not change
    return sums


def sum_unit(
    unit: int,
    *,
    columns: Floats,
    n_resamples: int,
    rows: int,
    seed: int,
    place: tuple[int, ...],
) -> Arrays:
    """Return sums of ``columns`` (query x column) on the resamples of a unit: column x resample."""
    begin = unit * rows
    end = min(begin + rows, n_resamples)
    sums = np.zeros((columns.shape[1], end - begin))
    add_weighted(draw_counts(seed, len(columns), begin, end, *place), columns, sums)
    return (sums,)


def unit_of(n_queries: int) -> int:
    """Return the number of resamples per unit: fewer for very many queries, to bound memory."""
    return UNIT if n_queries <= MANY_QUERIES else STREAM


def draw_counts(seed: int, n: int, begin: int, end: int, *place: int) -> NDArray[np.int8]:
    """Return how often the resamples ``begin`` to ``end`` draw each of n queries: query x resample.

    ``begin`` is the begin of a stream. ``place`` distinguishes bootstraps with one seed. A byte is
    enough: with more than 127 queries, a count above 127 has a probability below 1e-200.
    """
    counts = np.empty((n, end - begin), np.int8)
    key, first = key_and_place(seed, Purpose.query_bootstrap, begin // STREAM, *place)
    count_draws(key, first, STREAM, counts)
    return counts
