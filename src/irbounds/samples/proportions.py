"""Intervals on a proportion by name, and how often they cover.

What a method promises is its coverage: the probability, for a given true prevalence, that a sample
gives an interval which holds it. At a sample size of n there are only n + 1 samples to look at, so
coverage is a sum and not a simulation (Figures 4 to 7), and its mean over all prevalences a sum of
beta integrals.

Reference: Webber (2013), sections 2.5 to 2.7.

Wald interval of a proportion: p -+ z sqrt(p (1 - p) / n).

The textbook interval, with poor coverage wherever p is near 0 or 1. With a finite population the
variance is multiplied by 1 - n/N. The ends are left as they come. Without a sample there is no
interval.

Its mean coverage at n = 20 for 95 % is 84.6 %. The paper states 85.1 %, and n as the divisor; with
n - 1, the unbiased variance, it is 85.05 %, so that seems to be what was computed there.

When not to use wald: With few relevant documents, Wald's interval is far too short. Where none or
all are relevant it is a single point.

Reference: Webber (2013), section 2.6, Equation 11.

Wilson's score interval of a proportion.

It keeps every proportion that the sample is within z standard errors of, with the standard error
that this proportion itself would give. That makes it lopsided in the right way and keeps it within
0 and 1; it is among the best of two-sided intervals. With a finite population the variance under a
proportion q is q(1 - q)/n (N - n)/(N - 1), that of the hypergeometric distribution, which comes
down to a smaller z. Without a sample it is 0 to 1.

When not to use wilson: The coverage of Wilson's interval is nominal on average, not for each
fraction: near 0 and 1 it can be lower. Its one-sided limits are biased.

Reference: Webber (2013), section 2.6, Equation 12; mean coverage 95.3 % at n = 20 for 95 %.

Jeffreys interval of a proportion: quantiles of the posterior with prior Beta(1/2, 1/2).

The lower end is 0 when nothing in the sample is relevant, the upper end 1 when everything is; the
quantiles alone would never reach them. Good coverage on average, on both sides and on each. It is
for populations much larger than the sample: for a finite one the posterior is beta-binomial, and
that is a method of its own. Without a sample it is 0 to 1.

When not to use jeffreys: Jeffreys' interval has no correction for a finite population: where much
of the population was assessed, use beta-binomial. For single fractions near 0 and 1 its coverage
can be lower.

Reference: Webber (2013), section 2.7; mean coverage 95.1 % at n = 20 for 95 %.

Clopper-Pearson interval of a proportion: exact, hence never too short and mostly too long.

The lower limit is the least proportion under which so many relevant documents or more are not too
rare, the upper limit the greatest under which so many or fewer are not. For a large population
these are quantiles of beta distributions. For a finite one the same is asked of every possible
number R of relevant documents, with the hypergeometric distribution, by bisection: about log2 N
sums of probabilities for a limit. Coverage is at least the level for every proportion there is.
Without a sample it is 0 to 1.

When not to use clopper-pearson: Where coverage equal to the level on average is enough, Clopper and
Pearson's interval is wider than necessary: "exact" means coverage of at least the level.

Reference: Clopper and Pearson (1934); Webber (2013), section 2.5; mean coverage 97.7 % at n = 20
for 95 %.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError, ParameterError
from ..results.interval import Limits, Side
from ..validation import check_choice, check_confidence_level, check_count
from .hypergeometric import hypergeometric_cdf
from .point_estimates import NormalLimits, share

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Wald(NormalLimits):
    """Limits p + z s."""

    method: ClassVar[str] = "wald"


def wald(
    population: Floats,
    sampled: Floats,
    relevant: Floats,
    *,
    finite: bool = False,
    unbiased: bool = False,
) -> Wald:
    """Fit to counts; ``unbiased`` divides the variance by n - 1."""
    prevalence = share(relevant, sampled)
    variance = share(prevalence * (1 - prevalence), sampled - 1 if unbiased else sampled)
    if finite:
        variance = variance * (1 - share(sampled, population))
    return Wald(prevalence, np.sqrt(variance))


@dataclass(frozen=True, eq=False)
class Wilson:
    """Limits of the score test."""

    method: ClassVar[str] = "wilson"

    population: Floats
    sampled: Floats
    relevant: Floats
    #: what the variance is multiplied by
    correction: Floats

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability (Equation 12, both sides of it times n)."""
        z = special.ndtri(probability) * np.sqrt(self.correction)
        missed = share(self.relevant * (self.sampled - self.relevant), self.sampled)
        spread = np.where(self.sampled > 0, missed, 0.0) + z**2 / 4
        limit = share(self.relevant + z**2 / 2 + z * np.sqrt(spread), self.sampled + z**2)
        return np.where(self.population > 0, np.clip(limit, 0.0, 1.0), np.nan)


