"""What a page says before a long table: who leads by how much, and which ties matter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..results import Estimate, TieEffect
from .evaluation import half_width
from .families import by_measure
from .rounding import UNKNOWN, decimals_of_column, fixed, given, percent

__all__ = ["leading_sentences", "tie_sentences"]


def leading_sentences(estimates: Sequence[Estimate], digits: int | None = None) -> list[str]:
    """One sentence a measure on the highest mean, by its first method; two-sided intervals."""
    return [
        _leading([one for one in part if one.interval.method == part[0].interval.method], digits)
        for part in by_measure(estimates)
    ]


def _leading(part: Sequence[Estimate], digits: int | None) -> str:
    best, *others = sorted(part, key=lambda one: (-one.value, one.system))
    places = digits
    if places is None:
        places = decimals_of_column(half_width(one.value, one.interval) for one in part)
    value = fixed(best.value, places)
    if math.isnan(best.interval.low):
        return f"{best.measure}: {best.system} has the highest mean, {value}, without an interval."
    low, high = (fixed(end, places) for end in (best.interval.low, best.interval.high))
    ends = f"({percent(best.interval.confidence_level)} interval {low} to {high})"
    if not others:
        return f"{best.measure}: {best.system} has a mean of {value} {ends}."
    reach = sum(one.interval.high > best.interval.low for one in others)
    return (
        f"{best.measure}: {best.system} has the highest mean, {value} {ends}; "
        f"{_reaching(reach, len(others))} into this one."
    )


def _reaching(n: int, n_others: int) -> str:
    """``the intervals of 2 of the 3 others reach``, whatever the numbers are."""
    if n_others == 1:
        return f"the interval of the other system {'reaches' if n else 'does not reach'}"
    if n == 1:
        return f"the interval of 1 of the {n_others:,} others reaches"
    many = "all" if n == n_others else f"{n:,} of the" if n else "none of the"
    return f"the intervals of {many} {n_others:,} others reach"


def tie_sentences(effects: Sequence[TieEffect]) -> list[str]:
    """One sentence a measure: the run whose mean the order within ties can move farthest."""
    return [_most_tied(part) for part in by_measure(effects)]


def _most_tied(part: Sequence[TieEffect]) -> str:
    most = max(part, key=lambda one: one.best - one.worst)
    span = fixed(most.best - most.worst, UNKNOWN)
    if float(span) == 0:
        return f"{most.measure}: ties move no run's mean by as much as {given(10.0**-UNKNOWN)}."
    low, high = fixed(most.worst, UNKNOWN), fixed(most.best, UNKNOWN)
    return (
        f"{most.measure}: by the order within ties the mean of {most.system} could be anything "
        f"from {low} to {high}, a span of {span}; no other run's is wider."
    )
