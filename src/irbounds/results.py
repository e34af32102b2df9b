"""What irbounds gives back: frozen, and remembering how it was made."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Diagnosis", "Estimate", "Interval", "QrelsDiagnosis", "RunDiagnosis"]


@dataclass(frozen=True)
class Interval:
    """Two ends with what they promise."""

    low: float
    high: float
    confidence_level: float
    method: str

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2

    @property
    def is_known(self) -> bool:
        """Whether both ends are numbers; a degenerate sample has none."""
        return not (math.isnan(self.low) or math.isnan(self.high))


@dataclass(frozen=True)
class Estimate:
    """A mean over queries with its interval."""

    system: str
    measure: str
    value: float
    interval: Interval
    standard_error: float
    n: int


@dataclass(frozen=True)
class QrelsDiagnosis:
    """What was found in the judgments."""

    name: str
    fingerprint: str
    n_queries: int
    n_judgments: int
    n_relevant: int
    max_grade: int
    n_negative: int
    n_repeated: int
    n_without_relevant: int


@dataclass(frozen=True)
class RunDiagnosis:
    """What was found in one run, alone and against the judgments."""

    name: str
    fingerprint: str
    n_queries: int
    n_entries: int
    depth_least: int
    depth_median: float
    depth_most: int
    judged_at_10: float
    judged_at_100: float
    tied_share: float
    n_constant: int
    n_missing: int
    n_unjudged: int
    n_duplicates: int
    n_rank_contradictions: int
    never_relevant: bool
    options: tuple[str, ...]


@dataclass(frozen=True)
class Diagnosis:
    """All that is odd about the inputs, and what was done with it."""

    qrels: QrelsDiagnosis
    runs: tuple[RunDiagnosis, ...]
    #: the rule for queries that a run lacks, and how many queries it leaves
    queries: str
    n_scored: int
    #: sentences, most serious first; empty where nothing is odd
    warnings: tuple[str, ...]
