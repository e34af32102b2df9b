"""What a number of queries can show: power of the paired t test, and width of the t interval.

A true mean difference of d, with standard deviation s of the differences over queries, gives the t
statistic of n queries a noncentral t distribution with n - 1 degrees of freedom and noncentrality
d sqrt(n) / s. Power is the chance that it falls beyond the critical value. Exact for independent
normal differences; for others as good as the t test itself. Two-sided power counts both tails, so
a difference of 0 has the power 1 - confidence_level.

The noncentral t probability is computed here as an average over the estimated spread: given that
the sample's standard deviation is u times the true one, power is a normal probability, and u has
the distribution of chi / sqrt(df). The integrand is smooth, so Gauss-Legendre quadrature between
the places where it bends is exact to about 13 digits for any n and any noncentrality; series for
this distribution lose digits, or fail, in the far tails and for very many queries.

A plan takes the standard deviation as known. An observed one is itself uncertain: with n queries
by about 70 / sqrt(n) percent, and the number of queries needed by twice as many.

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

FAR = 12.0  # standard deviations beyond which a density counts as nothing
NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)
FARTHEST = 1e20  # a noncentrality that stands for infinity
MOST_QUERIES = 10**15  # far beyond any test collection, well within the whole numbers of a double


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
    """The smallest true mean difference that a paired t test of n queries shows with this power.

    Given without sign, in the direction of ``alternative``; NaN for fewer than two queries, and 0
    where chance alone has the power.
    """
    effect = math.nan if n < 2 else _standardised_effect(n, confidence_level, power, alternative)
    return standard_deviation * effect


def queries_for_difference(
    standard_deviation: float,
    difference: float,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> int:
    """The fewest queries with which a paired t test shows a true difference with this power.

    Both the standard deviation of the differences and the difference are greater than 0.
    """
    effect = difference / standard_deviation
    tail = _outside(confidence_level, alternative)
    # as if the standard deviation were known: where to begin the search
    reach = float(special.ndtri(1 - tail) + special.ndtri(power))
    return _fewest(
        lambda n: power_of(effect, n, confidence_level, alternative) >= power,
        max(reach, 0.0) / effect if effect else math.inf,
        f"difference {difference:g}",
    )


def queries_for_half_width(
    standard_deviation: float, half_width: float, confidence_level: float
) -> int:
    """The fewest queries whose t interval is expected to be no wider than this to each side.

    Expected in that the standard deviation is taken as known: a sample's own varies, and about half
    of all samples of this many queries give a wider interval.
    """
    reach = float(special.ndtri(1 - _outside(confidence_level, "two-sided")))
    return _fewest(
        lambda n: expected_half_width(standard_deviation, n, confidence_level) <= half_width,
        reach * (standard_deviation / half_width),
        f"half width {half_width:g}",
    )


def expected_half_width(standard_deviation: float, n: int, confidence_level: float) -> float:
    """t(1 - alpha/2, n - 1) s / sqrt(n), to each side of a mean; NaN for fewer than two queries."""
    if n < 2:
        return math.nan
    return _critical_value(n, confidence_level, "two-sided") * standard_deviation / math.sqrt(n)


def power_of(effect: float, n: int, confidence_level: float, alternative: Alternative) -> float:
    """The chance that n queries show a true mean of ``effect`` standard deviations."""
    noncentrality = effect * math.sqrt(n)
    critical = _critical_value(n, confidence_level, alternative)
    return _power(noncentrality, n - 1, critical, both_tails=alternative == "two-sided")


@lru_cache(maxsize=1024)
def _standardised_effect(
    n: int, confidence_level: float, power: float, alternative: Alternative
) -> float:
    """The true mean, in standard deviations, that n queries show with this power."""
    if power <= 1 - confidence_level:
        return 0.0
    critical = _critical_value(n, confidence_level, alternative)
    both = alternative == "two-sided"
    low, high = 0.0, 1.0
    while high < FARTHEST and _power(high, n - 1, critical, both_tails=both) < power:
        low, high = high, 2 * high
    # power grows with noncentrality: halve what is in doubt until doubles end
    while low < (middle := (low + high) / 2) < high:
        enough = _power(middle, n - 1, critical, both_tails=both) >= power
        low, high = (low, middle) if enough else (middle, high)
    return high / math.sqrt(n)


def _power(noncentrality: float, df: int, critical: float, *, both_tails: bool) -> float:
    """P(T > critical), and P(T < -critical) where both tails count, of a noncentral t."""
    bend, width = (noncentrality / critical, 1 / abs(critical)) if critical else (1.0, 1.0)
    spread, weights = _spread(df, bend, width)
    shown = special.ndtr(noncentrality - critical * spread)
    if both_tails:
        shown = shown + special.ndtr(-noncentrality - critical * spread)
    return float(shown @ weights / weights.sum())


def _spread(df: int, bend: float, width: float) -> tuple[Floats, Floats]:
    """Values of chi / sqrt(df) with their weights, for a function that bends at ``bend``."""
    own = 1 / math.sqrt(2 * df)
    least, most = max(-1.0, -FAR * own), FAR * own
    inner = (bend - 1 - FAR * width, bend - 1, bend - 1 + FAR * width)
    ends = np.array([least, *(min(max(end, least), most) for end in inner), most])
    halves = np.diff(ends)[:, None] / 2
    deviation = ends[:-1, None] + halves * (1 + NODES)
    # the log density up to a constant, from the deviation from 1: little cancels for many queries
    density = np.exp(special.xlog1py(df - 1, deviation) - df * (deviation + deviation**2 / 2))
    return (1 + deviation).ravel(), (halves * WEIGHTS * density).ravel()


def _critical_value(n: int, confidence_level: float, alternative: Alternative) -> float:
    return float(special.stdtrit(n - 1, 1 - _outside(confidence_level, alternative)))


def _outside(confidence_level: float, alternative: Alternative) -> float:
    """What is left to one tail."""
    return (1 - confidence_level) / (2 if alternative == "two-sided" else 1)


def _fewest(enough: Callable[[int], bool], root: float, wish: str) -> int:
    """The least n >= 2 that is enough, for a wish that more queries can only help.

    ``root`` squared is about where the answer lies.
    """
    low, high = 1, max(2, math.ceil(min(root * root, MOST_QUERIES)))
    while not enough(high):
        low, high = high, 2 * high
        if low >= MOST_QUERIES:
            raise ParameterError(f"{wish} would take more than {MOST_QUERIES:,} queries")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
