"""The most conservative prior: the one from which a sample is expected to teach most.

Before the sample, the number R of relevant documents in a stratum of N has a beta-binomial prior
with alpha = beta. Dyer and Pierce (1993) choose the alpha whose expected information gain, the mean
divergence of posterior from prior over the samples that can come, is largest (Webber 2013,
Equation 20). That gain is the mutual information of R and the number x of relevant documents in the
sample,

    D(alpha) = H(x) - sum over k of P(R = k) H(x | R = k),

where H is entropy, R is beta-binomial on N and x on n, and x given R = k is hypergeometric. The
conditional entropies do not depend on alpha: once they are known for (N, n), the double sum of
Equation 20 is two single ones, and so is its slope. D rises to its maximum and falls from there (it
is called concave, but well beyond the maximum it is not), so the slope has one root between 0 and
1, which is found by bracketing.

The entropy of a hypergeometric count is the same for k and N - k and for n and N - n, so a quarter
of the table is computed.

Bounds are the paper's: N is taken as 1,000 at most and n as 800 at most, or, where fewer than 200
documents are left unsampled, as 1,000 less those. Beyond them alpha hardly moves (Figure 8). With
one sampled document alpha goes to 0: the posterior would be certain that all documents are like
that one.

When not to use: With a few sampled documents, the most conservative prior is too weak and the
intervals are too short: its name refers to the information gained, not to the interval. With one
sampled document the prior would be 0, and 0.5 is used instead, with a warning.
"""

from __future__ import annotations

import math
import warnings
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln, xlogy

from ..errors import DegenerateSampleWarning
from .roots import reached_at

Floats = NDArray[np.float64]

MOST_POPULATION = 1000
MOST_SAMPLED = 800
FALLBACK = 0.5  # where no prior is the most conservative one
UNIFORM = 1.0
LEAST = 1e-6  # the slope is still positive here for every sample of two or more
TOLERANCE = 1e-10


def most_conservative_prior(population: float, sampled: float) -> float:
    """The alpha = beta of the most conservative prior; counts are rounded to whole ones.

    Where everything is sampled every prior gives the same posterior, and the answer is 1, from
    which most is learnt; where nothing is sampled nothing is learnt, and it is 0.5.
    """
    whole, drawn = round(population), round(sampled)
    if drawn == whole and whole:
        return UNIFORM
    if drawn == 1:
        warnings.warn(
            f"1 document sampled of {whole:,}: the most conservative prior collapses to 0, which "
            f"is certain that the others are like this one; {FALLBACK} is used instead",
            DegenerateSampleWarning,
            stacklevel=2,
        )
    if drawn <= 1:
        return FALLBACK
    return _most_informative(*_bounded(whole, drawn))


def information_gain(population: int, sampled: int, alpha: float) -> float:
    """What the sample is expected to teach of R, in nats (Equation 20 with alpha = beta)."""
    entropies = _entropies(population, sampled)
    counts = _beta_binomial(sampled, alpha)
    prior = _beta_binomial(population, alpha)
    return float(-xlogy(counts, counts).sum() - prior @ entropies)


def _bounded(population: int, sampled: int) -> tuple[int, int]:
    """The sizes that stand for larger ones (section 2.8)."""
    most = min(population, MOST_POPULATION)
    left = population - sampled
    if left < MOST_POPULATION - MOST_SAMPLED:
        return most, min(sampled, MOST_POPULATION - left)
    return most, min(sampled, MOST_SAMPLED)


@lru_cache(maxsize=4096)
def _most_informative(population: int, sampled: int) -> float:
    """Where the information gain, as a function of log(alpha), stops to rise."""
    entropies = _entropies(population, sampled)

    def fall(log_alpha: float) -> float:
        return -_slope(population, sampled, log_alpha, entropies)

    low, high = math.log(LEAST), math.log(UNIFORM)
    found = reached_at(fall, low, high, at_low=fall(low), at_high=fall(high), tolerance=TOLERANCE)
    return math.exp(found)


def _slope(population: int, sampled: int, log_alpha: float, entropies: Floats) -> float:
    """The slope of the information gain in alpha; the masses' own slopes add up to 0."""
    alpha = math.exp(log_alpha)
    counts = _beta_binomial(sampled, alpha)
    prior = _beta_binomial(population, alpha)
    of_counts = counts * _log_slopes(sampled, alpha)
    of_prior = prior * _log_slopes(population, alpha)
    return float(-of_counts @ np.log(counts) - of_prior @ entropies)


def _beta_binomial(n: int, alpha: float) -> Floats:
    """Masses of 0 to n with alpha = beta (Equation 16)."""
    k = np.arange(n + 1.0)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    chances = gammaln(k + alpha) + gammaln(n - k + alpha) - gammaln(n + 2 * alpha)
    return np.asarray(np.exp(ways + chances + gammaln(2 * alpha) - 2 * gammaln(alpha)))


def _log_slopes(n: int, alpha: float) -> Floats:
    """Slopes in alpha of the logarithms of these masses."""
    k = np.arange(n + 1.0)
    of_counts = digamma(k + alpha) + digamma(n - k + alpha) - 2 * digamma(n + 2 * alpha)
    return np.asarray(of_counts + 2 * digamma(2 * alpha) - 2 * digamma(alpha))


def _entropies(population: int, sampled: int) -> Floats:
    """Entropy of the sample's relevant count for every number of relevant documents, 0 to N."""
    drawn = min(sampled, population - sampled)
    logs = gammaln(np.arange(population + 1) + 1.0)
    k = np.arange(population // 2 + 1)[:, None]
    x = np.arange(drawn + 1)
    inside = logs[k] - logs[x] - logs[np.maximum(k - x, 0)]  # nothing else can be below 0 here
    outside = logs[population - k] - logs[drawn - x] - logs[population - k - drawn + x]
    every = logs[population] - logs[drawn] - logs[population - drawn]
    chances = np.where(x <= k, inside + outside - every, -np.inf)
    half = np.asarray(-(np.exp(chances) * np.where(x <= k, chances, 0)).sum(axis=1))
    return np.concatenate((half, half[: (population + 1) // 2][::-1]))
