"""Sign-flip test, also called Fisher's randomisation test, of a mean difference.

If either system could have had either score of each query, every difference could as well have had
the other sign. The p-value is the fraction of all choices of signs that give a mean at least as
extreme as the observed one. It assumes nothing about the distribution of the differences.

Nothing is drawn at random. Up to 30 differences other than 0 all choices are counted, 2**30 of
them, from the sums of two halves. For more, sums are counted on a grid to which the differences are
rounded. That gives an estimate and two limits between which the p-value lies. Scores that are
multiples of a common unit, such as P@10 or values with four decimals, have exact p-values where the
grid has a point per unit.

Differences of 0 have no sign and do not change the fraction. Where all are 0, p is 1. A mean that
equals the observed one except for rounding is a hit.

Reference: Fisher (1935), chapter 3; for retrieval, Smucker, Allan and Carterette (CIKM 2007).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..errors import ParameterError
from ..intervals.sample import scale_of
from ..parallel import Arrays, count_progress, fill_arrays, run_work
from ..validation import Alternative, Progress
from ._kernels import bound_tails, count_signed_sums
from .pairs import CHUNK, Pairs

Floats = NDArray[np.float64]

MAX_EXACT = 30  # differences other than 0 up to which every choice of signs is counted
PAIRS = 32  # per unit of exact tests

MIN_SIZE = 1 << 12  # points of a grid
POINTS_PER_QUERY = 4  # at least
MAX_SIZE = 1 << 21  # 32 MiB per thread
ADDITIONS = 2e9  # for all pairs, about a second, where grids may be that fine
MAX_ADDITIONS = 5e11  # some minutes
UNIT_ADDITIONS = 1e6  # per unit of tests on a grid
SMALLEST = float(np.finfo(np.float64).tiny)  # a p-value is never 0


def sign_flip(pairs: Pairs, alternative: Alternative, progress: Progress | None = None) -> Floats:
    """Return low limit, estimate and high limit of the p-value of every pair: 3 x pair."""
    limits = np.empty((3, len(pairs)))
    many = np.empty(len(pairs), np.bool_)
    for part in pairs.chunks():
        differences = pairs.differences(part)
        few = np.count_nonzero(differences, axis=1) <= MAX_EXACT
        many[part] = ~few
        if few.any():
            closeness = pairs.closeness[part][few] * pairs.n
            p_values = exact_p_values(differences[few], closeness, alternative, progress)
            limits[:, part][:, few] = p_values
    places = np.flatnonzero(many)
    if not places.size:
        return limits
    size = choose_size(len(places), pairs.n)
    per_unit = max(round(UNIT_ADDITIONS / (pairs.n * size)), 1)
    step = count_progress(progress, len(places), step=per_unit)
    n_at_once = max(CHUNK // (pairs.n * per_unit), 1) * per_unit
    for begin in range(0, len(places), n_at_once):
        chosen = places[begin : begin + n_at_once]
        rows = pairs.differences(chosen)
        scale = scale_of(rows)[:, 0]
        slack = pairs.closeness[chosen] * pairs.n / 2 / scale
        rows /= scale[:, None]
        if alternative == "less":
            rows *= -1
        elif alternative == "two-sided":
            rows *= np.where(rows.sum(axis=1) < 0, -1.0, 1.0)[:, None]
        tails = np.empty((3, len(rows)))
        work = partial(bound_unit, rows=rows, slack=slack, size=size, per_unit=per_unit)
        cost = 0.5 * per_unit * pairs.n * size
        fill_arrays(run_work(work, -(-len(rows) // per_unit), cost=cost, progress=step), tails)
        if alternative == "two-sided":
            # the sum is 0 up to rounding: every choice of signs is as extreme
            tails = np.where(rows.sum(axis=1) <= 2 * slack, 1.0, np.minimum(2 * tails, 1.0))
        limits[:, chosen] = np.maximum(tails, SMALLEST)
    return limits


def choose_size(n_pairs: int, n_queries: int) -> int:
    """Return the number of points of the grid: as fine as ``ADDITIONS`` allow."""
    coarsest = max(MIN_SIZE, POINTS_PER_QUERY * n_queries)
    per_point = n_pairs * n_queries
    if per_point * coarsest > MAX_ADDITIONS:
        raise ParameterError(
            f"the sign-flip test of {n_pairs:,} comparisons on {n_queries:,} queries takes too "
            "long; use test 't', whose p-values hardly differ, or fewer systems"
        )
    return max(coarsest, min(int(ADDITIONS / per_point), MAX_SIZE))


def bound_unit(unit: int, *, rows: Floats, slack: Floats, size: int, per_unit: int) -> Arrays:
    """Return the bounds and the estimate of the upper tails of a unit's rows."""
    part = slice(unit * per_unit, (unit + 1) * per_unit)
    tails = np.empty((len(rows[part]), 3))
    bound_tails(rows[part], slack[part], size, tails)
    return (np.ascontiguousarray(tails.T),)


def exact_p_values(
    differences: Floats,
    closeness: Floats,
    alternative: Alternative,
    progress: Progress | None = None,
) -> Floats:
    """Return the fraction of signed sums at least as extreme as each row's, up to ``closeness``."""
    observed = differences.sum(axis=1)
    if alternative == "two-sided":
        observed = np.abs(observed)
    elif alternative == "less":
        observed = -observed  # signed sums are symmetric around 0
    counts = np.empty(len(differences), np.int64)
    work = partial(count_unit, differences=differences, thresholds=observed - closeness)
    n_units = -(-len(differences) // PAIRS)
    cost = PAIRS * 2.0 ** (MAX_EXACT / 2 + 2)
    step = count_progress(progress, len(differences), step=PAIRS)
    fill_arrays(run_work(work, n_units, cost=cost, progress=step), counts)
    fractions: Floats = counts / 2.0 ** np.count_nonzero(differences, axis=1)
    return np.minimum(2 * fractions, 1.0) if alternative == "two-sided" else fractions


def count_unit(unit: int, *, differences: Floats, thresholds: Floats) -> Arrays:
    """Return the number of signed sums of each of a unit's rows that reach its threshold."""
    part = slice(unit * PAIRS, (unit + 1) * PAIRS)
    counts = np.zeros(len(differences[part]), np.int64)
    count_signed_sums(differences[part], thresholds[part], MAX_EXACT, counts)
    return (counts,)
