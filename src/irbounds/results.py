"""What irbounds gives back: frozen, and remembering how it was made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .parameters import Alternative, check_alternative, check_confidence_level

__all__ = [
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
    "interval_at",
]


@dataclass(frozen=True)
class Interval:
    """Two ends with what they promise; both are NaN where a sample allows no interval.

    A one-sided interval has one infinite end: ``"less"`` bounds from above, ``"greater"`` from
    below.
    """

    low: float
    high: float
    confidence_level: float
    method: str
    alternative: Alternative = "two-sided"

    @property
    def half_width(self) -> float:
        """Half the distance between the ends."""
        return (self.high - self.low) / 2


class Limits(Protocol):
    """What a method makes of a sample: its confidence limit for any probability."""

    @property
    def method(self) -> str:
        """The method's name."""
        ...

    def limit(self, probability: float) -> NDArray[np.float64]:
        """The value below which the parameter lies with this confidence."""
        ...


def interval_at(limits: Limits, confidence_level: float, alternative: Alternative) -> Interval:
    """The interval that a method's limits give at a level."""
    outside = 1 - confidence_level
    low, high = -math.inf, math.inf
    if alternative == "two-sided":
        low, high = float(limits.limit(outside / 2)), float(limits.limit(1 - outside / 2))
    elif alternative == "greater":
        low = float(limits.limit(outside))
    else:
        high = float(limits.limit(confidence_level))
    if math.isnan(low) or math.isnan(high):
        low = high = math.nan
    return Interval(low, high, confidence_level, limits.method, alternative)


@dataclass(frozen=True, eq=False)
class Estimate:
    """A mean over queries with its interval."""

    system: str
    measure: str
    #: the mean
    value: float
    interval: Interval
    standard_error: float
    #: how many queries it is a mean of
    n: int
    limits: Limits = field(repr=False)
    #: bootstrap means, for a method that has them; systems share their resamples, in this order
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    #: what ``rng`` to give to have the same again
    seed: int | None = None
    #: bootstrap means that the method had to leave out
    n_dropped: int = 0
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> Estimate:
        """The same at another level or side, from what is kept: nothing is drawn again."""
        check_confidence_level(confidence_level)
        side = check_alternative(alternative or self.interval.alternative)
        return replace(self, interval=interval_at(self.limits, confidence_level, side))


@dataclass(frozen=True)
class InputFile:
    """Something that was read: its name and the SHA-256 of its content."""

    name: str
    fingerprint: str


@dataclass(frozen=True)
class Standardisation:
    """How scores were standardised: by which systems, and by which numbers exactly."""

    #: ``"z"`` or ``"normal-cdf"``
    transform: str
    systems: tuple[str, ...]
    #: SHA-256 of the factors
    fingerprint: str


@dataclass(frozen=True, eq=False)
class Comparison:
    """The mean difference of two systems on the same queries, with interval and test."""

    measure: str
    system: str
    baseline: str
    #: mean of system - baseline
    difference: float
    interval: Interval
    standard_error: float
    n: int
    #: the mean difference in standard deviations of the differences
    effect_size: float
    #: ``"t"``, ``"sign-flip"``, ``"wilcoxon"`` or ``"bootstrap"``
    test: str
    p_value: float
    #: ``"holm"``, ``"benjamini-hochberg"``, ``"max-statistic"`` or ``"none"``
    adjustment: str
    adjusted_p_value: float
    #: the smallest true difference that this many queries would show with this power
    detectable_difference: float
    power: float
    limits: Limits = field(repr=False)
    #: bootstrap means of the difference, for a method that has them
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> Comparison:
        """The same at another level or side; the test stays as it was."""
        check_confidence_level(confidence_level)
        side = check_alternative(alternative or self.interval.alternative)
        return replace(self, interval=interval_at(self.limits, confidence_level, side))


@dataclass(frozen=True)
class RankEstimate:
    """Where a system stands among others, and where it might stand."""

    measure: str
    system: str
    #: its mean
    value: float
    #: 1 for the highest mean; systems of equal mean share the better rank
    rank: int
    #: ranks that it might have, for all systems together at the level
    low: int
    high: int
    #: share of bootstrap resamples in which it has the highest mean
    best_probability: float
    #: systems that share a letter cannot be told apart
    letters: str
    confidence_level: float
    n: int
    seed: int


@dataclass(frozen=True)
class QueryPlan:
    """What queries can show for one pair of systems, or for the typical one."""

    measure: str
    #: which pair, or which summary of all pairs
    pair: str
    n: int
    #: standard deviation of the differences
    standard_deviation: float
    confidence_level: float
    power: float
    #: the smallest true difference that n queries show with this power
    detectable_difference: float
    #: half the width of the interval that n queries give
    half_width: float
    #: how many queries show ``difference`` with this power; None if none was given
    difference: float | None = None
    queries_for_difference: int | None = None
    #: how many queries give ``wanted_half_width``; None if none was given
    wanted_half_width: float | None = None
    queries_for_half_width: int | None = None


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
    #: sentences on what was done because it was asked for
    notes: tuple[str, ...] = ()
