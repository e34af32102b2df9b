"""Chance levels of a collection, and systems compared with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..measurement.base import parse_measures
from ..random_rankings.collection import collection_of
from ..random_rankings.collection_levels import baseline_rows
from ..random_rankings.p_values import Significance
from ..reading.corpus_list import check_corpus_size, read_corpus
from ..reading.qrels_and_runs import read_qrels, read_runs
from ..results import ChanceLevel, Results
from ..scores.score_table import ScoreTable
from ..validation import PopulationName


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
    computed where ``significance`` says how.
    """
    chosen = parse_measures(measures if table is None else table.measures)
    size: Any = None
    if population == "corpus":
        size = check_corpus_size(corpus_size, corpus) or read_corpus(corpus)
    packed = () if table is None else read_runs(runs)
    collection = collection_of(read_qrels(qrels), packed, table, population, size)
    return baseline_rows(chosen, collection, significance)
