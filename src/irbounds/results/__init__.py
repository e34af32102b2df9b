"""What irbounds gives back: frozen, and remembering how it was made."""

from .cards import Card, CardComparison
from .comparisons import Comparison, QueryPlan, RankEstimate
from .diagnosis import Diagnosis, QrelsDiagnosis, RunDiagnosis
from .inputs import InputFile, Standardisation, shown_fingerprint
from .intervals import Estimate, Interval, Limits, interval_at
from .records import records
from .studies import CalibrationRow, StudyTable

__all__ = [
    "CalibrationRow",
    "Card",
    "CardComparison",
    "Comparison",
    "Diagnosis",
    "Estimate",
    "InputFile",
    "Interval",
    "Limits",
    "QrelsDiagnosis",
    "QueryPlan",
    "RankEstimate",
    "RunDiagnosis",
    "Standardisation",
    "StudyTable",
    "interval_at",
    "records",
    "shown_fingerprint",
]
