"""The exact distribution of AP under random rankings, where it is small enough to compute.

All choices of ranks for the relevant documents are equally likely, C(N, R) of them. Where AP is cut
at rank k, only the choices among the first k ranks matter. Each has the hypergeometric probability
of its number of relevant documents. ``is_exact_feasible`` decides which distributions are computed:

- one query whose lists of sums take at most ``MAX_HALF_ADDITIONS`` additions when the ranks are
  halved: every N up to 44 with any R, and larger N with few relevant documents, or few others;
- a mean over queries that can each be listed (``MAX_ADDITIONS``), if no step of adding them up has
  more than ``MAX_ADDITIONS`` pairs.

The time is that of the additions and of sorting: one or two seconds for the largest, with half a
gigabyte of memory.

A listed distribution has every possible score with its probability; equal scores are one entry. The
list of a mean over queries is made of all sums of the queries' lists, one query after the other.
Equal sums are combined at each step, so that many equal queries have a short list.
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

from ..measurement.average_precision import AveragePrecision
from ..measurement.base import Measure
from ..measurement.populations import Population
from ..samples.hypergeometric import hypergeometric_masses
from .meet_in_the_middle import (
    MeetInTheMiddle,
    count_choices,
    list_half_sums,
    precision_sums,
    rank_weights,
)
from .p_values import TOLERANCE, ScoreDistribution, max_upper_tail

Floats = NDArray[np.float64]

MAX_ADDITIONS = 1 << 23
MAX_HALF_ADDITIONS = 1 << 24


class Case(NamedTuple):
    """The numbers of one query that determine the distribution of its AP."""

    n_documents: int
    #: ranks that are scored
    top: int
    #: relevant documents that are ranked, and those that AP divides by
    relevant: int
    judged: int

    @property
    def n_in_top(self) -> range:
        """Possible numbers of relevant documents within the ranks that are scored."""
        if not self.judged:
            return range(1)
        low = max(0, self.top - (self.n_documents - self.relevant))
        return range(low, min(self.top, self.relevant) + 1)

    @property
    def only_score(self) -> float | None:
        """The score of every ranking, where none or all of the scored ranks are relevant."""
        if self.n_in_top[-1] == 0:
            return 0.0
        return self.top / self.judged if self.n_in_top[0] == self.top else None


def is_exact_feasible(measure: Measure, population: Population) -> bool:
    """Return whether the measure is AP and its exact distribution is small enough to compute."""
    if not is_average_precision(measure):
        return False
    cases = _cases(measure, population)
    if len(cases) == 1:
        return _count_additions(cases[0]) <= MAX_ADDITIONS or _can_halve(cases[0])
    return _can_add_up(Counter(cases))


def exact_distribution(
    measure: Measure, population: Population, mean: float, standard_deviation: float
) -> Enumerated | MeetInTheMiddle:
    """Return the exact distribution of AP, or of its mean over queries; it has to be feasible."""
    cases = _cases(measure, population)
    if len(cases) == 1 and _count_additions(cases[0]) > MAX_ADDITIONS:
        return _meet_in_the_middle(cases[0], mean, standard_deviation)
    if len(cases) == 1:
        return Enumerated(mean, standard_deviation, _list_scores(cases[0]))
    numbers = Counter(cases)
    lists = (repeat(_list_scores(case), n) for case, n in numbers.items())
    sums = add_up(chain.from_iterable(lists))
    n = len(cases)
    means = Atoms(sums.scores / n, sums.highest / n, sums.weights, sums.total)
    return Enumerated(mean, standard_deviation, means)


def count_additions(measure: Measure, query: Population) -> int:
    """Return the additions to list every AP of a query, or some number above ``MAX_ADDITIONS``."""
    (case,) = _cases(measure, query)
    return _count_additions(case)


def is_average_precision(measure: Measure) -> bool:
    """Return whether a measure is AP, with any parameters."""
    measure.check_chance()
    return isinstance(measure, AveragePrecision)


def _cases(measure: Measure, population: Population) -> list[Case]:
    """Return the queries of a population, for AP with these parameters."""
    rel = measure.relevant_grade
    columns = np.broadcast_arrays(
        np.atleast_1d(population.n_documents),
        population.ranks_seen(measure.cutoff),
        population.n_relevant(rel),
        population.n_judged(rel),
    )
    return [Case(*map(int, row)) for row in zip(*(c.tolist() for c in columns), strict=True)]


def _count_additions(case: Case) -> int:
    """Return the additions to list all sums, or some number above ``MAX_ADDITIONS``.

    The sums of 1, 2, ... relevant documents are listed one after the other, C(k + 1, m) in all.
    """
    if case.only_score is not None:
        return 1
    total = 0
    for m in case.n_in_top:
        total += count_choices(case.top + 1, m, MAX_ADDITIONS)
        if total > MAX_ADDITIONS:
            break
    return total


def _can_halve(case: Case) -> bool:
    """Return whether the sums of both halves of the ranks can be listed."""
    n_upper = case.top // 2
    n_lower = case.top - n_upper
    low, high = case.n_in_top[0], case.n_in_top[-1]
    total = 0
    for i in range(max(0, low - n_lower), min(n_upper, high) + 1):
        total += count_choices(n_upper + 1, i, MAX_HALF_ADDITIONS)
        for m in case.n_in_top:
            total += count_choices(n_lower + 1, m - i, MAX_HALF_ADDITIONS)
            if total > MAX_HALF_ADDITIONS:
                return False
    return True


def _can_add_up(numbers: Counter[Case]) -> bool:
    """Return whether the queries' scores can be added up, by an upper bound for each step."""
    if any(_count_additions(case) > MAX_ADDITIONS for case in numbers):
        return False
    total = 1
    for case, n_queries in numbers.items():
        each = sum(math.comb(case.top, m) for m in case.n_in_top)
        before = count_choices(each + n_queries - 2, n_queries - 1, MAX_ADDITIONS)
        if total * before * each > MAX_ADDITIONS:
            return False
        total *= math.comb(each + n_queries - 1, n_queries)
    return True


