"""Sign-flip test, also called Fisher's randomisation test, of a mean difference.

If either system could have had either score of each query, every difference could as well have had
the other sign. The p-value is the fraction of all choices of signs that give a mean at least as
extreme as the observed one. It assumes nothing about the distribution of the differences.

Up to 30 differences other than 0 all choices are counted, 2**30 of them, from the sums of two
halves. For more, random signs are drawn: p = (1 + hits) / (1 + draws), which is never below
1 / (1 + draws). Differences of 0 have no sign and do not change the fraction. Where all are 0, p is
1. A mean that equals the observed one except for rounding is a hit.

One random sign is drawn per query, the same for all pairs of systems: the flipped mean of a
difference is the difference of two flipped means, so that all pairs of S systems need S columns
only.

Reference: Fisher (1935), chapter 3; for retrieval, Smucker, Allan and Carterette (CIKM 2007). The
1 in numerator and denominator: Davison and Hinkley (1997), section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..kernels.weighted_sums import add_weighted, unpack_signs
from ..parallel.work import Arrays, bind, count_progress, fill_arrays, layout_of, run_work
from ..resampling.query_bootstrap import ADDING
from ..resampling.seeds import Purpose, stream
from ..validation import Alternative, Progress
from ._kernels import count_signed_sums
from .pairs import AT_ONCE, Pairs, Plan, PValues

Floats = NDArray[np.float64]

MAX_EXACT = 30  # differences other than 0 up to which every choice of signs is counted
PAIRS = 32  # per unit of exact tests
SIGNS = 64  # per unit of random signs: one random word per query


def sign_flip(pairs: Pairs, plan: Plan) -> PValues:
    """Return the p-value of every pair."""
    values = np.empty(len(pairs))
    drawn = np.empty(len(pairs), np.bool_)
    for part in pairs.chunks():
        differences = pairs.differences(part)
        drawn[part] = many = np.count_nonzero(differences, axis=1) > MAX_EXACT
        if not many.all():
            closeness = pairs.closeness[part][~many] * pairs.n
            values[part][~many] = exact_p_values(
                differences[~many], closeness, plan.alternative, plan.progress
            )
    if drawn.any():
        values[drawn] = _random_p_values(pairs, np.flatnonzero(drawn), plan)
    return PValues(values, drawn)


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
    work = bind(
        count_unit,
        "exact sign-flip tests",
        options={"alternative": alternative},
        inputs={"differences": "the scores"},
        differences=differences,
        thresholds=thresholds,
    )
    cost = PAIRS * 2.0 ** (MAX_EXACT / 2 + 2)
    step = count_progress(progress, len(differences), step=PAIRS)
    layout = layout_of(PAIRS, counts)
    fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=step), counts)
    fractions: Floats = counts / 2.0 ** np.count_nonzero(differences, axis=1)
    return np.minimum(2 * fractions, 1.0) if alternative == "two-sided" else fractions


def count_unit(unit: int, *, differences: Floats, thresholds: Floats) -> Arrays:
    """Return the number of signed sums of each of a unit's rows that reach its threshold."""
    part = slice(unit * PAIRS, (unit + 1) * PAIRS)
    counts = np.zeros(len(differences[part]), np.int64)
    count_signed_sums(differences[part], thresholds[part], MAX_EXACT, counts)
    return (counts,)


def _random_p_values(pairs: Pairs, places: NDArray[np.intp], plan: Plan) -> Floats:
    """Return (1 + hits) / (1 + draws) of the pairs at these places, all with the same signs."""
    step = count_progress(plan.progress, plan.n_signs, step=SIGNS)
    flipped = flip_signs(pairs.centred, plan.n_signs, plan.seed, progress=step)
    hits = np.empty(len(places))
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
    return np.asarray((1 + hits) / (1 + plan.n_signs))


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
    work = bind(
        flip_unit,
        "drawn sign-flip tests",
        options={"n_resamples": n_resamples, "seed": seed},
        inputs={"columns": "the scores"},
        columns=columns,
        n_resamples=n_resamples,
        seed=seed,
    )
    cost = n * SIGNS * (1 + ADDING * n_systems)
    layout = layout_of(SIGNS, means)
    n_units = -(-n_resamples // SIGNS)
    fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=progress), means)
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
