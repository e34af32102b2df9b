"""Matched moments: an approximate distribution with the exact mean and variance.

The position of a score between the lowest and the highest possible score is taken to have normal
log-odds (a logit-normal distribution), with the two parameters that give the exact mean and
variance. Of beta, gamma, lognormal, normal and logit-normal distributions with these two moments it
was the closest to exact and simulated distributions of AP in nearly all cases;
`docs/validation/published-bestgen.md` has the errors.

When not to use it: where a relevant document at the first rank would be a rare event, that is, for
few relevant documents among very many. Then most of the variance comes from rankings that hardly
ever happen, and the two moments do not determine the usual scores. The result's ``warning`` states
this.
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
from ..measurement.first_relevant import log_none_found
from ..measurement.populations import Numbers, Population
from .monte_carlo import can_draw
from .p_values import TOLERANCE, ScoreDistribution

Floats = NDArray[np.float64]

MIN_AT_FIRST_RANK = 0.25  # relevant documents expected at the first rank, over all queries
MANY_QUERIES = 10  # their mean is smooth in any measure
MAX_ATOM = 0.002  # probability of a single score that a smooth distribution cannot represent
STEPS = 50  # of bisection
MIN_SPREAD, MAX_SPREAD = 1e-9, 50.0  # standard deviations of the log-odds
NODES = np.linspace(-12.0, 12.0, 241)  # of a standard normal, to integrate over
MASSES = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()


@dataclass(frozen=True, eq=False, repr=False)
class MatchedMoments(ScoreDistribution):
    """A logit-normal distribution between the lowest and the highest score."""

    method: ClassVar[str] = "matched-moments"

    mean: float
    standard_deviation: float
    #: the lowest and the highest score of any ranking
    low: float
    high: float
    #: why the approximation is poor here; None where it is not known to be
    warning: str | None = None
    #: the probability of one ranking: no possible score has a smaller one
    min_probability: float = 0.0

    @cached_property
    def _log_odds(self) -> tuple[float, float] | None:
        """Mean and standard deviation of the log-odds; None where all rankings score the same."""
        width = self.high - self.low
        if width <= TOLERANCE or self.standard_deviation <= TOLERANCE * width:
            return None
        return _fit_log_odds((self.mean - self.low) / width, self.standard_deviation / width)

    def at_most(self, score: float) -> float:
        """Return the probability of this score or a lower one."""
        if self._log_odds is None:
            return float(score * (1 + TOLERANCE) >= self.mean)
        if score >= self.high:
            return 1.0
        floor = self.min_probability if score * (1 + TOLERANCE) >= self.low else 0.0
        return max(float(ndtr(self._deviate(score))), floor)

    def at_least(self, score: float) -> float:
        """Return the probability of this score or a higher one."""
        if self._log_odds is None:
            return float(score * (1 - TOLERANCE) <= self.mean)
        if score <= self.low:
            return 1.0
        floor = self.min_probability if score * (1 - TOLERANCE) <= self.high else 0.0
        return max(float(ndtr(-self._deviate(score))), floor)

    def lowest_reaching(self, probability: float) -> float:
        """Return the score with this probability at or below it."""
        if self._log_odds is None:
            return self.mean
        centre, spread = self._log_odds
        odds = centre + spread * ndtri(probability)
        return float(self.low + (self.high - self.low) * expit(odds))

    def _deviate(self, score: float) -> float:
        """Return the standard normal deviate of a score."""
        assert self._log_odds is not None
        centre, spread = self._log_odds
        position = (score - self.low) / (self.high - self.low)
        return float((logit(min(max(position, 0.0), 1.0)) - centre) / spread)


def ranking_probability(population: Population) -> float:
    """Return the probability of one ranking, among all that differ in the ranks of the grades."""
    left = np.asarray(population.n_documents)
    logs = np.zeros(left.shape)
    for count in population.counts:
        # adds the logarithm of "left choose count", without loss of digits for large numbers
        logs -= np.log1p(left) + betaln(count + 1, left - count + 1)
        left = left - count
    with np.errstate(over="ignore"):
        rankings = np.rint(np.exp(logs.sum()))
    # 0 would mean that there is no such ranking
    return max(float(1 / rankings), sys.float_info.min)


def describe_poor_fit(measure: Measure, population: Population) -> str | None:
    """Return why matched moments are a poor approximation here; None where that is not known."""
    advice = (
        "use monte-carlo"
        if can_draw(measure, population)
        else "use it as a guide, or give the measure a cutoff"
    )
    relevant = population.n_relevant(measure.gaining_grade)
    first = float(np.sum(relevant / np.maximum(population.n_documents, 1)))
    if first < MIN_AT_FIRST_RANK:
        return (
            f"matched-moments is rough here: {first:.2g} relevant documents are expected at rank 1 "
            f"over all queries, and it needs {MIN_AT_FIRST_RANK:g} ({advice})"
        )
    scored = population.ranks_seen(measure.cutoff)
    is_smooth = (
        measure.is_smooth and _probability_of_uniform(population, relevant, scored) < MAX_ATOM
    )
    if np.size(population.n_documents) < MANY_QUERIES and not is_smooth:
        return (
            f"matched-moments is rough for {measure.name} of fewer than {MANY_QUERIES} queries, "
            f"whose distribution has large steps ({advice})"
        )
    return None


def _probability_of_uniform(population: Population, relevant: Numbers, scored: Numbers) -> float:
    """Return the probability that the scored ranks are all relevant, or all not relevant.

    It is the larger of the two, and the product over queries. No score of a measure whose ranks
    have different weights is much more likely. Queries without relevant documents, or without
    others, are left out.
    """
    documents, ranks = np.asarray(population.n_documents), np.asarray(scored)
    either = np.asarray(relevant), documents - relevant
    logs = np.maximum(*(log_none_found(documents, number, ranks) for number in either))
    varies = np.minimum(*either) > 0
    return float(np.exp(np.sum(logs, where=varies))) if varies.any() else 0.0


def _fit_log_odds(mean: float, deviation: float) -> tuple[float, float]:
    """Return mean and standard deviation of the log-odds of positions with these moments."""
    low, high = np.log(MIN_SPREAD), np.log(MAX_SPREAD)
    for _ in range(STEPS):
        middle = (low + high) / 2
        spread = float(np.exp(middle))
        positions = expit(_fit_centre(mean, spread) + spread * NODES)
        if np.sqrt(MASSES @ (positions - mean) ** 2) < deviation:
            low = middle
        else:
            high = middle
    spread = float(np.exp((low + high) / 2))
    return _fit_centre(mean, spread), spread


def _fit_centre(mean: float, spread: float) -> float:
    """Return the mean of log-odds with this spread for positions with this mean."""
    # bounds of the distance between the log-odds of the mean position and the mean log-odds
    middle = float(logit(mean))
    low, high = middle - 12 * spread - spread**2, middle + 12 * spread + spread**2
    for _ in range(STEPS):
        centre = (low + high) / 2
        if MASSES @ expit(centre + spread * NODES) < mean:
            low = centre
        else:
            high = centre
    return (low + high) / 2
