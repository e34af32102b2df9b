"""Every kind of result with how it is shown: its tables, its sentences and its main figure.

Tables and sentences are those that the kind's command shows. A figure is named, not imported: to
load altair takes long, and is left until a figure is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

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
from .baseline import baseline_tables, number_table
from .calibration import calibration_sentences, calibration_tables
from .cards import card_comparison_sentence, card_comparison_table, card_tables
from .chance import null_distribution_tables, query_baseline_tables
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
from .planning import query_plan_sentences, query_plan_tables
from .ranks import rank_sentences, rank_tables
from .recall import method_table, quantity_table, recall_view, sample_lines, system_tables
from .recall_audit import counts_table
from .recall_planning import recall_plan_sentences, recall_plan_tables
from .recall_sentences import recall_sentences
from .sampling import estimator_tables, planned_sample_tables, recall_coverage_tables
from .studies import collection_tables, study_tables
from .tables import Table
from .ties import tie_tables, with_tie_rule

__all__ = ["KINDS", "EstimatorValues", "Look", "QueryScores"]

RULE = "queries"  # what means are over; a result does not know by which rule they were chosen


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


@dataclass(frozen=True)
class Look:
    """How results of one kind are shown."""

    tables: Callable[[Sequence[Any]], list[Table]]
    #: where ``report.figures`` has the function that draws them, as ``"means:forests"``
    figure: str
    sentences: Callable[[Sequence[Any]], list[str]] = lambda results: []
    #: whether the figure is of a single result
    is_single: bool = False

    def draw(self) -> Callable[..., Any]:
        """The function itself; altair is loaded here."""
        module, name = self.figure.split(":")
        found: Callable[..., Any] = getattr(import_module(f".figures.{module}", __package__), name)
        return found


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
    view = recall_view(estimates)
    if view == "systems":
        return system_tables(estimates)
    return [method_table(estimates) if view == "methods" else quantity_table(estimates)]


def _of_one(make: Callable[[Any], list[Any]]) -> Callable[[Sequence[Any]], list[Any]]:
    """What is made of single results, for several of them."""
    return lambda results: [made for result in results for made in make(result)]


KINDS: dict[type, Look] = {
    Estimate: Look(lambda rows: estimate_tables(rows, RULE), "means:forests"),
    Comparison: Look(
        lambda rows: comparison_tables(rows, RULE), "differences:differences", comparison_sentences
    ),
    RankEstimate: Look(
        lambda rows: rank_tables(rows, RULE), "ranks:rank_intervals", rank_sentences
    ),
    QueryPlan: Look(query_plan_tables, "planning:widths_by_queries", query_plan_sentences),
    CalibrationRow: Look(calibration_tables, "coverage:calibration", calibration_sentences),
    Card: Look(card_tables, "published:card_means"),
    CardComparison: Look(
        _of_one(lambda found: [card_comparison_table(found)]),
        "published:card_comparison",
        _of_one(lambda found: [card_comparison_sentence(found), *found.warnings]),
        is_single=True,
    ),
    Diagnosis: Look(
        _of_one(lambda found: diagnosis_tables(found, ())),
        "ties:diagnosis_ties",
        _of_one(lambda found: [*summary_lines(found), *found.warnings]),
        is_single=True,
    ),
    TieEffect: Look(tie_tables, "ties:tie_spans"),
    ScorePrecision: Look(lambda rows: score_precision_tables(rows, RULE), "corpus:score_boxes"),
    DifferencePrecision: Look(difference_precision_tables, "corpus:difference_boxes"),
    RankPrecision: Look(lambda rows: rank_precision_tables(rows, ()), "corpus:rank_boxes"),
    QueryPrecision: Look(query_precision_tables, "corpus:query_distributions"),
    MeasurePrecision: Look(_of_measures, "by_kind:measure_figure"),
    QuerySpread: Look(query_spread_tables, "corpus:query_spread_ranges"),
    ValidityRow: Look(validity_tables, "corpus:left_out_images"),
    PoolPrecision: Look(pool_tables, "corpus:pools", pool_sentences),
    VarianceSplit: Look(
        lambda rows: variance_tables(rows, RULE), "corpus:variances", variance_sentences
    ),
    RecallEstimate: Look(_of_recall, "by_kind:recall_figure", recall_sentences),
    RecallPlan: Look(
        _of_one(recall_plan_tables), "by_kind:plan_figure", _of_one(recall_plan_sentences)
    ),
    PlannedSample: Look(planned_sample_tables, "planning:expected_widths"),
    RecallCoverageRow: Look(recall_coverage_tables, "coverage:coverage_by_method"),
    Sample: Look(lambda samples: [counts_table(samples)], "recall:relevant_shares", sample_lines),
    RandomBaseline: Look(_of_baselines, "by_kind:baseline_figure"),
    QueryBaseline: Look(query_baseline_tables, "chance:chance_of_queries"),
    StudyTable: Look(study_tables, "published:study_numbers"),
    CollectionTable: Look(collection_tables, "published:collection_numbers"),
    NullDistribution: Look(
        null_distribution_tables, "chance:null_distribution_figure", is_single=True
    ),
    QueryScores: Look(_of_scores, "by_kind:score_figure", is_single=True),
    EstimatorValues: Look(estimator_tables, "recall:estimator_scatter", is_single=True),
}
