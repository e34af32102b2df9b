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
from collections import Counter
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from ..samples.hypergeometric import hypergeometric_masses
from ..scores.measures import Measure
from .chance_measures import chance_parameters
from .enumerated import Atoms, Enumerated, gathered, sums_of
from .expectation import ranks_seen
from .halves import Halved, half_sums
from .populations import Population
from .rank_choices import capped_choices, precision_sums, rank_weights

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
