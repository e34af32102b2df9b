"""Sign-flip test, also called Fisher's randomisation test, of a mean difference.

If two systems are equally good in the sense that either could have had either score of each query,
every difference could as well have had the other sign. The p-value is the share of all choices of
signs that give a mean at least as far out as the one observed. It assumes nothing about how
differences are distributed, and counts what it claims to count.

Up to 30 differences other than 0 all choices are counted, 2**30 of them, by way of two halves. For
more, random signs are drawn: p = (1 + hits) / (1 + draws), which is never 0 and never smaller than
1 / (1 + draws). Differences of 0 have no sign to flip and change no share. Where all are 0, p is 1.

A mean that equals the observed one but for rounding is a hit.

Reference: Fisher (1935), chapter 3; for retrieval, Smucker, Allan and Carterette (CIKM 2007). The
1 in numerator and denominator: Davison and Hinkley (1997), section 4.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels.signed_sums import count_signed_sums
from ..parallel.work import Arrays, bind, count_progress, fill_arrays, layout_of, run_work
from ..resampling.sign_flips import ROWS, flip_signs
from ..validation import Alternative, Progress
from .pairs import AT_ONCE, Pairs
from .plan import Plan, PValues

Floats = NDArray[np.float64]

EXACT = 30  # differences other than 0 up to which every choice of signs is counted
UNIT = 32  # pairs counted at once


def sign_flip(pairs: Pairs, plan: Plan) -> PValues:
    """The p-value of every pair."""
    values = np.empty(len(pairs))
    drawn = np.empty(len(pairs), np.bool_)
    for part in pairs.chunks():
        differences = pairs.differences(part)
        drawn[part] = many = np.count_nonzero(differences, axis=1) > EXACT
        if not many.all():
            closeness = pairs.closeness[part][~many] * pairs.n
            values[part][~many] = exact_p_values(
                differences[~many], closeness, plan.alternative, plan.progress
            )
    if drawn.any():
        values[drawn] = _drawn_p_values(pairs, np.flatnonzero(drawn), plan)
    return PValues(values, drawn)


def exact_p_values(
    differences: Floats,
    closeness: Floats,
    alternative: Alternative,
    progress: Progress | None = None,
) -> Floats:
    """Shares of all signed sums at least as far out as the sum of each row, up to ``closeness``."""
    observed = differences.sum(axis=1)
    if alternative == "two-sided":
        observed = np.abs(observed)
    elif alternative == "less":
        observed = -observed  # signed sums lie evenly around 0
    thresholds = observed - closeness
    counts = np.empty(len(differences), np.int64)
    n_units = -(-len(differences) // UNIT)
    work = bind(
        count_unit,
        "exact sign-flip tests",
        options={"alternative": alternative},
        inputs={"differences": "the scores"},
        differences=differences,
        thresholds=thresholds,
    )
    cost = UNIT * 2.0 ** (EXACT / 2 + 2)
    step = count_progress(progress, len(differences), step=UNIT)
    layout = layout_of(UNIT, counts)
    fill_arrays(run_work(work, n_units, cost=cost, layout=layout, progress=step), counts)
    shares: Floats = counts / 2.0 ** np.count_nonzero(differences, axis=1)
    return np.minimum(2 * shares, 1.0) if alternative == "two-sided" else shares


def count_unit(unit: int, *, differences: Floats, thresholds: Floats) -> Arrays:
    """How many signed sums of each of a unit's rows reach its threshold."""
    part = slice(unit * UNIT, (unit + 1) * UNIT)
    counts = np.zeros(len(differences[part]), np.int64)
    count_signed_sums(differences[part], thresholds[part], EXACT, counts)
    return (counts,)


def _drawn_p_values(pairs: Pairs, places: NDArray[np.intp], plan: Plan) -> Floats:
    """(1 + hits) / (1 + draws) of the pairs at these places; all pairs share their signs."""
    step = count_progress(plan.progress, plan.n_signs, step=ROWS)
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
