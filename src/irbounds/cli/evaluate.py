"""``irbounds evaluate``: systems with mean and interval, best first."""

from __future__ import annotations

import warnings
from dataclasses import asdict

from .inputs import RunOptions, table_of, which_queries
from .options import (
    ConfidenceLevel,
    Depth,
    Digits,
    DuplicateRule,
    Duplicates,
    Float32,
    Format,
    Measures,
    OptionalQrels,
    OptionalRuns,
    Order,
    OrderRule,
    Output,
    PerQuery,
    Queries,
    QueriesRule,
    Scores,
)
from .writing import chosen_form, write_result

__all__ = ["EXAMPLES", "evaluate"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds evaluate qrels.txt bm25.run dense.run.gz\n"
    "  irbounds evaluate qrels.txt runs/*.run -m AP -m nDCG@10 -m 'RBP(rel=1,p=0.95)'\n"
    "  irbounds evaluate qrels.txt bm25.run --per-query --format csv > scores.csv\n"
    "  irbounds evaluate --scores scores.csv\n"
    "  zcat bm25.run.gz | irbounds evaluate qrels.txt - --output table.tex"
)


def evaluate(
    qrels: OptionalQrels = None,
    runs: OptionalRuns = None,
    measures: Measures = None,
    scores: Scores = None,
    queries: Queries = QueriesRule.judged,
    confidence_level: ConfidenceLevel = 0.95,
    per_query: PerQuery = False,
    duplicates: Duplicates = DuplicateRule.error,
    order: Order = OrderRule.score,
    float32: Float32 = False,
    depth: Depth = None,
    digits: Digits = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Mean scores of systems with their intervals, best first.

    Reads judgments and runs (TREC text, JSON, CSV, TSV or Parquet, plain or compressed), says what
    is odd about them, and shows for every measure each system's mean over queries with its
    Student t interval.
    """
    from .. import __version__
    from ..api import check_confidence_level, mean_interval
    from ..report.diagnosis import summary_lines
    from ..report.evaluation import estimate_tables, score_tables

    chosen = chosen_form(form, output)
    check_confidence_level(confidence_level)
    table = table_of(
        qrels,
        runs,
        scores,
        measures,
        queries,
        RunOptions(duplicates.value, order.value, float32, depth),
    )
    said = list(table.warnings)
    if per_query:
        tables = score_tables(table, digits)
    else:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            estimates = mean_interval(table, confidence_level=confidence_level)
        said += [str(one.message) for one in caught]
        tables = estimate_tables(estimates, which_queries(scores, queries), digits)
    write_result(
        tables,
        form=chosen,
        output=output,
        above=summary_lines(table.diagnosis) if table.diagnosis else (),
        warnings=said,
        about={
            "irbounds": __version__,
            "warnings": said,
            "diagnosis": asdict(table.diagnosis) if table.diagnosis else None,
        },
    )
