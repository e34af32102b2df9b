"""Chance levels of a collection, and its systems compared with them.

There is one row per measure and system, with its queries. The chance level of a mean is the mean of
the queries' chance levels. Queries are ranked independently, so their variances add up. A corrected
score belongs to a query. The row has the mean of the corrected scores, not the corrected mean,
since each query has its own chance level.

A random ranking has all documents of a corpus of stated size, else the judged documents of the
query. With a run, random rankings are as deep as the run's list of the query, so that both are
scored on the same number of ranks. A query that the run lacks has no ranks, and the chance level
there is 0, as is the run's score. Systems with equally long lists are compared with the same random
rankings: one set of draws serves all measures, systems and queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measurement.base import Measure
from ..measurement.judged_runs import JudgedRun, Pool, judge_run
from ..measurement.parser import parse_measures
from ..measurement.populations import Population
from ..reading.corpus_list import find_corpus_size, number_documents
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..results import ChanceLevel, InputFile, QueryChance, Results
from ..results.chance_levels import choose_side
from ..scores.diagnosis import warn_of_judgments
from ..scores.score_table import ScoreTable
from ..validation import Alternative, Progress
from .distribution import describe_draws
from .expected_scores import correct_score
from .monte_carlo import SimulatedScores, simulate

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Significance:
    """The options of p-values."""

    alternative: Alternative
    n_draws: int
    seed: int
    progress: Progress | None = None


def chance_levels(
    table: ScoreTable | None,
    qrels: Any,
    runs: Any = (),
    *,
    measures: Iterable[Any] | str = (),
    corpus_size: int | None = None,
    significance: Significance | None = None,
) -> Results[ChanceLevel]:
    """Return chance levels, and the scores of a table of these runs compared with them.

    Without a table they are the chance levels of ``measures`` on the judgments only. Without
    ``significance`` they have no p-values.
    """
    chosen = parse_measures(measures if table is None else table.measures)
    judgments, read = read_qrels(qrels), () if table is None else read_runs(runs)
    pool = Pool(judgments, None if table is None else table.queries)
    if corpus_size is not None:
        documents, _ = number_documents(None, judgments, read)
        find_corpus_size(corpus_size, len(documents), judgments)
    judged = [judge_run(run, pool) for run in read]
    names: list[str | None] = [run.name for run in read] if read else [None]
    by_depth: dict[bytes, list[int]] = {}
    for place, run in enumerate(judged or [None]):
        by_depth.setdefault(b"" if run is None else run.n_retrieved.tobytes(), []).append(place)
    rows: dict[tuple[int, int], ChanceLevel] = {}
    for number, places in enumerate(by_depth.values()):
        population = _build_population(pool, judged[places[0]] if judged else None, corpus_size)
        observed = None if table is None else table.values[:, places]
        drawn: list[SimulatedScores] | None = None
        if observed is not None and significance is not None:
            drawn = simulate(
                chosen,
                population,
                significance.n_draws,
                significance.seed,
                observed=observed,
                progress=partial(_report, significance.progress, number, len(by_depth)),
            )
        for m, measure in enumerate(chosen):
            levels = _list_rows(
                measure,
                population,
                pool.query_ids,
                None if observed is None else observed[m],
                None if drawn is None else drawn[m],
                significance,
            )
            rows |= {(m, place): row for place, row in zip(places, levels, strict=True)}
    inputs = tuple(InputFile(file.name, file.fingerprint) for file in (judgments, *read))
    kind = "judged" if corpus_size is None else "corpus"
    ordered = [
        replace(rows[m, place], system=names[place], population=kind, inputs=inputs)
        for m, place in sorted(rows)
    ]
    warnings = list(warn_of_judgments(judgments, pool) if table is None else table.warnings)
    unjudged = sum(int(run.n_retrieved.sum()) - len(run.query) for run in judged)
    if corpus_size is None and unjudged:
        warnings.append(
            "retrieved documents without a judgment, which count as not relevant and are not in "
            f"the random rankings: {unjudged:,}"
        )
    for row in ordered:
        n = sum(query.corrected is not None and np.isnan(query.corrected) for query in row.queries)
        if n:
            warnings.append(
                f"{row.measure}: queries on which any order scores 1, so that they have no "
                f"corrected score and are not in the mean of {row.system}: {n:,}"
            )
    return Results(replace(row, warnings=tuple(warnings)) for row in ordered)


def _build_population(pool: Pool, run: JudgedRun | None, corpus_size: int | None) -> Population:
    """Return the number of ranked documents, of ranks and of documents per grade, per query."""
    grades = [grade for grade in pool.grades if grade > 0] or [1]
    documents = np.full(len(pool), corpus_size) if corpus_size else np.diff(pool.bounds)
    depth = documents if run is None else np.minimum(documents, run.n_retrieved)
    return Population(
        # formulas divide by this number: no documents are one document without a rank
        n_documents=np.maximum(documents, 1).astype(np.float64),
        depth=depth.astype(np.float64),
        grades=tuple(grades),
        counts=tuple(pool.per_query(pool.query[pool.relevance == grade]) for grade in grades),
        max_grade=pool.max_grade,
    )


def _report(
    progress: Progress | None, number: int, n_populations: int, done: int, total: int
) -> None:
    """Report the progress of one of several populations."""
    if progress is not None:
        progress(number * total + done, n_populations * total)


def _list_rows(
    measure: Measure,
    population: Population,
    query_ids: Sequence[str],
    observed: Floats | None,
    drawn: SimulatedScores | None,
    significance: Significance | None,
) -> Iterator[ChanceLevel]:
    """Yield the row of each system of a population, or the only one where there are none."""
    expected, variances = (
        np.broadcast_to(numbers, len(query_ids))
        for numbers in (measure.expected(population), measure.variance(population))
    )
    relevant = np.asarray(population.n_relevant(measure.relevant_grade))
    counts = [
        np.asarray(number).astype(np.int64).tolist()
        for number in (population.n_documents, population.depth, relevant)
    ]
    moments = [expected.tolist(), np.sqrt(variances).tolist()]
    common: dict[str, Any] = {
        "measure": measure.name,
        "system": None,
        "population": "",
        "n": len(query_ids),
        "prevalence": float((relevant / population.n_documents).mean()),
        "expected": float(expected.mean()),
        "standard_deviation": float(np.sqrt(variances.sum())) / len(query_ids),
    }
    distribution = None
    by_query: Any = repeat(None)
    if drawn is not None and significance is not None:
        distribution = describe_draws(measure, population, drawn.means, significance.seed)
        assert drawn.at_least is not None  # counted, as there are observed scores
        assert drawn.at_most is not None
        tails = [(1 + hits) / (1 + len(drawn.means)) for hits in (drawn.at_least, drawn.at_most)]
        by_query = choose_side(significance.alternative, *tails)
        common |= {
            "standard_deviation": distribution.standard_deviation,
            "distribution": distribution,
            "method": distribution.method,
            "alternative": significance.alternative,
            "n_draws": significance.n_draws,
            "seed": significance.seed,
        }
    if observed is None:
        queries = map(QueryChance, query_ids, *counts, *moments)
        yield ChanceLevel(**common, queries=tuple(queries))
        return
    for scores, p_values in zip(observed, by_query, strict=False):
        corrected = correct_score(scores, expected)
        known = corrected[~np.isnan(corrected)]
        mean = float(scores.mean())
        columns = (scores.tolist(), corrected.tolist())
        each = repeat(None) if p_values is None else p_values.tolist()
        queries = map(QueryChance, query_ids, *counts, *moments, *columns, each)
        yield ChanceLevel(
            **common,
            observed=mean,
            corrected=float(known.mean()) if len(known) else float("nan"),
            p_value=None
            if distribution is None
            else distribution.p_value(mean, common["alternative"]),
            queries=tuple(queries),
        )