def _ranking_weights(case: Case) -> tuple[dict[int, float], float]:
    """Return the weight of one choice of m ranks, for each m, and of all choices together."""
    if len(case.n_in_top) == 1:
        m = case.n_in_top[0]
        return {m: 1.0}, float(math.comb(case.top, m))
    first, masses = hypergeometric_masses(case.n_documents, case.relevant, case.top)
    each = {m: mass / math.comb(case.top, m) for m, mass in enumerate(masses.tolist(), first)}
    return each, 1.0


def _list_scores(case: Case) -> Atoms:
    """Return every score of a query."""
    if case.only_score is not None:  # however many ranks there are
        return combine_equal(np.array([case.only_score]), np.ones(1), 1.0)
    ranking_weights, total = _ranking_weights(case)
    weights, unit = rank_weights(case.top, max(ranking_weights))
    lists = [precision_sums(weights, m) for m in ranking_weights]
    each = np.repeat(list(ranking_weights.values()), [len(part) for part in lists])
    return combine_equal(np.concatenate(lists) / float(case.judged * unit), each, total)


def _meet_in_the_middle(case: Case, mean: float, standard_deviation: float) -> MeetInTheMiddle:
    ranking_weights, total = _ranking_weights(case)
    weights, unit = rank_weights(case.top, max(ranking_weights))
    halves = list_half_sums(weights, ranking_weights)
    return MeetInTheMiddle(mean, standard_deviation, halves, case.judged * unit, total)


@dataclass(frozen=True, eq=False)
class Atoms:
    """Distinct scores, ascending, and the weight of each."""

    #: the lowest and the highest of the scores that were combined
    scores: Floats
    highest: Floats
    #: integers where all rankings have the same weight: their sums are exact
    weights: Floats
    total: float

    def __len__(self) -> int:
        return len(self.scores)


def combine_equal(
    scores: Floats, weights: Floats, total: float, *, highest: Floats | None = None
) -> Atoms:
    """Return scores, given in any order, with those within ``TOLERANCE`` of each other combined.

    ``highest`` has the upper ends of scores that are combinations of several already.
    """
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    upper = ascending if highest is None else np.maximum.accumulate(highest[order])
    starts = np.flatnonzero(np.append(True, ascending[1:] * (1 - TOLERANCE) > upper[:-1]))
    ends = np.append(starts[1:], len(order)) - 1
    sums = np.add.reduceat(weights[order], starts)
    return Atoms(ascending[starts], upper[ends], sums, total)


def add_up(parts: Iterable[Atoms]) -> Atoms:
    """Return the distribution of the sum of independent scores."""
    sums = Atoms(np.zeros(1), np.zeros(1), np.ones(1), 1.0)
    for part in parts:
        scores = np.add.outer(sums.scores, part.scores).ravel()
        highest = np.add.outer(sums.highest, part.highest).ravel()
        weights = np.multiply.outer(sums.weights, part.weights / part.total).ravel()
        sums = combine_equal(scores, weights, 1.0, highest=highest)
    return sums


@dataclass(frozen=True, eq=False, repr=False)
class Enumerated(ScoreDistribution):
    """An exact distribution that lists every score."""

    method: ClassVar[str] = "exact"

    mean: float
    standard_deviation: float
    atoms: Atoms

    @cached_property
    def _tails(self) -> tuple[Floats, Floats]:
        """The probability of all scores before each place, and of all from it on."""
        weights, total = self.atoms.weights, self.atoms.total
        below = np.append(0.0, _running_sums(weights))
        above = np.append(_running_sums(weights[::-1])[::-1], 0.0)
        # the smaller one, added up from its end, has all its digits; the other is the complement
        is_low = below <= above
        return (
            np.where(is_low, below, total - above) / total,
            np.where(is_low, total - below, above) / total,
        )

    def at_most(self, score: float) -> float:
        """Return the probability of this score or a lower one."""
        place = np.searchsorted(self.atoms.scores, score * (1 + TOLERANCE), "right")
        return float(self._tails[0][place])

    def at_least(self, score: float) -> float:
        """Return the probability of this score or a higher one."""
        place = np.searchsorted(self.atoms.highest, score * (1 - TOLERANCE), "left")
        return float(self._tails[1][place])

    def lowest_reaching(self, probability: float) -> float:
        """Return the lowest score with at least this probability at or below it."""
        if probability == 1:  # however rare the highest score is
            return float(self.atoms.scores[-1])
        reached, rest = (tail[1:] for tail in self._tails)
        if probability <= 0.5:
            place = int(np.searchsorted(reached, probability * (1 - TOLERANCE), "left"))
        else:
            allowed = max_upper_tail(probability)
            place = bisect_left(rest, True, key=lambda left: left <= allowed)
        return float(self.atoms.scores[min(place, len(reached) - 1)])


def _running_sums(values: Floats) -> Floats:
    """Return the sums of the first 1, 2, ... values, by rows of a table to reduce rounding."""
    width = math.isqrt(len(values)) + 1
    table = np.zeros((-(-len(values) // width), width))
    table.ravel()[: len(values)] = values
    within = np.cumsum(table, axis=1)
    before = np.cumsum(within[:, -1]) - within[:, -1]
    return (within + before[:, np.newaxis]).ravel()[: len(values)]
