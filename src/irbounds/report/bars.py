"""Small interval bars for the last column of a table, all rows on one scale.

``├────●──┤`` goes from the low end to the high one with the value between them. An end that is not
there, as of a one-sided interval, is an arrow; zero, where the scale holds it, is a dotted line,
and a cross where a bar goes over it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .rounding import scale, tick
from .tables import Bar

__all__ = ["ASCII", "BOXES", "BarScale", "Strokes", "bar_scale", "bar_text", "scale_text"]


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
class BarScale:
    """What the first and the last character of a bar stand for."""

    low: float
    high: float
    #: of the two in the heading
    places: int

    def place(self, value: float, width: int) -> int:
        """Which of ``width`` characters a value is at; what is beyond the scale is at its end."""
        share = (value - self.low) / (self.high - self.low)
        return math.floor(min(max(share, 0.0), 1.0) * (width - 1) + 0.5)


def bar_scale(bars: Iterable[Bar | None]) -> BarScale | None:
    """Round numbers around everything that is to be drawn; None where there is nothing."""
    numbers = [x for bar in bars if bar is not None for x in bar if math.isfinite(x)]
    return BarScale(*scale(min(numbers), max(numbers))) if numbers else None


def scale_text(ends: BarScale, width: int) -> str:
    """The two ends of a scale, above the two ends of the bars."""
    low, high = tick(ends.low, ends.places), tick(ends.high, ends.places)
    return f"{low}{high:>{max(width - len(low), len(high) + 1)}}"


def bar_text(bar: Bar | None, ends: BarScale, width: int, strokes: Strokes = BOXES) -> str:
    """One bar of ``width`` characters."""
    drawn = [" "] * width
    zero = ends.place(0.0, width) if ends.low < 0 < ends.high else None
    if zero is not None:
        drawn[zero] = strokes.zero
    if bar is not None:
        _draw(drawn, bar, ends, strokes, zero)
    return "".join(drawn)


def _draw(
    drawn: list[str], bar: Sequence[float], ends: BarScale, strokes: Strokes, zero: int | None
) -> None:
    low, value, high = bar
    width = len(drawn)
    if not (math.isnan(low) or math.isnan(high)):
        first, last = ends.place(low, width), ends.place(high, width)
        for place in range(first, last + 1):
            drawn[place] = strokes.crossed if place == zero else strokes.line
        drawn[first] = strokes.low if math.isfinite(low) else strokes.no_low
        drawn[last] = strokes.high if math.isfinite(high) else strokes.no_high
    if math.isfinite(value):
        drawn[ends.place(value, width)] = strokes.value
