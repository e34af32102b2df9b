"""Power of the paired t test and of the analysis of variance, and width of the t interval.

A true mean difference d, with standard deviation s of the differences over queries, gives the t
statistic of n queries a noncentral t distribution with n - 1 degrees of freedom and noncentrality
d sqrt(n) / s. Two-sided power counts both tails.

For m systems, the F test of an analysis of variance has noncentrality n d^2 / (2 s^2) where the
best and the worst mean are d / 2 from all others, the hardest case of a difference d (Sakai 2016).
One-way, s^2 is the variance of a system's scores, with m (n - 1) degrees of freedom in the
denominator. Two-way, it is the residual variance, with (m - 1) (n - 1): for two systems this is the
paired t test.

Both probabilities are averages over the estimated spread u of the sample, in units of the true one:
given u they are normal and chi-squared probabilities, and u has the distribution of chi / sqrt(df).
The integrand is smooth, so that Gauss-Legendre quadrature between its bends is exact to about 13
digits for any n and any noncentrality. Series lose digits, or fail, in the far tails and for very
many queries.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import ParameterError
from ..validation import Alternative, Anova

Floats = NDArray[np.float64]

FAR = 12.0  # standard deviations beyond which a density is negligible
NODES, WEIGHTS = np.polynomial.legendre.leggauss(80)
MAX_NONCENTRALITY = 1e20  # in place of infinity
MAX_QUERIES = 10**15  # far beyond any test collection, and exact as a double
MAX_DF = 1e15  # degrees of freedom that are as good as infinitely many
NEARLY_NORMAL = 1e6  # noncentrality beyond which the root of a noncentral chi-squared is normal
PRECISION = 1e-13  # relative, of a noncentrality
NEGLIGIBLE = 1e-18  # of the largest weight: weights that add nothing to a sum


def detectable_difference(
    standard_deviation: float,
    n: int,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> float:
    """Return the smallest true mean difference that a paired t test of n queries detects.

    It is 0 where the false-alarm rate reaches the power.
    """
    return standard_deviation * _detectable_effect(n, confidence_level, power, alternative)


def queries_for_difference(
    standard_deviation: float,
    difference: float,
    confidence_level: float,
    power: float,
    alternative: Alternative,
) -> int:
    """Return the smallest number of queries whose paired t test detects a true difference."""
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
    """Return the smallest number of queries whose expected half width is at most this."""
    reach = float(special.ndtri(1 - _outside(confidence_level, "two-sided")))
    return _find_fewest(
        lambda n: expected_half_width(standard_deviation, n, confidence_level) <= half_width,
        reach * (standard_deviation / half_width),
        f"half width {half_width:g}",
    )


def expected_half_width(standard_deviation: float, n: int, confidence_level: float) -> float:
    """Return t(1 - alpha/2, n - 1) s / sqrt(n)."""
    return _critical_value(n, confidence_level, "two-sided") * standard_deviation / math.sqrt(n)


def detectable_range(
    standard_deviation: float,
    n: int,
    n_systems: int,
    confidence_level: float,
    power: float,
    anova: Anova,
) -> float:
    """Return the smallest true difference of best and worst system that an F test detects.

    It is 0 where the false-alarm rate reaches the power.
    """
    df = _error_df(n, n_systems, anova)
    noncentrality = _detectable_noncentrality(n_systems - 1, df, confidence_level, power)
    return standard_deviation * math.sqrt(2 * noncentrality / n)


def queries_for_range(
    standard_deviation: float,
    difference: float,
    n_systems: int,
    confidence_level: float,
    power: float,
    anova: Anova,
) -> int:
    """Return the smallest number of queries whose F test detects a difference of best and worst."""
    effect = difference / standard_deviation
    # the answer for a known standard deviation, at which the search begins
    known = _detectable_noncentrality(n_systems - 1, MAX_DF, confidence_level, power)
    return _find_fewest(
        lambda n: range_power(effect, n, n_systems, confidence_level, anova) >= power,
        math.sqrt(2 * known) / effect if effect else math.inf,
        f"difference {difference:g}",
    )


def range_power(
    effect: float, n: int, n_systems: int, confidence_level: float, anova: Anova
) -> float:
    """Return the power of the F test where best and worst differ by ``effect`` deviations."""
    df, error_df = n_systems - 1, _error_df(n, n_systems, anova)
    critical = float(special.fdtri(df, error_df, confidence_level))
    return _f_power(n * effect * effect / 2, df, error_df, critical)


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


def _error_df(n: int, n_systems: int, anova: Anova) -> float:
    """Return the degrees of freedom in the denominator of F."""
    factor = n_systems if anova == "one-way" else n_systems - 1
    return min(float(factor) * (n - 1), MAX_DF)


@lru_cache(maxsize=1024)
def _detectable_noncentrality(
    df: int, error_df: float, confidence_level: float, power: float
) -> float:
    """Return the noncentrality at which an F test has this power."""
    if power <= 1 - confidence_level:
        return 0.0
    critical = float(special.fdtri(df, error_df, confidence_level))
    wanted = float(special.ndtri(power))

    def miss(root: float) -> float:
        """Return a function of the root of the noncentrality that is nearly linear near 0."""
        reached = _f_power(root * root, df, error_df, critical)
        return max(min(float(special.ndtri(reached)), FAR), -FAR) - wanted

    low, high, below, above = 0.0, 1.0, miss(0.0), miss(1.0)
    while above < 0 and high < MAX_NONCENTRALITY:
        low, below, high = high, above, 2 * high
        above = miss(high)
    # secants within the bracket; an end that stays is halved, so that the other one moves too
    while high - low > PRECISION * high:
        middle = low - below * (high - low) / (above - below)
        if not low < middle < high:
            break
        value = miss(middle)
        if value < 0:
            low, below, above = middle, value, above / 2
        elif value > 0:
            high, above, below = middle, value, below / 2
        else:
            return middle * middle
    return high * high


def _f_power(noncentrality: float, df: int, error_df: float, critical: float) -> float:
    """Return P(F > critical) of a noncentral F."""
    total = df * critical
    root = math.sqrt(df + noncentrality)
    bend, width = root / math.sqrt(total), 1.0 / math.sqrt(total)
    spread, weights = _quadrature(error_df, bend, width)
    is_used = weights > NEGLIGIBLE * weights.max()
    spread, weights = spread[is_used], weights[is_used]
    if noncentrality > NEARLY_NORMAL:
        detected = special.ndtr(math.sqrt(noncentrality + df - 1) - math.sqrt(total) * spread)
    else:
        detected = 1 - special.chndtr(total * spread * spread, df, noncentrality)
    return min(float(detected @ weights / weights.sum()), 1.0)


def _quadrature(df: float, bend: float, width: float) -> tuple[Floats, Floats]:
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
