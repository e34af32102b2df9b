"""The posterior of recall and of all that follows from the yields of the two segments.

Recall is R1 / (R1 + R0), and the yields R1 and R0 are independent given the samples, so

    P(recall <= t) = sum over R0 of p0(R0) F1(t R0 / (1 - t)),

one pass over a table for every t: nothing is drawn, and there is no seed. Precision, F, yield,
prevalence and elusion are as simple: each is at most v exactly when R1 is at most a bound that
depends on v and R0. Because they come from one pair of tables, F's interval takes into account
that recall and precision share R1.

Recall of nothing is not defined: where both yields may be 0, the posterior is the one given that
there is a relevant document.

Cells that several counts share move a quantile by a little. ``error_at`` bounds it: every
cell's counts are once taken as low and once as high as they can be.

Posteriors of both segments from the counts of a sample, for each family of them.

``beta-binomial`` (section 3.6) knows that documents are drawn without replacement from so many;
``beta-jeffreys`` (section 3.5) takes a beta posterior for the prevalence of what was not sampled.
Strata have posteriors of their own, which are convolved within a segment.

When not to use beta-binomial: Where a segment was hardly sampled, the beta-binomial posterior shows
the prior instead of the data. With many strata whose samples contain nothing relevant, the prior
outweighs the samples: merge strata or sample more from each.

When not to use beta-jeffreys: Where much of a segment was assessed, beta-jeffreys is too short: it
ignores that the unsampled part is a finite number of documents.

The paper's own way to the posterior: draws from it (section 2.9).

Pairs of yields are drawn from the beta-binomial posteriors of the two segments, and the quantity
computed for each pair. It is here for comparison. The computed posterior is what these draws tend
to; ten thousand of them, as in the paper, move a limit by about a hundredth of the interval's
width from one seed to the next.

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
from ..results import Posterior
from ..validation import check_fraction
from .counts import Counts, judged_part
from .priors import Prior
from .roots import reached_at
from .yields import (
    COARSE_CELLS,
    MOST_COUNTS,
    Points,
    YieldDistribution,
    beta_binomial_yield,
    beta_yield,
    known_yield,
    total_yield,
)

Floats = NDArray[np.float64]
#: the greatest R1, for each R0, at which a quantity is at most a value
Bound = Callable[[float, Floats], Floats]

PRECISE = 1e-11  # of the way from the lowest value to the highest
REACHED = 1e-13  # a probability that is missed by rounding alone is reached
FIRST_CELLS = 1 << 11  # enough to know where to look
LOOK_AROUND = 1e-7
ULPS = 4 * np.finfo(np.float64).eps
WINDOW = 0.01  # of a density, in standard deviations
QUARTILES = 1.349  # apart in a normal distribution, in standard deviations


@dataclass(frozen=True, eq=False)
class QuantityPosterior:
    """The distribution of one quantity."""

    retrieved: YieldDistribution
    unretrieved: YieldDistribution
    bound: Bound
    #: a quantity of given yields
    formula: Callable[[Floats, Floats], Floats]
    #: the lowest and the highest possible value
    ends: tuple[float, float] = (0.0, 1.0)
    #: the probability that it is not defined, left out
    undefined: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether no two counts share a cell."""
        return self.retrieved.is_exact and self.unretrieved.is_exact

    def cdf(self, value: float) -> float:
        """The probability of this value or less."""
        low, high = self.ends
        if math.isnan(value):
            return math.nan
        if value < low:
            return 0.0
        if value >= high:
            return 1.0
        reached = self.retrieved.cdf(self.bound(_nudged(value), self.unretrieved.positions))
        return self._defined(_weighted_sum(self.unretrieved.masses, reached))

    def quantile(self, probability: float) -> float:
        """The least value that has this probability at or below it."""
        check_fraction("probability", probability)
        if self.undefined > 1 - PRECISE:
            return math.nan
        guess = None
        if max(len(self.retrieved.masses), len(self.unretrieved.masses)) > FIRST_CELLS:
            look = self._first_look
            guess = look._solved(look.cdf, probability, None, LOOK_AROUND)
        return self._attained(self._solved(self.cdf, probability, guess))

    @cached_property
    def mean(self) -> float:
        """The expectation, from at most some thousand cells a segment."""
        if self.undefined > 1 - PRECISE:
            return math.nan
        first, second = (one.coarser(FIRST_CELLS) for one in (self.retrieved, self.unretrieved))
        values = self.formula(first.positions[:, None], second.positions[None, :])
        weights = first.masses[:, None] * second.masses[None, :]
        known = ~np.isnan(values)
        return float((weights[known] * values[known]).sum() / weights[known].sum())

    @cached_property
    def standard_deviation(self) -> float:
        """From the quartiles, as a scale to look at it."""
        return (self.quantile(0.75) - self.quantile(0.25)) / QUARTILES

    def density(self, value: float) -> float:
        """Probability for each unit of the quantity, over a hundredth of a standard deviation."""
        low, high = self.ends
        reach = max(WINDOW * self.standard_deviation, PRECISE * (high - low))
        below, above = max(value - reach, low), min(value + reach, high)
        if below >= above:
            return 0.0
        return (self.cdf(above) - self.cdf(below)) / (above - below)

    def error_at(self, probability: float) -> float:
        """The most by which sharing cells may have moved this quantile."""
        if self.is_exact:
            return 0.0
        middle = self.quantile(probability)
        if math.isnan(middle):
            return math.nan
        lowest = self._solved(lambda value: self._cdf_bounds(value)[1], probability, middle)
        highest = self._solved(lambda value: self._cdf_bounds(value)[0], probability, middle)
        return max(middle - lowest, highest - middle)

    @cached_property
    def _first_look(self) -> QuantityPosterior:
        return QuantityPosterior(
            self.retrieved.coarser(FIRST_CELLS),
            self.unretrieved.coarser(FIRST_CELLS),
            self.bound,
            self.formula,
            self.ends,
            self.undefined,
        )

    def _defined(self, probability: float) -> float:
        if self.undefined > 1 - PRECISE:
            return math.nan
        return min(max((probability - self.undefined) / (1 - self.undefined), 0.0), 1.0)

    def _cdf_bounds(self, value: float) -> tuple[float, float]:
        """The least and the greatest probability, whatever happens in a cell.

        Whether a quantity rises with the unretrieved yield or falls, one of both is the bound.
        """
        if value >= self.ends[1]:
            return 1.0, 1.0
        others = self.unretrieved.lowest, self.unretrieved.highest
        least = min(self._reached(value, self.retrieved.highest, one) for one in others)
        most = max(self._reached(value, self.retrieved.lowest, one) for one in others)
        return self._defined(least), self._defined(most)

    def _reached(self, value: float, retrieved: Points, unretrieved: Points) -> float:
        """The probability of a value or less, if yields are these points."""
        cumulative = np.append(0.0, np.cumsum(retrieved[1]))
        places = np.searchsorted(retrieved[0], self.bound(_nudged(value), unretrieved[0]), "right")
        return _weighted_sum(unretrieved[1], cumulative[places])

    def _solved(
        self,
        cdf: Callable[[float], float],
        probability: float,
        guess: float | None,
        precise: float = PRECISE,
    ) -> float:
        """The least value at which a distribution function reaches a probability."""
        low, high = self.ends

        def height(value: float) -> float:
            return cdf(value) - probability + REACHED

        at_low, at_high = height(low), 1 - probability
        if at_low >= 0:
            return low
        if guess is not None:
            low, at_low, high, at_high = _around(guess, height, (low, at_low), (high, at_high))
        tolerance = precise * (self.ends[1] - self.ends[0])
        return reached_at(height, low, high, at_low=at_low, at_high=at_high, tolerance=tolerance)

    def _attained(self, value: float) -> float:
        """The greatest value up to this one that counts can have, where they are told apart."""
        if not self.is_exact or value >= self.ends[1]:
            return value
        others = self.unretrieved.positions
        first, last = self.retrieved.positions[[0, -1]]
        counts = np.minimum(np.floor(self.bound(_nudged(value), others)), last)
        possible = counts >= first
        values = self.formula(counts[possible], others[possible])
        return float(np.nanmax(values)) if len(values) else value


