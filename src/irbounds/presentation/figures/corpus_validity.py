"""Images of the corpus that were left out: how many fall outside the intervals from the others."""

from __future__ import annotations

from collections.abc import Sequence

from ...results import ValidityRow
from ..rounding import error_level, percent
from .dots import Dot, dots
from .style import Figure

__all__ = ["left_out_images"]


def left_out_images(rows: Sequence[ValidityRow]) -> Figure:
    """Where left-out images fall: shares below and above the intervals, beside what is promised."""
    found = [
        Dot(f"{row.measure}, {row.rule}", share, series=side)
        for row in rows
        for side, share in (("below", row.below), ("above", row.above))
    ]
    level = rows[0].confidence_level
    return dots(
        found,
        axis="share of left-out differences outside the interval",
        name="validity",
        title=f"Left-out images below and above {percent(level)} intervals",
        reference=error_level(level) / 2,
    )
