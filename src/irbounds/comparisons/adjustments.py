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
    adjusted, order = _sort_known(p_values)
    scaled = p_values[order] * np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted


def benjamini_hochberg(p_values: Floats) -> Floats:
    """Multiply the k-th smallest of m by m / k; no result is larger than the one after it."""
    adjusted, order = _sort_known(p_values)
    scaled = p_values[order] * order.size / np.arange(1, order.size + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return adjusted


def _sort_known(p_values: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return an array of NaN to fill, and the places of the p-values that are not NaN, rising."""
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    return np.full(p_values.shape, np.nan), order


ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": np.copy,
}
