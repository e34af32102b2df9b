"""The bootstrap over queries: means of all systems on the same resampled queries.

A resample draws n of the n queries with replacement; all that matters is how often each was drawn.
The means of all systems on all resamples are then one product, scores by counts, and systems share
their resamples, so that differences of their means are paired.

Memory is bounded: the counts of one unit at a time and thread, whatever the number of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighted_sums import add_weighted
from ..parallel.memory import reserve_memory
from ..parallel.work import Arrays, bind, fill_arrays, layout_of, run_work
from ._kernels import count_draws
from .seeds import Purpose, key_and_place

Floats = NDArray[np.float64]
#: a row of scores for each system
Rows = Floats | Sequence[Floats]

STREAM = 32  # resamples that share a stream of random numbers; changing it changes every result
UNIT = 64  # resamples worked on at once, some whole streams of them: one cache line of counts
DRAWING = 4  # operations to draw a query
ADDING = 0.08  # and to add a score; a vector of them at a time
SCORES_AT_ONCE = 1 << 15  # of rows that are prepared together
FEWER = "take fewer resamples or systems"
MANY_QUERIES = 1 << 17  # from here on a unit is one stream, so that memory stays bounded


@dataclass(frozen=True)
class QueryBootstrap:
    """Means on resampled queries, system x resample, and their standard errors if asked for."""

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
    """Bootstrap means of ``scores`` (system x query); ``progress`` is called after each unit.

    The same seed gives the same bits wherever it is done and for units of some streams each, and
    more resamples only add to fewer. ``place`` tells apart bootstraps of one seed.
    """
    n_systems, n = len(scores), len(scores[0])
    rows = unit or unit_of(n)
    with _fitting((n_systems, n), n_resamples, rows, standard_errors):
        columns = _columns_of(scores, squares=standard_errors)
        sums = np.empty((columns.shape[1], n_resamples))
        work = bind(
            sum_unit,
            "resampled queries",
            options={"n_resamples": n_resamples, "standard_errors": standard_errors, "seed": seed},
            inputs={"columns": "the scores"},
            columns=columns,
            n_resamples=n_resamples,
            rows=rows,
            seed=seed,
            place=place,
        )
        cost = n * rows * (DRAWING + ADDING * columns.shape[1])
        layout = layout_of(rows, sums)
        n_units = -(-n_resamples // rows)
        fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=progress), sums)
    sums /= n
    means = sums[:n_systems]
    errors = _standard_errors_of(scores, means, sums[n_systems:]) if standard_errors else None
    means.setflags(write=False)  # kept by results, whose limits must not change
    return QueryBootstrap(means, errors)


def _fitting(
    shape: tuple[int, int], n_resamples: int, rows: int, standard_errors: bool
) -> AbstractContextManager[None]:
    """Scores by query and their sums are kept; a thread has its counts, and where a unit draws.

    Standard errors need squares as well, and take four more such arrays on the way.
    """
    n_systems, n = shape
    return reserve_memory(
        f"{n_resamples:,} resamples of {n:,} queries for {n_systems:,} systems",
        kept=8 * n_systems * ((6 if standard_errors else 1) * n_resamples + 2 * n),
        each_thread=n * rows + n * STREAM + 16 * n_systems * rows,
        advice=FEWER,
    )


def sum_unit(
    unit: int,
    *,
    columns: Floats,
    n_resamples: int,
    rows: int,
    seed: int,
    place: tuple[int, ...],
) -> Arrays:
    """Sums of ``columns`` (query x column) over the resamples of a unit: column x resample."""
    begin = unit * rows
    end = min(begin + rows, n_resamples)
    sums = np.zeros((columns.shape[1], end - begin))
    add_weighted(draw_counts(seed, len(columns), begin, end, *place), columns, sums)
    return (sums,)


def _columns_of(scores: Rows, *, squares: bool) -> Floats:
    """What is to be summed, query by query: scores (system x query), and squares if asked for.

    The scores are as they are, so that a mean of zeros is 0. The squares are of deviations, so that
    they lose nothing to cancellation.
    """
    n_systems = len(scores)
    columns = np.empty((len(scores[0]), 2 * n_systems if squares else n_systems))
    for begin, rows in _some_rows(scores):
        end = begin + len(rows)
        columns[:, begin:end] = rows.T
        if squares:
            deviations = (rows - rows.mean(axis=1, keepdims=True)) / _scales(rows)
            columns[:, n_systems + begin : n_systems + end] = (deviations**2).T
    return columns


def _standard_errors_of(scores: Rows, means: Floats, squares: Floats) -> Floats:
    """Of each resample's mean, from its mean square deviation from the mean of all ``scores``.

    Exactly 0 where a resample's scores are all equal: rounding leaves crumbs there, which are
    smaller than any spread that doubles can hold.
    """
    n = len(scores[0])
    scales = np.concatenate([_scales(rows) for _, rows in _some_rows(scores)])
    centres = np.concatenate([rows.mean(axis=1, keepdims=True) for _, rows in _some_rows(scores)])
    shifts = ((means - centres) / scales) ** 2
    variances = squares - shifts
    variances[variances < 1e-14 * (squares + shifts)] = 0
    errors: Floats = np.sqrt(variances / max(n - 1, 1)) * scales
    return errors


def _some_rows(scores: Rows) -> Iterator[tuple[int, Floats]]:
    """Rows of scores with the first one's number: many at a time where they are short.

    A call for each row would be most of the time of a small bootstrap, of which a calibration makes
    a hundred thousand, and would hold the interpreter's lock for all of it.
    """
    step = max(SCORES_AT_ONCE // max(len(scores[0]), 1), 1)
    for begin in range(0, len(scores), step):
        # in one piece, so that a row's sum has the same bits as by itself
        yield begin, np.ascontiguousarray(scores[begin : begin + step])


def _scales(rows: Floats) -> Floats:
    """A power of two near each row's largest score: squares must neither vanish nor overflow."""
    largest = np.maximum(rows.max(axis=1, keepdims=True), -rows.min(axis=1, keepdims=True))
    return np.asarray(np.ldexp(1.0, np.frexp(largest)[1]))


def unit_of(n_queries: int) -> int:
    """Resamples to work on at once; for very many queries fewer, so that memory stays bounded."""
    return UNIT if n_queries <= MANY_QUERIES else STREAM


def draw_counts(
    seed: int,
    n: int,
    begin: int,
    end: int,
    *place: int,
    purpose: Purpose = Purpose.query_bootstrap,
) -> NDArray[np.int8]:
    """How often each of n queries is drawn in the resamples ``begin`` to ``end``: query x resample.

    ``begin`` is where a stream begins. ``place`` tells apart bootstraps of one seed. A byte holds
    any count that will ever be seen: of over 127 queries, one is drawn over 127 times with a chance
    below 1e-200.
    """
    counts = np.empty((n, end - begin), np.int8)
    count_draws(*key_and_place(seed, purpose, begin // STREAM, *place), STREAM, counts)
    return counts
