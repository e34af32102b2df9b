"""Ranks of systems on images of the corpus (Zobel and Rashidi 2020, Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence

from ...results import RankPrecision
from ..families import by_measure
from ..rounding import percent, percentage
from ..words import counted
from . import vega
from .corpus_boxes import box_row, system_boxes
from .ranks import rank_ticks
from .spans import axis_of, stacked
from .style import Figure, finished

__all__ = ["rank_boxes"]

QUARTER_DECIMALS = 2  # of a quartile of whole numbers


def rank_boxes(rows: Sequence[RankPrecision], systems: Sequence[str] = ()) -> Figure:
    """Every system's rank on images; best first by each measure, or in the order of ``systems``."""
    parts = [_ordered(part, systems) for part in by_measure(rows)]
    first = rows[0]
    return finished(
        stacked([(part[0].measure, _panel(part)) for part in parts]),
        name="corpus-ranks",
        title=f"Ranks of {counted(first.n_systems, 'system')} on {first.n_images:,} images of the "
        "corpus",
        description=" ".join(_said(part) for part in parts),
    )


def _ordered(rows: Sequence[RankPrecision], systems: Sequence[str]) -> list[RankPrecision]:
    if systems:
        return sorted(rows, key=lambda row: systems.index(row.system))
    return sorted(rows, key=lambda row: (row.rank, row.system))


def _panel(rows: Sequence[RankPrecision]) -> vega.Chart:
    """Ticks at whole ranks alone, with half a rank of room at either end."""
    first = rows[0]
    drawn = [
        {"system": row.system, **box_row(row.images, float(row.rank), float(row.low), row.high)}
        for row in rows
    ]
    axis = axis_of(f"rank by mean {first.measure}, 1 the best", len(rows))
    axis["scale"] = dict(domain=[0.5, first.n_systems + 0.5], nice=False, zero=False)
    axis["axis"] = dict(format="d", orient=axis["axis"]["orient"], **rank_ticks(first.n_systems))
    share = f"{percent(first.confidence_level)} of images"
    return system_boxes(drawn, axis, QUARTER_DECIMALS, share)


def _said(rows: Sequence[RankPrecision]) -> str:
    best = min(rows, key=lambda row: (row.rank, row.system))
    widest = max(rows, key=lambda row: row.high - row.low)
    level, leads = percent(best.confidence_level), percentage(best.best_probability, 1)
    return (
        f"Box plots of the ranks of {counted(len(rows), 'system')} by mean {best.measure}: "
        f"{best.system} is first on the corpus and has the highest mean in {leads} of images; "
        f"the widest range is that of {widest.system}, {widest.low} to {widest.high} on "
        f"{level} of images."
    )
