"""The exact distribution of AP under random rankings, where it fits.

All choices of ranks for the relevant documents are equally likely, C(N, R) of them. Where AP is cut
at rank k, only the choices among the first k ranks matter, each with the hypergeometric probability
of so many relevant documents there. What fits, ``fits_exactly`` says:

- one query whose lists of sums take at most ``MOST_HALVES`` additions when the ranks are halved:
  every N up to 44 with any R, and beyond it few relevant documents, or few others;
- a mean over queries of which each can be listed (``MOST_LISTED`` additions), as long as no step of
  adding them up has more than ``MOST_LISTED`` pairs.

The time is that of the additions and of sorting: one or two seconds at the border, and half a
gigabyte of memory.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..measurement.base import Measure
from ..measurement.chance_measures import chance_parameters
from ..measurement.expectation import ranks_seen
from ..measurement.populations import Population
from ..samples.hypergeometric import hypergeometric_masses
from .meet_in_the_middle import Halved, capped_choices, half_sums, precision_sums, rank_weights
from .p_values import TOLERANCE, Tails, rest_allowed

MOST_LISTED = 1 << 23
MOST_HALVES = 1 << 24


class Case(NamedTuple):
    """One query, as far as AP is concerned."""

    n_documents: int
    #: ranks that are looked at
    top: int
    #: relevant documents that are ranked, and those that AP divides by
    relevant: int
    judged: int

    @property
    def found(self) -> range:
        """How many relevant documents may stand at the ranks looked at."""
        if not self.judged:
            return range(1)
        least = max(0, self.top - (self.n_documents - self.relevant))
        return range(least, min(self.top, self.relevant) + 1)

    @property
    def only_score(self) -> float | None:
        """What every ranking scores where none or all of the ranks looked at are relevant."""
        if self.found[-1] == 0:
            return 0.0
        return self.top / self.judged if self.found[0] == self.top else None


def fits_exactly(measure: Measure, population: Population) -> bool:
    """Whether the exact distribution is known and small enough to be computed."""
    if not is_average_precision(measure):
        return False
    cases = _cases(measure, population)
    if len(cases) == 1:
        return _additions_listed(cases[0]) <= MOST_LISTED or _fits_halved(cases[0])
    return _fits_summed(Counter(cases))


def exact_distribution(
    measure: Measure, population: Population, mean: float, standard_deviation: float
) -> Enumerated | Halved:
    """The exact distribution of one query's AP or of its mean over queries; it has to fit."""
    cases = _cases(measure, population)
    if len(cases) == 1 and _additions_listed(cases[0]) > MOST_LISTED:
        return _halved(cases[0], mean, standard_deviation)
    if len(cases) == 1:
        return Enumerated(mean, standard_deviation, _listed(cases[0]))
    kinds = Counter(cases)
    total = sums_of(chain.from_iterable(repeat(_listed(case), n) for case, n in kinds.items()))
    n = len(cases)
    means = Atoms(total.scores / n, total.highest / n, total.weights, total.whole)
    return Enumerated(mean, standard_deviation, means)


def additions_to_list(measure: Measure, query: Population) -> int:
    """What listing every AP of one query takes, or some number above ``MOST_LISTED``."""
    (case,) = _cases(measure, query)
    return _additions_listed(case)


def is_average_precision(measure: Measure) -> bool:
    """Whether a measure is AP, with whichever parameters."""
    return chance_parameters(measure)[0] == "AP"


def _cases(measure: Measure, population: Population) -> list[Case]:
    """The queries of a population, for AP with these parameters."""
    _, parameters = chance_parameters(measure)
    rel = parameters.get("rel", 1)
    columns = np.broadcast_arrays(
        np.atleast_1d(population.n_documents),
        ranks_seen(population, parameters.get("cutoff")),
        population.n_relevant(rel),
        population.n_judged(rel),
    )
    return [Case(*map(int, row)) for row in zip(*(c.tolist() for c in columns), strict=True)]


def _additions_listed(case: Case) -> int:
    """What listing all sums takes, or some number above ``MOST_LISTED``.

    The sums of 1, 2, ... relevant documents are listed one after the other, C(k + 1, m) in all.
    """
    if case.only_score is not None:
        return 1
    total = 0
    for m in case.found:
        total += capped_choices(case.top + 1, m, MOST_LISTED)
        if total > MOST_LISTED:
            break
    return total


def _fits_halved(case: Case) -> bool:
    """Whether the sums of both halves of the ranks can be listed."""
    middle = case.top // 2
    below = case.top - middle
    least, most = case.found[0], case.found[-1]
    total = 0
    for i in range(max(0, least - below), min(middle, most) + 1):
        total += capped_choices(middle + 1, i, MOST_HALVES)
        for m in case.found:
            total += capped_choices(below + 1, m - i, MOST_HALVES)
            if total > MOST_HALVES:
                return False
    return True


def _fits_summed(kinds: Counter[Case]) -> bool:
    """Whether the queries' scores can be added up, by the most that each step can have."""
    if any(_additions_listed(case) > MOST_LISTED for case in kinds):
        return False
    total = 1
    for case, n_queries in kinds.items():
        each = sum(math.comb(case.top, m) for m in case.found)
        before = capped_choices(each + n_queries - 2, n_queries - 1, MOST_LISTED)
        if total * before * each > MOST_LISTED:
            return False
        total *= math.comb(each + n_queries - 1, n_queries)
    return True


