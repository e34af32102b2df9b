"""The beta-binomial posterior of recall, and of all quantities that follow from the yields.

The yields R1 of the retrieved segment and R0 of the unretrieved one are independent given the
samples. Recall is R1 / (R1 + R0), so

    P(recall <= t) = sum over R0 of p0(R0) F1(t R0 / (1 - t)),

one pass over a table for every t. Nothing is drawn at random, and there is no seed. Precision, F,
yield, prevalence and elusion are computed in the same way: each is at most v exactly if R1 is at
most a bound that depends on v and R0. Because they come from one pair of tables, the interval of F
takes into account that recall and precision depend on the same R1.

Recall is not defined where both yields are 0. Where this is possible, the posterior is conditional
on at least one relevant document.

``beta-binomial`` (section 3.6) takes into account that documents are drawn without replacement from
a finite number. ``beta-jeffreys`` (section 3.5) uses a beta posterior for the prevalence of the
unsampled documents. ``monte-carlo`` (section 2.9) is the paper's method: it draws pairs of yields
from the beta-binomial posteriors.

Reference: Webber (2013), sections 2.9, 3.5 and 3.6.

When not to use beta-binomial: Where a segment was hardly sampled, the beta-binomial posterior shows
the prior instead of the data. With many strata whose samples contain nothing relevant, the prior
outweighs the samples: merge strata or sample more from each.

When not to use beta-jeffreys: Where much of a segment was assessed, beta-jeffreys is too short: it
ignores that the unsampled part is a finite number of documents.

When not to use monte-carlo: Where the distribution can be computed exactly, random draws are not
needed. Another seed changes quantiles and p-values a little, and a p-value from draws is never
below 1 / (1 + draws).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..resampling.seeds import Purpose, stream
from ..validation import check_fraction
from .counts import Checks, Counts, restrict_to_judged
from .double_sampling import double_sampling_yield
from .priors import Prior
from .roots import find_crossing
from .yields import (
    COARSE_CELLS,
    MAX_COUNTS,
    YieldDistribution,
    add_known,
    beta_binomial_yield,
    beta_yield,
    known_yield,
    sum_yields,
)

Floats = NDArray[np.float64]
#: the largest R1, for each R0, at which a quantity is at most a value
Bound = Callable[[float, Floats], Floats]
#: a value, and the height of a function there
Point = tuple[float, float]
#: the distribution of a stratum's yield, from its population, sampled and relevant documents, and
#: from the counts of a second assessment where strata have them
TabulateYield = Callable[..., YieldDistribution]

PRECISE = 1e-11  # tolerance of a quantile, as a fraction of the range of the quantity
ROUNDING = 1e-13  # tolerance of a probability
FIRST_CELLS = 1 << 11  # enough to find a first guess
AROUND_GUESS = 1e-7  # half the width of the first bracket, as a fraction of the range
ULPS = 4 * np.finfo(np.float64).eps
ALL_CELLS = 1 << 22  # of all strata together, so that thousands of them fit in memory
MIN_CELLS = 1 << 11  # of each stratum, however many there are


@dataclass(frozen=True, eq=False)
class QuantityPosterior:
    """The distribution of one quantity."""

    retrieved: YieldDistribution
    unretrieved: YieldDistribution
    bound: Bound
    #: the quantity as a function of both yields
    formula: Callable[[Floats, Floats], Floats]
    #: the minimum and the maximum possible value
    ends: tuple[float, float] = (0.0, 1.0)
    #: the probability that the quantity is not defined, on which the posterior is conditioned
    undefined: float = 0.0

    def cdf(self, value: float) -> float:
        """Return the probability of this value or less."""
        low, high = self.ends
        if math.isnan(value):
            return math.nan
        if value < low:
            return 0.0
        if value >= high:
            return 1.0
        bounds = self.bound(_nudge_up(value), self.unretrieved.positions)
        # a pairwise sum, without the threads of a matrix product
        probability = float((self.unretrieved.masses * self.retrieved.cdf(bounds)).sum())
        if self.undefined > 1 - PRECISE:
            return math.nan
        return min(max((probability - self.undefined) / (1 - self.undefined), 0.0), 1.0)

    def quantile(self, probability: float) -> float:
        """Return the smallest value that has this probability at or below it."""
        check_fraction("probability", probability)
        if self.undefined > 1 - PRECISE:
            return math.nan
        guess = None
        if max(len(self.retrieved.masses), len(self.unretrieved.masses)) > FIRST_CELLS:
            coarse = self._coarse
            guess = coarse._solve(coarse.cdf, probability, None, AROUND_GUESS)
        return self._round_down(self._solve(self.cdf, probability, guess))

    @cached_property
    def mean(self) -> float:
        """The expectation, from at most ``FIRST_CELLS`` cells per segment."""
        if self.undefined > 1 - PRECISE:
            return math.nan
        first = self.retrieved.coarsen(FIRST_CELLS)
        second = self.unretrieved.coarsen(FIRST_CELLS)
        values = self.formula(first.positions[:, None], second.positions[None, :])
        weights = first.masses[:, None] * second.masses[None, :]
        known = ~np.isnan(values)
        return float((weights[known] * values[known]).sum() / weights[known].sum())

    @cached_property
    def _coarse(self) -> QuantityPosterior:
        return QuantityPosterior(
            self.retrieved.coarsen(FIRST_CELLS),
            self.unretrieved.coarsen(FIRST_CELLS),
            self.bound,
            self.formula,
            self.ends,
            self.undefined,
        )

    def _solve(
        self,
        cdf: Callable[[float], float],
        probability: float,
        guess: float | None,
        precise: float = PRECISE,
    ) -> float:
        """Return the smallest value at which a distribution function reaches a probability."""
        low, high = self.ends

        def height(value: float) -> float:
            return cdf(value) - probability + ROUNDING

        at_low, at_high = height(low), 1 - probability
        if at_low >= 0:
            return low
        if guess is not None:
            low, at_low, high, at_high = _bracket(guess, height, (low, at_low), (high, at_high))
        tolerance = precise * (self.ends[1] - self.ends[0])
        return find_crossing(height, low, high, at_low=at_low, at_high=at_high, tolerance=tolerance)

    def _round_down(self, value: float) -> float:
        """Return the largest possible value up to this one, if every cell is a single count."""
        is_exact = self.retrieved.is_exact and self.unretrieved.is_exact
        if not is_exact or value >= self.ends[1]:
            return value
        others = self.unretrieved.positions
        first, last = self.retrieved.positions[[0, -1]]
        counts = np.minimum(np.floor(self.bound(_nudge_up(value), others)), last)
        possible = counts >= first
        values = self.formula(counts[possible], others[possible])
        return float(np.nanmax(values)) if len(values) else value


@dataclass(frozen=True, eq=False)
class JointPosterior:
    """The posterior distributions of the yields of both segments."""

    retrieved: YieldDistribution
    unretrieved: YieldDistribution
    #: documents in each segment
    retrieved_size: float
    unretrieved_size: float
    #: the estimated number of documents of the retrieved segment that can be judged
    judgeable: float
    #: the yield of the retrieved segment if its population is the documents that can be judged
    judged: YieldDistribution

    def credit(self, credited: int) -> JointPosterior:
        """Return the posterior if unretrieved documents are added to the retrieved set.

        They are relevant documents of the samples, so that they are known to be relevant.
        """
        judged = add_known(self.judged, credited)
        return JointPosterior(
            retrieved=add_known(self.retrieved, credited),
            unretrieved=add_known(self.unretrieved, -credited),
            retrieved_size=self.retrieved_size + credited,
            unretrieved_size=self.unretrieved_size - credited,
            judgeable=self.judgeable + credited,
            judged=judged,
        )

    def recall(self) -> QuantityPosterior:
        """Return the posterior of the fraction of relevant documents that is retrieved."""
        nothing = self.retrieved.at_zero * self.unretrieved.at_zero
        return QuantityPosterior(
            self.retrieved, self.unretrieved, _recall_bound, _recall, undefined=nothing
        )

    def precision(self) -> QuantityPosterior:
        """Return the posterior of the relevant fraction of judgeable retrieved documents."""
        return _segment_prevalence(self.judged, self.judgeable)

    def f1(self) -> QuantityPosterior:
        """Return the posterior of F1, which in yields is 2 R1 / (R1 + R0 + N1)."""
        size = self.judgeable

        def bound(value: float, unretrieved: Floats) -> Floats:
            return np.asarray(value * (unretrieved + size) / (2 - value))

        def formula(retrieved: Floats, unretrieved: Floats) -> Floats:
            if not size:
                return np.full(np.broadcast_shapes(retrieved.shape, unretrieved.shape), np.nan)
            return np.asarray(2 * retrieved / (retrieved + unretrieved + size))

        return QuantityPosterior(
            self.judged, self.unretrieved, bound, formula, undefined=0.0 if size else 1.0
        )

    def total(self) -> QuantityPosterior:
        """Return the posterior of the number of relevant documents in the corpus."""
        size = self.retrieved_size + self.unretrieved_size
        return QuantityPosterior(
            self.retrieved,
            self.unretrieved,
            lambda value, unretrieved: np.asarray(value - unretrieved),
            lambda retrieved, unretrieved: retrieved + unretrieved,
            ends=(0.0, size),
        )

    def prevalence(self) -> QuantityPosterior:
        """Return the posterior of the fraction of the corpus that is relevant."""
        size = self.retrieved_size + self.unretrieved_size
        return QuantityPosterior(
            self.retrieved,
            self.unretrieved,
            lambda value, unretrieved: np.asarray(value * size - unretrieved),
            lambda retrieved, unretrieved: (retrieved + unretrieved) / size,
        )

    def elusion(self) -> QuantityPosterior:
        """Return the posterior of the fraction of unretrieved documents that is relevant."""
        return _segment_prevalence(self.unretrieved, self.unretrieved_size)


def _segment_prevalence(table: YieldDistribution, size: float) -> QuantityPosterior:
    """Return the posterior of the relevant fraction of one segment, whatever the other's yield."""

    def bound(value: float, unretrieved: Floats) -> Floats:
        return np.full(len(unretrieved), value * size)

    return QuantityPosterior(
        table,
        known_yield(0.0),
        bound,
        lambda relevant, other: relevant / size + 0 * other,
        undefined=0.0 if size else 1.0,
    )


