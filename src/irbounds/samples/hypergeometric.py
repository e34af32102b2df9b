"""The hypergeometric distribution, right for populations of any size, without scipy.stats.

A sample of n documents without replacement out of N, of which R are relevant, holds k relevant ones
with probability C(R, k) C(N - R, n - k) / C(N, n) (Equation 6). Differences of log-factorials lose
six digits at N = 10^9. Ratios of neighbouring probabilities (Equation 7) lose none: they are
multiplied up from the likeliest count to both sides, over the counts that matter, and divided by
their sum. What lies outside of nine standard deviations and 60 counts more is below 1e-17.

Reference: Webber (2013), section 2.3.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def hypergeometric_masses(population: int, relevant: int, sampled: int) -> tuple[int, Floats]:
    """The first count that matters, and the probabilities from it on, which sum to 1."""
    least, most = max(0, sampled - (population - relevant)), min(sampled, relevant)
    mode = (sampled + 1) * (relevant + 1) // (population + 2)
    share = relevant / population if population else 0.0
    reach = math.ceil(9 * math.sqrt(sampled * share * (1 - share))) + 60
    first, last = max(least, mode - reach), min(most, mode + reach)
    count = np.arange(first, last, dtype=np.float64)
    # Equation 7: the probability of count + 1 over that of count
    up = (relevant - count) / (count + 1) * (sampled - count)
    up = up / (population - relevant - sampled + count + 1)
    above = np.cumprod(up[mode - first :])
    below = np.cumprod(1 / up[: mode - first][::-1])[::-1]
    masses = np.concatenate([below, [1.0], above])
    return first, masses / masses.sum()


def hypergeometric_cdf(count: int, population: int, relevant: int, sampled: int) -> float:
    """The probability of this count or fewer relevant documents in the sample."""
    first, masses = hypergeometric_masses(population, relevant, sampled)
    return float(min(1.0, masses[: max(0, count - first + 1)].sum()))