def _ranking_weights(case: Case) -> tuple[dict[int, float], float]:
    """What one choice of m ranks weighs, for each m, and what all choices weigh together."""
    if len(case.found) == 1:
        m = case.found[0]
        return {m: 1.0}, float(math.comb(case.top, m))
    first, masses = hypergeometric_masses(case.n_documents, case.relevant, case.top)
    each = {m: mass / math.comb(case.top, m) for m, mass in enumerate(masses.tolist(), first)}
    return each, 1.0


def _listed(case: Case) -> Atoms:
    """Every score of a query."""
    if case.only_score is not None:  # however many ranks there are
        return gathered(np.array([case.only_score]), np.ones(1), 1.0)
    shares, whole = _ranking_weights(case)
    weights, unit = rank_weights(case.top, max(shares))
    lists = [precision_sums(weights, m) for m in shares]
    each = np.repeat(list(shares.values()), [len(part) for part in lists])
    return gathered(np.concatenate(lists) / float(case.judged * unit), each, whole)


def _halved(case: Case, mean: float, standard_deviation: float) -> Halved:
    shares, whole = _ranking_weights(case)
    weights, unit = rank_weights(case.top, max(shares))
    halves = half_sums(weights, shares)
    return Halved(mean, standard_deviation, halves, case.judged * unit, whole)


# Distributions as lists: every score that chance can give, with its probability.
#
# Scores that are equal share a place. The list of a mean over queries is made of all sums of the
# queries' lists, one query after the other; equal sums are put together each time, so that many
# queries of a kind stay short.
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Atoms:
    """Scores that differ, ascending, and how much each weighs of the whole."""

    #: of scores that were put together the lowest, and the highest
    scores: Floats
    highest: Floats
    #: whole numbers where all rankings weigh the same: sums of them are exact
    weights: Floats
    whole: float

    def __len__(self) -> int:
        return len(self.scores)


def gathered(
    scores: Floats, weights: Floats, whole: float, *, highest: Floats | None = None
) -> Atoms:
    """Scores in any order, those within ``TOLERANCE`` of each other put together.

    ``highest`` has the upper ends of scores that are put together from several already.
    """
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    upper = ascending if highest is None else np.maximum.accumulate(highest[order])
    starts = np.flatnonzero(np.append(True, ascending[1:] * (1 - TOLERANCE) > upper[:-1]))
    ends = np.append(starts[1:], len(order)) - 1
    sums = np.add.reduceat(weights[order], starts)
    return Atoms(ascending[starts], upper[ends], sums, whole)


def sums_of(parts: Iterable[Atoms]) -> Atoms:
    """The distribution of the sum of independent scores."""
    total = Atoms(np.zeros(1), np.zeros(1), np.ones(1), 1.0)
    for part in parts:
        scores = np.add.outer(total.scores, part.scores).ravel()
        highest = np.add.outer(total.highest, part.highest).ravel()
        shares = np.multiply.outer(total.weights, part.weights / part.whole).ravel()
        total = gathered(scores, shares, 1.0, highest=highest)
    return total


@dataclass(frozen=True, eq=False, repr=False)
class Enumerated(Tails):
    """An exact distribution that lists every score."""

    method: ClassVar[str] = "exact"

    mean: float
    standard_deviation: float
    atoms: Atoms

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """The probability of all scores before each place, and of all from it on."""
        weights, whole = self.atoms.weights, self.atoms.whole
        below = np.append(0.0, _running_sums(weights))
        above = np.append(_running_sums(weights[::-1])[::-1], 0.0)
        # the smaller one, added up from its end, has all its digits; the other is the rest
        is_low = below <= above
        return (
            np.where(is_low, below, whole - above) / whole,
            np.where(is_low, whole - below, above) / whole,
        )

    def at_most(self, score: float) -> float:
        """The probability of this score or a lower one."""
        place = np.searchsorted(self.atoms.scores, score * (1 + TOLERANCE), "right")
        return float(self._tails[0][place])

    def at_least(self, score: float) -> float:
        """The probability of this score or a higher one."""
        place = np.searchsorted(self.atoms.highest, score * (1 - TOLERANCE), "left")
        return float(self._tails[1][place])

    def lowest_reaching(self, probability: float) -> float:
        """The lowest score that chance stays at or below with at least this probability."""
        if probability == 1:  # however rare the highest score is
            return float(self.atoms.scores[-1])
        reached, rest = (tail[1:] for tail in self._tails)
        if probability <= 0.5:
            place = int(np.searchsorted(reached, probability * (1 - TOLERANCE), "left"))
        else:
            allowed = rest_allowed(probability)
            place = bisect_left(rest, True, key=lambda left: left <= allowed)
        return float(self.atoms.scores[min(place, len(reached) - 1)])


def _running_sums(values: Floats) -> Floats:
    """The sums of the first 1, 2, ... values, by rows of a table: few roundings add up in each."""
    width = math.isqrt(len(values)) + 1
    table = np.zeros((-(-len(values) // width), width))
    table.ravel()[: len(values)] = values
    within = np.cumsum(table, axis=1)
    before = np.cumsum(within[:, -1]) - within[:, -1]
    return (within + before[:, np.newaxis]).ravel()[: len(values)]
