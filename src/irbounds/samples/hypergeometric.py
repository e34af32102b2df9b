"""The hypergeometric distribution, accurate for populations of any size, without scipy.stats.

A sample of n documents without replacement out of N, of which R are relevant, contains k relevant
ones with probability C(R, k) C(N - R, n - k) / C(N, n) (Equation 6). Differences of log-factorials
lose six digits at N = 10^9. Ratios of neighbouring probabilities (Equation 7) lose none. They are
multiplied from the most likely count to both sides, over the counts that matter, and divided by
their sum. The probability of counts beyond nine standard deviations plus 60 is below 1e-17.

Reference: Webber (2013), section 2.3.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def hypergeometric_masses(population: int, relevant: int, sampled: int) -> tuple[int, Floats]:
    """Return the first count that matters, and the probabilities from it on, which sum to 1."""
    lowest, highest = max(0, sampled - (population - relevant)), min(sampled, relevant)
    mode = (sampled + 1) * (relevant + 1) // (population + 2)
    prevalence = relevant / population if population else 0.0
    reach = math.ceil(9 * math.sqrt(sampled * prevalence * (1 - prevalence))) + 60
    first, last = max(lowest, mode - reach), min(highest, mode + reach)
    count = np.arange(first, last, dtype=np.float64)
    # Equation 7: the probability of count + 1 over that of count
    ratios = (relevant - count) / (count + 1) * (sampled - count)
    ratios = ratios / (population - relevant - sampled + count + 1)
    above = np.cumprod(ratios[mode - first :])
    below = np.cumprod(1 / ratios[: mode - first][::-1])[::-1]
    masses = np.concatenate([below, [1.0], above])
    return first, masses / masses.sum()


def hypergeometric_cdf(count: int, population: int, relevant: int, sampled: int) -> float:
    """Return the probability of this count or fewer relevant documents in the sample."""
    first, masses = hypergeometric_masses(population, relevant, sampled)
    return float(min(1.0, masses[: max(0, count - first + 1)].sum()))
