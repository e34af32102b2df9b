"""Power of the paired t test and width of the t interval, for a number of queries.

A true mean difference of d, with standard deviation s of the differences over queries, gives the t
statistic of n queries a noncentral t distribution with n - 1 degrees of freedom and noncentrality
d sqrt(n) / s. Power is the probability that it exceeds the critical value. This is exact for
independent normal differences; for others it is as good as the t test itself. Two-sided power
counts both tails, so that a difference of 0 has the power 1 - confidence_level.

The noncentral t probability is computed here as an average over the estimated spread: given that
the sample's standard deviation is u times the true one, power is a normal probability, and u has
the distribution of chi / sqrt(df). The integrand is smooth, so that Gauss-Legendre quadrature
between its bends is exact to about 13 digits for any n and any noncentrality. Series for this
distribution lose digits, or fail, in the far tails and for very many queries.

The standard deviation is taken as known. An estimated one is itself uncertain: with n queries by
about 70 / sqrt(n) percent, and the number of queries needed by twice that.

Reference: Johnson, Kotz and Balakrishnan (1995), chapter 31.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import ParameterError
from ..validation import Alternative

Floats = NDArray[np.float64]

FAR = 12.0  # standard deviations beyond which a density is negligible
NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)
MAX_NONCENTRALITY = 1e20  # in place of infinity
MAX_QUERIES = 10**15  # far beyond any test collection, and exact as a double


@overload
def detectable_difference(
    standard_deviation: float,
    n: int,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> float: ...
@overload
def detectable_difference(
    standard_deviation: Floats,
    n: int,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> Floats: ...
def detectable_difference(
    standard_deviation: Floats | float,
    n: int,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> Floats | float:
    """Return the smallest true mean difference that a paired t test of n queries detects.

    ``power`` is the probability of detecting it. The difference has no sign and is in the direction
    of ``alternative``. It is NaN for fewer than two queries, and 0 where the false-alarm rate
    reaches the power.
    """
    effect = math.nan if n < 2 else _detectable_effect(n, confidence_level, power, alternative)
    return standard_deviation * effect


def queries_for_difference(
    standard_deviation: float,
    difference: float,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> int:
    """Return the smallest number of queries with which a paired t test detects a true difference.

    ``power`` is the probability of detecting it. The standard deviation of the differences and the
    difference are greater than 0.
    """
    effect = difference / standard_deviation
    tail = _outside(confidence_level, alternative)
    # the answer for a known standard deviation, at which the search begins
    reach = float(special.ndtri(1 - tail) + special.ndtri(power))
    return _find_fewest(
        lambda n: power_of(effect, n, confidence_level, alternative) >= power,
        max(reach, 0.0) / effect if effect else math.inf,
        f"difference {difference:g}",
    )


def queries_for_half_width(
    standard_deviation: float, half_width: float, confidence_level: float
) -> int:
    """Return the smallest number of queries whose t interval has at most this half width.

    The standard deviation is taken as known. That of a sample varies, and about half of all samples
    of this many queries give a wider interval.
    """
    reach = float(special.ndtri(1 - _outside(confidence_level, "two-sided")))
    return _find_fewest(
        lambda n: expected_half_width(standard_deviation, n, confidence_level) <= half_width,
        reach * (standard_deviation / half_width),
        f"half width {half_width:g}",
    )


def expected_half_width(standard_deviation: float, n: int, confidence_level: float) -> float:
    """Return t(1 - alpha/2, n - 1) s / sqrt(n); NaN for fewer than two queries."""
    if n < 2:
        return math.nan
    return _critical_value(n, confidence_level, "two-sided") * standard_deviation / math.sqrt(n)


def power_of(effect: float, n: int, confidence_level: float, alternative: Alternative) -> float:
    """Return the power of n queries for a true mean of ``effect`` standard deviations."""
    noncentrality = effect * math.sqrt(n)
    critical = _critical_value(n, confidence_level, alternative)
    return _power(noncentrality, n - 1, critical, both_tails=alternative == "two-sided")


@lru_cache(maxsize=1024)
def _detectable_effect(
    n: int, confidence_level: float, power: float, alternative: Alternative
) -> float:
    """Return the true mean, in standard deviations, that n queries detect with this power."""
    if power <= 1 - confidence_level:
        return 0.0
    critical = _critical_value(n, confidence_level, alternative)
    both = alternative == "two-sided"
    low, high = 0.0, 1.0
    while high < MAX_NONCENTRALITY and _power(high, n - 1, critical, both_tails=both) < power:
        low, high = high, 2 * high
    # power grows with noncentrality: bisect down to adjacent doubles
    while low < (middle := (low + high) / 2) < high:
        enough = _power(middle, n - 1, critical, both_tails=both) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high / math.sqrt(n)


def _power(noncentrality: float, df: int, critical: float, *, both_tails: bool) -> float:
    """Return P(T > critical) of a noncentral t, plus P(T < -critical) where both tails count."""
    bend, width = (noncentrality / critical, 1 / abs(critical)) if critical else (1.0, 1.0)
    spread, weights = _quadrature(df, bend, width)
    detected = special.ndtr(noncentrality - critical * spread)
    if both_tails:
        detected = detected + special.ndtr(-noncentrality - critical * spread)
    return float(detected @ weights / weights.sum())


def _quadrature(df: int, bend: float, width: float) -> tuple[Floats, Floats]:
    """Return values of chi / sqrt(df) with their weights, for a function that bends at ``bend``."""
    own = 1 / math.sqrt(2 * df)
    least, most = max(-1.0, -FAR * own), FAR * own
    inner = (bend - 1 - FAR * width, bend - 1, bend - 1 + FAR * width)
    ends = np.array([least, *(min(max(end, least), most) for end in inner), most])
    halves = np.diff(ends)[:, None] / 2
    deviation = ends[:-1, None] + halves * (1 + NODES)
    # log density up to a constant, of the deviation from 1, to avoid cancellation
    density = np.exp(special.xlog1py(df - 1, deviation) - df * (deviation + deviation**2 / 2))
    return (1 + deviation).ravel(), (halves * WEIGHTS * density).ravel()


def _critical_value(n: int, confidence_level: float, alternative: Alternative) -> float:
    return float(special.stdtrit(n - 1, 1 - _outside(confidence_level, alternative)))


def _outside(confidence_level: float, alternative: Alternative) -> float:
    """Return the probability of one tail."""
    return (1 - confidence_level) / (2 if alternative == "two-sided" else 1)


def _find_fewest(is_enough: Callable[[int], bool], root: float, target: str) -> int:
    """Return the smallest n >= 2 that is enough, for a condition that more queries never break.

    ``root`` squared is near the answer.
    """
    low, high = 1, max(2, math.ceil(min(root * root, MAX_QUERIES)))
    while not is_enough(high):
        low, high = high, 2 * high
        if low >= MAX_QUERIES:
            raise ParameterError(f"{target} would take more than {MAX_QUERIES:,} queries")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
