"""Tests of a mean difference: paired t, Wilcoxon's signed ranks, studentised bootstrap.

The sign-flip test is in ``sign_flip``. ``TESTS`` lists all tests by name.

In every test, differences that are all 0 have the p-value 1. For the t test and the bootstrap test,
other differences that are all equal, and a single query, have no spread and no p-value.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..intervals.sample import Sample, scale_of, studentised_ratios
from ..parallel import count_progress
from ..resampling.query_bootstrap import bootstrap_queries, unit_of
from ..validation import Alternative, Progress
from .adjustments import holm
from .pairs import Pairs, Plan, PValues
from .sign_flip import sign_flip

Floats = NDArray[np.float64]

CLOSE = 1e-9  # relative difference of equal t statistics


def paired_t(pairs: Pairs, plan: Plan) -> PValues:
    """Return the p-value of every pair by the paired t test.

    The statistic is the mean difference over its standard error, compared with Student's t
    distribution. The test is exact for independent normal differences. On pairs of real systems
    its error rate is close to nominal from five queries on, and from ten on its p-values hardly
    differ from those of the sign-flip test (docs/validation/error-rates.md). It draws nothing at
    random, so that it has no smallest p-value and suits many comparisons. Its decision is that of
    Student's t interval.

    Reference: Student (1908); for retrieval, Smucker, Allan and Carterette (CIKM 2007).
    """
    parts = [t_p_values(pairs.differences(part), plan.alternative) for part in pairs.chunks()]
    return PValues.without_draws(np.concatenate(parts))


def t_p_values(differences: Floats, alternative: Alternative) -> Floats:
    """Return the p-value of each row by the t test: 1 if all are 0, NaN if all are equal."""
    sample = Sample(differences / scale_of(differences))
    t = sample.mean / sample.standard_error  # NaN where there is no spread
    if alternative == "two-sided":
        p = 2 * special.stdtr(sample.n - 1, -np.abs(t))
    else:
        p = special.stdtr(sample.n - 1, t if alternative == "less" else -t)
    return np.where((differences == 0).all(axis=1), 1.0, p)


def adjust_all_pairs(pairs: Pairs, progress: Progress | None = None) -> Floats:
    """Return the p-values of all pairs, in both orders: system x system, 1 on the diagonal.

    They are those of the paired t test with Holm's adjustment, and decide marks and ranks.
    """
    p_values = np.empty(len(pairs))
    for part in pairs.chunks():
        p_values[part] = t_p_values(pairs.differences(part), "two-sided")
        if progress:
            progress(min(part.stop, len(pairs)), len(pairs))
    adjusted = np.ones((len(pairs.systems),) * 2)
    adjusted[pairs.first, pairs.second] = adjusted[pairs.second, pairs.first] = holm(p_values)
    return adjusted


def wilcoxon(pairs: Pairs, plan: Plan) -> PValues:
    """Return the p-value of every pair by Wilcoxon's signed-rank test, as scipy computes it.

    Differences are replaced by the ranks of their absolute values, with their signs. The null
    hypothesis is that differences are symmetric around 0, not that their mean is 0. For skewed
    differences these are two hypotheses, and this test can reject where the interval of the mean
    contains 0. It is provided because studies compare it.

    Differences of 0 are left out; there is no continuity correction. Up to 50 differences without
    ties among them the p-value is exact; for others the method depends on the version of scipy.

    Reference: Wilcoxon (1945); for retrieval, Urbano, Lima and Hanjalic (SIGIR 2019).
    """
    step = count_progress(plan.progress, len(pairs))
    values = []
    for part in pairs.chunks():
        for row in pairs.differences(part):
            values.append(_wilcoxon_p_value(row[row != 0], plan.alternative))
            if step:
                step()
    return PValues.without_draws(np.array(values))


def _wilcoxon_p_value(differences: Floats, alternative: Alternative) -> float:
    from scipy import stats  # slow to load, and needed by this test only

    if not differences.size:
        return 1.0
    test = stats.wilcoxon(
        differences, zero_method="wilcox", correction=False, alternative=alternative
    )
    return float(test.pvalue)


def bootstrap_test(pairs: Pairs, plan: Plan) -> PValues:
    """Return the p-value of every pair by the studentised bootstrap test.

    The differences are shifted to a mean of 0, queries are drawn from them with replacement, and
    each resample gives a t statistic. The p-value is (1 + hits) / (1 + draws), where a hit is a
    statistic at least as extreme as the observed one. It is the counterpart of the studentised
    interval and uses the same resamples, so that the two agree except for the 1 in numerator and
    denominator.

    A resample that draws one query n times has no spread; its t is infinite, and a hit. With few
    queries there are many of these, and p cannot become small.

    Reference: Efron and Tibshirani (1993), section 16.4; for retrieval, Sakai (SIGIR 2006).
    """
    chunks = pairs.chunks(2 * plan.n_resamples)  # means and their standard errors
    n_units = -(-plan.n_resamples // unit_of(pairs.n))
    step = count_progress(
        plan.progress, plan.n_resamples, step=plan.n_resamples / (n_units * len(chunks))
    )
    limits = np.empty((3, len(pairs)))  # low, value, high
    drawn = np.empty(len(pairs), np.bool_)
    for part in chunks:
        differences = pairs.differences(part)
        differences = differences / scale_of(differences)
        bootstrap = bootstrap_queries(
            differences, plan.n_resamples, plan.seed, standard_errors=True, progress=step
        )
        sample = Sample(differences, bootstrap.means, bootstrap.standard_errors)
        p = PValues.from_hits(_count_bootstrap_hits(sample, plan.alternative), plan.n_resamples)
        constant = np.where((differences == 0).all(axis=1), 1.0, np.nan)
        limits[:, part] = np.where(sample.is_constant, constant, (p.low, p.values, p.high))
        drawn[part] = ~sample.is_constant
    return PValues(limits[1], drawn, limits[0], limits[2])


def _count_bootstrap_hits(sample: Sample, alternative: Alternative) -> NDArray[np.int64]:
    ratios = studentised_ratios(sample)
    with np.errstate(invalid="ignore"):
        t = sample.mean / sample.standard_error  # NaN where there is no spread
    if alternative == "two-sided":
        ratios, t = np.abs(ratios), np.abs(t)
    elif alternative == "less":
        ratios, t = -ratios, -t
    return np.asarray(np.count_nonzero(ratios >= (t - CLOSE * np.abs(t))[:, None], axis=1))


TESTS: dict[str, Callable[[Pairs, Plan], PValues]] = {
    "t": paired_t,
    "sign-flip": sign_flip,
    "wilcoxon": wilcoxon,
    "bootstrap": bootstrap_test,
}
