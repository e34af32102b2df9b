"""``irbounds evaluate``: systems with mean and interval, best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .baseline_options import ChancePopulation
from .evaluate_chance import Chance, chance_wish, table_with_chance
from .evaluate_means import MeansWish, estimated
from .evaluate_stream import evaluate_stream, stream_of
from .inputs import RunOptions, check_pattern, table_of, which_queries
from .options import (
    Alternative,
    AlternativeOption,
    Bounds,
    ConfidenceLevel,
    CorpusList,
    CorpusSize,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Measures,
    Methods,
    OptionalQrels,
    OptionalRuns,
    Order,
    OrderRule,
    Output,
    PerQuery,
    Queries,
    QueriesRule,
    Resamples,
    Scores,
    Seed,
    Ties,
    TiesRule,
    parsed_bounds,
)
from .sections import means_section, scores_section
from .writing import chosen_form, lines_about, record_about, write_result

if TYPE_CHECKING:
    from ..presentation.pages import Section
    from ..results import RandomBaseline
    from ..scores.score_table import ScoreTable

__all__ = ["EXAMPLES", "evaluate"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds evaluate qrels.txt bm25.run dense.run.gz\n"
    "  irbounds evaluate qrels.txt runs/*.run -m AP -m nDCG@10 -m 'RBP(rel=1,p=0.95)'\n"
    "  irbounds evaluate qrels.txt bm25.run --per-query --format csv > scores.csv\n"
    "  irbounds evaluate qrels.txt bm25.run --ties expected\n"
    "  irbounds evaluate qrels.txt bm25.run --chance --corpus-size 528155\n"
    "  irbounds evaluate --scores scores.csv\n"
    "  irbounds evaluate --scores 'AP=scores/*.parquet' --n-resamples 1000 --memory 2GiB\n"
    "  irbounds evaluate qrels.txt bm25.run --method bca --confidence-level 0.9\n"
    "  irbounds evaluate qrels.txt bm25.run --method student-t --method studentised-logit\n"
    "  irbounds evaluate qrels.txt runs/*.run --figure means.pdf --report report.html\n"
    "  zcat bm25.run.gz | irbounds evaluate qrels.txt - --output table.tex"
)

Sigma = Annotated[
    float | None,
    typer.Option(metavar="SD", help="The known standard deviation of scores, for normal."),
]


def evaluate(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    methods: Methods = None,
    confidence_level: ConfidenceLevel = 0.95,
    alternative: AlternativeOption = Alternative.two_sided,
    n_resamples: Resamples = 9999,
    seed: Seed = 0,
    bounds: Bounds = None,
    sigma: Sigma = None,
    chance: Chance = False,
    corpus_size: CorpusSize = None,
    corpus: CorpusList = None,
    population: ChancePopulation = None,
    per_query: PerQuery = False,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    ties: Ties = TiesRule.trec,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Mean scores of systems with their intervals, best first.

    Reads judgments and runs (TREC text, JSON, CSV, TSV or Parquet, plain or compressed), says what
    is odd about them, and shows for every measure each system's mean over queries with its
    interval. docs/intervals.md says which method is honest when. Scores in Parquet files larger
    than memory are given as a pattern in quotes, or as a folder (docs/streams.md).
    """
    from ..api import check_confidence_level, checked_methods

    chosen = chosen_form(form, output)
    check_confidence_level(confidence_level)
    checked_methods(methods)
    within = parsed_bounds(bounds)
    asked = MeansWish(
        methods, confidence_level, n_resamples, seed, alternative.value, within, sigma
    )
    options = RunOptions(duplicates.value, order.value, float32, depth)
    wish = chance_wish(
        chance, population, corpus_size, corpus, is_of_means=not (per_query or scores)
    )
    given = {
        "QRELS": qrels is not None,
        "--queries": queries is not QueriesRule.judged,
        "--per-query": per_query,
        "--ties": ties is not TiesRule.trec,
        "--duplicates": duplicates is not DuplicateRule.error,
        "--order": order is not OrderRule.score,
        "--float32": float32,
        "--depth": depth is not None,
    }
    check_pattern(scores, qrels, runs, quoted=True)
    stream = stream_of(scores, measures, given)
    if stream:
        return evaluate_stream(stream, asked, digits, chosen, output)
    levels: Sequence[RandomBaseline] = ()
    if wish:
        table, levels = table_with_chance(wish, qrels, runs, measures, queries, options, ties)
    else:
        table = table_of(qrels, runs, scores, measures, queries, options, ties)
    said = list(levels[0].warnings if levels else table.warnings)
    if per_query:
        section = _scores(table, digits)
    else:
        estimates = estimated(table, asked, "resampling queries", said)
        rule = which_queries(scores, queries)
        section = means_section(estimates, rule, digits, ties=table.ties, levels=levels)
    write_result(
        [section],
        form=chosen,
        output=output,
        inputs=_lines_about(table, levels),
        warnings=said,
        about=record_about(table, said, ties=table.ties),
    )


def _scores(table: ScoreTable, digits: int | None) -> Section:
    from ..presentation.evaluation import score_tables

    return scores_section(table, score_tables(table, digits))


def _lines_about(table: ScoreTable, levels: Sequence[RandomBaseline]) -> list[str]:
    """What was read, and what chance ranks."""
    from ..presentation.baseline import population_line

    return [*lines_about(table), *([population_line(levels)] if levels else [])]
