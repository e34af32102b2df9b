"""Chance levels of a collection, and its systems compared with them.

There is one row per measure and system, with its queries. The chance level of a mean is the mean of
the queries' chance levels. Queries are ranked independently, so their variances add up. A corrected
score belongs to a query. The row has the mean of the corrected scores, not the corrected mean,
since each query has its own chance level.

Systems with equally long lists are compared with the same random rankings: one set of draws serves
all measures, systems and queries. Where listing a query's distribution of AP is as fast as drawing
it, its p-value is exact, whichever method the mean has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.base import Measure
from ..measurement.parser import parse_measures
from ..measurement.populations import Population
from ..reading.corpus_list import check_corpus_size, read_corpus
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..results import ChanceLevel, NullDistribution, QueryChance, Results
from ..scores.score_table import ScoreTable
from ..validation import Alternative, ChanceMethod, PopulationName
from .collection_populations import Collection, build_collection, join_names
from .distribution import compute_distribution, simulated_distribution
from .exact import MAX_ADDITIONS, count_additions, is_exact_feasible
from .expected_scores import corrected_score
from .monte_carlo import SimulatedScores, simulate
from .p_values import Significance

Floats = NDArray[np.float64]
MONTE_CARLO: ChanceMethod = "monte-carlo"


def chance_levels(
    table: ScoreTable | None,
    qrels: Any,
    runs: Any = (),
    *,
    measures: Iterable[Any] | str = (),
    corpus_size: int | None = None,
    corpus: Any = None,
    population: PopulationName = "corpus",
    significance: Significance | None = None,
) -> Results[ChanceLevel]:
    """Return chance levels, and the scores of a table of these runs compared with them.

    Without a table they are the chance levels of ``measures`` on the judgments only. P-values are
    computed with the options of ``significance``.
    """
    chosen = parse_measures(measures if table is None else table.measures)
    size: Any = None
    if population == "corpus":
        size = check_corpus_size(corpus_size, corpus) or read_corpus(corpus)
    packed = () if table is None else read_runs(runs)
    collection = build_collection(read_qrels(qrels), packed, table, population, size)
    return compute_chance_levels(chosen, collection, significance)


def compute_chance_levels(
    measures: Sequence[Measure], collection: Collection, significance: Significance | None
) -> Results[ChanceLevel]:
    """Return all rows, measure by measure; without ``significance`` they have no p-values."""
    rows: dict[tuple[int, int], ChanceLevel] = {}
    distinct = list(dict.fromkeys(collection.populations))
    for number, population in enumerate(distinct):
        systems = [s for s, ranked in enumerate(collection.populations) if ranked is population]
        observed = None if collection.observed is None else collection.observed[:, systems]
        p_values = None
        if observed is not None and significance is not None:
            part = significance.part(number, len(distinct))
            p_values = compute_p_values(measures, population, observed, part)
        for m, measure in enumerate(measures):
            chance = _moments_by_query(measure, population)
            for place, s in enumerate(systems):
                scores = None if observed is None else observed[m, place]
                row = _row(collection, s, chance, scores, p_values[m][place] if p_values else None)
                rows[m, s] = row if significance is None else _add_method(row, significance)
    in_order = [rows[key] for key in sorted(rows)]
    warnings = (
        *collection.warnings,
        *_warn_of_certain_scores(in_order),
        *_warn_of_poor_fits(in_order),
    )
    return Results(replace(row, warnings=warnings) for row in in_order)


@dataclass(frozen=True, eq=False)
class _MomentsByQuery:
    """Expected scores and variances by one measure, and the numbers of documents, per query."""

    measure: str
    n_documents: Floats
    depth: Floats
    n_relevant: Floats
    n_judged: Floats
    expected: Floats
    variances: Floats


def _moments_by_query(measure: Measure, population: Population) -> _MomentsByQuery:
    rel = measure.relevant_grade
    arrays = (
        population.n_documents,
        population.depth,
        population.n_relevant(rel),
        population.n_judged(rel),
        measure.expected(population),
        measure.variance(population),
    )
    shape = np.shape(population.n_documents)
    return _MomentsByQuery(measure.name, *(np.broadcast_to(array, shape) for array in arrays))


def _row(
    collection: Collection,
    system: int,
    chance: _MomentsByQuery,
    observed: Floats | None,
    p_values: PValues | None,
) -> ChanceLevel:
    """Return the row of one measure and system; without observed scores none are corrected."""
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
        if np.isnan(deviation):  # without a formula, but possibly known from draws
            deviation = p_values.distribution.standard_deviation
    return ChanceLevel(
        measure=chance.measure,
        system=collection.systems[system],
        population=collection.population_name,
        n=len(chance.expected),
        prevalence=float((chance.n_relevant / chance.n_documents).mean()),
        expected=float(chance.expected.mean()),
        standard_deviation=deviation,
        queries=tuple(_query_rows(collection, chance, observed, corrected, p_values)),
        inputs=collection.inputs,
        **more,
    )


def _query_rows(
    collection: Collection,
    chance: _MomentsByQuery,
    observed: Floats | None,
    corrected: Floats | None,
    p_values: PValues | None,
) -> Iterator[QueryChance]:
    # a run's own documents are as many as its list is deep, and 0 where it lacks the query
    is_retrieved = collection.population_name == "retrieved"
    documents = chance.depth if is_retrieved else chance.n_documents
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


def _add_method(row: ChanceLevel, significance: Significance) -> ChanceLevel:
    """Return the row with the options that its p-value was computed with."""
    is_drawn = row.method == MONTE_CARLO
    return replace(
        row,
        alternative=significance.alternative,
        n_draws=significance.n_draws if is_drawn else None,
        seed=significance.seed if is_drawn else None,
    )


def _warn_of_certain_scores(rows: Sequence[ChanceLevel]) -> Iterator[str]:
    """Yield warnings about queries on which every ranking scores 1."""
    for measure in dict.fromkeys(row.measure for row in rows):
        systems = []
        for row in (row for row in rows if row.measure == measure and row.system is not None):
            n = sum(
                query.corrected is not None and np.isnan(query.corrected) for query in row.queries
            )
            systems += [f"{row.system} ({n:,})"] if n else []
        if systems:
            yield (
                f"{measure}: queries on which any order scores 1, so that they have no corrected "
                f"score and are not in the mean of these: {join_names(systems)}"
            )


def _warn_of_poor_fits(rows: Sequence[ChanceLevel]) -> Iterator[str]:
    """Yield the warnings of matched moments that are a poor approximation."""
    warnings = (getattr(row.distribution, "warning", None) for row in rows)
    yield from dict.fromkeys(warning for warning in warnings if warning)


@dataclass(frozen=True, eq=False)
class PValues:
    """The p-values of one measure and system: the mean's and every query's."""

    distribution: NullDistribution
    mean: float
    queries: Floats
    #: the method of each query's p-value
    methods: tuple[str, ...]


def compute_p_values(
    measures: Sequence[Measure],
    population: Population,
    observed: Floats,
    significance: Significance,
) -> list[list[PValues]]:
    """Return the p-values by measure and system; ``observed`` is measure x system x query."""
    without_draws = [
        _compute_without_draws(measure, population, observed[m], significance)
        for m, measure in enumerate(measures)
    ]
    to_draw = [m for m, known in enumerate(without_draws) if known.needs_draws]
    simulated = simulate(
        [measures[m] for m in to_draw],
        population,
        significance.n_draws,
        significance.seed,
        observed=[observed[m] for m in to_draw],
        progress=significance.progress,
    )
    draws = dict(zip(to_draw, simulated, strict=True))
    p_values = []
    for m, known in enumerate(without_draws):
        distribution, queries = known.mean, known.queries
        if m in draws:
            drawn = _p_values_of_draws(draws[m], significance)
            queries = np.where(np.isnan(queries), drawn, queries)
            distribution = distribution or simulated_distribution(measures[m], population, draws[m])
        assert distribution is not None  # drawn where it was not computed
        means = observed[m].mean(axis=1).tolist()
        p_of_means = [distribution.p_value(mean, significance.alternative) for mean in means]
        p_values.append(
            [
                PValues(distribution, p, row, known.methods)
                for p, row in zip(p_of_means, queries, strict=True)
            ]
        )
    return p_values


@dataclass(frozen=True, eq=False)
class _WithoutDraws:
    """The p-values of one measure, as far as no ranking needs to be drawn for them."""

    #: None: to be drawn
    mean: NullDistribution | None
    #: system x query; NaN: to be drawn
    queries: Floats
    methods: tuple[str, ...]

    @property
    def needs_draws(self) -> bool:
        """Whether some p-values need random draws."""
        return self.mean is None or MONTE_CARLO in self.methods


def _compute_without_draws(
    measure: Measure, population: Population, observed: Floats, significance: Significance
) -> _WithoutDraws:
    """Return the mean's distribution and the queries' p-values.

    Only one query's distribution is in memory at a time.
    """
    methods: list[str] = [MONTE_CARLO] * observed.shape[1]
    p_values = np.full(observed.shape, np.nan)
    if significance.method == MONTE_CARLO:
        return _WithoutDraws(None, p_values, tuple(methods))

    def compute(ranked: Population) -> NullDistribution:
        method: ChanceMethod = significance.method or "exact"
        return compute_distribution(
            measure, ranked, method=method, n_draws=significance.n_draws, seed=significance.seed
        )

    is_computed = significance.method is not None or is_exact_feasible(measure, population)
    mean = compute(population) if is_computed else None
    for query, places in _distinct_queries(population).items():
        if is_computed or _is_faster_exact(measure, query, significance.n_draws):
            distribution = mean if mean is not None and len(methods) == 1 else compute(query)
            for q in places:
                methods[q] = distribution.method
                p_values[:, q] = [
                    distribution.p_value(score, significance.alternative)
                    for score in observed[:, q].tolist()
                ]
    return _WithoutDraws(mean, p_values, tuple(methods))


def _distinct_queries(population: Population) -> dict[Population, list[int]]:
    """Return the population of each distinct query, and the places of all equal queries."""
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


def _is_faster_exact(measure: Measure, query: Population, n_draws: int) -> bool:
    """Return whether listing one query's scores takes no longer than drawing them.

    An addition costs about as much as a relevant document of a draw.
    """
    if not is_exact_feasible(measure, query):
        return False
    relevant = float(query.n_relevant(measure.relevant_grade))
    return count_additions(measure, query) <= min(n_draws * max(relevant, 1.0), MAX_ADDITIONS)


def _p_values_of_draws(draws: SimulatedScores, significance: Significance) -> Floats:
    """Return the p-values by system and query: (1 + hits) / (1 + draws)."""
    assert draws.at_least is not None  # counted, as there are observed scores
    assert draws.at_most is not None
    high, low = ((1 + hits) / (1 + draws.n_draws) for hits in (draws.at_least, draws.at_most))
    both: Floats = np.minimum(1.0, 2 * np.minimum(high, low))
    sides: dict[Alternative, Floats] = {"greater": high, "less": low, "two-sided": both}
    return sides[significance.alternative]