@dataclass(frozen=True, eq=False)
class JointPosterior:
    """What is known of the yields of both segments."""

    retrieved: YieldDistribution
    unretrieved: YieldDistribution
    #: documents in each segment
    retrieved_size: float
    unretrieved_size: float
    #: documents of the retrieved segment that can be judged, as far as the sample tells
    judgeable: float
    #: the retrieved segment's yield where only documents that can be judged are in the population
    judged: YieldDistribution

    def recall(self) -> QuantityPosterior:
        """The share of relevant documents that are retrieved."""
        nothing = self.retrieved.at_zero * self.unretrieved.at_zero
        return QuantityPosterior(
            self.retrieved, self.unretrieved, _recall_bound, _recall, undefined=nothing
        )

    def precision(self) -> QuantityPosterior:
        """The share of retrieved documents that are relevant, of those that can be judged."""
        return _share_of(self.judged, self.judgeable)

    def f(self, beta: float) -> QuantityPosterior:
        """(1 + beta^2) P R / (beta^2 P + R), which is (1 + beta^2) R1 / (beta^2 R* + N1)."""
        square, size = beta * beta, self.judgeable

        def bound(value: float, unretrieved: Floats) -> Floats:
            reach = value * (square * unretrieved + size) / (1 + square - value * square)
            return np.asarray(reach)

        def formula(one: Floats, other: Floats) -> Floats:
            if not size:
                return np.full(np.broadcast_shapes(one.shape, other.shape), np.nan)
            return np.asarray((1 + square) * one / (square * (one + other) + size))

        return QuantityPosterior(
            self.judged, self.unretrieved, bound, formula, undefined=0.0 if size else 1.0
        )

    def total(self) -> QuantityPosterior:
        """The number of relevant documents in the corpus."""
        size = self.retrieved_size + self.unretrieved_size
        return QuantityPosterior(
            self.retrieved,
            self.unretrieved,
            lambda value, unretrieved: np.asarray(value - unretrieved),
            lambda one, other: one + other,
            ends=(0.0, size),
        )

    def prevalence(self) -> QuantityPosterior:
        """The share of the corpus that is relevant."""
        size = self.retrieved_size + self.unretrieved_size
        return QuantityPosterior(
            self.retrieved,
            self.unretrieved,
            lambda value, unretrieved: np.asarray(value * size - unretrieved),
            lambda one, other: (one + other) / size,
        )

    def elusion(self) -> QuantityPosterior:
        """The share of unretrieved documents that are relevant."""
        return _share_of(self.unretrieved, self.unretrieved_size)


