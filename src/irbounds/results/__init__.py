"""What irbounds gives back: frozen, and remembering how it was made."""

from .baseline import NullDistribution, QueryBaseline, RandomBaseline, unreachable
from .cards import Card, CardComparison
from .comparisons import Comparison, QueryPlan, RankEstimate, WidthPoint
from .corpus import (
    DifferencePrecision,
    ImageSummary,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    RankPrecision,
    ScorePrecision,
    SpreadSummary,
    ValidityRow,
    VarianceSplit,
)
from .diagnosis import Diagnosis, QrelsDiagnosis, RunDiagnosis
from .inputs import InputFile, Standardisation, shown_fingerprint
from .intervals import Estimate, Interval, Limits, Side, SidedLimits, interval_at
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
from .records import records
from .samples import Sample
from .shown import Results, Shown
from .studies import CalibrationRow, ChancePoint, CollectionTable, StudyTable
from .ties import TIE_WORDS, TieEffect

__all__ = [
    "TIE_WORDS",
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
    "RankPrecision",
    "RecallCoverage",
    "RecallCoverageRow",
    "RecallEstimate",
    "RecallPlan",
    "RecallRealisation",
    "Results",
    "RunDiagnosis",
    "Sample",
    "ScorePrecision",
    "ShareBox",
    "Shown",
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
