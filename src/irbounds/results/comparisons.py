"""Systems against each other: differences, ranks, and what more queries would show."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..parameters import Alternative, check_alternative, check_confidence_level
from .inputs import InputFile
from .intervals import Interval, Limits, interval_at
from .shown import Shown

__all__ = ["Comparison", "QueryPlan", "RankEstimate", "WidthPoint"]


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
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
    #: random draws behind the p-value, which is then at least 1 / (1 + n_draws); None for none
    n_draws: int | None = None
    #: bootstrap resamples and shuffles behind interval, bootstrap test and max-statistic
    n_resamples: int | None = None
    #: what ``rng`` to give to have the same again; None where nothing was drawn
    seed: int | None = None
    inputs: tuple[InputFile, ...] = field(default=(), repr=False)
    #: ids of the queries, and on each of them the scores of system and baseline
    queries: tuple[str, ...] = field(default=(), repr=False)
    scores: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, repr=False)

    @property
    def query_differences(self) -> NDArray[np.float64]:
        """The score of the system less that of the baseline, query by query."""
        if self.scores is None:
            return np.empty(0)
        system, baseline = self.scores
        return np.asarray(system - baseline)

    def at(self, confidence_level: float, alternative: Alternative | None = None) -> Comparison:
        """The interval at another level or side; the test stays as it was."""
        confidence_level = check_confidence_level(confidence_level)
        side = check_alternative(self.interval.alternative if alternative is None else alternative)
        return replace(self, interval=interval_at(self.limits, confidence_level, side))


@dataclass(frozen=True)
class RankEstimate(Shown):
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
    #: how far apart two means must lie to be told apart, for all pairs together
    critical_difference: float
    confidence_level: float
    n: int
    n_resamples: int
    seed: int


@dataclass(frozen=True)
class WidthPoint:
    """What n queries would show, if their scores spread like those at hand."""

    n: int
    detectable_difference: float
    half_width: float


@dataclass(frozen=True)
class QueryPlan(Shown):
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
    #: the same for fewer and for more queries, up to four times as many or to what is wished for
    curve: tuple[WidthPoint, ...] = field(default=(), repr=False)