def _share_of(table: YieldDistribution, size: float) -> QuantityPosterior:
    """The relevant share of one segment: the other does not matter."""

    def bound(value: float, other: Floats) -> Floats:
        return np.full(len(other), value * size)

    return QuantityPosterior(
        table,
        known_yield(0.0),
        bound,
        lambda one, other: one / size + 0 * other,
        undefined=0.0 if size else 1.0,
    )


def _recall_bound(value: float, unretrieved: Floats) -> Floats:
    return np.asarray(unretrieved * (value / (1 - value)))


def _recall(retrieved: Floats, unretrieved: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(retrieved / (retrieved + unretrieved))


def _weighted_sum(weights: Floats, values: Floats) -> float:
    """Pairwise, which is exact enough, and without the threads that a product would start."""
    return float((weights * values).sum())


def _nudged(value: float) -> float:
    """A hair more, so that rounding does not push a bound below a count that it reaches."""
    return min(value * (1 + ULPS), math.nextafter(1.0, 0.0)) if value < 1 else value * (1 + ULPS)


Point = tuple[float, float]


def _around(
    guess: float, height: Callable[[float], float], low: Point, high: Point
) -> tuple[float, float, float, float]:
    """A narrow bracket around a guess, widened until it holds."""
    reach = LOOK_AROUND * (high[0] - low[0])
    ends: Sequence[Point] = (low, high)
    while True:
        left, right = guess - reach, guess + reach
        below = (left, height(left)) if left > ends[0][0] else ends[0]
        above = (right, height(right)) if right < ends[1][0] else ends[1]
        if below[1] < 0 <= above[1]:
            return (*below, *above)
        ends = (ends[0], below) if below[1] >= 0 else (above, ends[1])
        reach *= 32


ALL_CELLS = 1 << 22  # of all strata together, so that thousands of them fit in memory
LEAST_CELLS = 1 << 11  # of each, however many there are

#: the distribution of a stratum's yield, from its population, sample and relevant documents
YieldOf = Callable[[float, float, float], YieldDistribution]


@dataclass(frozen=True, eq=False)
class PosteriorLimits:
    """Limits that are quantiles of a posterior."""

    method: str
    posterior: Posterior

    def limit(self, probability: float) -> NDArray[np.float64]:
        """The confidence limit of a probability."""
        return np.asarray(self.posterior.quantile(probability))


def beta_binomial(counts: Counts, prior: Prior) -> JointPosterior:
    """Beta-binomial posteriors of both yields (Equation 17)."""
    most_cells = min(MOST_COUNTS, max(LEAST_CELLS, ALL_CELLS // len(counts.population)))

    def yield_of(population: float, sampled: float, relevant: float) -> YieldDistribution:
        alpha, beta = prior.of(population, sampled)
        return beta_binomial_yield(population, sampled, relevant, alpha, beta, most_cells)

    return _joint(counts, yield_of)


def beta_jeffreys(counts: Counts) -> JointPosterior:
    """Beta posteriors with Jeffreys' prior, for the unsampled part of each stratum."""
    n_cells = max(LEAST_CELLS, COARSE_CELLS // len(counts.population))
    return _joint(counts, partial(beta_yield, n_cells=n_cells))


def _joint(counts: Counts, yield_of: YieldOf) -> JointPosterior:
    inside, outside = counts.segment(True), counts.segment(False)
    judged = judged_part(inside)
    retrieved = _segment_yield(inside, yield_of)
    return JointPosterior(
        retrieved=retrieved,
        unretrieved=_segment_yield(outside, yield_of),
        retrieved_size=float(inside.population.sum()),
        unretrieved_size=float(outside.population.sum()),
        judgeable=float(judged.population.sum()),
        judged=retrieved if judged is inside else _segment_yield(judged, yield_of),
    )


def _segment_yield(segment: Counts, yield_of: YieldOf) -> YieldDistribution:
    strata = zip(segment.population, segment.sampled, segment.relevant, strict=True)
    return total_yield(
        [yield_of(*map(float, one)) for one in strata if one[0] > 0]  # nothing holds nothing
    )


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Limits that are quantiles of drawn values."""

    method: ClassVar[str] = "monte-carlo"

    draws: Floats

    def limit(self, probability: float) -> Floats:
        """The confidence limit of a probability; NaN where no draw has a value."""
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
    retrieved, unretrieved = drawn_yields(counts, prior, n_draws, seed)
    values = formula(retrieved, unretrieved)
    return MonteCarlo(values[~np.isnan(values)])


def drawn_yields(counts: Counts, prior: Prior, n_draws: int, seed: int) -> tuple[Floats, Floats]:
    """Yields of the retrieved and of the unretrieved segment, drawn from their posteriors."""
    totals = {True: np.zeros(n_draws), False: np.zeros(n_draws)}
    for place, retrieved in enumerate(counts.retrieved.tolist()):
        population, sampled = float(counts.population[place]), float(counts.sampled[place])
        relevant = float(counts.relevant[place])
        if not population:
            continue
        generator = stream(seed, Purpose.yield_draws, place)
        alpha, beta = prior.of(population, sampled)
        shares = generator.beta(alpha + relevant, beta + sampled - relevant, n_draws)
        totals[retrieved] += relevant + generator.binomial(int(population - sampled), shares)
    return totals[True], totals[False]
