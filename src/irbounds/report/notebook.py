"""How each kind of result looks in a notebook: the tables and sentences that its command shows.

A kind has a function that makes its tables in ``TABLES``, and in ``SENTENCES`` one that says what
they show, where a command says so too. Figures are found in ``figures.by_kind``, which loads altair
and is asked for a figure alone. Results of several kinds are shown kind by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from ..errors import ParameterError
from ..results import (
    CalibrationRow,
    Card,
    CardComparison,
    CollectionTable,
    Comparison,
    Diagnosis,
    DifferencePrecision,
    Estimate,
    MeasurePrecision,
    NullDistribution,
    PlannedSample,
    PoolPrecision,
    QueryBaseline,
    QueryPlan,
    QueryPrecision,
    QuerySpread,
    RandomBaseline,
    RankEstimate,
    RankPrecision,
    RecallCoverageRow,
    RecallEstimate,
    RecallPlan,
    Sample,
    ScorePrecision,
    StudyTable,
    TieEffect,
    ValidityRow,
    VarianceSplit,
)
from . import notebook_tables as own
from .baseline import baseline_tables, number_table
from .calibration import calibration_sentences, calibration_tables
from .cards import card_comparison_sentence, card_comparison_table
from .comparison import comparison_sentences, comparison_tables
from .corpus import difference_precision_tables, rank_precision_tables, score_precision_tables
from .corpus_measures import (
    measure_precision_tables,
    query_precision_tables,
    query_spread_tables,
    system_precision_tables,
    validity_tables,
)
from .corpus_pools import pool_sentences, pool_tables
from .corpus_variance import variance_sentences, variance_tables
from .diagnosis import diagnosis_tables, summary_lines
from .evaluation import estimate_tables, score_tables
from .notebook_html import table_html
from .planning import query_plan_sentences, query_plan_tables
from .ranks import rank_sentences, rank_tables
from .recall import method_table, quantity_table, sample_lines, system_tables
from .recall_planning import recall_plan_sentences, recall_plan_tables
from .recall_sentences import recall_sentences
from .studies import collection_tables, study_tables
from .tables import Table
from .ties import with_tie_rule

if TYPE_CHECKING:
    from .figures.style import Figure

__all__ = [
    "SENTENCES",
    "TABLES",
    "EstimatorValues",
    "QueryScores",
    "figure_of",
    "html_of",
    "is_by_methods",
    "kind_of",
    "tables_of",
]

RULE = "queries"  # what means are over; a result does not know by which rule they were chosen
Found = TypeVar("Found")


@runtime_checkable
class QueryScores(Protocol):
    """What is shown of a ScoreTable, which lies beyond what reports may see."""

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    queries: tuple[str, ...]
    values: Any
    ties: str


@runtime_checkable
class EstimatorValues(Protocol):
    """The same of an EstimatorDistribution: values that estimated recall takes, and how often."""

    recall: float
    values: Any
    masses: Any
    undefined: float
    mean: float
    bias: float
    standard_deviation: float


def html_of(results: Iterable[Any]) -> str:
    """Sentences and tables as HTML; empty results say that they are."""
    shown = list(results)
    if not shown:
        return "<p>no results</p>"
    parts = []
    for kind, part in _by_kind(shown, TABLES):
        said = SENTENCES[kind](part) if kind in SENTENCES else []
        parts += [f"<p>{escape(sentence)}</p>" for sentence in said]
        parts += [table_html(table) for table in TABLES[kind](part)]
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'


def tables_of(results: Iterable[Any]) -> list[Table]:
    """The tables that the results' commands show, kind by kind."""
    return [table for kind, part in _by_kind(results, TABLES) for table in TABLES[kind](part)]


def figure_of(results: Iterable[Any], **options: Any) -> Figure:
    """The main figure of the first kind among the results, with the colours of paper."""
    from .figures.by_kind import FIGURES, on_paper

    shown = list(results)
    if not shown:
        raise ParameterError("no results, so no figure")
    kind, part = _by_kind(shown, FIGURES)[0]
    return on_paper(FIGURES[kind](part, **options))


def kind_of(result: Any, known: Mapping[type, Found]) -> type:
    """The kind of a result among those that are known."""
    for kind in known:
        if isinstance(result, kind):
            return kind
    names = ", ".join(kind.__name__ for kind in known)
    raise ParameterError(f"what can be shown is {names}; got {type(result).__name__}")


