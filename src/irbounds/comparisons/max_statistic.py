"""Adjusted p-values from the largest difference under chance: the max-statistic.

This is the randomised Tukey HSD. If no system differs from another, each could have had any of a
query's scores. Within every query the scores are shuffled among the systems, and the largest
difference of two means is recorded: over all pairs the range of the means, with a baseline the
largest difference from it. The adjusted p-value of a pair is (1 + hits) / (1 + draws), where a hit
is a draw whose largest difference is at least that of the pair. It uses the scores and not the
p-values of the pairs, so that it is the same for every ``test``.

Unlike Holm's adjustment it takes into account that the comparisons depend on each other, and its
smallest p-value is 1 / (1 + draws) for any number of systems. The probability of finding any
difference where there is none is at most the level. It does not take into account that pairs differ
in their spread: all are compared with one distribution, so that a small but steady difference of
two similar systems is hard to detect.

Reference: Carterette (TOIS 2012); Westfall and Young (1993). With two systems this is
the sign-flip test.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning
from ..parallel.work import count_progress
from ..presentation.rounding import error_level
from ..resampling.label_shuffles import UNIT, shuffle_labels
from ..validation import Alternative, Progress
from .adjustments import is_undecided
from .pairs import Pairs, Plan, PValues

Floats = NDArray[np.float64]

DRAWS = 9_999  # by default, at least
GROWTH = 4  # of the number of shuffles, while a decision is not certain
MAX_SWAPS = 1e9  # of scores, some seconds


def max_statistic(pairs: Pairs, plan: Plan) -> tuple[PValues, int]:
    """Return the adjusted p-value of every pair, and the number of shuffles."""
    statistic = (
        range_of_means
        if pairs.baseline is None
        else partial(largest_from, baseline=pairs.baseline, alternative=plan.alternative)
    )
    observed = {"two-sided": np.abs(pairs.means), "greater": pairs.means, "less": -pairs.means}
    thresholds = observed[plan.alternative] - pairs.closeness

    def is_certain(low: float, high: float) -> bool:
        return not ((low < thresholds) & (thresholds <= high)).any()

    largest = shuffle_until_certain(
        pairs.centred,
        statistic,
        is_certain,
        n_shuffles=plan.n_shuffles,
        confidence_level=plan.confidence_level,
        seed=plan.seed,
        progress=plan.progress,
    )
    hits = largest.size - np.searchsorted(largest, thresholds, side="left")
    return PValues.from_hits(hits, largest.size), largest.size


def shuffle_until_certain(
    scores: Floats,
    statistic: Callable[[Floats], Floats],
    is_certain: Callable[[float, float], bool],
    *,
    n_shuffles: int | None,
    confidence_level: float,
    seed: int,
    progress: Progress | None,
) -> Floats:
    """Return the largest differences of shuffled means, sorted.

    Without a given number there are ``DRAWS`` shuffles, and four times as many until
    ``is_certain`` for the differences whose significance is within the error of the draws (above
    the first and up to the second argument), or until ``MAX_SWAPS`` would be exceeded.
    """
    n_draws = n_shuffles or DRAWS
    warn_of_too_few_draws(n_draws, confidence_level)
    while True:
        step = count_progress(progress, n_draws, step=UNIT)
        largest = shuffle_labels(scores, n_draws, seed, statistic, progress=step)
        largest.sort()
        more = GROWTH * (n_draws + 1) - 1
        if (
            n_shuffles
            or more * scores.size > MAX_SWAPS
            or is_certain(*find_uncertain_differences(largest, error_level(confidence_level)))
        ):
            return largest
        n_draws = more


def find_uncertain_differences(largest: Floats, level: float) -> tuple[float, float]:
    """Return between which differences the limits of the p-value contain the level.

    These are the differences above the first number and up to the second one.
    """
    n = largest.size
    p = PValues.from_hits(np.arange(n + 1), n)
    fewest, most = np.flatnonzero(is_undecided(p.low, p.high, level))[[0, -1]]
    return (
        float(largest[n - 1 - most]) if most < n else -np.inf,
        float(largest[n - fewest]) if fewest else np.inf,
    )


def warn_of_too_few_draws(n_resamples: int, confidence_level: float) -> None:
    """Warn where even 0 hits among the draws would not be significant."""
    enough = ceil(round(1 / (1 - confidence_level), 9)) - 1
    if n_resamples < enough:
        warnings.warn(
            f"{n_resamples:,} draws cannot detect any difference at this level; n_resamples must "
            f"be at least {enough:,}",
            DegenerateSampleWarning,
            stacklevel=4,
        )


def range_of_means(means: Floats) -> Floats:
    """Return the largest difference of any two means."""
    return np.asarray(means.max(axis=1) - means.min(axis=1))


def largest_from(means: Floats, *, baseline: int, alternative: Alternative) -> Floats:
    """Return the largest difference from the baseline, in the direction of the alternative."""
    others = np.delete(means, baseline, axis=1) - means[:, [baseline]]
    if alternative == "two-sided":
        others = np.abs(others)
    elif alternative == "less":
        others = -others
    return np.asarray(others.max(axis=1))
