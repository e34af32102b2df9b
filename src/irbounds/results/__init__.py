"""What irbounds gives back: frozen, and remembering how it was made."""

from .baseline import NullDistribution, QueryBaseline, RandomBaseline, unreachable
from .cards import Card, CardComparison
from .comparisons import Comparison, QueryPlan, RankEstimate
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
from .recall_studies import RecallCoverage, RecallCoverageRow, RecallRealisation
from .records import records
from .samples import Sample
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
    "ImageSummary",
    "InputFile",
    "Interval",
    "Limits",
    "MeasurePrecision",
    "NullDistribution",
    "PlannedSample",
    "PoolPrecision",
    "Posterior",
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
    "RunDiagnosis",
    "Sample",
    "ScorePrecision",
    "Side",
    "SidedLimits",
    "SpreadSummary",
    "Standardisation",
    "Stratum",
    "StudyTable",
    "TieEffect",
    "ValidityRow",
    "VarianceSplit",
    "interval_at",
    "records",
    "shown_fingerprint",
    "unreachable",
]
