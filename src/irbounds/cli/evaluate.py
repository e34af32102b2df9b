"""``irbounds evaluate``: systems with mean and interval, best first."""

from __future__ import annotations

import warnings
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..errors import ParameterError
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
    check_standard_input,
)
from .writing import chosen_form, write_result

if TYPE_CHECKING:
    from ..scores.score_table import ScoreTable

__all__ = ["EXAMPLES", "evaluate"]

EXAMPLES = (
    "\b\nExamples:\n"
    "  irbounds evaluate qrels.txt bm25.run dense.run.gz\n"
    "  irbounds evaluate qrels.txt runs/*.run -m AP -m nDCG@10 -m 'RBP(rel=1,p=0.95)'\n"
    "  irbounds evaluate qrels.txt bm25.run --per-query --format csv > scores.csv\n"
    "  irbounds evaluate --scores scores.csv\n"
    "  zcat bm25.run.gz | irbounds evaluate qrels.txt - --output table.tex"
)
DEFAULT_MEASURES = ["AP", "nDCG@10"]
NO_OPTIONS = {"duplicates": "error", "order": "score", "float32": False, "depth": None}


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
    options: dict[str, Any] = {
        "duplicates": duplicates.value,
        "order": order.value,
        "float32": float32,
        "depth": depth,
    }
    if scores:
        table = _read_scores(scores, measures, queries, unwanted=(qrels, runs, options))
        rule = "queries"
    else:
        table = _score(qrels, runs, measures or DEFAULT_MEASURES, queries, options)
        rule = "judged queries" if queries is QueriesRule.judged else "queries in every run"
    said = list(table.warnings)
    if per_query:
        tables = score_tables(table, digits)
    else:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            estimates = mean_interval(table, confidence_level=confidence_level)
        said += [str(one.message) for one in caught]
        tables = estimate_tables(estimates, rule, digits)
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


def _score(
    qrels: str | None,
    runs: list[str] | None,
    measures: list[str],
    queries: QueriesRule,
    options: dict[str, Any],
) -> ScoreTable:
    from ..api import check_measures, read_qrels, read_runs, score
    from ..report.terminal import progress

    if qrels is None or not runs:
        raise ParameterError("needs QRELS and at least one RUN, or --scores FILE")
    check_standard_input([qrels, *runs])
    check_measures(measures)  # a misspelt measure is said before a gigabyte is read
    judgments = read_qrels(qrels)
    with progress("reading runs", len(runs)) as step:
        packed = read_runs(runs, progress=step, **options)
    with progress("scoring runs", len(runs)) as step:
        return score(judgments, packed, measures, queries=queries.value, progress=step)


def _read_scores(
    files: list[str],
    measures: list[str] | None,
    queries: QueriesRule,
    *,
    unwanted: tuple[str | None, list[str] | None, dict[str, Any]],
) -> ScoreTable:
    from ..api import read_scores

    qrels, runs, options = unwanted
    if qrels or runs:
        raise ParameterError("--scores takes the place of QRELS and RUN; give one or the other")
    if options != NO_OPTIONS:
        raise ParameterError("--duplicates, --order, --float32 and --depth are for runs")
    check_standard_input(files)
    by_measure: dict[str, list[str]] = {}
    for file in files:
        name, path = _named_table(file, (measures or ["score"])[0])
        by_measure.setdefault(name, []).append(path)
    rule: Literal["all", "common"] = "common" if queries is QueriesRule.common else "all"
    table = read_scores(by_measure, queries=rule)
    return table.select(measures) if measures else table


def _named_table(file: str, otherwise: str) -> tuple[str, str]:
    """``AP=scores.csv`` is a table of AP, unless there is a file of that very name."""
    name, equals, path = file.partition("=")
    return (name, path) if equals and not Path(file).exists() else (otherwise, file)
