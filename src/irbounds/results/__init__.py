"""What irbounds gives back: frozen, and remembering how it was made."""

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
from .intervals import Estimate, Interval, Limits, interval_at
from .records import records
from .studies import CalibrationRow, CollectionTable, StudyTable

__all__ = [
    "CalibrationRow",
    "Card",
    "CardComparison",
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
    "PoolPrecision",
    "QrelsDiagnosis",
    "QueryPlan",
    "QueryPrecision",
    "QuerySpread",
    "RankEstimate",
    "RankPrecision",
    "RunDiagnosis",
    "ScorePrecision",
    "SpreadSummary",
    "Standardisation",
    "StudyTable",
    "ValidityRow",
    "VarianceSplit",
    "interval_at",
    "records",
    "shown_fingerprint",
]
