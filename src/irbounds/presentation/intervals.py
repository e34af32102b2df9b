"""Intervals in words and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rounding import percent

if TYPE_CHECKING:
    from ..results import Interval

METHOD_WORDS = {
    "normal": "normal",
    "student-t": "Student t",
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
    "studentised": "studentised bootstrap",
    "studentised-logit": "studentised logit bootstrap",
    "welch": "Welch",
}
#: the ends of an interval that say something
ENDS = {"two-sided": ("low", "high"), "less": ("high",), "greater": ("low",)}
#: what a one-sided interval is called
SIDES = {"two-sided": "interval", "less": "upper limit", "greater": "lower limit"}


def end_values(interval: Interval) -> tuple[float, ...]:
    """Return the ends that say something."""
    return tuple(getattr(interval, end) for end in ENDS[interval.alternative])


def interval_words(interval: Interval) -> str:
    """Return ``95 % Student t interval``, or a limit where it is one-sided."""
    level = percent(interval.confidence_level)
    return f"{level} {METHOD_WORDS[interval.method]} {SIDES[interval.alternative]}"


def half_width(value: float, interval: Interval) -> float:
    """Return what decides the digits: half the interval, or the distance to its one end."""
    if interval.alternative == "two-sided":
        return interval.half_width
    return abs(value - end_values(interval)[0])
