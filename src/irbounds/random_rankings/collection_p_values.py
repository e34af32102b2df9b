"""The p-values of systems beside chance, of their means and of every query.

Where the lists of several systems are equally long, all of them are held against the same random
rankings: one drawing answers for all measures, systems and queries. Where a query's distribution of
AP is listed as quickly as it would be drawn, its p-value is exact, whatever the mean's is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..parameters import Alternative, ChanceMethod
from ..results import NullDistribution
from ..scores.measures import Measure
from .chance_measures import chance_parameters
from .distribution import distribution_of, simulated_distribution
from .exact import MOST_LISTED, additions_to_list, fits_exactly
from .populations import Population
from .random_rankings import Simulated, simulate
from .significance import Significance

Floats = NDArray[np.float64]
DRAWN: ChanceMethod = "monte-carlo"


@dataclass(frozen=True, eq=False)
class PValues:
    """Of one measure and system: the mean's, every query's, and what they come from."""

    distribution: NullDistribution
    mean: float
    queries: Floats
    #: how each query's was found
    methods: tuple[str, ...]


def p_values_of(
    measures: Sequence[Measure],
    population: Population,
    observed: Floats,
    asked: Significance,
) -> list[list[PValues]]:
    """By measure and system; ``observed`` is measure x system x query."""
    counted = [
        _counted(measure, population, observed[m], asked) for m, measure in enumerate(measures)
    ]
    drawn = [m for m, each in enumerate(counted) if each.leaves_some]
    simulated = simulate(
        [measures[m] for m in drawn],
        population,
        asked.n_draws,
        asked.seed,
        observed=[observed[m] for m in drawn],
        progress=asked.progress,
    )
    drawings = dict(zip(drawn, simulated, strict=True))
    found = []
    for m, each in enumerate(counted):
        chance, queries = each.mean, each.queries
        if m in drawings:
            by_draws = _by_draws(drawings[m], asked)
            queries = np.where(np.isnan(queries), by_draws, queries)
            chance = chance or simulated_distribution(measures[m], population, drawings[m])
        assert chance is not None  # drawn where it was not counted
        means = observed[m].mean(axis=1).tolist()
        p_of_means = [chance.p_value(mean, asked.alternative) for mean in means]
        found.append(
            [
                PValues(chance, p, row, each.methods)
                for p, row in zip(p_of_means, queries, strict=True)
            ]
        )
    return found


@dataclass(frozen=True, eq=False)
class _Counted:
    """What one measure's p-values are as far as no ranking needs to be drawn for them."""

    #: None: to be drawn
    mean: NullDistribution | None
    #: system x query; NaN: to be drawn
    queries: Floats
    methods: tuple[str, ...]

    @property
    def leaves_some(self) -> bool:
        return self.mean is None or DRAWN in self.methods


def _counted(
    measure: Measure, population: Population, observed: Floats, asked: Significance
) -> _Counted:
    """The mean's distribution, and the queries' p-values, of which only one is held at a time."""
    methods: list[str] = [DRAWN] * observed.shape[1]
    p_values = np.full(observed.shape, np.nan)
    if asked.method == DRAWN:
        return _Counted(None, p_values, tuple(methods))

    def distribution(of: Population) -> NullDistribution:
        chosen: ChanceMethod = asked.method or "exact"
        return distribution_of(measure, of, method=chosen, n_draws=asked.n_draws, seed=asked.seed)

    is_wanted = asked.method is not None or fits_exactly(measure, population)
    mean = distribution(population) if is_wanted else None
    for one, places in _single_queries(population).items():
        if is_wanted or _is_quick(measure, one, asked.n_draws):
            chance = mean if mean is not None and len(methods) == 1 else distribution(one)
            for q in places:
                methods[q] = chance.method
                p_values[:, q] = [
                    chance.p_value(score, asked.alternative) for score in observed[:, q].tolist()
                ]
    return _Counted(mean, p_values, tuple(methods))


def _single_queries(population: Population) -> dict[Population, list[int]]:
    """Each query by itself, and the places of all that are equal."""
    columns = (population.n_documents, population.depth, *population.counts, *population.judged)
    n_grades = len(population.grades)
    places: dict[tuple[float, ...], list[int]] = {}
    rows = zip(*(np.asarray(column).tolist() for column in columns), strict=True)
    for place, row in enumerate(rows):
        places.setdefault(row, []).append(place)
    return {
        Population(
            row[0],
            row[1],
            population.grades,
            row[2 : 2 + n_grades],
            row[2 + n_grades :],
            population.max_grade,
        ): equal
        for row, equal in places.items()
    }


def _is_quick(measure: Measure, query: Population, n_draws: int) -> bool:
    """Whether listing one query's scores takes no longer than drawing them would.

    An addition costs about as much as a relevant document of a draw.
    """
    if not fits_exactly(measure, query):
        return False
    relevant = float(query.n_relevant(chance_parameters(measure)[1].get("rel", 1)))
    return additions_to_list(measure, query) <= min(n_draws * max(relevant, 1.0), MOST_LISTED)


def _by_draws(drawings: Simulated, asked: Significance) -> Floats:
    """System x query: how often a drawn ranking did as well."""
    assert drawings.at_least is not None  # as scores were given
    assert drawings.at_most is not None
    high, low = (
        (1 + hits) / (1 + drawings.n_draws) for hits in (drawings.at_least, drawings.at_most)
    )
    both: Floats = np.minimum(1.0, 2 * np.minimum(high, low))
    sides: dict[Alternative, Floats] = {"greater": high, "less": low, "two-sided": both}
    return sides[asked.alternative]
