"""Priors on a stratum's prevalence: Beta(alpha, beta), by number, by name or by a rule.

``0.5``, the default, stands for alpha = beta = 0.5, which has the best coverage in Webber's
experiments; ``"uniform"`` is alpha = beta = 1; ``"most-conservative"`` is the prior that leaves
most to be learnt from the sample, different for each stratum; two numbers are alpha and beta.

When not to use uniform: The uniform prior is not neutral: it expects half of a large unretrieved
segment to be relevant before any document is seen. This understates recall where hardly any
document is relevant.

The most conservative prior: the one from which a sample is expected to teach most.

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

When not to use most-conservative: With a few sampled documents, the most conservative prior is too
weak and the intervals are too short: its name refers to the information gained, not to the
interval. With one sampled document the prior would be 0, and 0.5 is used instead, with a warning.

How far the priors of empty samples pull a segment's yield, where there are many strata.

Every stratum has a prior of its own. One whose sample holds nothing relevant is still expected to
hold (N - n) alpha / (n + alpha + beta) relevant documents. For a single stratum that is honest: the
posterior is so wide that 0 is not excluded. But over many strata such expectations add up faster
than the spread does, and if all of these strata are empty indeed, the interval excludes the truth
(Webber 2013, section 3.6, warns of priors that dominate). The pull is that sum in standard
deviations of the segment's yield; one stratum alone reaches 0.7.

With a retrieved stratum of 2,000 and ten unretrieved ones of 20,000 with 100 sampled each, 400
relevant documents all in one of them, the pull is 1.7 and 95 % intervals hold in 15 of 100 samples;
with five such strata it is 1.0, and they hold in 81.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, gammaln, xlogy

from ..errors import DegenerateSampleWarning, ParameterError, quote
from ..validation import as_float
from .counts import Counts
from .roots import reached_at

MIN_PARAMETER, MAX_PARAMETER = 1e-6, 1e6


@dataclass(frozen=True)
class Prior:
    """A prior for each stratum; ``pair`` is None for the most conservative one."""

    name: str
    pair: tuple[float, float] | None

    def of(self, population: float, sampled: float) -> tuple[float, float]:
        """Alpha and beta for a stratum."""
        if self.pair is not None:
            return self.pair
        pass

        both = most_conservative_prior(population, sampled)
        return both, both


def parse_prior(prior: Any) -> Prior:
    """What was given as ``prior``; None is the default."""
    if prior is None:
        return Prior("0.5", (0.5, 0.5))
    if isinstance(prior, str):
        return _named(prior)
    if as_float(prior) is not None:
        return _numbers(prior, (prior, prior))
    try:
        return _numbers(prior, tuple(prior))
    except TypeError:
        raise _refused(prior) from None


def _named(text: str) -> Prior:
    if text == "uniform":
        return Prior(text, (1.0, 1.0))
    if text == "most-conservative":
        return Prior(text, None)
    parts = text.split(",")
    return _numbers(text, tuple(parts) if len(parts) == 2 else (text, text))


def _numbers(given: Any, pair: tuple[Any, ...]) -> Prior:
    try:
        alpha, beta = (float(one) if isinstance(one, str) else as_float(one) for one in pair)
    except ValueError:
        raise _refused(given) from None
    if not (_is_possible(alpha) and _is_possible(beta)):
        raise _refused(given)
    return Prior(f"{alpha:g}" if alpha == beta else f"{alpha:g},{beta:g}", (alpha, beta))


def _is_possible(parameter: float | None) -> TypeGuard[float]:
    return parameter is not None and MIN_PARAMETER <= parameter <= MAX_PARAMETER


def _refused(given: Any) -> ParameterError:
    return ParameterError(
        f"prior must be 'uniform', 'most-conservative', a number from {MIN_PARAMETER:g} to "
        f"{MAX_PARAMETER:g} or two of them, alpha and beta; got {quote(given)}"
    )


Floats = NDArray[np.float64]

MOST_POPULATION = 1000
MOST_SAMPLED = 800
FALLBACK = 0.5  # where no prior is the most conservative one
UNIFORM = 1.0
MIN_ALPHA = 1e-6  # the slope is still positive here for every sample of two or more
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

    low, high = math.log(MIN_ALPHA), math.log(UNIFORM)
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


FEW = 3  # empty samples that are not worth a word


def prior_pull(segment: Counts, prior: Prior) -> float:
    """The pull of a segment's strata whose samples hold nothing relevant; 0 if they are few."""
    left = segment.population - segment.sampled
    open_strata = left > 0
    empty = open_strata & (segment.relevant == 0)
    if np.count_nonzero(empty) < FEW:
        return 0.0
    alpha, beta = np.array(
        [
            prior.of(float(N), float(n))
            for N, n in zip(segment.population, segment.sampled, strict=True)
        ]
    ).T
    a, b = alpha + segment.relevant, beta + segment.sampled - segment.relevant
    total = a + b
    means = left * a / total
    variances = left * a * b * (total + left) / (total**2 * (total + 1))
    return float(means[empty].sum() / np.sqrt(variances[open_strata].sum()))