def _recall_bound(value: float, unretrieved: Floats) -> Floats:
    return np.asarray(unretrieved * (value / (1 - value)))


def _recall(retrieved: Floats, unretrieved: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(retrieved / (retrieved + unretrieved))


def _nudge_up(value: float) -> float:
    """Return a slightly larger value, so that rounding does not move a bound below its count."""
    return min(value * (1 + ULPS), math.nextafter(1.0, 0.0)) if value < 1 else value * (1 + ULPS)


def _bracket(
    guess: float, height: Callable[[float], float], low: Point, high: Point
) -> tuple[float, float, float, float]:
    """Return a narrow bracket around a guess, widened until it contains the crossing."""
    reach = AROUND_GUESS * (high[0] - low[0])
    ends: Sequence[Point] = (low, high)
    while True:
        left, right = guess - reach, guess + reach
        below = (left, height(left)) if left > ends[0][0] else ends[0]
        above = (right, height(right)) if right < ends[1][0] else ends[1]
        if below[1] < 0 <= above[1]:
            return (*below, *above)
        ends = (ends[0], below) if below[1] >= 0 else (above, ends[1])
        reach *= 32


@dataclass(frozen=True, eq=False)
class PosteriorLimits:
    """Limits that are quantiles of a posterior."""

    method: str
    posterior: QuantityPosterior

    def limit(self, probability: float) -> NDArray[np.float64]:
        """Return the confidence limit of a probability."""
        return np.asarray(self.posterior.quantile(probability))


def beta_binomial_posterior(counts: Counts, prior: Prior) -> JointPosterior:
    """Return beta-binomial posteriors of both yields (Equation 17)."""
    max_cells = min(MAX_COUNTS, max(MIN_CELLS, ALL_CELLS // len(counts.population)))

    def tabulate_yield(
        population: float, sampled: float, relevant: float, checks: Checks | None = None
    ) -> YieldDistribution:
        alpha, beta = prior.of(population, sampled)
        if checks is not None:
            return double_sampling_yield(population, sampled, checks, alpha, beta)
        return beta_binomial_yield(population, sampled, relevant, alpha, beta, max_cells)

    return _make_joint_posterior(counts, tabulate_yield)


def beta_jeffreys_posterior(counts: Counts) -> JointPosterior:
    """Return beta posteriors with Jeffreys' prior, for the unsampled part of each stratum."""
    n_cells = max(MIN_CELLS, COARSE_CELLS // len(counts.population))
    return _make_joint_posterior(counts, partial(beta_yield, n_cells=n_cells))


def _make_joint_posterior(counts: Counts, tabulate_yield: TabulateYield) -> JointPosterior:
    inside, outside = counts.segment(True), counts.segment(False)
    judged = restrict_to_judged(inside)
    retrieved = _sum_segment(inside, tabulate_yield)
    return JointPosterior(
        retrieved=retrieved,
        unretrieved=_sum_segment(outside, tabulate_yield),
        retrieved_size=float(inside.population.sum()),
        unretrieved_size=float(outside.population.sum()),
        judgeable=float(judged.population.sum()),
        judged=retrieved if judged is inside else _sum_segment(judged, tabulate_yield),
    )


def _sum_segment(segment: Counts, tabulate_yield: TabulateYield) -> YieldDistribution:
    """Return the distribution of a segment's yield; strata without documents have none."""
    strata = zip(
        segment.population.tolist(),
        segment.sampled.tolist(),
        segment.relevant.tolist(),
        *([segment.checks] if segment.checks else []),
        strict=True,
    )
    return sum_yields([tabulate_yield(*counts) for counts in strata if counts[0] > 0])


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Limits that are quantiles of random draws."""

    method: ClassVar[str] = "monte-carlo"

    draws: Floats

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability; NaN where no draw has a value."""
        if not len(self.draws):
            return np.asarray(np.nan)
        return np.asarray(np.quantile(self.draws, probability))


def monte_carlo(
    counts: Counts,
    prior: Prior,
    formula: Callable[[Floats, Floats], Floats],
    n_draws: int,
    seed: int,
) -> MonteCarlo:
    """Draw a quantity that is a formula of both yields; draws without a value are left out."""
    retrieved, unretrieved = draw_yields(counts, prior, n_draws, seed)
    values = formula(retrieved, unretrieved)
    return MonteCarlo(values[~np.isnan(values)])


def draw_yields(counts: Counts, prior: Prior, n_draws: int, seed: int) -> tuple[Floats, Floats]:
    """Draw the yields of the retrieved and of the unretrieved segment from their posteriors."""
    totals = {True: np.zeros(n_draws), False: np.zeros(n_draws)}
    for place, retrieved in enumerate(counts.retrieved.tolist()):
        population, sampled = float(counts.population[place]), float(counts.sampled[place])
        relevant = float(counts.relevant[place])
        if not population:
            continue
        generator = stream(seed, Purpose.yield_draws, place)
        alpha, beta = prior.of(population, sampled)
        prevalences = generator.beta(alpha + relevant, beta + sampled - relevant, n_draws)
        totals[retrieved] += relevant + generator.binomial(int(population - sampled), prevalences)
    return totals[True], totals[False]
