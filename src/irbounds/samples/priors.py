"""Priors on the prevalence of a stratum, among them the most conservative prior.

A prior is Beta(alpha, beta). ``0.5``, the default, means alpha = beta = 0.5, which has the best
coverage in Webber's experiments. ``"uniform"`` is alpha = beta = 1. ``"most-conservative"`` is the
prior from which the sample is expected to give most information, and differs between strata. Two
numbers are alpha and beta.

The most conservative prior
---------------------------
It has the alpha = beta with the largest expected information gain (Webber 2013, Equation 20), which
is the mutual information of R and the number x of relevant documents in the sample,

    D(alpha) = H(x) - sum over k of P(R = k) H(x | R = k).

R is beta-binomial on N and x on n, and x given R = k is hypergeometric. The conditional entropies
do not depend on alpha, so the slope is two single sums. It has one root between 0 and 1, which is
found by bracketing. The bounds of N and n are the paper's; beyond them alpha hardly changes (Figure
8). With one sampled document alpha goes to 0.

The pull of priors
------------------
Every stratum has its own prior. A stratum whose sample contains no relevant document is still
expected to contain (N - n) alpha / (n + alpha + beta) relevant documents. Over many strata these
expectations add up faster than the spread does. The pull is their sum in standard deviations of
the segment's yield; a single stratum reaches 0.7. Strata whose samples contain only relevant
documents have the same pull in the other direction.

When not to use uniform: The uniform prior is not neutral: it expects half of a large unretrieved
segment to be relevant before any document is seen. This understates recall where hardly any
document is relevant.

When not to use most-conservative: With a few sampled documents, the most conservative prior is too
weak and the intervals are too short: its name refers to the information gained, not to the
interval. With one sampled document the prior would be 0, and 0.5 is used instead, with a warning.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln

from ..errors import DegenerateSampleWarning, ParameterError, quote
from .counts import Counts
from .roots import find_crossing

Floats = NDArray[np.float64]

MIN_PARAMETER, MAX_PARAMETER = 1e-6, 1e6  # of alpha and beta
MAX_POPULATION = 1000
MAX_SAMPLED = 800
FALLBACK = 0.5  # where there is no most conservative prior
UNIFORM = 1.0
MIN_ALPHA = 1e-6  # the slope is still positive here for every sample of two or more
TOLERANCE = 1e-10
MIN_EMPTY = 3  # fewer strata with empty samples have no pull


@dataclass(frozen=True)
class Prior:
    """A prior for every stratum; ``pair`` is None for the most conservative prior."""

    name: str
    pair: tuple[float, float] | None

    def of(self, population: float, sampled: float) -> tuple[float, float]:
        """Return alpha and beta for a stratum."""
        if self.pair is not None:
            return self.pair
        both = most_conservative_prior(population, sampled)
        return both, both


def parse_prior(prior: Any) -> Prior:
    """Return the prior of an option: a name, a number or ``ALPHA,BETA``; None is the default."""
    text = "0.5" if prior is None else str(prior)
    if text == "uniform":
        return Prior(text, (UNIFORM, UNIFORM))
    if text == "most-conservative":
        return Prior(text, None)
    numbers = text.split(",")
    try:
        alpha, beta = map(float, numbers * 2 if len(numbers) == 1 else numbers)
    except ValueError:
        alpha = beta = math.nan
    if not all(MIN_PARAMETER <= number <= MAX_PARAMETER for number in (alpha, beta)):
        raise ParameterError(
            f"prior must be 'uniform', 'most-conservative', a number from {MIN_PARAMETER:g} to "
            f"{MAX_PARAMETER:g} or two of them, ALPHA,BETA; got {quote(prior)}"
        )
    return Prior(f"{alpha:.15g}" if alpha == beta else f"{alpha:.15g},{beta:.15g}", (alpha, beta))


def most_conservative_prior(population: float, sampled: float) -> float:
    """Return the alpha = beta of the most conservative prior; counts are rounded to integers.

    If everything is sampled, every prior gives the same posterior, and the result is 1, with the
    largest gain. If nothing is sampled, there is no gain, and the result is 0.5.
    """
    size, drawn = round(population), round(sampled)
    if drawn == size and size:
        return UNIFORM
    if drawn == 1:
        warnings.warn(
            f"1 document sampled of {size:,}: the most conservative prior would be 0, which is "
            f"certain that the other documents are like this one; {FALLBACK} is used instead",
            DegenerateSampleWarning,
            stacklevel=2,
        )
    if drawn <= 1:
        return FALLBACK
    return _maximise_gain(*_bound_sizes(size, drawn))


def _bound_sizes(population: int, sampled: int) -> tuple[int, int]:
    """Return the sizes that are used in place of larger ones (section 2.8)."""
    bounded = min(population, MAX_POPULATION)
    left = population - sampled
    if left < MAX_POPULATION - MAX_SAMPLED:
        return bounded, min(sampled, MAX_POPULATION - left)
    return bounded, min(sampled, MAX_SAMPLED)


@lru_cache(maxsize=4096)
def _maximise_gain(population: int, sampled: int) -> float:
    """Return the alpha with the largest information gain, found as a root in log(alpha)."""
    entropies = _entropies(population, sampled)

    def negative_slope(log_alpha: float) -> float:
        return -_gain_slope(population, sampled, log_alpha, entropies)

    low, high = math.log(MIN_ALPHA), math.log(UNIFORM)
    log_alpha = find_crossing(
        negative_slope,
        low,
        high,
        at_low=negative_slope(low),
        at_high=negative_slope(high),
        tolerance=TOLERANCE,
    )
    return math.exp(log_alpha)


def _gain_slope(population: int, sampled: int, log_alpha: float, entropies: Floats) -> float:
    """Return the slope of the information gain in alpha; the slopes of the masses sum to 0."""
    alpha = math.exp(log_alpha)
    counts = _beta_binomial(sampled, alpha)
    prior = _beta_binomial(population, alpha)
    of_counts = counts * _log_slopes(sampled, alpha)
    of_prior = prior * _log_slopes(population, alpha)
    return float(-of_counts @ np.log(counts) - of_prior @ entropies)


def _beta_binomial(n: int, alpha: float) -> Floats:
    """Return the masses of 0 to n with alpha = beta (Equation 16)."""
    k = np.arange(n + 1.0)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    products = gammaln(k + alpha) + gammaln(n - k + alpha) - gammaln(n + 2 * alpha)
    return np.asarray(np.exp(ways + products + gammaln(2 * alpha) - 2 * gammaln(alpha)))


def _log_slopes(n: int, alpha: float) -> Floats:
    """Return the slopes in alpha of the logarithms of these masses."""
    k = np.arange(n + 1.0)
    of_counts = digamma(k + alpha) + digamma(n - k + alpha) - 2 * digamma(n + 2 * alpha)
    return np.asarray(of_counts + 2 * digamma(2 * alpha) - 2 * digamma(alpha))


def _entropies(population: int, sampled: int) -> Floats:
    """Return the entropy of x for every number of relevant documents R, 0 to N."""
    drawn = min(sampled, population - sampled)
    logs = gammaln(np.arange(population + 1) + 1.0)
    k = np.arange(population // 2 + 1)[:, None]
    x = np.arange(drawn + 1)
    inside = logs[k] - logs[x] - logs[np.maximum(k - x, 0)]  # no other index can be negative
    outside = logs[population - k] - logs[drawn - x] - logs[population - k - drawn + x]
    total = logs[population] - logs[drawn] - logs[population - drawn]
    log_masses = np.where(x <= k, inside + outside - total, -np.inf)
    half = np.asarray(-(np.exp(log_masses) * np.where(x <= k, log_masses, 0)).sum(axis=1))
    return np.concatenate((half, half[: (population + 1) // 2][::-1]))


def prior_pull(segment: Counts, prior: Prior, *, full: bool = False) -> float:
    """Return the pull of a segment's strata without relevant documents in their samples.

    With ``full``, that of strata whose samples contain only relevant documents. It is 0 if there
    are fewer than ``MIN_EMPTY`` such strata.
    """
    left = segment.population - segment.sampled
    open_strata = left > 0
    empty = open_strata & (segment.relevant == (segment.sampled if full else 0))
    empty &= segment.sampled > 0 if full else True
    if np.count_nonzero(empty) < MIN_EMPTY:
        return 0.0
    alpha, beta = np.array(
        [
            prior.of(float(N), float(n))
            for N, n in zip(segment.population, segment.sampled, strict=True)
        ]
    ).T
    a, b = alpha + segment.relevant, beta + segment.sampled - segment.relevant
    total = a + b
    means = left * (b if full else a) / total
    variances = left * a * b * (total + left) / (total**2 * (total + 1))
    return float(means[empty].sum() / np.sqrt(variances[open_strata].sum()))
