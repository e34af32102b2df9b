"""What the demo's tables mean, in three sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import Comparison, Estimate
from .rounding import decimals, fixed, percent

__all__ = ["meaning"]


def meaning(
    estimates: Sequence[Estimate], comparisons: Sequence[Comparison], true_order: Sequence[str]
) -> str:
    """Three sentences on the first measure.

    ``comparisons`` are of that measure, with its best system as baseline; ``true_order`` has the
    strongest system first.
    """
    measure = estimates[0].measure
    ranked = sorted((e for e in estimates if e.measure == measure), key=lambda e: -e.value)
    best = ranked[0]
    level = percent(best.interval.confidence_level)
    places = decimals(best.interval.half_width)
    ends = f"{fixed(best.interval.low, places)} to {fixed(best.interval.high, places)}"
    others = [e for e in ranked[1:] if e.interval.high > best.interval.low]
    found = sum(c.adjusted_p_value <= 0.05 for c in comparisons)
    return (
        f"{best.system} has the highest mean {measure}, {fixed(best.value, places)}, but {best.n} "
        f"queries pin it down only to {ends} ({level} interval).\n"
        f"The intervals of {len(others)} of the {len(ranked) - 1} other systems reach into it; "
        f"compared on the same queries, {found} of the {len(comparisons)} can be told from it "
        "(sign-flip test, Holm's adjustment): three decimals suggest an order that so few queries "
        "do not settle.\n"
        f"The collection is simulated, so the truth is known: the strongest systems really are "
        f"{', '.join(true_order[:3])}, in this order."
    )
