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

from collections.abc import Iterable, Sequence
from dataclasses import replace
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
from .distribution import correct_score, describe_draws
from .monte_carlo import SimulatedScores, simulate

Floats = NDArray[np.float64]


def chance_levels(
    table: ScoreTable | None,
    qrels: Any,
    runs: Any = (),
    *,
    measures: Iterable[Any] | str = (),
    corpus_size: int | None = None,
    n_draws: int = 0,
    seed: int = 0,
    alternative: Alternative = "greater",
    progress: Progress | None = None,
) -> Results[ChanceLevel]:
    """Return chance levels, and the scores of a table of these runs compared with them.

    Without a table they are the chance levels of ``measures`` on the judgments only. Without draws
    they have no p-values.
    """
    chosen = parse_measures(measures if table is None else table.measures)
    judgments, read = read_qrels(qrels), () if table is None else read_runs(runs)
    pool = Pool(judgments, None if table is None else table.queries)
    if corpus_size is not None:
        documents, _ = number_documents(None, judgments, read)
        find_corpus_size(corpus_size, len(documents), judgments)
    judged = [judge_run(run, pool) for run in read]
    by_depth: dict[bytes, list[int]] = {}
    for place, run in enumerate(judged):
        by_depth.setdefault(run.n_retrieved.tobytes(), []).append(place)
    levels: dict[tuple[int, int], ChanceLevel] = {}
    for number, places in enumerate(by_depth.values() or [[0]]):

        def report(done: int, total: int, begin: int = number) -> None:
            if progress is not None:
                progress(begin * total + done, len(by_depth) * total)

        population = _build_population(pool, judged[places[0]] if judged else None, corpus_size)
        observed = None if table is None else table.values[:, places]
        drawn: Sequence[SimulatedScores | None] = [None] * len(chosen)
        if observed is not None and n_draws:
            drawn = simulate(chosen, population, n_draws, seed, observed=observed, progress=report)
        for m, measure in enumerate(chosen):
            scores = [None] if observed is None else observed[m]
            rows = _list_rows(
                measure, population, pool.query_ids, scores, drawn[m], seed, alternative
            )
            levels |= {(m, place): row for place, row in zip(places, rows, strict=True)}
    warnings = list(warn_of_judgments(judgments, pool) if table is None else table.warnings)
    unjudged = sum(int(run.n_retrieved.sum()) - len(run.query) for run in judged)
    if corpus_size is None and unjudged:
        warnings.append(
            "retrieved documents without a judgment, which count as not relevant and are not in "
            f"the random rankings: {unjudged:,}; corpus_size includes them"
        )
    inputs = tuple(InputFile(file.name, file.fingerprint) for file in (judgments, *read))
    ordered = []
    for (_, place), row in sorted(levels.items(), key=lambda level: level[0]):
        name = read[place].name if read else None
        n = sum(query.corrected is not None and np.isnan(query.corrected) for query in row.queries)
        if n:
            warnings.append(
                f"{row.measure}: queries on which any order scores 1, so that they have no "
                f"corrected score and are not in the mean of {name}: {n:,}"
            )
        kind = "judged" if corpus_size is None else "corpus"
        ordered.append(replace(row, system=name, population=kind, inputs=inputs))
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


def _list_rows(
    measure: Measure,
    population: Population,
    query_ids: Sequence[str],
    observed: Sequence[Floats | None] | Floats,
    drawn: SimulatedScores | None,
    seed: int,
    alternative: Alternative,
) -> list[ChanceLevel]:
    """Return the row of each system of a population, or one without scores."""
    n = len(query_ids)
    expected = np.broadcast_to(measure.expected(population), n)
    variances = np.broadcast_to(measure.variance(population), n)
    relevant = np.asarray(population.n_relevant(measure.relevant_grade))
    counts = (population.n_documents, population.depth, relevant)
    columns: list[list[Any]] = [np.asarray(part).astype(np.int64).tolist() for part in counts]
    columns += [expected.tolist(), np.sqrt(variances).tolist()]
    level = ChanceLevel(
        measure=measure.name,
        system=None,
        population="",
        n=n,
        prevalence=float((relevant / population.n_documents).mean()),
        expected=float(expected.mean()),
        standard_deviation=float(np.sqrt(variances.sum())) / n,
    )
    p_values: Any = [[None] * n] * len(observed)
    distribution = None
    if drawn is not None and drawn.hits is not None:
        distribution = describe_draws(measure, population, drawn.means, seed)
        n_draws = len(drawn.means)
        p_values = choose_side(alternative, *((1 + drawn.hits) / (1 + n_draws))).tolist()
        level = replace(
            level,
            standard_deviation=distribution.standard_deviation,
            distribution=distribution,
            method=distribution.method,
            alternative=alternative,
            n_draws=n_draws,
            seed=seed,
        )
    rows = []
    for scores, by_query in zip(observed, p_values, strict=True):
        if scores is None:
            queries = tuple(map(QueryChance, query_ids, *columns))
            rows.append(replace(level, queries=queries))
            continue
        corrected = correct_score(scores, expected)
        known = corrected[~np.isnan(corrected)]
        mean = float(scores.mean())
        own = (scores.tolist(), corrected.tolist(), by_query)
        rows.append(
            replace(
                level,
                observed=mean,
                corrected=float(known.mean()) if len(known) else float("nan"),
                p_value=None if distribution is None else distribution.p_value(mean, alternative),
                queries=tuple(map(QueryChance, query_ids, *columns, *own)),
            )
        )
    return rows
