"""Assurance: the probability that a planned sample shows a recall.

"Recall is at least x" is shown if the lower end of the interval is x or more. For known numbers of
relevant documents the probability of that is a sum over all pairs of counts that the two samples
may have.

The lower end falls with every relevant document in the unretrieved sample, and rises with every
one in the retrieved sample. So for a count r1 there is a largest r0 that shows x, its reach, and
the assurance is the sum over r1 of its probability times that of at most its reach. The reach is
found by bisection, first at some r1, then between its values at these. For the posterior, a sample
shows x if the probability of a recall below x is less than the tail: there is no quantile to solve
for, and limits that are exactly x count. Normal intervals need not be monotonic, so for these all
pairs are tried.

The sum is exact for up to ``MAX_ROWS`` likely r1. Beyond that, one count has a probability of
about one percent at most, and the reach is interpolated between every second or third r1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..samples.vectorised import posterior_limits
from .recall_exact import LIKELY
from .recall_exact import shows_recall as exact_shows_recall
from .recall_widths import (
    CELLS,
    EXACT_METHOD,
    POSTERIOR_METHOD,
    Analysis,
    PredictedCounts,
    SamplePrediction,
    Sizes,
    cross_counts,
    interval_ends,
    make_counts,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
#: whether samples with these counts (samples, 2) show a recall
Shows = Callable[[Floats], Booleans]

RARE = 1e-12  # r1 with a smaller probability are left out
MAX_ROWS = 400  # r1 whose reach is found
STRIDE = 16  # from one r1 to the next that is tried first
MAX_PAIRS = 1 << 20  # that are tried one by one
ROUNDING = 1e-13  # of a probability, as in ``samples/posterior.py``


def compute_assurance(
    analysis: Analysis, prediction: SamplePrediction, sampled: Sizes, recall: float
) -> float:
    """Return the probability that the lower end of the interval is at least a given recall."""
    cases = prediction.predict_counts(sampled)

    def shows(pairs: Floats) -> Booleans:
        return shows_recall(analysis, prediction.segment_sizes, sampled, pairs, recall)

    is_monotonic = analysis.method == POSTERIOR_METHOD
    if analysis.method == EXACT_METHOD or (not is_monotonic and _count_pairs(cases) <= MAX_PAIRS):
        return sum(case.weight * _sum_pairs(case, shows) for case in cases)
    rows = _choose_rows([case.retrieved for case in cases])
    highest = math.ceil(max(case.unretrieved[0][-1] for case in cases))
    reach = _find_reach(rows, highest, shows)
    return sum(case.weight * _sum_rows(case, rows, reach) for case in cases)


def shows_recall(
    analysis: Analysis, size: Sizes, sampled: Sizes, pairs: Floats, recall: float
) -> Booleans:
    """Return whether the lower end is at least a recall, for counts (samples, 2) of one design."""
    if analysis.method == EXACT_METHOD:
        is_shown = np.empty(len(pairs), dtype=np.bool_)
        for inside in np.unique(pairs[:, 0]).tolist():
            rows = pairs[:, 0] == inside
            is_shown[rows] = exact_shows_recall(
                inside,
                pairs[rows, 1],
                size[1],
                sampled[1],
                analysis.tail,
                recall,
                credit_found=analysis.credit_found,
            )
        return is_shown
    if analysis.method != POSTERIOR_METHOD:
        # samples without a relevant document may have no interval, and then show no recall
        return np.asarray(interval_ends(analysis, size, sampled, pairs)[0] >= recall)
    counts, priors = make_counts(size, sampled, pairs), analysis.priors(size, sampled)
    below = posterior_limits(counts, priors, [], recall, max_cells=CELLS).below
    return np.asarray(below < analysis.tail - ROUNDING)


def _count_pairs(cases: Sequence[PredictedCounts]) -> int:
    return sum(len(case.retrieved[0]) * len(case.unretrieved[0]) for case in cases)


def _sum_pairs(case: PredictedCounts, shows: Shows) -> float:
    """Return the probability of all pairs that show the recall."""
    pairs, masses = cross_counts(case.retrieved, case.unretrieved)
    likely = masses > LIKELY
    return float(masses[likely] @ shows(pairs[likely]))


def _choose_rows(distributions: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return all counts that matter for any guess, or some that are evenly spaced."""
    likely = np.concatenate([counts[masses > RARE] for counts, masses in distributions])
    rows = np.arange(likely.min(), likely.max() + 1)
    if len(rows) <= MAX_ROWS:
        return rows
    return np.unique(np.rint(np.linspace(rows[0], rows[-1], MAX_ROWS)))


def _find_reach(rows: Floats, highest: int, shows: Shows) -> Integers:
    """Return the largest r0 that shows the recall for each r1; -1 if none does."""
    places = np.unique(np.append(np.arange(0, len(rows), STRIDE), len(rows) - 1))
    reach = _bisect(
        rows[places], np.full(len(places), -1), np.full(len(places), highest + 1), shows
    )
    every = np.arange(len(rows))
    before = np.searchsorted(places, every, "right") - 1
    after = np.searchsorted(places, every, "left")
    return _bisect(rows, reach[before], reach[after] + 1, shows)


def _bisect(rows: Floats, low: Integers, high: Integers, shows: Shows) -> Integers:
    """Return the largest r0 from ``low`` to before ``high`` that shows the recall, for each r1."""
    low, high = low.astype(np.int64), high.astype(np.int64)
    while (places := np.flatnonzero(high - low > 1)).size:
        middle = (low[places] + high[places]) // 2
        is_shown = shows(np.stack([rows[places], middle.astype(np.float64)], axis=-1))
        low[places[is_shown]] = middle[is_shown]
        high[places[~is_shown]] = middle[~is_shown]
    return low


def _sum_rows(case: PredictedCounts, rows: Floats, reach: Integers) -> float:
    """Return the assurance for one guess, given the reach of some r1."""
    counts, masses = case.retrieved
    others, other_masses = case.unretrieved
    below = np.concatenate([[0.0], np.cumsum(other_masses)])
    largest = np.floor(np.interp(counts, rows, reach))
    return float(masses @ below[np.searchsorted(others, largest, side="right")])
