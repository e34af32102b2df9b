"""What was found in the inputs."""

from __future__ import annotations

from dataclasses import dataclass

from .shown import Shown

__all__ = ["Diagnosis", "QrelsDiagnosis", "RunDiagnosis"]


@dataclass(frozen=True)
class QrelsDiagnosis:
    """What was found in the judgments."""

    name: str
    fingerprint: str
    n_queries: int
    n_judgments: int
    n_documents: int
    n_relevant: int
    max_grade: int
    n_negative: int
    n_repeated: int
    #: of the queries that are scored
    n_without_relevant: int


@dataclass(frozen=True)
class RunDiagnosis:
    """What was found in one run, alone and against the judgments."""

    name: str
    fingerprint: str
    n_queries: int
    n_entries: int
    #: distinct ones
    n_documents: int
    depth_least: int
    depth_median: float
    depth_most: int
    judged_at_10: float
    judged_at_100: float
    #: entries whose score equals a neighbour's
    n_tied: int
    tied_share: float
    #: mean AP in the worst and in the best order within ties
    tie_low: float
    tie_high: float
    n_constant: int
    n_missing: int
    n_unjudged: int
    n_duplicates: int
    n_rank_contradictions: int
    never_relevant: bool
    options: tuple[str, ...]
    #: scored queries with too few documents for the measures, and with relevant ones missing
    n_short: int = 0
    #: the fewest documents among them
    short_least: int = 0
    #: scored queries that single precision moves by more than 0.001, the largest change, and where
    n_float32: int = 0
    float32_change: float = 0.0
    float32_measure: str = ""
    float32_query: str = ""


@dataclass(frozen=True)
class Diagnosis(Shown):
    """All that is odd about the inputs, and what was done with it."""

    qrels: QrelsDiagnosis
    runs: tuple[RunDiagnosis, ...]
    #: the rule for queries that a run lacks, and how many queries it leaves
    queries: str
    n_scored: int
    #: sentences, most serious first; empty where nothing is odd
    warnings: tuple[str, ...]
    #: sentences on what was done because it was asked for
    notes: tuple[str, ...] = ()
