"""Where the uncertainty of a mean comes from: queries, documents, or both together.

To the left the mean with its interval for new queries on a new corpus, to the right the shares of
its variance as one bar of 100 percent. Where nothing varies there is nothing to share out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import VarianceSplit
from ..families import by_measure
from ..rounding import decimals_of_column, fixed, percent, percentage
from ..words import counted, shortened
from . import vega
from .spans import axis_of, end_fields, spans, stacked
from .style import (
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    finished,
    highlight,
    reference_line,
    tooltips,
    values,
)

__all__ = ["variances"]

GAP = 20  # pixels between the two halves
LEFT = 0.55  # of the width, for the intervals
TICKS = 5  # or so, on half the width
PARTS = {"queries": "queries", "documents": "documents", "interaction": "both together"}


def variances(rows: Sequence[VarianceSplit]) -> Figure:
    """Every system's mean, or difference from a baseline, best first by each measure."""
    parts = [sorted(part, key=lambda row: (-row.root, row.system)) for part in by_measure(rows)]
    first = rows[0]
    what = "Means" if first.baseline is None else f"Differences from {shortened(first.baseline)}"
    level = percent(first.interval.confidence_level)
    return finished(
        stacked([(part[0].measure, _panel(part)) for part in parts]),
        name="corpus-variance",
        title=f"{what} with {level} intervals, and where their variance comes from",
        description="Intervals for new queries on a new corpus. "
        + " ".join(_said(part) for part in parts),
    )


def _panel(rows: Sequence[VarianceSplit]) -> vega.Chart:
    left = round(WIDTH * LEFT)
    means = _means(rows).properties(width=left, height=vega.step(ROW))
    shares = _shares(rows).properties(width=WIDTH - left - GAP, height=vega.step(ROW))
    return vega.hconcat(means, shares, spacing=GAP)


def _means(rows: Sequence[VarianceSplit]) -> vega.Chart:
    first = rows[0]
    places = decimals_of_column(row.interval.half_width for row in rows)
    drawn = [{"system": row.system, "mean": row.root, **end_fields(row.interval)} for row in rows]
    what = "mean" if first.baseline is None else "difference of mean"
    base = vega.Chart(values(drawn)).encode(
        y=vega.Y("system:N", sort=None, title=None),
        opacity=highlight(),
        tooltip=tooltips(["system"], ["mean", "low", "high"], places),
    )
    axis = axis_of(f"{what} {first.measure}", len(rows))
    axis["axis"] |= {"tickCount": TICKS}
    layers = spans(base, "mean", "two-sided", axis)
    return vega.layer(*([] if first.baseline is None else [reference_line(0)]), *layers)


def _shares(rows: Sequence[VarianceSplit]) -> vega.Chart:
    """The same rows as to the left, so that they need no names again."""
    drawn = [one for row in rows for one in _share_rows(row)]
    axis = axis_of("share of the variance", len(rows))
    axis["axis"]["format"], axis["scale"] = ".0%", dict(domain=[0, 1])
    chart: vega.Chart = (
        vega.Chart(values(drawn))
        .mark_bar(size=ROW - 5)
        .encode(
            y=vega.Y("system:N", sort=None, title=None, axis=None),
            x=vega.X("from:Q", **axis),
            x2="to:Q",
            color=vega.channel(
                "part:N",
                scale=colour_scale(PARTS.values()),
                legend=dict(orient="top", title="variance due to", titleOrient="left"),
            ),
            opacity=highlight(),
            tooltip=tooltips({"system": "system", "part": "due to"}, ["share"], ".1%"),
        )
    )
    return chart


def _share_rows(row: VarianceSplit) -> list[dict[str, Any]]:
    """One stretch of the bar after the other."""
    drawn, begin = [], 0.0
    for field, words in PARTS.items():
        share = getattr(row, field) / row.total if row.total > 0 else float("nan")
        ends = {"from": begin, "to": begin + share}
        drawn.append({"system": row.system, "part": words, "share": share, **ends})
        begin += share
    return drawn


def _said(rows: Sequence[VarianceSplit]) -> str:
    best = rows[0]
    places = decimals_of_column(row.interval.half_width for row in rows)
    numbers = (best.root, best.interval.low, best.interval.high)
    root, low, high = (fixed(number, places) for number in numbers)
    shares = ", ".join(f"{one['part']} {percentage(one['share'])}" for one in _share_rows(best))
    return (
        f"{counted(len(rows), 'system')} by {best.measure}: {best.system} has {root}, from {low} "
        f"to {high}; shares of its variance: {shares}."
    )
