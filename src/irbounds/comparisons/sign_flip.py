"""Sign-flip test, also called Fisher's randomisation test, of a mean difference.

If either system could have had either score of each query, every difference could as well have had
the other sign. The p-value is the fraction of all choices of signs that give a mean at least as
extreme as the observed one. It assumes nothing about the distribution of the differences.

Nothing is drawn at random. Up to 30 differences other than 0 all choices are counted, 2**30 of
them, from the sums of two halves. For more, sums are counted on a grid to which the differences are
rounded. That gives an estimate and two limits between which the p-value lies. If the significance
level is between the limits of the adjusted p-value, the pair is counted again on a grid with eight
times as many points, until every decision is certain or the next grid would be too large. Scores
that are multiples of a common unit, such as P@10 or values with four decimals, have exact p-values
once the grid has a point per unit.

Random signs are drawn if their number is given, or if the first grid would be too large: then
p = (1 + hits) / (1 + draws), which is never below 1 / (1 + draws). One random sign is drawn per
query, the same for all pairs of systems: the flipped mean of a difference is the difference of two
flipped means, so that all pairs of S systems need S columns only.

Differences of 0 have no sign and do not change the fraction. Where all are 0, p is 1. A mean that
equals the observed one except for rounding is a hit.

Reference: Fisher (1935), chapter 3; for retrieval, Smucker, Allan and Carterette (CIKM 2007). The
1 in numerator and denominator: Davison and Hinkley (1997), section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..intervals.sample import scale_of
from ..kernels.weighted_sums import add_weighted, unpack_signs
from ..parallel import Arrays, count_progress, fill_arrays, run_work
from ..resampling.query_bootstrap import ADDING
from ..resampling.seeds import Purpose, stream
from ..validation import Alternative, Progress
from ._kernels import bound_tails, count_signed_sums
from .adjustments import ADJUSTMENTS, is_undecided
from .pairs import AT_ONCE, CHUNK, Pairs, Plan, PValues

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

MAX_EXACT = 30  # differences other than 0 up to which every choice of signs is counted
PAIRS = 32  # per unit of exact tests
SIGNS = 64  # per unit of random signs: one random word per query

MIN_SIZE = 1 << 12  # points of the first grid
POINTS_PER_QUERY = 4  # of the first grid, at least
GROWTH = 8  # of the grid, for pairs that it leaves undecided
MAX_SIZE = 1 << 21  # points of the last grid: 32 MiB per thread
MAX_ADDITIONS = 5e10  # on one grid for all pairs, about 25 s; beyond that signs are drawn
CHEAP_ADDITIONS = 1e7  # on one grid, some milliseconds: for a few pairs limits become narrower
MAX_PAIR_ADDITIONS = 2e9  # for one pair, about 1 s: an interruption waits for it
UNIT_ADDITIONS = 1e6  # per unit of tests on a grid
SMALLEST = float(np.finfo(np.float64).tiny)  # a p-value is never 0


def sign_flip(pairs: Pairs, plan: Plan) -> PValues:
    """Return the p-value of every pair."""
    limits = np.empty((3, len(pairs)))  # low, value, high
    many = np.empty(len(pairs), np.bool_)
    for part in pairs.chunks():
        differences = pairs.differences(part)
        many[part] = np.count_nonzero(differences, axis=1) > MAX_EXACT
        if not many[part].all():
            few = ~many[part]
            closeness = pairs.closeness[part][few] * pairs.n
            limits[:, part][:, few] = exact_p_values(
                differences[few], closeness, plan.alternative, plan.progress
            )
    places = np.flatnonzero(many)
    if plan.n_signs is not None:
        drawn = PValues.from_hits(_count_hits(pairs, places, plan, plan.n_signs), plan.n_signs)
        limits[:, places] = drawn.low, drawn.values, drawn.high
        return PValues(limits[1], many, limits[0], limits[2])
    if places.size:
        _bound_p_values(pairs, places, plan, limits)
    return PValues(limits[1], np.zeros_like(many), limits[0], limits[2])


def is_grid_affordable(n_pairs: int, n_queries: int) -> bool:
    """Return whether the first grid takes at most ``MAX_ADDITIONS``."""
    return _is_affordable(n_pairs, n_queries, _first_size(n_queries))


def _is_affordable(n_pairs: int, n_queries: int, size: int) -> bool:
    of_pair = float(n_queries) * size
    return n_pairs * of_pair <= MAX_ADDITIONS and of_pair <= MAX_PAIR_ADDITIONS


def _first_size(n_queries: int) -> int:
    return max(MIN_SIZE, POINTS_PER_QUERY * n_queries)


def _bound_p_values(pairs: Pairs, places: Places, plan: Plan, limits: Floats) -> None:
    """Write low limit, estimate and high limit of the p-values at these places.

    The grid becomes finer for pairs without a certain decision, up to ``MAX_ADDITIONS``, and for
    all up to ``CHEAP_ADDITIONS``.
    """
    size = _first_size(pairs.n)
    adjust = ADJUSTMENTS[plan.adjustment]
    while places.size and size <= max(MAX_SIZE, _first_size(pairs.n)):
        limits[:, places] = _bound_on_grid(pairs, places, plan, size)
        size *= GROWTH
        places = places[(limits[0] < limits[2])[places]]
        if float(len(places)) * pairs.n * size <= CHEAP_ADDITIONS:
            continue
        undecided = is_undecided(adjust(limits[0]), adjust(limits[2]), plan.level)
        places = places[undecided[places]]
        if not _is_affordable(len(places), pairs.n, size):
            return


def _bound_on_grid(pairs: Pairs, places: Places, plan: Plan, size: int) -> Floats:
    """Return low limit, estimate and high limit of the p-values at these places: 3 x place."""
    limits = np.empty((3, len(places)))
    per_unit = max(round(UNIT_ADDITIONS / (pairs.n * size)), 1)
    step = count_progress(plan.progress, len(places), step=per_unit)
    n_at_once = max(CHUNK // (pairs.n * per_unit), 1) * per_unit
    for begin in range(0, len(places), n_at_once):
        part = slice(begin, begin + n_at_once)
        rows = pairs.differences(places[part])
        scale = scale_of(rows)[:, 0]
        slack = pairs.closeness[places[part]] * pairs.n / 2 / scale
        rows /= scale[:, None]
        if plan.alternative == "less":
            rows *= -1
        elif plan.alternative == "two-sided":
            rows *= np.where(rows.sum(axis=1) < 0, -1.0, 1.0)[:, None]
        tails = np.empty((3, len(rows)))
        work = partial(bound_unit, rows=rows, slack=slack, size=size, per_unit=per_unit)
        n_units = -(-len(rows) // per_unit)
        cost = 0.5 * per_unit * pairs.n * size
        fill_arrays(run_work(work, n_units, cost=cost, progress=step), tails)
        if plan.alternative == "two-sided":
            # the sum is 0 up to rounding: every choice of signs is as extreme
            tails = np.where(rows.sum(axis=1) <= 2 * slack, 1.0, np.minimum(2 * tails, 1.0))
        limits[:, part] = tails
    return np.maximum(limits, SMALLEST)


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
    thresholds = observed - closeness
    counts = np.empty(len(differences), np.int64)
    n_units = -(-len(differences) // PAIRS)
    work = partial(count_unit, differences=differences, thresholds=thresholds)
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


def _count_hits(pairs: Pairs, places: Places, plan: Plan, n_signs: int) -> Floats:
    """Return the number of hits of the pairs at these places, all with the same random signs."""
    hits = np.empty(len(places))
    if not places.size:
        return hits
    step = count_progress(plan.progress, n_signs, step=SIGNS)
    flipped = flip_signs(pairs.centred, n_signs, plan.seed, progress=step)
    for k, place in enumerate(places):
        if plan.progress and k and not k % AT_ONCE:
            plan.progress(k, len(places))
        means = flipped[pairs.first[place]] - flipped[pairs.second[place]]
        observed = pairs.means[place]
        if plan.alternative == "two-sided":
            means, observed = np.abs(means), abs(observed)
        elif plan.alternative == "less":
            means, observed = -means, -observed
        hits[k] = np.count_nonzero(means >= observed - pairs.closeness[place])
    return hits


def flip_signs(
    scores: Floats,
    n_resamples: int,
    seed: int,
    *,
    progress: Callable[[], None] | None = None,
) -> Floats:
    """Return means over queries of randomly signed ``scores`` (system x query): system x draw."""
    n_systems, n = scores.shape
    columns = np.ascontiguousarray(scores.T)
    means = np.empty((n_systems, n_resamples))
    work = partial(flip_unit, columns=columns, n_resamples=n_resamples, seed=seed)
    cost = n * SIGNS * (1 + ADDING * n_systems)
    n_units = -(-n_resamples // SIGNS)
    fill_arrays(run_work(work, n_units, cost=cost, progress=progress), means)
    means /= n
    return means


def flip_unit(unit: int, *, columns: Floats, n_resamples: int, seed: int) -> Arrays:
    """Return sums of randomly signed ``columns`` (query x system) in a unit: system x draw."""
    n, n_systems = columns.shape
    generator = stream(seed, Purpose.sign_flips, unit)
    bits = generator.integers(0, 2**64, size=(n,), dtype=np.uint64)
    signs = np.empty((n, SIGNS), np.int8)
    unpack_signs(bits, signs)
    sums = np.zeros((n_systems, SIGNS))
    add_weighted(signs, columns, sums)
    return (sums[:, : n_resamples - unit * SIGNS],)
