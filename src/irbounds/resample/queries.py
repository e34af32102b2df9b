"""The bootstrap over queries: means of all systems on the same resampled queries.

A resample draws n of the n queries with replacement; all that matters is how often each was drawn.
The means of all systems on all resamples are then one product, scores by counts, and systems share
their resamples, so that differences of their means are paired.

Memory is bounded: the counts of one block at a time and thread, whatever the number of queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighing import count_draws, weigh
from ..scale.blocks import finished, lay_out
from ..scale.work import Arrays, bind
from .streams import Purpose, stream

__all__ = ["UNIT", "QueryBootstrap", "block_of", "bootstrap_queries", "draw_counts"]

Floats = NDArray[np.float64]
#: a row of scores for each system
Rows = Floats | Sequence[Floats]

UNIT = 32  # resamples that share a stream of random numbers; changing it changes every result
BLOCK = 64  # resamples worked on at once, a multiple of the unit: one cache line of counts
DRAWING = 8  # operations to draw a query, where to add a score is one
MANY_QUERIES = 1 << 17  # from here on a block is one unit, so that memory stays bounded


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
    block: int | None = None,
    progress: Callable[[], None] | None = None,
) -> QueryBootstrap:
    """Bootstrap means of ``scores`` (system x query); ``progress`` is called after each block.

    The same seed gives the same bits wherever it is done and for any block, and more resamples only
    add to fewer. ``place`` tells apart bootstraps of one seed.
    """
    n_systems, n = len(scores), len(scores[0])
    rows = block or block_of(n)
    columns = _columns_of(scores, squares=standard_errors)
    sums = np.empty((columns.shape[1], n_resamples))
    work = bind(
        sum_resamples, columns=columns, n_resamples=n_resamples, rows=rows, seed=seed, place=place
    )
    cost = n * rows * (columns.shape[1] + DRAWING)
    lay_out(finished(work, -(-n_resamples // rows), cost=cost, progress=progress), sums)
    sums /= n
    means = sums[:n_systems]
    errors = _standard_errors_of(scores, means, sums[n_systems:]) if standard_errors else None
    means.setflags(write=False)  # kept by results, whose limits must not change
    return QueryBootstrap(means, errors)


def sum_resamples(
    number: int,
    *,
    columns: Floats,
    n_resamples: int,
    rows: int,
    seed: int,
    place: tuple[int, ...],
) -> Arrays:
    """Sums of ``columns`` (query x column) over the resamples of a block: column x resample."""
    begin = number * rows
    end = min(begin + rows, n_resamples)
    sums = np.zeros((columns.shape[1], end - begin))
    weigh(draw_counts(seed, len(columns), begin, end, *place), columns, sums)
    return (sums,)


def _columns_of(scores: Rows, *, squares: bool) -> Floats:
    """What is to be summed, query by query: scores (system x query), and squares if asked for.

    The scores are as they are, so that a mean of zeros is 0. The squares are of deviations, so that
    they lose nothing to cancellation.
    """
    n_systems = len(scores)
    columns = np.empty((len(scores[0]), 2 * n_systems if squares else n_systems))
    for k, row in enumerate(scores):
        columns[:, k] = row
        if squares:
            columns[:, n_systems + k] = ((row - row.mean()) / _scale(row)) ** 2
    return columns


def _standard_errors_of(scores: Rows, means: Floats, squares: Floats) -> Floats:
    """Of each resample's mean, from its mean square deviation from the mean of all ``scores``.

    Exactly 0 where a resample's scores are all equal: rounding leaves crumbs there, which are
    smaller than any spread that doubles can hold.
    """
    n = len(scores[0])
    scales = np.array([_scale(row) for row in scores])[:, None]
    shifts = ((means - np.array([row.mean() for row in scores])[:, None]) / scales) ** 2
    variances = squares - shifts
    variances[variances < 1e-14 * (squares + shifts)] = 0
    errors: Floats = np.sqrt(variances / max(n - 1, 1)) * scales
    return errors


def _scale(row: Floats) -> float:
    """A power of two near the largest score: squares must neither vanish nor overflow."""
    return float(np.ldexp(1.0, int(np.frexp(np.abs(row).max())[1])))


def block_of(n_queries: int) -> int:
    """Resamples to work on at once; for very many queries fewer, so that memory stays bounded."""
    return BLOCK if n_queries <= MANY_QUERIES else UNIT


def draw_counts(
    seed: int,
    n: int,
    begin: int,
    end: int,
    *place: int,
    purpose: Purpose = Purpose.query_bootstrap,
) -> NDArray[np.int8]:
    """How often each of n queries is drawn in the resamples ``begin`` to ``end``: query x resample.

    ``begin`` is a multiple of the unit. ``place`` tells apart bootstraps of one seed. A byte holds
    any count that will ever be seen: of over 127 queries, one is drawn over 127 times with a chance
    below 1e-200.
    """
    counts = np.zeros((-(-(end - begin) // UNIT) * UNIT, n), np.int8)
    step = UNIT if n <= MANY_QUERIES else 1  # a row at a time where a unit's draws would be large
    for first in range(0, len(counts), UNIT):
        generator = stream(seed, purpose, (begin + first) // UNIT, *place)
        for row in range(first, first + UNIT, step):
            draws = generator.integers(0, n, size=(step, n), dtype=np.uint32)
            count_draws(draws, counts[row : row + step])
    return np.ascontiguousarray(counts[: end - begin].T)
