"""Wilcoxon's signed-rank test, as scipy computes it.

Differences are replaced by the ranks of their sizes, with their signs. It asks whether differences
lie evenly around 0, not whether their mean is 0: for skewed differences those are two questions,
and this test can find what the interval of the mean does not show. It is here because studies
compare it.

Differences of 0 are left out; there is no continuity correction. Up to 50 differences without ties
among them the p-value is exact; for others scipy decides, by its version. Where all are 0, p is 1.

Reference: Wilcoxon (1945); for retrieval, Urbano, Lima and Hanjalic (SIGIR 2019).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..parallel.work import count_progress
from ..validation import Alternative
from .pairs import Pairs
from .plan import Plan, PValues

Floats = NDArray[np.float64]


def wilcoxon(pairs: Pairs, plan: Plan) -> PValues:
    """The p-value of every pair."""
    step = count_progress(plan.progress, len(pairs))
    values = []
    for part in pairs.chunks():
        for row in pairs.differences(part):
            values.append(_p_value(row[row != 0], plan.alternative))
            if step:
                step()
    return PValues.without_draws(np.array(values))


def _p_value(differences: Floats, alternative: Alternative) -> float:
    from scipy import stats  # slow to load, and needed by this test alone

    if not differences.size:
        return 1.0
    found = stats.wilcoxon(
        differences, zero_method="wilcox", correction=False, alternative=alternative
    )
    return float(found.pvalue)
