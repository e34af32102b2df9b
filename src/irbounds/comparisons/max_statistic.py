"""Adjusted p-values from the largest difference that chance gives: the randomised Tukey HSD.

If no system differs from another, each could have had any of a query's scores. Within every query
the scores of all systems are shuffled among the systems, and the largest difference of two means is
noted: over all pairs the range of the means, against a baseline the largest difference from it. A
pair's adjusted p-value is (1 + hits) / (1 + draws), with a hit where a draw's largest difference is
at least the pair's own. It looks at scores and not at the pairs' p-values, so it is the same for
every ``test``.

It knows how the comparisons hang together, which Holm's adjustment does not, and its least p-value
is 1 / (1 + draws) for any number of systems. The chance of finding any difference where there is
none at all is at most the level. What it does not know is that pairs differ in their spread: all
are held against one distribution, so a small but steady difference of two like systems is hard to
find.

Reference: Carterette (TOIS 2012); Westfall and Young (1993). With two systems this is
the sign-flip test.
"""

from __future__ import annotations

import warnings
from functools import partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning
from ..parallel.work import count_progress
from ..resampling.label_shuffles import UNIT, shuffle_labels
from ..validation import Alternative
from .pairs import Pairs
from .plan import Plan

Floats = NDArray[np.float64]


def max_statistic(pairs: Pairs, plan: Plan) -> Floats:
    """The adjusted p-value of every pair."""
    warn_of_too_few(plan.n_resamples, plan.confidence_level)
    step = count_progress(plan.progress, plan.n_resamples, step=UNIT)
    statistic = (
        range_of_means
        if pairs.baseline is None
        else partial(largest_from, baseline=pairs.baseline, alternative=plan.alternative)
    )
    largest = shuffle_labels(pairs.centred, plan.n_resamples, plan.seed, statistic, progress=step)
    largest.sort()
    observed = {"two-sided": np.abs(pairs.means), "greater": pairs.means, "less": -pairs.means}
    reach = observed[plan.alternative] - pairs.closeness
    hits = largest.size - np.searchsorted(largest, reach, side="left")
    return np.asarray((1 + hits) / (1 + largest.size))


def warn_of_too_few(n_resamples: int, confidence_level: float) -> None:
    """Say where even no hit among the draws could show a difference."""
    least = ceil(round(1 / (1 - confidence_level), 9)) - 1
    if n_resamples < least:
        warnings.warn(
            f"{n_resamples:,} draws cannot show any difference at this level; n_resamples must be "
            f"at least {least:,} for that",
            DegenerateSampleWarning,
            stacklevel=4,
        )


def range_of_means(means: Floats) -> Floats:
    """The largest difference of any two."""
    return np.asarray(means.max(axis=1) - means.min(axis=1))


def largest_from(means: Floats, *, baseline: int, alternative: Alternative) -> Floats:
    """The largest difference from one system, in the direction of the alternative."""
    others = np.delete(means, baseline, axis=1) - means[:, [baseline]]
    if alternative == "two-sided":
        others = np.abs(others)
    elif alternative == "less":
        others = -others
    return np.asarray(others.max(axis=1))
