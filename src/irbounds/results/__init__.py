"""Results: frozen, with what they were made from, and able to show themselves."""

from .baseline import NullDistribution, QueryBaseline, RandomBaseline, unreachable
from .calibration import CalibrationRow
from .cards import Card, CardComparison
from .comparisons import Comparison
from .corpus import DifferencePrecision, ImageSummary, RankPrecision, ScorePrecision
from .corpus_measures import (
    MeasurePrecision,
    QueryPrecision,
    QuerySpread,
    SpreadSummary,
    ValidityRow,
)
from .corpus_pools import PoolPrecision
from .corpus_variance import VarianceSplit
from .diagnosis import Diagnosis, QrelsDiagnosis, RunDiagnosis
from .estimates import Estimate
from .inputs import InputFile, Standardisation, shown_fingerprint
from .intervals import Interval, Limits, Side, SidedLimits, interval_at
from .measure_info import MeasureInfo
from .query_plans import QueryPlan, WidthPoint
from .ranks import RankEstimate, RankInterval
from .recall import Posterior, RecallEstimate, Stratum
from .recall_plans import PlannedSample, RecallPlan
from .recall_studies import (
    EstimatorScatter,
    ProportionCoverage,
    RecallCoverage,
    RecallCoverageRow,
    RecallRealisation,
    ShareBox,
    StudyCurve,
)
from .result import Result, Results, records
from .samples import Sample
from .studies import ChancePoint, CollectionTable, StudyTable
from .ties import TieEffect

__all__ = [
    "CalibrationRow",
    "Card",
    "CardComparison",
    "ChancePoint",
    "CollectionTable",
    "Comparison",
    "Diagnosis",
    "DifferencePrecision",
    "Estimate",
    "EstimatorScatter",
    "ImageSummary",
    "InputFile",
    "Interval",
    "Limits",
    "MeasureInfo",
    "MeasurePrecision",
    "NullDistribution",
    "PlannedSample",
    "PoolPrecision",
    "Posterior",
    "ProportionCoverage",
    "QrelsDiagnosis",
    "QueryBaseline",
    "QueryPlan",
    "QueryPrecision",
    "QuerySpread",
    "RandomBaseline",
    "RankEstimate",
    "RankInterval",
    "RankPrecision",
    "RecallCoverage",
    "RecallCoverageRow",
    "RecallEstimate",
    "RecallPlan",
    "RecallRealisation",
    "Result",
    "Results",
    "RunDiagnosis",
    "Sample",
    "ScorePrecision",
    "ShareBox",
    "Side",
    "SidedLimits",
    "SpreadSummary",
    "Standardisation",
    "Stratum",
    "StudyCurve",
    "StudyTable",
    "TieEffect",
    "ValidityRow",
    "VarianceSplit",
    "WidthPoint",
    "interval_at",
    "records",
    "shown_fingerprint",
    "unreachable",
]
