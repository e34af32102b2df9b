"""P-values adjusted for a family of comparisons.

Twenty comparisons of equal systems give one p-value below 0.05 on average. An adjusted p-value
below 0.05 keeps its promise for the family as a whole:

- Holm: at most a chance of 5 % that any true null hypothesis of the family is rejected, whatever
  the dependence between the tests.
- Benjamini and Hochberg: of the hypotheses rejected, at most 5 % are true on average, if the tests
  are independent or positively dependent. A weaker promise that finds more.

A comparison without a p-value (NaN) is no test: it stays NaN and is not counted in the family.

Reference: Holm (1979); Benjamini and Hochberg (1995).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def holm(p_values: Floats) -> Floats:
    """The k-th smallest of m times m - k + 1, and no smaller than the one before it."""
    return _of_the_known(_holm, p_values)


def benjamini_hochberg(p_values: Floats) -> Floats:
    """The k-th smallest of m times m / k, and no larger than the one after it."""
    return _of_the_known(_benjamini_hochberg, p_values)


def _of_the_known(adjust: Callable[[Floats], Floats], p_values: Floats) -> Floats:
    """Adjust what is not NaN, handing it over least first."""
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


#: by name; ``"max-statistic"`` is no function of p-values and lives in a file of its own
ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": np.copy,
}