def wilson(
    population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
) -> Wilson:
    """Fit to counts."""
    population, sampled, relevant = np.broadcast_arrays(population, sampled, relevant)
    correction = np.ones(population.shape)
    if finite:  # a sample of the one document there is, is a sample of all: 0/0, and leaves 0
        correction = np.where(population > 1, share(population - sampled, population - 1), 0.0)
    return Wilson(population, sampled, relevant, correction)


@dataclass(frozen=True, eq=False)
class Jeffreys:
    """Quantiles of Beta(r + 1/2, n - r + 1/2), with the ends put to 0 and 1."""

    method: ClassVar[str] = "jeffreys"

    population: Floats
    sampled: Floats
    relevant: Floats

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability: a lower one up to 0.5, an upper one above."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """The same as one end of an interval."""
        irrelevant = self.sampled - self.relevant
        limit = special.betaincinv(self.relevant + 0.5, irrelevant + 0.5, probability)
        if side == "low":
            limit = np.where(self.relevant > 0, limit, 0.0)
        else:
            limit = np.where(irrelevant > 0, limit, 1.0)
        return np.where(self.population > 0, limit, np.nan)


def jeffreys(
    population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
) -> Jeffreys:
    """Fit to counts."""
    if finite:
        raise ParameterError(
            "method 'jeffreys' knows no finite population; its equal there is 'beta-binomial'"
        )
    population, sampled, relevant = np.broadcast_arrays(population, sampled, relevant)
    return Jeffreys(population, sampled, relevant)


@dataclass(frozen=True, eq=False)
class ClopperPearson:
    """Limits of a pair of exact one-sided tests."""

    method: ClassVar[str] = "clopper-pearson"

    population: Floats
    sampled: Floats
    relevant: Floats
    finite: bool

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability: a lower one up to 0.5, an upper one above."""
        return self.limit_at(probability, "low" if probability <= 0.5 else "high")

    def limit_at(self, probability: float, side: Side) -> Floats:
        """The same as one end of an interval, by the test of that side."""
        found = self._finite if self.finite else self._infinite
        return np.where(self.population > 0, found(probability, side), np.nan)

    def _infinite(self, probability: float, side: Side) -> Floats:
        relevant, irrelevant = self.relevant, self.sampled - self.relevant
        if side == "low":
            # the 1 stands in for counts whose limit is settled
            quantile = special.betaincinv(
                np.where(relevant > 0, relevant, 1.0), irrelevant + 1, probability
            )
            return np.where(relevant > 0, quantile, 0.0)
        quantile = special.betaincinv(
            relevant + 1, np.where(irrelevant > 0, irrelevant, 1.0), probability
        )
        return np.where(irrelevant > 0, quantile, 1.0)

    def _finite(self, probability: float, side: Side) -> Floats:
        limits = np.empty(self.relevant.shape)
        known: dict[tuple[int, int, int], float] = {}  # many samples share few counts
        for index in np.ndindex(limits.shape):
            counts = (
                int(self.population[index]),
                int(self.sampled[index]),
                int(self.relevant[index]),
            )
            if counts not in known:
                known[counts] = _finite_limit(*counts, probability, side)
            limits[index] = known[counts]
        return limits


