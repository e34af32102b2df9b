"""An approximation at little cost: a distribution with the exact mean and variance.

A score's place between the lowest and the highest possible score is taken to have normal log-odds
(a logit-normal distribution), with the two parameters that give the exact mean and variance. Of
beta, gamma, lognormal, normal and this one, all with the same two moments, it was the closest to
exact and simulated distributions of AP nearly everywhere;
`docs/random-baseline-distribution.md` has the errors.

When not to use it: where a relevant document at the first rank would be a rare event, that is, for
few relevant documents among very many. Then most of the variance comes from rankings that hardly
ever happen, and no two moments tell what usual ones score. ``caution`` says so in the result.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, expit, logit, ndtr, ndtri

from ..measurement.base import Measure
from ..measurement.chance_measures import chance_parameters
from ..measurement.expectation import ranks_seen
from ..measurement.none_found import log_none_found
from ..measurement.populations import Numbers, Population
from .monte_carlo import can_draw
from .p_values import TOLERANCE, Tails

Floats = NDArray[np.float64]

RARE = 0.25  # relevant documents expected at the first rank, over all queries
MANY = 10  # queries whose mean is smooth in any measure
ALIKE = 0.002  # probability of one score that a smooth distribution cannot show
STEPS = 50  # halvings of an interval
NARROWEST, WIDEST = 1e-9, 50.0  # standard deviations of the log-odds
PLACES = np.linspace(-12.0, 12.0, 241)  # of a standard normal, to integrate over
MASSES = np.exp(-(PLACES**2) / 2) / np.exp(-(PLACES**2) / 2).sum()


@dataclass(frozen=True, eq=False, repr=False)
class MatchedMoments(Tails):
    """Log-odds of the place between two extremes that are normal."""

    method: ClassVar[str] = "matched-moments"

    mean: float
    standard_deviation: float
    #: the lowest and the highest score of any ranking
    low: float
    high: float
    #: why not to trust it here; None where nothing speaks against it
    caution: str | None = None
    #: the probability of one ranking: no score that a ranking has is rarer
    rarest: float = 0.0

    @cached_property
    def _log_odds(self) -> tuple[float, float] | None:
        """Their mean and standard deviation; None where all rankings score the same."""
        width = self.high - self.low
        if width <= TOLERANCE or self.standard_deviation <= TOLERANCE * width:
            return None
        return _fitted((self.mean - self.low) / width, self.standard_deviation / width)

    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""
        if self._log_odds is None:
            return float(score * (1 + TOLERANCE) >= self.mean)
        if score >= self.high:
            return 1.0
        rarest = self.rarest if score * (1 + TOLERANCE) >= self.low else 0.0
        return max(float(ndtr(self._deviate(score))), rarest)

    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""
        if self._log_odds is None:
            return float(score * (1 - TOLERANCE) <= self.mean)
        if score <= self.low:
            return 1.0
        rarest = self.rarest if score * (1 - TOLERANCE) <= self.high else 0.0
        return max(float(ndtr(-self._deviate(score))), rarest)

    def lowest_reaching(self, probability: float) -> float:
        """The score that chance stays at or below with this probability."""
        if self._log_odds is None:
            return self.mean
        centre, spread = self._log_odds
        odds = centre + spread * ndtri(probability)
        return float(self.low + (self.high - self.low) * expit(odds))

    def _deviate(self, score: float) -> float:
        assert self._log_odds is not None
        centre, spread = self._log_odds
        share = (score - self.low) / (self.high - self.low)
        return float((logit(min(max(share, 0.0), 1.0)) - centre) / spread)


def rarest_of(population: Population) -> float:
    """The probability of one ranking, of all that differ in where the grades stand."""
    left = np.asarray(population.n_documents)
    logs = np.zeros(left.shape)
    for count in population.counts:
        # ln of left over count, which large numbers leave all its digits
        logs -= np.log1p(left) + betaln(count + 1, left - count + 1)
        left = left - count
    with np.errstate(over="ignore"):
        rankings = np.rint(np.exp(logs.sum()))
    # 0 would say that there is no such ranking
    return max(float(1 / rankings), sys.float_info.min)


def caution_about(measure: Measure, population: Population) -> str | None:
    """Why matched moments are not to be trusted here; None where nothing speaks against them."""
    others = (
        "use monte-carlo"
        if can_draw(measure, population)
        else "take it as a guide, or give the measure a cutoff"
    )
    name, parameters = chance_parameters(measure)
    rel = parameters.get("rel") or parameters.get("min_rel", 0) + 1
    relevant = population.n_relevant(rel)
    first = float(np.sum(relevant / np.maximum(population.n_documents, 1)))
    if first < RARE:
        return (
            f"matched-moments is rough here: {first:.2g} relevant documents are expected at rank 1 "
            f"over all queries, and it needs {RARE:g} ({others})"
        )
    seen = ranks_seen(population, parameters.get("cutoff"))
    is_smooth = name in ("AP", "nDCG") and _chance_of_one_kind(population, relevant, seen) < ALIKE
    if np.size(population.n_documents) < MANY and not is_smooth:
        return (
            f"matched-moments is rough for {measure.name} of fewer than {MANY} queries, which "
            f"jumps from value to value ({others})"
        )
    return None


def _chance_of_one_kind(population: Population, relevant: Numbers, seen: Numbers) -> float:
    """The probability that the ranks seen of a query hold relevant documents alone, or none.

    The larger of the two, and of several queries the product: no score of a measure that weighs
    ranks differently is much likelier. Queries with one kind of documents only are left out.
    """
    documents, ranks = np.asarray(population.n_documents), np.asarray(seen)
    either = np.asarray(relevant), documents - relevant
    logs = np.maximum(*(log_none_found(documents, kind, ranks) for kind in either))
    varies = np.minimum(*either) > 0
    return float(np.exp(np.sum(logs, where=varies))) if varies.any() else 0.0


def _fitted(mean: float, deviation: float) -> tuple[float, float]:
    """Mean and standard deviation of log-odds whose shares have this mean and deviation."""
    low, high = np.log(NARROWEST), np.log(WIDEST)
    for _ in range(STEPS):
        middle = (low + high) / 2
        spread = float(np.exp(middle))
        shares = expit(_centre(mean, spread) + spread * PLACES)
        if np.sqrt(MASSES @ (shares - mean) ** 2) < deviation:
            low = middle
        else:
            high = middle
    spread = float(np.exp((low + high) / 2))
    return _centre(mean, spread), spread


def _centre(mean: float, spread: float) -> float:
    """The mean of log-odds with this spread whose shares have this mean."""
    # the log-odds of a mean share lie within so much of the mean log-odds
    middle = float(logit(mean))
    low, high = middle - 12 * spread - spread**2, middle + 12 * spread + spread**2
    for _ in range(STEPS):
        centre = (low + high) / 2
        if MASSES @ expit(centre + spread * PLACES) < mean:
            low = centre
        else:
            high = centre
    return (low + high) / 2
