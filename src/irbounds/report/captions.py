"""What stands below a table: parts of one line, of which any may be missing."""

from __future__ import annotations

from ..results import Interval
from .tables import Bar

__all__ = ["bar_of", "caption_of", "drawn"]


def caption_of(*parts: str) -> str:
    """All parts that say something."""
    return "; ".join(part for part in parts if part)


def drawn(n: int | None, what: str, seed: int | None = None) -> str:
    """``9,999 resamples, seed 0``; nothing where nothing was drawn."""
    if not n:
        return ""
    return f"{n:,} {what}" if seed is None else f"{n:,} {what}, seed {seed}"


def bar_of(value: float, interval: Interval) -> Bar:
    """What is drawn of an interval; an end that bounds nothing is drawn as an arrow."""
    low = float("-inf") if interval.alternative == "less" else interval.low
    high = float("inf") if interval.alternative == "greater" else interval.high
    return low, value, high
