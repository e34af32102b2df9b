"""Studentised bootstrap test of a mean difference.

The differences are shifted to a mean of 0, queries are drawn from them with replacement, and each
resample gives a t statistic of its own; the p-value is (1 + hits) / (1 + draws), with a hit where
it is at least as far out as the observed one. It is the counterpart of the studentised interval
and shares its resamples, so the two agree but for the 1 in numerator and denominator.

A resample that draws one query n times has no spread; its t is infinite, and a hit. With few
queries these add up, and p cannot become small.

Differences that are all 0 have the p-value 1: nothing differs. Others that are all equal, or one
query alone, have no spread to resample and no p-value.

Reference: Efron and Tibshirani (1993), section 16.4; for retrieval, Sakai (SIGIR 2006).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..intervals.sample import Sample, scale_of
from ..intervals.studentised import studentised_ratios
from ..parallel.work import count_progress
from ..resampling.queries import bootstrap_queries, unit_of
from ..validation import Alternative
from .pairs import Pairs
from .plan import Plan, PValues

Floats = NDArray[np.float64]

CLOSE = 1e-9  # t statistics that differ by less, as a share of theirs, are the same


def bootstrap_test(pairs: Pairs, plan: Plan) -> PValues:
    """The p-value of every pair."""
    chunks = pairs.chunks(2 * plan.n_resamples)  # means and their standard errors
    n_units = -(-plan.n_resamples // unit_of(pairs.n))
    step = count_progress(
        plan.progress, plan.n_resamples, step=plan.n_resamples / (n_units * len(chunks))
    )
    values, drawn = np.empty(len(pairs)), np.empty(len(pairs), np.bool_)
    for part in chunks:
        differences = pairs.differences(part)
        differences = differences / scale_of(differences)
        bootstrap = bootstrap_queries(
            differences, plan.n_resamples, plan.seed, standard_errors=True, progress=step
        )
        sample = Sample(differences, bootstrap.means, bootstrap.standard_errors)
        values[part] = _p_values(sample, plan.alternative)
        drawn[part] = ~sample.is_constant
    return PValues(values, drawn)


def _p_values(sample: Sample, alternative: Alternative) -> Floats:
    ratios = studentised_ratios(sample)
    with np.errstate(invalid="ignore"):
        t = sample.mean / sample.standard_error  # NaN where there is no spread
    if alternative == "two-sided":
        ratios, t = np.abs(ratios), np.abs(t)
    elif alternative == "less":
        ratios, t = -ratios, -t
    hits = np.count_nonzero(ratios >= (t - CLOSE * np.abs(t))[:, None], axis=1)
    p = np.where(sample.is_constant, np.nan, (1 + hits) / (1 + ratios.shape[1]))
    return np.where((sample.scores == 0).all(axis=1), 1.0, p)
