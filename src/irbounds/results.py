"""What irbounds gives back: frozen, and remembering how it was made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .parameters import Alternative, check_alternative, check_confidence_level

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
    #: the side of the test
    alternative: Alternative
    p_value: float
    #: whether random draws stand behind the p-value, so that it has a least value above 0
    monte_carlo: bool
    #: ``"holm"``, ``"benjamini-hochberg"``, ``"max-statistic"`` or ``"none"``
    adjustment: str
    adjusted_p_value: float
    #: how many comparisons of this measure were adjusted for
    n_comparisons: int
    #: the smallest true difference that a t test of this many queries would show with this power
    detectable_difference: float
    power: float
    limits: Limits = field(repr=False)
    #: bootstrap means of the difference, for a method that has them; None where all pairs together
    #: would take too much memory
    distribution: NDArray[np.float64] | None = field(default=None, repr=False)
    #: random draws, and what ``rng`` to give to have the same again; None where nothing was drawn
    n_resamples: int | None = None
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> Comparison:
        """The interval at another level or side; test and detectable difference stay as they were."""
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
    #: systems that share a letter cannot be told apart, those that share none can
    letters: str
    confidence_level: float
    n: int
    seed: int


@dataclass(frozen=True)
class QueryPlan:
    """What queries can show for one pair of systems, for all pairs together, or for one mean."""

    measure: str
    #: ``"pair"``: two systems; ``"typical"`` and ``"hardest"``: the median and the largest standard
    #: deviation of all pairs; ``"mean"``: one system's mean, its difference that from a fixed value
    kind: str
    #: which pair, which summary of all pairs, or which system
    pair: str
    #: how many queries there are now
    n: int
    #: of the differences, or of one system's scores
    standard_deviation: float
    confidence_level: float
    alternative: Alternative
    power: float
    #: the smallest true difference that n queries show with this power
    detectable_difference: float
    #: half the width of the interval that n queries give, two-sided
    half_width: float
    #: how many queries show ``difference`` with this power; None if none was given
    difference: float | None = None
    queries_for_difference: int | None = None
    #: how many queries give ``wanted_half_width``; None if none was given
    wanted_half_width: float | None = None
    queries_for_half_width: int | None = None
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class CalibrationRow:
    """How often the intervals of one method missed the true mean, at one level and sample size."""

    measure: str
    #: queries in a sample
    n: int
    method: str
    confidence_level: float
    #: share of samples whose interval missed, on average over systems, and its simulation noise
    error: float
    error_noise: float
    #: of these, where the mean lies below the interval, and where above
    below: float
    above: float
    #: share of samples that gave no interval
    without: float
    #: mean width, and its simulation noise
    width: float
    width_noise: float
    #: mean interval score: width and misses in one number, lower is better
    interval_score: float
    #: standard deviation of the error over systems
    error_spread: float
    worst_error: float
    worst_system: str
    #: whether it misses no more often than it may
    honest: bool
    #: the honest method with the lowest interval score
    recommended: bool


@dataclass(frozen=True)
class StudyTable:
    """A table of a paper, computed again."""

    study: str
    #: the table's number in the paper
    number: int
    title: str
    #: what stands above the names of the rows
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    ours: tuple[tuple[float, ...], ...]
    theirs: tuple[tuple[float, ...], ...]
    #: simulation noise of ours; NaN where it is not known
    noise: tuple[tuple[float, ...], ...]
    decimals: int = 3


@dataclass(frozen=True)
class Card:
    """One system's mean by one measure, with what others need to compare theirs with it.

    The fields are the keys of the file that ``write_card`` writes.
    """

    system: str
    #: what the queries and documents are, in the words of whoever made the card
    collection: str
    measure: str
    #: how many queries
    n: int
    mean: float
    #: of the scores, n - 1 below; NaN where there is one alone
    standard_deviation: float
    standard_error: float
    #: of the mean; NaN ends where the scores allow none
    interval: Interval
    #: of the bootstrap behind the interval, where it has one
    n_resamples: int | None
    seed: int | None
    standardisation: Standardisation | None
    #: SHA-256 of the set of query ids: tells whether two cards are of the same queries; None where
    #: a card was written by hand and the queries are not known
    query_fingerprint: str | None
    #: the version that made the card
    irbounds: str
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...]
    note: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class CardComparison:
    """The difference of two cards' means, by Welch's interval and test."""

    first: Card
    second: Card
    #: mean of the first - mean of the second
    difference: float
    #: its method is ``"welch"``; NaN ends where the cards allow none
    interval: Interval
    standard_error: float
    degrees_of_freedom: float
    p_value: float
    #: why there is no interval, where there is none
    reason: str | None
    #: what to keep in mind, in sentences
    warnings: tuple[str, ...]


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
