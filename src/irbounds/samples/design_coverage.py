"""The coverage of posterior intervals for one design and given yields, computed without a seed.

A posterior interval at level 0.95 contains the true value in 95 of 100 samples on average over
corpora, as its prior weights them. For one corpus the fraction may be higher or lower. It follows
from the design, which is the sizes of strata and samples, and from the true yields. The interval of
a sample contains a value v if the posterior probability of at most v is at least the lower tail,
and that of less than v is below the upper one.

* With at most two uncertain strata, all samples count, weighted by their hypergeometric
  probabilities. The posterior probability is monotone in each count, so for every count of one
  sample the counts of the other one that cover are a range, whose ends are found by bisection.
* With more strata, ``N_SAMPLES`` samples at points of a Kronecker sequence count, which is an error
  of about 0.01.

``coverage_at_estimate`` takes the yields that the samples estimate. ``worst_coverage`` takes the
lowest coverage of a limit of recall over yields that the samples do not exclude: those just beyond
the limits that samples with few missed documents have, where the coverage of a limit is lowest.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..results import RecallEstimate
from ..validation import Alternative
from .counts import Counts
from .hypergeometric import hypergeometric_masses
from .posterior import JointPosterior, QuantityPosterior
from .quantities import Quantity, is_about_judged
from .request import SampleRequest
from .uncertain_strata import find_first
from .yields import YieldDistribution, beta_binomial_yield, beta_yield, sum_yields

Floats = NDArray[np.float64]

METHODS = ("beta-binomial", "beta-jeffreys")
NEAR = 0.02  # distance of a coverage from the level that is not mentioned
CELLS = 1024  # of a stratum's table
MAX_NODES = 40  # counts of one sample at which the range of the other one is found
MIN_MASS = 1e-9  # of a count that matters
N_SAMPLES = 512  # where there are more than two uncertain strata
TINY = 1e-9  # difference between a value and what is below it, as a fraction of its range
MISSED = (0, 1, 2, 3, 5, 8, 13, 21)  # relevant documents of unretrieved samples that are tried
BEYOND = 400  # yields are moved by this part of themselves beyond a limit
PLAUSIBLE = 0.001  # tail probability at which a sample excludes a yield


@dataclass(frozen=True)
class Tails:
    """The probabilities below the lower and above the upper end of an interval."""

    low: float
    high: float

    @classmethod
    def of(cls, confidence_level: float, alternative: Alternative) -> Tails:
        """Return the tails of an interval; 0 on a side that has no limit."""
        outside = 1 - confidence_level
        sides = {
            "two-sided": (outside / 2, outside / 2),
            "greater": (outside, 0.0),
            "less": (0.0, outside),
        }
        return cls(*sides[alternative])


def add_coverage(
    quantity: Quantity, request: SampleRequest, estimate: RecallEstimate
) -> RecallEstimate:
    """Return an estimate by a posterior method with the computed coverage of its interval.

    The lowest coverage is added for limits, and where the coverage is not near the level.
    """
    interval = estimate.interval
    is_other = request.method not in METHODS or estimate.cap_at_one
    is_point = not interval.low < interval.high
    if is_other or is_point or not Design(quantity, request).is_computable:
        return estimate
    request = dataclasses.replace(request, alternative=interval.alternative)
    coverage = coverage_at_estimate(quantity, request)
    if math.isnan(coverage):
        return estimate
    covered = dataclasses.replace(estimate, coverage=coverage)
    is_near = abs(coverage - interval.confidence_level) <= NEAR
    if is_near and interval.alternative == "two-sided":
        return covered
    lowest, value = worst_coverage(quantity, request)
    return dataclasses.replace(covered, worst_coverage=lowest, worst_value=value)


def coverage_at_estimate(quantity: Quantity, request: SampleRequest) -> float:
    """Return the coverage of an interval if all yields are as estimated.

    NaN if a stratum has no sample, if the quantity is about documents that can be judged and some
    cannot, if documents were assessed again, or if found documents are credited, since the true
    value depends on the sample then.
    """
    design = Design(quantity, request)
    if not design.is_computable:
        return math.nan
    tails = Tails.of(request.confidence_level, request.alternative)
    return design.coverage(design.estimated_yields, tails)


def worst_coverage(quantity: Quantity, request: SampleRequest) -> tuple[float, float]:
    """Return the lowest coverage of a limit over yields that are not excluded, and the value there.

    The search tries the yields just beyond the limits of samples with few missed documents, for
    three retrieved yields, so that the lowest coverage of all is no higher than the result.
    """
    design = Design(quantity, request)
    tails = Tails.of(request.confidence_level, request.alternative)
    if not design.is_computable:
        return math.nan, math.nan
    candidates = [design.estimated_yields, *design.yields_beyond_limits(tails)]
    coverages = [(design.coverage(yields, tails), design.value(yields)) for yields in candidates]
    return min(coverages, key=lambda pair: pair[0])


@dataclass(eq=False)
class Design:
    """The sizes of strata and samples, the method and the quantity, for any counts."""

    quantity: Quantity
    request: SampleRequest
    _tables: dict[tuple[int, int], YieldDistribution] = field(default_factory=dict)
    _segments: dict[tuple[bool, tuple[int, ...]], YieldDistribution] = field(default_factory=dict)

    @property
    def is_computable(self) -> bool:
        """Whether the coverage can be computed."""
        if self.request.credit_found or is_about_judged(self.quantity, self.request):
            return False
        strata = [part for part in self.request.strata if self.quantity.concerns(part)]
        return all((part.sampled or not part.population) and not part.is_checked for part in strata)

    @cached_property
    def counts(self) -> Counts:
        """The observed counts."""
        return self.request.counts

    @cached_property
    def uncertain(self) -> list[int]:
        """The strata on which the quantity depends and that were not read in full."""
        return [
            place
            for place, part in enumerate(self.request.strata)
            if self.quantity.concerns(part) and part.sampled < part.population
        ]

    @cached_property
    def estimated_yields(self) -> list[int]:
        """The estimated yield of each stratum, as an integer."""
        return [
            min(
                max(round(part.population * part.relevant / max(part.sampled, 1)), part.relevant),
                part.population - part.sampled + part.relevant,
            )
            for part in self.request.strata
        ]

    def value(self, yields: Sequence[int]) -> float:
        """Return the true value of the quantity for yields."""
        inside, outside = (
            float(sum(y for y, part in zip(yields, self.request.strata, strict=True)
                      if part.retrieved is side))
            for side in (True, False)
        )  # fmt: skip
        return float(self.quantity.ratio(self.counts, 0).values(inside, outside))

    def coverage(self, yields: Sequence[int], tails: Tails) -> float:
        """Return the fraction of samples whose interval contains the true value."""
        value = self.value(yields)
        if math.isnan(value):
            return math.nan
        if len(self.uncertain) > 2:
            return self._coverage_of_draws(yields, value, tails)
        return self._coverage_of_all(yields, value, tails)

    # At most two uncertain strata

    def _coverage_of_all(self, yields: Sequence[int], value: float, tails: Tails) -> float:
        places = self.uncertain
        if not places:
            return 1.0
        inner = places[-1]
        counts = self.counts.relevant.astype(np.int64).tolist()
        if len(places) == 1:
            return self._chance_in_range(counts, inner, yields[inner], value, tails)
        outer = places[0]
        first, masses = self._masses(outer, yields[outer])
        nodes = _spread_nodes(masses)
        chances = []
        for node in nodes:
            counts[outer] = first + int(node)
            chances.append(self._chance_in_range(counts, inner, yields[inner], value, tails))
        return float((masses * np.interp(np.arange(len(masses)), nodes, chances)).sum())

    def _masses(self, place: int, relevant: int) -> tuple[int, Floats]:
        part = self.request.strata[place]
        first, masses = hypergeometric_masses(part.population, relevant, part.sampled)
        kept = np.flatnonzero(masses > MIN_MASS)
        return first + int(kept[0]), masses[kept[0] : kept[-1] + 1]

    def _chance_in_range(
        self, counts: list[int], place: int, relevant: int, value: float, tails: Tails
    ) -> float:
        """Return the chance that one stratum has a count whose interval contains the value."""
        first, masses = self._masses(place, relevant)
        last = first + len(masses)
        sign = self.quantity.ratio(self.counts, 0).signs[
            0 if self.request.strata[place].retrieved else 1
        ]

        def posterior(count: int) -> QuantityPosterior:
            counts[place] = count
            return self._posterior(counts)

        def is_too_high(count: int) -> bool:  # the lower end is above the value
            return posterior(count).cdf(value) < tails.low

        def is_too_low(count: int) -> bool:  # the upper end is below the value
            return posterior(count).cdf(_below(value, posterior(count))) >= 1 - tails.high

        # a larger count moves the interval in the direction of the sign
        begin, end = (is_too_low, is_too_high) if sign > 0 else (is_too_high, is_too_low)
        active = {is_too_low: tails.high > 0, is_too_high: tails.low > 0}
        low = find_first(first, last, lambda count: not begin(count)) if active[begin] else first
        high = find_first(low, last, end) if active[end] else last
        return float(masses[low - first : high - first].sum())

    def _posterior(self, counts: Sequence[int]) -> QuantityPosterior:
        """Return the posterior of a sample, from coarse tables."""
        inside, outside = (self._segment(side, counts) for side in (True, False))
        n_inside, n_outside = self._sizes
        joint = JointPosterior(inside, outside, n_inside, n_outside, n_inside, inside)
        return self.quantity.posterior(joint)

    @cached_property
    def _sizes(self) -> tuple[float, float]:
        """The documents of both segments."""
        inside, outside = (
            float(self.counts.segment(side).population.sum()) for side in (True, False)
        )
        return inside, outside

    def _segment(self, side: bool, counts: Sequence[int]) -> YieldDistribution:
        places = [place for place, part in enumerate(self.request.strata) if part.retrieved is side]
        key = side, tuple(counts[place] for place in places)
        if key not in self._segments:
            tables = [
                self._table(place, counts[place])
                for place in places
                if self.request.strata[place].population
            ]
            self._segments[key] = sum_yields(tables, CELLS)
        return self._segments[key]

    def _table(self, place: int, count: int) -> YieldDistribution:
        if (place, count) not in self._tables:
            part = self.request.strata[place]
            if self.request.method == "beta-jeffreys":
                table = beta_yield(part.population, part.sampled, count, CELLS)
            else:
                prior = self.request.prior.of(part.population, part.sampled)
                table = beta_binomial_yield(part.population, part.sampled, count, *prior, CELLS)
            self._tables[place, count] = table
        return self._tables[place, count]

    # More uncertain strata

    def _coverage_of_draws(self, yields: Sequence[int], value: float, tails: Tails) -> float:
        counts = np.tile(self.counts.relevant.astype(np.int64), (N_SAMPLES, 1))
        for number, place in enumerate(self.uncertain):
            first, masses = self._masses(place, yields[place])
            points = _kronecker(N_SAMPLES, number)
            counts[:, place] = first + np.searchsorted(np.cumsum(masses)[:-1], points)
        hits = 0
        for drawn in counts.tolist():
            posterior = self._posterior(drawn)
            is_above_low = posterior.cdf(value) >= tails.low
            hits += is_above_low and posterior.cdf(_below(value, posterior)) < 1 - tails.high
        return hits / N_SAMPLES

    def yields_beyond_limits(self, tails: Tails) -> list[list[int]]:
        """Return yields at which a limit of recall holds least, as ``worst_coverage`` says."""
        outside = [place for place in self.uncertain if not self.request.strata[place].retrieved]
        if not outside or self.quantity.name != "recall":
            return []
        candidates: list[list[int]] = []
        for inside_yields in self._plausible_retrieved():
            known = sum(
                y for y, part in zip(inside_yields, self.request.strata, strict=True)
                if part.retrieved
            )  # fmt: skip
            for counts in self._likely_counts(inside_yields, outside):
                limit = self._posterior(counts).quantile(tails.low or 1 - tails.high)
                candidates += self._yields_around(inside_yields, outside, counts, known, limit)
        return candidates

    def _plausible_retrieved(self) -> list[list[int]]:
        """Return the estimated yields, and those with fewer and more retrieved documents."""
        middle = self.estimated_yields
        lists = [middle]
        for direction in (-1, 1) if len(self.uncertain) <= 2 else ():
            moved = list(middle)
            for place in self.uncertain:
                part = self.request.strata[place]
                if part.retrieved:
                    p = part.relevant / part.sampled
                    unread = 1 - part.sampled / part.population
                    step = part.population * math.sqrt(p * (1 - p) / part.sampled * unread)
                    low, high = part.relevant, part.population - part.sampled + part.relevant
                    moved[place] = min(max(middle[place] + round(direction * step), low), high)
            if moved not in lists:
                lists.append(moved)
        return lists

    def _likely_counts(self, yields: Sequence[int], outside: Sequence[int]) -> list[list[int]]:
        """Return samples with few relevant documents in the stratum of the largest weight."""
        strata = self.request.strata
        largest = max(outside, key=lambda place: strata[place].population / strata[place].sampled)
        base = [
            round(part.sampled * y / part.population) if part.population else 0
            for part, y in zip(strata, yields, strict=True)
        ]
        return [
            [*base[:largest], missed, *base[largest + 1 :]]
            for missed in sorted({*self._missed, strata[largest].relevant})
            if missed <= strata[largest].sampled
        ]

    @property
    def _missed(self) -> Sequence[int]:
        """The counts that are tried; fewer where the coverage takes longer to compute."""
        return MISSED if len(self.uncertain) <= 2 else MISSED[:3]

    def _yields_around(
        self,
        yields: Sequence[int],
        outside: Sequence[int],
        counts: Sequence[int],
        retrieved: float,
        limit: float,
    ) -> list[list[int]]:
        """Return yields with a recall just beyond a limit, unless the observed sample excludes it.

        The difference is in the stratum of the unretrieved segment with the largest weight.
        """
        strata = self.request.strata
        largest = max(outside, key=lambda place: strata[place].population / strata[place].sampled)
        if not limit > 0:
            return []
        others = sum(
            y for place, y in enumerate(yields)
            if not strata[place].retrieved and place != largest
        )  # fmt: skip
        needed = math.floor(retrieved * (1 - limit) / limit + TINY) - others
        part = strata[largest]
        low, high = part.relevant, part.population - part.sampled + part.relevant
        return [
            [*yields[:largest], missed, *yields[largest + 1 :]]
            for missed in sorted({needed + 1, needed + 2 + needed // BEYOND})
            if low <= missed <= high and self._is_plausible(largest, missed)
        ]

    def _is_plausible(self, place: int, relevant: int) -> bool:
        part = self.request.strata[place]
        first, masses = hypergeometric_masses(part.population, relevant, part.sampled)
        at = part.relevant - first
        return bool(
            masses[: max(0, at + 1)].sum() > PLAUSIBLE and masses[max(0, at) :].sum() > PLAUSIBLE
        )


def _below(value: float, posterior: QuantityPosterior) -> float:
    """Return a value slightly below another one."""
    low, high = posterior.ends
    return value - TINY * (high - low)


def _spread_nodes(masses: Floats) -> NDArray[np.int64]:
    """Return places among masses, all of them if they are few."""
    n = len(masses)
    return np.unique(np.round(np.linspace(0, n - 1, min(n, MAX_NODES)))).astype(np.int64)


def _kronecker(n: int, dimension: int) -> Floats:
    """Return points that fill 0 to 1 evenly, together with those of other dimensions."""
    prime = _PRIMES[dimension % len(_PRIMES)] + 2 * (dimension // len(_PRIMES))
    return np.asarray((0.5 + np.arange(1, n + 1) * math.sqrt(prime)) % 1.0)


_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83)