def clopper_pearson(
    population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
) -> ClopperPearson:
    """Fit to counts, which must be whole for a finite population."""
    population, sampled, relevant = np.broadcast_arrays(population, sampled, relevant)
    for values in (population, sampled, relevant) if finite else ():
        whole = values == np.floor(values)
        if not whole.all():
            raise DataError(
                "method 'clopper-pearson' needs whole counts for a finite population; "
                f"got {values[~whole].flat[0]:g}"
            )
    return ClopperPearson(population, sampled, relevant, finite)


def _finite_limit(
    population: int, sampled: int, relevant: int, probability: float, side: Side
) -> float:
    """The limit as a share of the population, by bisection over its relevant documents."""
    least, most = relevant, population - sampled + relevant
    if side == "low":

        def kept(number: int) -> bool:
            fewer = hypergeometric_cdf(relevant - 1, population, number, sampled)
            return 1 - fewer > probability

        number = _first(kept, least, most)
    else:

        def passed(number: int) -> bool:
            fewer = hypergeometric_cdf(relevant, population, number, sampled)
            return fewer <= 1 - probability

        number = _first(passed, least, most + 1) - 1
    return number / population if population else np.nan


def _first(condition: Callable[[int], bool], low: int, high: int) -> int:
    """The least number from low on that fulfils a condition; high is taken to fulfil it."""
    while low < high:
        middle = (low + high) // 2
        if condition(middle):
            high = middle
        else:
            low = middle + 1
    return low


class ProportionMethod(Protocol):
    """Limits of the share of relevant documents, from counts that may be arrays."""

    def __call__(
        self, population: Floats, sampled: Floats, relevant: Floats, *, finite: bool = False
    ) -> Limits:
        """Fit to counts; ``finite`` takes the size of the population into account."""
        ...


PROPORTION_METHODS: dict[str, ProportionMethod] = {
    "wald": wald,
    "wilson": wilson,
    "jeffreys": jeffreys,
    "clopper-pearson": clopper_pearson,
}


def binomial_coverage(
    method: str | ProportionMethod, n: int, prevalences: Any, confidence_level: float = 0.95
) -> Floats:
    """How often an interval from n documents holds the true prevalence, for each of several."""
    low, high = interval_ends(method, n, confidence_level)
    truth = np.asarray(prevalences, dtype=np.float64)[..., None]
    count = np.arange(n + 1.0)
    ways = special.gammaln(n + 1) - special.gammaln(count + 1) - special.gammaln(n - count + 1)
    mass = np.exp(ways + special.xlogy(count, truth) + special.xlog1py(n - count, -truth))
    return np.asarray(np.where((low <= truth) & (truth <= high), mass, 0.0).sum(axis=-1))


def mean_binomial_coverage(
    method: str | ProportionMethod, n: int, confidence_level: float = 0.95
) -> float:
    """Coverage on average over all prevalences from 0 to 1, each as likely as the other."""
    low, high = (np.clip(end, 0.0, 1.0) for end in interval_ends(method, n, confidence_level))
    count = np.arange(n + 1.0)
    inside = special.betainc(count + 1, n - count + 1, high)
    inside = inside - special.betainc(count + 1, n - count + 1, low)
    return float(inside.mean())


def interval_ends(
    method: str | ProportionMethod, n: int, confidence_level: float
) -> tuple[Floats, Floats]:
    """Both ends for each of the n + 1 samples there are."""
    if isinstance(method, str):
        check_choice("method", method, PROPORTION_METHODS)
        method = PROPORTION_METHODS[method]
    n = check_count("n", n)
    confidence_level = check_confidence_level(confidence_level)
    relevant = np.arange(n + 1.0)
    endless = np.full(n + 1, np.inf)
    limits = method(endless, np.full(n + 1, float(n)), relevant)
    outside = (1 - confidence_level) / 2
    return limits.limit(outside), limits.limit(1 - outside)
