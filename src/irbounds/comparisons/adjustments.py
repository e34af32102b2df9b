"""Adjustments of p-values for a family of comparisons: Holm, Benjamini and Hochberg.

Twenty comparisons of equal systems give one p-value below 0.05 on average. Adjusted p-values below
0.05 control an error rate of the whole family:

- Holm: the probability that any true null hypothesis of the family is rejected is at most 5 %, if
  each p-value is valid.
- Benjamini and Hochberg: of the rejected hypotheses at most 5 % are true on average, if the tests
  are independent or positively dependent. This is weaker and detects more differences.

A comparison without a p-value (NaN) is not a test: it stays NaN and is not counted in the family.

Reference: Holm (1979); Benjamini and Hochberg (1995).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def holm(p_values: Floats) -> Floats:
    """Multiply the k-th smallest of m by m - k + 1; no result is smaller than the one before it."""
    return _adjust_known(_holm, p_values)


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Multiply the k-th smallest of m by m / k; no result is larger than the one after it."""
    return _adjust_known(_benjamini_hochberg, p_values)


def _adjust_known(adjust: Callable[[Floats], Floats], p_values: Floats) -> Floats:
    """Adjust the p-values that are not NaN, sorted in rising order."""
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    adjusted[order] = np.minimum(adjust(p_values[order]), 1.0)
    return adjusted


def _holm(ordered: Floats) -> Floats:
    factors = np.arange(ordered.size, 0, -1)
    return np.maximum.accumulate(ordered * factors)


def _benjamini_hochberg(ordered: Floats) -> Floats:
    m = ordered.size
    scaled = ordered * m / np.arange(1, m + 1)
    return np.minimum.accumulate(scaled[::-1])[::-1]


ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": np.copy,
}
