"""Tests of a mean difference: paired t and Wilcoxon's signed ranks; ``sign_flip`` has the third.

A test returns the low limit, the value and the high limit of the p-value of every pair: 3 x pair.
The limits differ from the value where sums are counted on a grid.

In every test, differences that are all 0 have the p-value 1. For the t test, other differences that
are all equal, and a single query, have no spread and no p-value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..intervals.sample import Sample, scale_of
from ..parallel import count_progress
from ..validation import Alternative, Progress
from .adjustments import holm
from .pairs import Pairs
from .sign_flip import sign_flip

Floats = NDArray[np.float64]


def paired_t(pairs: Pairs, alternative: Alternative, progress: Progress | None = None) -> Floats:
    """Return the p-value of every pair by the paired t test.

    The statistic is the mean difference over its standard error, compared with Student's t
    distribution. The test is exact for independent normal differences. On pairs of real systems
    its error rate is close to nominal from five queries on, and from ten on its p-values hardly
    differ from those of the sign-flip test (docs/validation/error-rates.md). It draws nothing at
    random, so that it has no smallest p-value and suits many comparisons. Its decision is that of
    Student's t interval.

    Reference: Student (1908); for retrieval, Smucker, Allan and Carterette (CIKM 2007).
    """
    p_values = np.empty(len(pairs))
    for part in pairs.chunks():
        p_values[part] = t_p_values(pairs.differences(part), alternative)
        if progress:
            progress(min(part.stop, len(pairs)), len(pairs))
    return np.tile(p_values, (3, 1))


def t_p_values(differences: Floats, alternative: Alternative) -> Floats:
    """Return the p-value of each row by the t test: 1 if all are 0, NaN if all are equal."""
    sample = Sample(differences / scale_of(differences))
    t = sample.mean / sample.standard_error  # NaN where there is no spread
    p = compute_t_tail(t, sample.n - 1, alternative)
    return np.where((differences == 0).all(axis=1), 1.0, p)


def compute_t_tail(t: Floats, df: Any, alternative: Alternative) -> Floats:
    """Return the probability of a t at least as extreme, with ``df`` degrees of freedom."""
    if alternative == "two-sided":
        return np.asarray(2 * special.stdtr(df, -np.abs(t)))
    return np.asarray(special.stdtr(df, t if alternative == "less" else -t))


def adjust_all_pairs(pairs: Pairs, progress: Progress | None = None) -> Floats:
    """Return the p-values of all pairs, in both orders: system x system, 1 on the diagonal.

    They are those of the paired t test with Holm's adjustment, and decide marks and ranks.
    """
    adjusted = np.ones((len(pairs.systems),) * 2)
    p_values = holm(paired_t(pairs, "two-sided", progress)[1])
    adjusted[pairs.first, pairs.second] = adjusted[pairs.second, pairs.first] = p_values
    return adjusted


def wilcoxon(pairs: Pairs, alternative: Alternative, progress: Progress | None = None) -> Floats:
    """Return the p-value of every pair by Wilcoxon's signed-rank test, as scipy computes it.

    Differences are replaced by the ranks of their absolute values, with their signs. The null
    hypothesis is that differences are symmetric around 0, not that their mean is 0. For skewed
    differences these are two hypotheses, and this test can reject where the interval of the mean
    contains 0. It is provided because studies compare it.

    Differences of 0 are left out; there is no continuity correction. Up to 50 differences without
    ties among them the p-value is exact; for others the method depends on the version of scipy.

    Reference: Wilcoxon (1945); for retrieval, Urbano, Lima and Hanjalic (SIGIR 2019).
    """
    from scipy import stats  # slow to load, and needed by this test only

    step = count_progress(progress, len(pairs))
    p_values = []
    for part in pairs.chunks():
        for row in pairs.differences(part):
            others = row[row != 0]
            p_values.append(
                stats.wilcoxon(others, alternative=alternative).pvalue if others.size else 1.0
            )
            if step:
                step()
    return np.tile(np.array(p_values, np.float64), (3, 1))


TESTS: dict[str, Callable[[Pairs, Alternative, Progress | None], Floats]] = {
    "t": paired_t,
    "sign-flip": sign_flip,
    "wilcoxon": wilcoxon,
}
