"""The p-values of systems beside chance, of their means and of every query.

Where the lists of several systems are equally long, all of them are held against the same random
rankings: one drawing answers for all measures, systems and queries. Where a query's distribution of
AP is quickly listed its p-value is exact, whatever the mean's is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..parameters import Alternative
from ..results import NullDistribution
from ..scores.measures import Measure
from .chance_measures import chance_parameters
from .distribution import distribution_of, simulated_distribution
from .exact import fits_exactly
from .expectation import ranks_seen
from .populations import Population
from .random_rankings import Simulated, simulate
from .rank_choices import capped_choices
from .significance import Method, Significance

__all__ = ["PValues", "p_values_of"]

Floats = NDArray[np.float64]
QUICK = 1 << 20  # sums to list for one query


@dataclass(frozen=True, eq=False)
class PValues:
    """Of one measure and system: the mean's, every query's, and what the mean's comes from."""

    distribution: NullDistribution
    mean: float
    queries: Floats


def p_values_of(
    measures: Sequence[Measure],
    population: Population,
    observed: Floats,
    asked: Significance,
) -> list[list[PValues]]:
    """By measure and system; ``observed`` is measure x system x query."""
    plans = [_plan(measure, population, asked) for measure in measures]
    drawn = [m for m, plan in enumerate(plans) if plan.draws]
    simulated = simulate(
        [measures[m] for m in drawn],
        population,
        asked.n_draws,
        asked.seed,
        observed=[observed[m] for m in drawn],
        threads=asked.threads,
        progress=asked.progress,
    )
    results = dict(zip(drawn, simulated, strict=True))
    found = []
    for m, plan in enumerate(plans):
        drawings = results.get(m)
        chance = plan.mean
        if chance is None:
            assert drawings is not None  # as ``draws`` has it
            chance = simulated_distribution(measures[m], population, drawings)
        by_query = _by_query(plan, observed[m], drawings, asked.alternative)
        p_of_means = [
            chance.p_value(mean, asked.alternative) for mean in observed[m].mean(axis=1).tolist()
        ]
        found.append([PValues(chance, *each) for each in zip(p_of_means, by_query, strict=True)])
    return found


@dataclass(frozen=True, eq=False)
class _Plan:
    """What the p-values of one measure come from; None stands for random rankings, drawn."""

    mean: NullDistribution | None
    queries: list[NullDistribution | None]

    @property
    def draws(self) -> bool:
        return self.mean is None or None in self.queries


def _plan(measure: Measure, population: Population, asked: Significance) -> _Plan:
    singles = _single_queries(population)
    if asked.method == "monte-carlo":
        return _Plan(None, [None] * len(singles))
    method: Method = asked.method or "exact"

    def distribution(of: Population, wanted: bool = True) -> NullDistribution | None:
        if not wanted:
            return None
        return distribution_of(measure, of, method=method, n_draws=asked.n_draws, seed=asked.seed)

    is_given = asked.method is not None
    each = {
        one: distribution(one, is_given or _is_quick(measure, one))
        for one in dict.fromkeys(singles)
    }
    mean = distribution(population, is_given or fits_exactly(measure, population))
    return _Plan(mean, [each[one] for one in singles])


def _single_queries(population: Population) -> list[Population]:
    """Each query by itself, with one object for all that are equal."""
    columns = (population.n_documents, population.depth, *population.counts, *population.judged)
    n_grades = len(population.grades)
    seen: dict[tuple[float, ...], Population] = {}
    singles = []
    for row in zip(*(np.asarray(column).tolist() for column in columns), strict=True):
        if row not in seen:
            counts, judged = row[2 : 2 + n_grades], row[2 + n_grades :]
            seen[row] = Population(
                row[0], row[1], population.grades, counts, judged, population.max_grade
            )
        singles.append(seen[row])
    return singles


def _is_quick(measure: Measure, query: Population) -> bool:
    """Whether the exact distribution of one query takes no longer than drawing would."""
    if not fits_exactly(measure, query):
        return False
    _, parameters = chance_parameters(measure)
    ranks = int(ranks_seen(query, parameters.get("cutoff")))
    relevant = int(query.n_relevant(parameters.get("rel", 1)))
    return capped_choices(ranks + 1, min(relevant, (ranks + 1) // 2), QUICK) <= QUICK


def _by_query(
    plan: _Plan, observed: Floats, drawings: Simulated | None, alternative: Alternative
) -> Floats:
    """System x query: from drawn rankings, but for the queries that have a distribution."""
    p_values = np.full(observed.shape, np.nan)
    if drawings is not None and drawings.at_least is not None and drawings.at_most is not None:
        high, low = (
            (1 + hits) / (1 + drawings.n_draws) for hits in (drawings.at_least, drawings.at_most)
        )
        sides = {
            "greater": high,
            "less": low,
            "two-sided": np.minimum(1.0, 2 * np.minimum(high, low)),
        }
        p_values = sides[alternative]
    for q, chance in enumerate(plan.queries):
        if chance is not None:
            p_values[:, q] = [
                chance.p_value(score, alternative) for score in observed[:, q].tolist()
            ]
    return p_values
