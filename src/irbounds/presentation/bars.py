"""Small interval bars for a column of a table, all rows on one scale.

``├────●──┤`` goes from the low end to the high one with the value between them. An end that is not
there, as of a one-sided interval, is an arrow; a row without an interval has its value alone, and
one without a value its interval alone. Zero, where the scale holds it, is a dotted line, and a
cross where a bar goes over it.

What is drawn where is decided here, for terminals, pages and notebooks alike; ``bar_text`` draws it
with characters, ``html.tables`` with lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .rounding import scale, tick
from .tables import BarEnds

if TYPE_CHECKING:
    from ..results import Interval


@dataclass(frozen=True)
class Strokes:
    """What bars are drawn with."""

    line: str
    low: str
    high: str
    value: str
    #: in place of ends that are not there
    no_low: str
    no_high: str
    #: zero, beside a bar and under it
    zero: str
    crossed: str


BOXES = Strokes("─", "├", "┤", "●", "◄", "►", "┊", "┼")
ASCII = Strokes("-", "|", "|", "o", "<", ">", ":", "+")


@dataclass(frozen=True)
class BarParts:
    """What is drawn of a bar, from 0 at the scale's low end to 1 at its high one; None: nothing."""

    zero: float | None = None
    #: from where to where
    line: tuple[float, float] | None = None
    value: float | None = None
    #: whether the line goes on without an end
    is_open_low: bool = False
    is_open_high: bool = False


@dataclass(frozen=True)
class BarScale:
    """What the two edges of a bar stand for."""

    low: float
    high: float
    #: decimals of the two in the heading
    places: int

    @property
    def texts(self) -> tuple[str, str]:
        """The two ends as a reader sees them."""
        return tick(self.low, self.places), tick(self.high, self.places)

    def parts(self, bar: BarEnds | None) -> BarParts:
        """Where the parts of a row's bar are."""
        zero = self._share(0.0) if self.low < 0 < self.high else None
        if bar is None:
            return BarParts(zero)
        low, value, high = bar
        middle = self._share(value) if math.isfinite(value) else None
        if math.isnan(low) or math.isnan(high):
            return BarParts(zero, None, middle)
        line = self._share(low), self._share(high)
        return BarParts(zero, line, middle, math.isinf(low), math.isinf(high))

    def _share(self, number: float) -> float:
        """How far along the scale a number is; what is beyond it is at its end."""
        return min(max((number - self.low) / (self.high - self.low), 0.0), 1.0)


def bar_of(value: float, interval: Interval) -> BarEnds:
    """What is drawn of an interval; an end that bounds nothing is drawn as an arrow."""
    low = float("-inf") if interval.alternative == "less" else interval.low
    high = float("inf") if interval.alternative == "greater" else interval.high
    return low, value, high


def bar_scale(bars: Iterable[BarEnds | None]) -> BarScale | None:
    """Round numbers around everything that is to be drawn; None where there is nothing."""
    numbers = [x for bar in bars if bar is not None for x in bar if math.isfinite(x)]
    return BarScale(*scale(min(numbers), max(numbers))) if numbers else None


def scale_text(ends: BarScale, width: int) -> str:
    """The two ends of a scale, above the two ends of the bars."""
    low, high = ends.texts
    return f"{low}{high:>{max(width - len(low), len(high) + 1)}}"


def bar_text(parts: BarParts, width: int, strokes: Strokes = BOXES) -> str:
    """One bar of ``width`` characters."""
    drawn = [" "] * width
    if parts.zero is not None:
        drawn[_place(parts.zero, width)] = strokes.zero
    if parts.line is not None:
        first, last = (_place(share, width) for share in parts.line)
        for place in range(first, last + 1):
            drawn[place] = strokes.line if drawn[place] == " " else strokes.crossed
        drawn[first] = strokes.no_low if parts.is_open_low else strokes.low
        drawn[last] = strokes.no_high if parts.is_open_high else strokes.high
    if parts.value is not None:
        drawn[_place(parts.value, width)] = strokes.value
    return "".join(drawn)


def _place(share: float, width: int) -> int:
    """Which of ``width`` characters."""
    return math.floor(share * (width - 1) + 0.5)
