"""Non-inferiority of a new system to an old one, on the same queries and by several measures.

A measure passes where the lower limit of new - old is above -margin, and fails where the upper
limit is below -margin. Both limits are one-sided, each at the confidence level, so that a measure
passes exactly where a paired t test of the hypothesis new - old <= -margin has p < 1 - level.

- A relative margin r allows new to be lower than old by the fraction r of old's mean. The test is
  that of the differences new - (1 - r) old, whose mean is linear in both systems, so that the
  uncertainty of old's mean is included. The limits shown are those of its mean, minus r times old's
  mean, so that they too are compared with -margin.
- Several measures: all of them have to pass, so that a wrong pass of the gate needs a wrong pass of
  one given measure, and lower limits need no adjustment (intersection-union test). One failing
  measure is enough to fail, so upper limits are those of Holm's procedure: the k-th smallest of m
  p-values is compared with (1 - level) / (m - k + 1) as long as all smaller ones are significant.
- Few queries that change: a t test of fewer than ``MIN_CHANGED`` differences other than 0 is wrong
  too often, and there is none where all differences are equal. Then the limits only use how many
  queries lose and how many gain: new - old is at least minus the range of the measure times the
  upper Clopper-Pearson limit of the fraction of queries that lose. This holds for any distribution,
  and never fails.

Reference: Student (1908); Berger (1982) on intersection-union tests; Holm (1979); Clopper and
Pearson (1934).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import ParameterError
from ..intervals.power import power_of, queries_for_difference
from ..intervals.sample import deviation_of
from ..measurement.parser import bounds_of
from ..presentation.rounding import error_level
from ..results import GateCheck
from ..results.gate import MIN_CHANGED, Verdict
from ..scores.score_table import ScoreTable
from .adjustments import holm
from .pairs import CLOSE, round_differences

Floats = NDArray[np.float64]

MAX_PLANNED = 10**7  # queries: a larger plan is not a practical one
STEPS = 100  # a number of queries is found in steps of one part in so many


@dataclass(frozen=True)
class Margin:
    """How much lower the new mean may be: a difference, or a fraction of the old mean."""

    value: float
    is_relative: bool = False

    def __str__(self) -> str:
        return f"{100 * self.value:.12g}%" if self.is_relative else f"{self.value:.12g}"


def check_measures(
    table: ScoreTable,
    margins: Mapping[str, Margin],
    *,
    confidence_level: float = 0.95,
    power: float = 0.8,
    bounds: tuple[float, float] | None = None,
) -> tuple[GateCheck, ...]:
    """Return the verdict of every measure of a table of two systems, the old one first.

    ``bounds`` are the lowest and the highest score; by default those of the measure.
    """
    trials = [
        _make_trial(old, new, margins[measure], bounds or bounds_of(measure))
        for measure, (old, new) in zip(table.measures, table.values, strict=True)
    ]
    p_fail = np.array([trial.p_fail for trial in trials])
    errors = _error_levels_of_holm(p_fail, error_level(confidence_level))
    return tuple(
        _decide(measure, table.queries, trial, confidence_level, 1 - error, p_adjusted, power)
        for measure, trial, error, p_adjusted in zip(
            table.measures, trials, errors, holm(p_fail).tolist(), strict=True
        )
    )


def _decide(
    measure: str,
    queries: tuple[str, ...],
    trial: _Trial,
    level: float,
    high_level: float,
    p_adjusted: float,
    power: float,
) -> GateCheck:
    """Return the verdict of one measure, with the numbers behind it."""
    low, high = trial.low(level), trial.high(high_level)
    verdict: Verdict = "undecided"
    if low > -trial.margin:
        verdict = "pass"
    elif high < -trial.margin:
        verdict = "fail"
    return GateCheck(
        measure=measure,
        verdict=verdict,
        old_mean=float(trial.old.mean()),
        new_mean=float(trial.new.mean()),
        value=float((trial.new - trial.old).mean()),
        low=low,
        high=high,
        margin=trial.margin,
        relative_margin=trial.relative_margin,
        p_pass=trial.p_pass,
        p_fail=trial.p_fail,
        adjusted_p_fail=p_adjusted,
        n=trial.n,
        n_lost=trial.n_lost,
        n_gained=trial.n_gained,
        queries_needed=(
            trial.count_queries(level, high_level, power) if verdict == "undecided" else None
        ),
        power=power,
        method="clopper-pearson" if trial.is_sparse else "student-t",
        confidence_level=level,
        high_level=high_level,
        queries=queries,
        scores=(trial.old, trial.new),
    )


def _error_levels_of_holm(p_values: Floats, error: float) -> list[float]:
    """Return the error level at which Holm's procedure decides about each p-value.

    The smallest is compared with error / m, the next with error / (m - 1), and so on. All from the
    first one on that is not significant have the level of that one.
    """
    levels = [error] * len(p_values)
    n_left = len(p_values)
    for place in np.argsort(p_values, kind="stable").tolist():
        levels[place] = error / n_left
        if p_values[place] < levels[place]:
            n_left -= 1
    return levels


def _make_trial(
    old: Floats, new: Floats, margin: Margin, bounds: tuple[float, float] | None
) -> _Trial:
    allowed = margin.value * float(old.mean()) if margin.is_relative else margin.value
    excess = new - (1 - margin.value) * old if margin.is_relative else new - old + allowed
    reach = math.nan if bounds is None else bounds[1] - bounds[0]
    return _Trial(old, new, allowed, margin.value if margin.is_relative else None, excess, reach)


@dataclass(frozen=True, eq=False)
class _Trial:
    """The scores by one measure, and what is tested with them."""

    old: Floats
    new: Floats
    #: the difference that may be lost; 0 where the new system has to be better
    margin: float
    relative_margin: float | None
    #: new - old + margin per query, or new - (1 - r) old; its mean is compared with 0
    excess: Floats
    #: the largest possible difference; NaN where it is not known
    reach: float

    @property
    def n(self) -> int:
        return len(self.excess)

    @cached_property
    def changes(self) -> Floats:
        """The differences new - old without rounding errors."""
        return round_differences(self.new, self.old)

    @cached_property
    def n_lost(self) -> int:
        return int(np.count_nonzero(self.changes < 0))

    @cached_property
    def n_gained(self) -> int:
        return int(np.count_nonzero(self.changes > 0))

    @cached_property
    def is_constant(self) -> bool:
        """Whether what is tested is the same on all queries, apart from rounding errors."""
        if self.relative_margin is None:
            return bool(np.ptp(self.changes) <= CLOSE * self.margin)
        rest = round_differences(self.new, (1 - self.relative_margin) * self.old)
        return bool(np.ptp(rest) == 0) or self.standard_error == 0

    @cached_property
    def is_sparse(self) -> bool:
        """Whether the differences allow no t test."""
        return self.is_constant or self.n_lost + self.n_gained < MIN_CHANGED

    @cached_property
    def mean(self) -> float:
        return float(self.excess.mean())

    @cached_property
    def deviation(self) -> float:
        return float(deviation_of(self.excess))

    @property
    def standard_error(self) -> float:
        return self.deviation / math.sqrt(self.n)

    @property
    def p_pass(self) -> float:
        """The p-value of the hypothesis that new - old is at most -margin."""
        if self.is_sparse:
            return _probability_of_at_most(self.n_lost, self.n, self.margin / self.reach)
        return float(special.stdtr(self.n - 1, -self.mean / self.standard_error))

    @property
    def p_fail(self) -> float:
        """The p-value of the hypothesis that new - old is at least -margin."""
        if self.is_sparse:
            return 1.0
        return float(special.stdtr(self.n - 1, self.mean / self.standard_error))

    def low(self, level: float) -> float:
        """Return the lower limit of new - old."""
        if self.is_sparse:
            return -self.reach * _upper_limit(self.n_lost, self.n, level)
        return self._limit(1 - level)

    def high(self, level: float) -> float:
        """Return the upper limit of new - old."""
        if self.is_sparse:
            return self.reach * _upper_limit(self.n_gained, self.n, level)
        return self._limit(level)

    def _limit(self, probability: float) -> float:
        t = float(special.stdtrit(self.n - 1, probability))
        return self.mean + t * self.standard_error - self.margin

    def count_queries(self, level: float, high_level: float, power: float) -> int | None:
        """Return the number of queries that decide with a probability of ``power``.

        Queries change, lose and gain as often as these do, and by as much. None where no practical
        number would decide.
        """
        level_of_t = level if self.mean > 0 else high_level
        if not self.is_sparse:
            return self._count_for_t_test(level_of_t, power)
        n = self.n + 1
        while n <= MAX_PLANNED:
            if self._probability_of_decision(n, level, level_of_t) >= power:
                return n
            n += max(1, n // STEPS)
        return None

    def _count_for_t_test(self, level: float, power: float) -> int | None:
        if not self.mean:
            return None
        try:
            n = queries_for_difference(self.deviation, abs(self.mean), level, power, "greater")
        except ParameterError:  # more than 10^15
            return None
        return max(n, self.n + 1) if n <= MAX_PLANNED else None

    def _probability_of_decision(self, n: int, level: float, level_of_t: float) -> float:
        """Return how often n queries decide: by the number of losses, or by the t test.

        Where no query changes, or all by the same amount, there is no t test, with any n.
        """
        max_lost = self._max_lost(n, error_level(level))
        n_changed = self.n_lost + self.n_gained
        if self.is_constant or not n_changed:
            return float(max_lost >= 0 and not self.n_lost)
        changed, losing = n_changed / self.n, self.n_lost / n_changed
        numbers = np.arange(MIN_CHANGED)
        few = special.bdtr(numbers, n, changed)
        passing = np.minimum(numbers, max_lost)
        by_losses = np.where(passing < 0, 0.0, special.bdtr(passing, numbers, losing))
        by_t_test = power_of(abs(self.mean) / self.deviation, n, level_of_t, "greater")
        return float(np.diff(few, prepend=0.0) @ by_losses + (1 - few[-1]) * by_t_test)

    def _max_lost(self, n: int, error: float) -> int:
        """Return with how many losing queries of n the gate still passes; -1 if with none."""
        allowed = self.margin / self.reach
        passing = [_probability_of_at_most(k, n, allowed) < error for k in range(MIN_CHANGED)]
        return sum(passing) - 1


def _upper_limit(k: int, n: int, level: float) -> float:
    """Return the one-sided Clopper-Pearson limit of a fraction of which k of n were seen."""
    return 1.0 if k == n else float(special.betaincinv(k + 1, n - k, level))


def _probability_of_at_most(k: int, n: int, fraction: float) -> float:
    """Return the binomial probability of at most k of n; 1 where the fraction is not known."""
    if not fraction > 0:
        return 1.0
    return float(special.bdtr(k, n, min(fraction, 1.0)))
