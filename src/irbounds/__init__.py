"""Honest uncertainty for information-retrieval evaluation.

The names below load what they need when they are first used: ``import irbounds`` alone loads
neither numba nor polars.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    CheckpointError,
    DataError,
    DegenerateSampleWarning,
    ExecutionError,
    FetchError,
    InputError,
    IrboundsError,
    MeasureError,
    ParameterError,
    SeveralInputsError,
)

if TYPE_CHECKING:
    from .api import (
        check,
        corpus_bootstrap,
        paper_table,
        random_baseline,
        read_runs,
        score,
        tie_effects,
    )
    from .baseline.corrected import corrected_score
    from .baseline.distribution import null_distribution, p_value
    from .baseline.expectation import expected_score
    from .baseline.extremes import score_range
    from .baseline.variance import score_variance
    from .compare.card_comparison import compare_cards
    from .compare.card_files import read_card, write_card
    from .compare.cards import make_card
    from .compare.differences import difference_interval
    from .compare.ranks import rank_interval
    from .corpus.bootstrap import CorpusBootstrap
    from .design.calibration import calibrate
    from .design.queries import plan_queries
    from .design.recall_coverage import recall_coverage
    from .design.recall_curves import widths_by_budget, widths_by_split
    from .design.recall_plan import plan_recall
    from .design.recall_scenarios import RecallDesign
    from .interval.means import mean_interval
    from .read.inputs import read_qrels, read_run
    from .read.records import Qrels, Run
    from .read.strata_sheet import read_samples, read_strata, read_systems_sheet
    from .recall.documents import sampled_strata
    from .recall.estimator import EstimatorDistribution, estimator_bias, estimator_distribution
    from .recall.intervals import (
        all_recall_intervals,
        elusion_interval,
        f_interval,
        precision_interval,
        prevalence_interval,
        recall_interval,
        sample_estimates,
        yield_interval,
    )
    from .reports.report import Report, report
    from .results import (
        CalibrationRow,
        Card,
        CardComparison,
        Comparison,
        Diagnosis,
        DifferencePrecision,
        Estimate,
        ImageSummary,
        Interval,
        MeasurePrecision,
        PlannedSample,
        PoolPrecision,
        QueryBaseline,
        QueryPlan,
        QueryPrecision,
        QuerySpread,
        RandomBaseline,
        RankEstimate,
        RankPrecision,
        RecallCoverage,
        RecallCoverageRow,
        RecallEstimate,
        RecallPlan,
        RecallRealisation,
        Results,
        Sample,
        ScorePrecision,
        SpreadSummary,
        Standardisation,
        Stratum,
        TieEffect,
        ValidityRow,
        VarianceSplit,
        WidthPoint,
    )
    from .results.result import records
    from .scale.execution import execution
    from .scores.factors import Factors, read_factors, write_factors
    from .scores.score_input import read_scores
    from .scores.score_table import ScoreTable
    from .scores.standardise import score_factors, standardise
    from .simulate import SimulatedCollection, simulate_collection, write_collection

__version__ = "0.1.0"

__all__ = [
    "CalibrationRow",
    "Card",
    "CardComparison",
    "CheckpointError",
    "Comparison",
    "CorpusBootstrap",
    "DataError",
    "DegenerateSampleWarning",
    "Diagnosis",
    "DifferencePrecision",
    "Estimate",
    "EstimatorDistribution",
    "ExecutionError",
    "Factors",
    "FetchError",
    "ImageSummary",
    "InputError",
    "Interval",
    "IrboundsError",
    "MeasureError",
    "MeasurePrecision",
    "PaperTable",
    "ParameterError",
    "PlannedSample",
    "PoolPrecision",
    "Qrels",
    "QueryBaseline",
    "QueryPlan",
    "QueryPrecision",
    "QuerySpread",
    "RandomBaseline",
    "RankEstimate",
    "RankPrecision",
    "RecallCoverage",
    "RecallCoverageRow",
    "RecallDesign",
    "RecallEstimate",
    "RecallPlan",
    "RecallRealisation",
    "Report",
    "Results",
    "Run",
    "Sample",
    "ScorePrecision",
    "ScoreTable",
    "SeveralInputsError",
    "SimulatedCollection",
    "SpreadSummary",
    "Standardisation",
    "Stratum",
    "TieEffect",
    "ValidityRow",
    "VarianceSplit",
    "WidthPoint",
    "__version__",
    "all_recall_intervals",
    "calibrate",
    "check",
    "compare_cards",
    "corpus_bootstrap",
    "corrected_score",
    "difference_interval",
    "elusion_interval",
    "estimator_bias",
    "estimator_distribution",
    "execution",
    "expected_score",
    "f_interval",
    "make_card",
    "mean_interval",
    "null_distribution",
    "p_value",
    "paper_table",
    "plan_queries",
    "plan_recall",
    "precision_interval",
    "prevalence_interval",
    "random_baseline",
    "rank_interval",
    "read_card",
    "read_factors",
    "read_qrels",
    "read_run",
    "read_runs",
    "read_samples",
    "read_scores",
    "read_strata",
    "read_systems_sheet",
    "recall_coverage",
    "recall_interval",
    "records",
    "report",
    "sample_estimates",
    "sampled_strata",
    "score",
    "score_factors",
    "score_range",
    "score_variance",
    "simulate_collection",
    "standardise",
    "tie_effects",
    "widths_by_budget",
    "widths_by_split",
    "write_card",
    "write_collection",
    "write_factors",
    "yield_interval",
]

_HOMES = {
    "expected_score": "baseline.expectation",
    "score_range": "baseline.extremes",
    "score_variance": "baseline.variance",
    "null_distribution": "baseline.distribution",
    "p_value": "baseline.distribution",
    "corrected_score": "baseline.corrected",
    "random_baseline": "api",
    "QueryBaseline": "results",
    "RandomBaseline": "results",
    "EstimatorDistribution": "recall.estimator",
    "estimator_bias": "recall.estimator",
    "estimator_distribution": "recall.estimator",
    "Results": "results",
    "Sample": "results",
    "read_samples": "read.strata_sheet",
    "read_strata": "read.strata_sheet",
    "read_systems_sheet": "read.strata_sheet",
    "sampled_strata": "recall.documents",
    "all_recall_intervals": "recall.intervals",
    "elusion_interval": "recall.intervals",
    "f_interval": "recall.intervals",
    "precision_interval": "recall.intervals",
    "prevalence_interval": "recall.intervals",
    "recall_interval": "recall.intervals",
    "sample_estimates": "recall.intervals",
    "yield_interval": "recall.intervals",
    "RecallEstimate": "results",
    "Stratum": "results",
    "corpus_bootstrap": "api",
    "CorpusBootstrap": "corpus.bootstrap",
    "DifferencePrecision": "results",
    "ImageSummary": "results",
    "MeasurePrecision": "results",
    "PoolPrecision": "results",
    "QueryPrecision": "results",
    "QuerySpread": "results",
    "RankPrecision": "results",
    "ScorePrecision": "results",
    "SpreadSummary": "results",
    "ValidityRow": "results",
    "VarianceSplit": "results",
    "WidthPoint": "results",
    "records": "results",
    "PaperTable": "results.paper_table",
    "paper_table": "api",
    "report": "reports.report",
    "Report": "reports.report",
    "Card": "results",
    "CardComparison": "results",
    "compare_cards": "compare.card_comparison",
    "make_card": "compare.cards",
    "read_card": "compare.card_files",
    "write_card": "compare.card_files",
    "rank_interval": "compare.ranks",
    "RankEstimate": "results",
    "calibrate": "design.calibration",
    "execution": "scale.execution",
    "CalibrationRow": "results",
    "check": "api",
    "Comparison": "results",
    "difference_interval": "compare.differences",
    "mean_interval": "interval.means",
    "plan_queries": "design.queries",
    "plan_recall": "design.recall_plan",
    "recall_coverage": "design.recall_coverage",
    "RecallDesign": "design.recall_scenarios",
    "RecallCoverage": "results",
    "RecallCoverageRow": "results",
    "RecallRealisation": "results",
    "widths_by_budget": "design.recall_curves",
    "widths_by_split": "design.recall_curves",
    "PlannedSample": "results",
    "RecallPlan": "results",
    "QueryPlan": "results",
    "read_runs": "api",
    "read_scores": "scores.score_input",
    "score": "api",
    "tie_effects": "api",
    "TieEffect": "results",
    "read_qrels": "read.inputs",
    "read_run": "read.inputs",
    "Qrels": "read.records",
    "Run": "read.records",
    "Diagnosis": "results",
    "Estimate": "results",
    "Interval": "results",
    "ScoreTable": "scores.score_table",
    "Factors": "scores.factors",
    "read_factors": "scores.factors",
    "write_factors": "scores.factors",
    "Standardisation": "results",
    "score_factors": "scores.standardise",
    "standardise": "scores.standardise",
    "SimulatedCollection": "simulate",
    "simulate_collection": "simulate",
    "write_collection": "simulate",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'irbounds' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
