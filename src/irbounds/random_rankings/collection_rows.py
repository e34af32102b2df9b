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

from ..results import ChanceLevel, QueryChance, Results
from ..scores.measures import Measure
from .chance_measures import chance_parameters
from .collection import Collection, listed
from .collection_p_values import PValues, p_values_of
from .corrected import corrected_score
from .expectation import expectation_of
from .populations import Population
from .significance import Significance
from .variance import variance_of

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
