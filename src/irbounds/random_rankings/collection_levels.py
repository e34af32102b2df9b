"""Systems of a collection beside chance: a row a measure and system, with its queries.

The mean over queries of what chance scores is the chance level of the mean; queries are ranked
independently, so their variances add up. A corrected score belongs to a query, and the mean of
these is shown, not the corrected mean: queries have chance levels of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.base import Measure
from ..measurement.chance_measures import chance_parameters
from ..measurement.expectation import expectation_of
from ..measurement.populations import Population
from ..measurement.variance import variance_of
from ..results import ChanceLevel, NullDistribution, QueryChance, Results
from ..validation import Alternative, ChanceMethod
from .collection import Collection, listed
from .corrected import corrected_score
from .distribution import distribution_of, simulated_distribution
from .exact import MOST_LISTED, additions_to_list, fits_exactly
from .monte_carlo import Simulated, simulate
from .p_values import Significance

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Chance:
    """What chance scores by one measure, and of how much: a number a query each."""

    measure: str
    n_documents: Floats
    depth: Floats
    n_relevant: Floats
    n_judged: Floats
    expected: Floats
    variances: Floats


def baseline_rows(
    measures: Sequence[Measure], collection: Collection, significance: Significance | None
) -> Results[ChanceLevel]:
    """All rows, measure by measure; without ``significance`` they have no p-values."""
    rows: dict[tuple[int, int], ChanceLevel] = {}
    distinct = list(dict.fromkeys(collection.populations))
    for number, population in enumerate(distinct):
        systems = [s for s, one in enumerate(collection.populations) if one is population]
        observed = None if collection.observed is None else collection.observed[:, systems]
        found = None
        if observed is not None and significance is not None:
            part = significance.part(number, len(distinct))
            found = p_values_of(measures, population, observed, part)
        for m, measure in enumerate(measures):
            chance = _chance(measure, population)
            for place, s in enumerate(systems):
                scores = None if observed is None else observed[m, place]
                row = _row(collection, s, chance, scores, found[m][place] if found else None)
                rows[m, s] = row if significance is None else _signed(row, significance)
    in_order = [rows[key] for key in sorted(rows)]
    said = (*collection.warnings, *_without_correction(in_order), *_cautions(in_order))
    return Results(replace(row, warnings=said) for row in in_order)


def _chance(measure: Measure, population: Population) -> _Chance:
    rel = chance_parameters(measure)[1].get("rel") or 1
    arrays = (
        population.n_documents,
        population.depth,
        population.n_relevant(rel),
        population.n_judged(rel),
        expectation_of(measure, population),
        variance_of(measure, population),
    )
    shape = np.shape(population.n_documents)
    return _Chance(measure.name, *(np.broadcast_to(array, shape) for array in arrays))


def _row(
    collection: Collection,
    system: int,
    chance: _Chance,
    observed: Floats | None,
    p_values: PValues | None,
) -> ChanceLevel:
    """One measure and system; what has no scores has nothing to correct."""
    deviation = float(np.sqrt(chance.variances.sum())) / len(chance.expected)
    more: dict[str, Any] = {}
    corrected = None
    if observed is not None:
        corrected = np.asarray(corrected_score(observed, chance.expected))
        known = corrected[~np.isnan(corrected)]
        more = {
            "observed": float(observed.mean()),
            "corrected": float(known.mean()) if len(known) else float("nan"),
        }
    if p_values is not None:
        more |= {
            "p_value": p_values.mean,
            "distribution": p_values.distribution,
            "method": p_values.distribution.method,
        }
        if np.isnan(deviation):  # no formula, but perhaps it was drawn
            deviation = p_values.distribution.standard_deviation
    return ChanceLevel(
        measure=chance.measure,
        system=collection.systems[system],
        population=collection.kind,
        n=len(chance.expected),
        prevalence=float((chance.n_relevant / chance.n_documents).mean()),
        expected=float(chance.expected.mean()),
        standard_deviation=deviation,
        queries=tuple(_queries(collection, chance, observed, corrected, p_values)),
        inputs=collection.inputs,
        **more,
    )


def _queries(
    collection: Collection,
    chance: _Chance,
    observed: Floats | None,
    corrected: Floats | None,
    p_values: PValues | None,
) -> Iterator[QueryChance]:
    # a run's own documents are as many as its list is deep, none where it lacks the query
    documents = chance.depth if collection.kind == "retrieved" else chance.n_documents
    counts = (documents, chance.depth, chance.n_relevant, chance.n_judged)
    by_query = None if p_values is None else p_values.queries
    numbers = (chance.expected, np.sqrt(chance.variances), observed, corrected, by_query)
    columns = (
        *(array.astype(np.int64).tolist() for array in counts),
        *(repeat(None) if array is None else array.tolist() for array in numbers),
        repeat(None) if p_values is None else p_values.methods,
    )
    for query_id, *values in zip(collection.query_ids, *columns, strict=False):
        yield QueryChance(query_id, *values)


def _signed(row: ChanceLevel, significance: Significance) -> ChanceLevel:
    """The same with what its p-value rests on."""
    drawn = row.method == "monte-carlo"
    return replace(
        row,
        alternative=significance.alternative,
        n_draws=significance.n_draws if drawn else None,
        seed=significance.seed if drawn else None,
    )


def _without_correction(rows: Sequence[ChanceLevel]) -> Iterator[str]:
    """Queries on which chance cannot but score 1."""
    for measure in dict.fromkeys(row.measure for row in rows):
        named = []
        for row in (row for row in rows if row.measure == measure and row.system is not None):
            n = sum(one.corrected is not None and np.isnan(one.corrected) for one in row.queries)
            named += [f"{row.system} ({n:,})"] if n else []
        if named:
            yield (
                f"{measure}: queries on which any order scores 1, so that they have no corrected "
                f"score and are not in the mean of these: {listed(named)}"
            )


def _cautions(rows: Sequence[ChanceLevel]) -> Iterator[str]:
    """Why the approximation is not to be trusted, where it is not."""
    found = (getattr(row.distribution, "caution", None) for row in rows)
    yield from dict.fromkeys(caution for caution in found if caution)


# The p-values of systems beside chance, of their means and of every query.
#
# Where the lists of several systems are equally long, all of them are held against the same random
# rankings: one drawing answers for all measures, systems and queries. Where a query's
# distribution of
# AP is listed as quickly as it would be drawn, its p-value is exact, whatever the mean's is.
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
