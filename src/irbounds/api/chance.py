"""What random rankings score on a collection, and systems beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from ..errors import ParameterError
from ..parameters import (
    Alternative,
    ChanceMethod,
    PopulationName,
    Progress,
    QueryRule,
    TieRule,
    check_choice,
)
from ..random_rankings.chance_measures import chance_parameters
from ..random_rankings.collection import collection_of
from ..random_rankings.collection_rows import baseline_rows
from ..random_rankings.significance import Significance, checked_significance
from ..read.corpus_list import read_corpus
from ..read.inputs import read_qrels
from ..resample.streams import SeedLike, seed_number
from ..results import ChanceLevel, Results
from ..scores.corpus_documents import check_corpus_size
from ..scores.measures import parse_measures
from ..scores.score_table import ScoreTable
from ..scores.tie_orders import check_ties
from .runs import read_runs
from .scoring import score


def random_baseline(
    qrels: Any,
    runs: Any = None,
    measures: Iterable[Any] | str = "AP",
    *,
    corpus_size: int | None = None,
    corpus: Any = None,
    population: PopulationName = "corpus",
    queries: QueryRule = "all",
    ties: TieRule = "trec",
    method: ChanceMethod | None = None,
    alternative: Alternative = "greater",
    n_draws: int = 9999,
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> Results[ChanceLevel]:
    """What a random ranking scores on a collection, and systems beside it.

    Parameters
    ----------
    qrels, runs, measures, queries, ties
        As for ``score``; without runs, chance alone. Measures are AP, P, R, Rprec, RR, Success,
        nDCG, RBP, INSQ and ERR, with their cutoffs and parameters.
    corpus_size, corpus
        How many documents the corpus holds, or the list of their ids, for ``population="corpus"``.
    population
        Which documents are put in a random order for each query: all of the ``"corpus"``, the
        ``"judged"`` ones, or those that a run ``"retrieved"``. With runs, chance is cut where a
        run's list ends.
    method
        How p-values are found: ``"exact"`` (AP of few documents), ``"monte-carlo"`` or
        ``"matched-moments"``; None is exact where that is quick, else monte-carlo.
    alternative
        ``"greater"``: how often chance scores as high as the system; ``"less"``: as low.
    n_draws, rng
        Random rankings of monte-carlo, and their seed or generator.
    progress
        Called now and then with how much is done and how much there is.

    Returns
    -------
    Results of ChanceLevel
        One a measure and system; ``queries`` of each has the numbers of every query.

    Examples
    --------
    >>> judged = {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}
    >>> run = {"q": {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}
    >>> (row,) = random_baseline(judged, {"mine": run}, population="judged")
    >>> round(row.expected, 4), row.prevalence, row.observed, round(row.p_value, 4), row.method
    (0.6806, 0.5, 1.0, 0.1667, 'exact')
    """
    parsed = parse_measures(measures)
    check_chance_measures(measures)
    check_ties(ties, parsed)
    asked = checked_significance(method, alternative, n_draws, seed_number(rng), progress)
    size = check_population(population, corpus_size, corpus, has_runs=runs is not None)
    qrels = read_qrels(qrels)
    if runs is None:
        listed = None if corpus is None else read_corpus(corpus)
        collection = collection_of(qrels, (), None, population, listed or size)
        return baseline_rows(parsed, collection, asked)
    packed = read_runs(runs)
    table = score(qrels, packed, [measure.name for measure in parsed], queries=queries, ties=ties)
    return chance_levels(
        table,
        qrels,
        packed,
        corpus_size=corpus_size,
        corpus=corpus,
        population=population,
        significance=asked,
    )


def chance_levels(
    table: ScoreTable,
    qrels: Any,
    runs: Any,
    *,
    corpus_size: int | None = None,
    corpus: Any = None,
    population: PopulationName = "corpus",
    significance: Significance | None = None,
) -> Results[ChanceLevel]:
    """What chance scores beside the scores of a table of these runs; p-values if asked for."""
    check_chance_measures(table.measures)
    size = check_population(population, corpus_size, corpus, has_runs=True)
    listed = None if corpus is None else read_corpus(corpus)
    collection = collection_of(
        read_qrels(qrels), read_runs(runs), table, population, listed or size
    )
    return baseline_rows(parse_measures(table.measures), collection, significance)


def check_population(
    population: Any, corpus_size: Any, corpus: Any, *, has_runs: bool
) -> int | None:
    """The size of the corpus, None where its list is given or nothing but a part of it counts."""
    check_choice("population", population, get_args(PopulationName))
    sized = corpus_size is not None or corpus is not None
    if population == "corpus" and sized:
        return check_corpus_size(corpus_size, corpus)
    if population == "corpus":
        raise ParameterError(
            "needs corpus_size or corpus, the list of its documents; or population='judged' or "
            "'retrieved'"
        )
    if sized:
        raise ParameterError(f"population={population!r} takes no corpus_size and no corpus")
    if population == "retrieved" and not has_runs:
        raise ParameterError("population='retrieved' is each run's own documents: needs runs")
    return None


def check_chance_measures(measures: Iterable[Any] | str) -> None:
    """Raise ``MeasureError`` unless there is a formula for what chance scores by every measure."""
    for measure in parse_measures(measures):
        chance_parameters(measure)
