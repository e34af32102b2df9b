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
    from .cards.card import make_card
    from .cards.comparison import compare_cards
    from .cards.files import read_card, write_card
    from .comparisons.differences import difference_interval
    from .comparisons.ranks import rank_interval
    from .corpora.bootstrap import CorpusBootstrap
    from .interval.means import mean_interval
    from .planning.calibration import calibrate
    from .planning.queries import plan_queries
    from .planning.recall_coverage import recall_coverage
    from .planning.recall_curves import widths_by_budget, widths_by_split
    from .planning.recall_plan import plan_recall
    from .planning.recall_scenarios import RecallDesign
    from .random_rankings.corrected import corrected_score
    from .random_rankings.distribution import null_distribution, p_value
    from .random_rankings.expectation import expected_score
    from .random_rankings.extremes import score_range
    from .random_rankings.variance import score_variance
    from .read.inputs import read_qrels, read_run
    from .read.records import Qrels, Run
    from .read.strata_sheet import read_samples, read_strata, read_systems_sheet
    from .reports.report import Report
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
    from .samples.documents import sampled_strata
    from .samples.estimator import EstimatorDistribution, estimator_bias, estimator_distribution
    from .samples.intervals import (
        all_recall_intervals,
        elusion_interval,
        f_interval,
        precision_interval,
        prevalence_interval,
        recall_interval,
        sample_estimates,
        yield_interval,
    )
    from .scale.execution import execution
    from .scores.factors import Factors, read_factors, write_factors
    from .scores.score_input import read_scores
    from .scores.score_table import ScoreTable
    from .scores.standardise import score_factors, standardise
    from .simulation import SimulatedCollection, simulate_collection, write_collection
    from .verbs.report import report

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
    "expected_score": "random_rankings.expectation",
    "score_range": "random_rankings.extremes",
    "score_variance": "random_rankings.variance",
    "null_distribution": "random_rankings.distribution",
    "p_value": "random_rankings.distribution",
    "corrected_score": "random_rankings.corrected",
    "random_baseline": "api",
    "QueryBaseline": "results",
    "RandomBaseline": "results",
    "EstimatorDistribution": "samples.estimator",
    "estimator_bias": "samples.estimator",
    "estimator_distribution": "samples.estimator",
    "Results": "results",
    "Sample": "results",
    "read_samples": "read.strata_sheet",
    "read_strata": "read.strata_sheet",
    "read_systems_sheet": "read.strata_sheet",
    "sampled_strata": "samples.documents",
    "all_recall_intervals": "samples.intervals",
    "elusion_interval": "samples.intervals",
    "f_interval": "samples.intervals",
    "precision_interval": "samples.intervals",
    "prevalence_interval": "samples.intervals",
    "recall_interval": "samples.intervals",
    "sample_estimates": "samples.intervals",
    "yield_interval": "samples.intervals",
    "RecallEstimate": "results",
    "Stratum": "results",
    "corpus_bootstrap": "api",
    "CorpusBootstrap": "corpora.bootstrap",
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
    "report": "verbs.report",
    "Report": "reports.report",
    "Card": "results",
    "CardComparison": "results",
    "compare_cards": "cards.comparison",
    "make_card": "cards.card",
    "read_card": "cards.files",
    "write_card": "cards.files",
    "rank_interval": "comparisons.ranks",
    "RankEstimate": "results",
    "calibrate": "planning.calibration",
    "execution": "scale.execution",
    "CalibrationRow": "results",
    "check": "api",
    "Comparison": "results",
    "difference_interval": "comparisons.differences",
    "mean_interval": "interval.means",
    "plan_queries": "planning.queries",
    "plan_recall": "planning.recall_plan",
    "recall_coverage": "planning.recall_coverage",
    "RecallDesign": "planning.recall_scenarios",
    "RecallCoverage": "results",
    "RecallCoverageRow": "results",
    "RecallRealisation": "results",
    "widths_by_budget": "planning.recall_curves",
    "widths_by_split": "planning.recall_curves",
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
    "SimulatedCollection": "simulation",
    "simulate_collection": "simulation",
    "write_collection": "simulation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'irbounds' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