def _by_kind(results: Iterable[Any], known: Mapping[type, Found]) -> list[tuple[type, list[Any]]]:
    parts: dict[type, list[Any]] = {}
    for result in results:
        parts.setdefault(kind_of(result, known), []).append(result)
    return list(parts.items())


def _of_scores(tables: Sequence[QueryScores]) -> list[Table]:
    return [one for table in tables for one in with_tie_rule(score_tables(table), table.ties)]


def _of_baselines(rows: Sequence[RandomBaseline]) -> list[Table]:
    """Numbers of documents alone are no collection, and have quantiles instead of systems."""
    if rows[0].population == "given":
        return [number_table(rows)]
    return baseline_tables(rows, RULE)


def _of_measures(rows: Sequence[MeasurePrecision]) -> list[Table]:
    whole = [row for row in rows if row.system is None]
    single = [row for row in rows if row.system is not None]
    return [
        *(measure_precision_tables(whole) if whole else []),
        *(system_precision_tables(single) if single else []),
    ]


def _of_recall(estimates: Sequence[RecallEstimate]) -> list[Table]:
    """Several retrieved sets, several methods, or several quantities of one."""
    if len({(one.system, one.topic) for one in estimates}) > 1:
        return system_tables(estimates)
    if is_by_methods(estimates):
        return [method_table(estimates)]
    return [quantity_table(estimates)]


def is_by_methods(estimates: Sequence[RecallEstimate]) -> bool:
    """Whether it is recall alone, in several ways."""
    return len(estimates) > 1 and {one.quantity for one in estimates} == {"recall"}


def _of_one(make: Callable[[Any], list[Any]]) -> Callable[[Sequence[Any]], list[Any]]:
    """What is made of single results, for several of them."""
    return lambda results: [made for result in results for made in make(result)]


TABLES: dict[type, Callable[[Sequence[Any]], list[Table]]] = {
    Estimate: lambda rows: estimate_tables(rows, RULE),
    Comparison: lambda rows: comparison_tables(rows, RULE),
    RankEstimate: lambda rows: rank_tables(rows, RULE),
    QueryPlan: query_plan_tables,
    CalibrationRow: calibration_tables,
    Card: own.card_tables,
    CardComparison: _of_one(lambda found: [card_comparison_table(found)]),
    Diagnosis: _of_one(lambda found: diagnosis_tables(found, ())),
    TieEffect: own.tie_tables,
    ScorePrecision: lambda rows: score_precision_tables(rows, RULE),
    DifferencePrecision: difference_precision_tables,
    RankPrecision: lambda rows: rank_precision_tables(rows, ()),
    QueryPrecision: query_precision_tables,
    MeasurePrecision: _of_measures,
    QuerySpread: query_spread_tables,
    ValidityRow: validity_tables,
    PoolPrecision: pool_tables,
    VarianceSplit: lambda rows: variance_tables(rows, RULE),
    RecallEstimate: _of_recall,
    RecallPlan: _of_one(recall_plan_tables),
    PlannedSample: own.planned_sample_tables,
    RecallCoverageRow: own.recall_coverage_tables,
    Sample: _of_one(own.sample_tables),
    RandomBaseline: _of_baselines,
    QueryBaseline: own.query_baseline_tables,
    StudyTable: study_tables,
    CollectionTable: collection_tables,
    NullDistribution: own.null_distribution_tables,
    QueryScores: _of_scores,
    EstimatorValues: own.estimator_tables,
}

SENTENCES: dict[type, Callable[[Sequence[Any]], list[str]]] = {
    Comparison: comparison_sentences,
    RankEstimate: rank_sentences,
    QueryPlan: query_plan_sentences,
    CalibrationRow: calibration_sentences,
    CardComparison: _of_one(lambda found: [card_comparison_sentence(found), *found.warnings]),
    Diagnosis: _of_one(lambda found: [*summary_lines(found), *found.warnings]),
    PoolPrecision: pool_sentences,
    VarianceSplit: variance_sentences,
    RecallEstimate: recall_sentences,
    RecallPlan: _of_one(recall_plan_sentences),
    Sample: sample_lines,
}
