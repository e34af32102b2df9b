"""Limits for three uncertain strata or more, by Fisher's combination of p-values with weights.

Each stratum has the p-value of its sample for a yield. If yields are true, p-values are uniform or,
being discrete, larger, so the sum of -w ln p exceeds the critical value with a probability of at
most alpha (Good 1955). Weights depend on the design only: on populations, sizes of samples and
segments. Yields are rejected where the sum is larger.

The limit is the value that the objective reaches for all yields that are not rejected. Whether it
reaches a value is a linear function of the yields. Its minimum has a lower bound by Lagrangian
duality, so that the limit is guaranteed even where the bound is not the minimum. Large strata are
tabulated at some of their yields, and the smallest surprise between two of them is used.

Reference: Good (1955), Journal of the Royal Statistical Society B 17.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .uncertain_strata import ROUNDING, Part, Problem, find_first

Floats = NDArray[np.float64]

MAX_POINTS = 1024  # yields of a stratum at which a p-value is tabulated
MAX_SURPRISE = 60.0  # -ln of a p-value beyond which yields are rejected in any combination
MIN_WEIGHT = 0.05  # of a stratum, relative to the largest weight
MAX_TERMS = 5000  # of the series for the critical value
NEGLIGIBLE = 1e-6  # the part of alpha at which the series ends
WEIGHT_POWER = 0.7  # of the expected standard deviation of a stratum's yield
#: expected standard deviation of a document's relevance, by whether it is retrieved
EXPECTED_DEVIATIONS = {True: 0.5, False: 0.1}
EXPECTED_VALUE = 0.75  # of recall, F or precision
BISECTIONS = 48


def solve_many_strata(problem: Problem, alpha: float) -> float:
    """Return the largest value that the objective reaches for all yields that are not rejected."""
    tables = [_tabulate_surprise(part) for part in problem.parts]
    weights = _choose_weights(problem)
    critical = find_critical_value(weights, alpha)
    low = problem.value(*(part.count for part in problem.parts))
    high = problem.value(*(part.highest for part in problem.parts))
    # recall is not defined without a relevant document; its objective is between -1 and 1
    low, high = low if math.isfinite(low) else -1.0, high if math.isfinite(high) else 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if _smallest_margin(problem, tables, weights, critical, middle) >= 0:
            low = middle
        else:
            high = middle
    return low


def _smallest_margin(
    problem: Problem,
    tables: Sequence[tuple[Floats, Floats]],
    weights: Floats,
    critical: float,
    value: float,
) -> float:
    """Return a lower bound of a linear function that is at least 0 where the objective >= value."""
    retrieved, unretrieved, constant = problem.ratio.linear(problem.sign * value)
    slopes = {True: problem.sign * retrieved, False: problem.sign * unretrieved}
    fixed = problem.sign * (
        retrieved * problem.known[0] + unretrieved * problem.known[1] + constant
    )
    terms: list[tuple[Floats, Floats]] = []
    for part, (quantities, surprises), weight in zip(problem.parts, tables, weights, strict=True):
        slope = slopes[part.retrieved]
        if part.is_flipped:
            fixed += slope * part.population
            slope = -slope
        terms.append((slope * quantities, weight * surprises))
    return fixed + _maximise_dual(terms, critical)


def _maximise_dual(terms: Sequence[tuple[Floats, Floats]], critical: float) -> float:
    """Return the largest Lagrangian lower bound of a sum of costs with limited surprise."""

    def bound(log_multiplier: float) -> float:
        multiplier = math.exp(log_multiplier)
        return sum(float((cost + multiplier * surprise).min()) for cost, surprise in terms) - (
            multiplier * critical
        )

    golden = (math.sqrt(5) - 1) / 2
    low, high = -40.0, 40.0
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = bound(left), bound(right)
    best = max(at_left, at_right, sum(float(cost.min()) for cost, _ in terms))
    for _ in range(BISECTIONS):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = bound(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = bound(left)
        best = max(best, at_left, at_right)
    return best


@lru_cache(maxsize=256)  # quantities of one sample have the same strata
def _tabulate_surprise(part: Part) -> tuple[Floats, Floats]:
    """Return values of Q, and the smallest -ln p from each of them to the next one.

    Yields with a larger value than ``MAX_SURPRISE`` are rejected in any case.
    """
    start = part.least(math.exp(-MAX_SURPRISE))
    stop = find_first(start, part.highest, lambda q: part.upper_tail(q) > 1 - ROUNDING)
    n_steps = min(MAX_POINTS, stop - start + 1)
    # closer together where p-values are large, unless every yield has its own
    fractions = np.linspace(0.0, 1.0, n_steps)
    distances = fractions if n_steps == stop - start + 1 else fractions**2
    quantities = np.unique(np.round(stop - (stop - start) * distances)).astype(np.int64)
    surprises = np.array([-math.log(part.upper_tail(int(q))) for q in quantities])
    is_single = np.append(np.diff(quantities) == 1, True)
    return quantities.astype(np.float64), np.where(
        is_single, surprises, np.append(surprises[1:], 0.0)
    )


def _choose_weights(problem: Problem) -> Floats:
    """Return weights by the expected standard deviation that each stratum adds to the quantity."""
    retrieved, unretrieved, _ = problem.ratio.linear(EXPECTED_VALUE)
    slopes = {True: abs(retrieved), False: abs(unretrieved)}
    deviations = np.array(
        [
            slopes[part.retrieved] * EXPECTED_DEVIATIONS[part.retrieved]
            * part.population * math.sqrt((1 - part.sampled / part.population) / part.sampled)
            for part in problem.parts
        ]
    )  # fmt: skip
    relative: Floats = (deviations / deviations.max()) ** WEIGHT_POWER
    return np.maximum(relative, MIN_WEIGHT)


def find_critical_value(weights: Floats, alpha: float) -> float:
    """Return the value that a weighted sum of exponential variables exceeds with chance alpha.

    The sum is a mixture of gamma variables with the smallest weight as their scale (Moschopoulos
    1985), whose terms are all positive.
    """
    scale = float(weights.min())
    ratios = 1 - scale / weights
    powers = np.power(ratios[:, None], np.arange(1, MAX_TERMS)[None, :]).sum(axis=0)
    masses = np.zeros(MAX_TERMS)
    masses[0] = total = float(np.prod(scale / weights))
    n = 1
    while n < MAX_TERMS and total < 1 - max(alpha * NEGLIGIBLE, ROUNDING):
        masses[n] = float((powers[:n] * masses[n - 1 :: -1][:n]).sum()) / n
        total += masses[n]
        n += 1
    masses, shapes = masses[:n], len(weights) + np.arange(n)
    rest = max(1 - total, 0.0)  # counted as beyond any value

    def chance(value: float) -> float:
        return float((masses * special.gammaincc(shapes, value / scale)).sum()) + rest

    low, high = 0.0, float(weights.sum()) * 60
    for _ in range(2 * BISECTIONS):
        middle = (low + high) / 2
        if chance(middle) > alpha:
            low = middle
        else:
            high = middle
    return high
