"""The bootstrap over queries: means of all systems on the same resampled queries.

A resample draws n of the n queries with replacement; only the counts of the queries matter. The
means of all systems on all resamples are then one product, scores by counts. All systems have the
same resamples, so that differences of their means are paired.

Memory is bounded: the counts of one unit per thread, whatever the number of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighted_sums import add_weighted
from ..parallel import Arrays, fill_arrays, run_work
from ._kernels import count_draws, finish_errors
from .seeds import Purpose, key_and_place

Floats = NDArray[np.float64]
#: a row of scores per system
Rows = Floats | Sequence[Floats]

STREAM = 32  # resamples from one stream of random numbers; changing it changes every result
UNIT = 64  # resamples per unit of work, a multiple of a stream: one cache line of counts
DRAWING = 4  # operations to draw a query
ADDING = 0.08  # operations to add a score; a vector of them at a time
SCORES_AT_ONCE = 1 << 15  # scores of rows that are prepared together
MANY_QUERIES = 1 << 17  # above this a unit is one stream, so that memory stays bounded


@dataclass(frozen=True)
class QueryBootstrap:
    """Means on resampled queries, system x resample, and their standard errors if requested."""

    means: Floats
    standard_errors: Floats | None = None


def bootstrap_queries(
    scores: Rows,
    n_resamples: int,
    seed: int,
    *,
    standard_errors: bool = False,
    place: tuple[int, ...] = (),
    unit: int | None = None,
    progress: Callable[[], None] | None = None,
) -> QueryBootstrap:
    """Return bootstrap means of ``scores`` (system x query); call ``progress`` after each unit.

    The same seed gives the same bits for any number of threads and any size of units, and more
    resamples begin with the same ones. ``place`` distinguishes bootstraps with one seed.
    """
    n_systems, n = len(scores), len(scores[0])
    rows = unit or unit_of(n)
    columns = _make_columns(scores, squares=standard_errors)
    sums = np.empty((columns.shape[1], n_resamples))
    work = partial(
        sum_unit, columns=columns, n_resamples=n_resamples, rows=rows, seed=seed, place=place
    )
    cost = n * rows * (DRAWING + ADDING * columns.shape[1])
    n_units = -(-n_resamples // rows)
    fill_arrays(run_work(work, n_units, cost=cost, progress=progress), sums)
    squares = sums[n_systems:] if standard_errors else None
    return _make_bootstrap(scores, sums[:n_systems], squares)


def _make_bootstrap(scores: Rows, sums: Floats, squares: Floats | None) -> QueryBootstrap:
    """Return means and, if there are sums of squares too, standard errors in their places."""
    if squares is None:
        sums /= len(scores[0])
    else:
        for begin, rows in _chunk_rows(scores):
            part = slice(begin, begin + len(rows))
            centres, scales = rows.mean(axis=1), _scales(rows)[:, 0]
            finish_errors(sums[part], squares[part], rows.shape[1], centres, scales)
    sums.setflags(write=False)  # stored in results, whose limits must not change
    return QueryBootstrap(sums, squares)


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


def _make_columns(scores: Rows, *, squares: bool) -> Floats:
    """Return the columns to sum, by query: scores (system x query), and squares if requested.

    The scores are not centred, so that a mean of zeros is 0. The squares are those of deviations,
    which avoids cancellation.
    """
    n_systems = len(scores)
    columns = np.empty((len(scores[0]), 2 * n_systems if squares else n_systems))
    for begin, rows in _chunk_rows(scores):
        end = begin + len(rows)
        columns[:, begin:end] = rows.T
        if squares:
            deviations = (rows - rows.mean(axis=1, keepdims=True)) / _scales(rows)
            columns[:, n_systems + begin : n_systems + end] = (deviations**2).T
    return columns


def _chunk_rows(scores: Rows) -> Iterator[tuple[int, Floats]]:
    """Return chunks of rows with the number of the first row: many rows where they are short.

    A call per row would take most of the time of a small bootstrap, of which a calibration makes a
    hundred thousand, and would hold the interpreter's lock all the time.
    """
    step = max(SCORES_AT_ONCE // max(len(scores[0]), 1), 1)
    for begin in range(0, len(scores), step):
        # contiguous, so that the sum of a row has the same bits as that of a single row
        yield begin, np.ascontiguousarray(scores[begin : begin + step])


def _scales(rows: Floats) -> Floats:
    """Return a power of two near each row's largest score, so that squares do not overflow."""
    largest = np.maximum(rows.max(axis=1, keepdims=True), -rows.min(axis=1, keepdims=True))
    return np.asarray(np.ldexp(1.0, np.frexp(largest)[1]))


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
