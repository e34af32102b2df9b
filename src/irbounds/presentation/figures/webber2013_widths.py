"""Webber (2013), Figures 15 to 17: how wide an interval is, by where and how much is assessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import StudyCurve
from ..rounding import fixed, whole
from . import vega
from .style import QUIET, WIDTH, Figure, colour_scale, finished, tooltips, values
from .webber2013 import DASHES, HEIGHT, lines

__all__ = ["widths_by_quality", "widths_by_size", "widths_by_yield"]

WIDTH_TITLE = "width of the 95 % interval of recall"
SPLIT_TITLE = "documents assessed in the retrieved set, of 5,000 in all"
POSTERIOR = "beta-binomial"


def widths_by_yield(curves: Sequence[StudyCurve]) -> Figure:
    """Figure 15: the width by the documents assessed in the retrieved set, for several yields."""
    return finished(
        lines(curves, _split_axis(), WIDTH_TITLE, "relevant documents", ",d"),
        name="webber2013-figure-15",
        title="Figure 15: width by the sample's split, for several yields",
        description=f"Width of the interval by the {SPLIT_TITLE}. {_narrowest(curves)}.",
    )


def widths_by_quality(curves: Sequence[StudyCurve]) -> Figure:
    """Figure 16: the same for retrieved sets of several recalls and precisions."""
    return finished(
        lines(curves, _split_axis(), WIDTH_TITLE, "retrieved set", ",d"),
        name="webber2013-figure-16",
        title="Figure 16: width by the sample's split, for several retrieved sets",
        description=f"Width of the interval by the {SPLIT_TITLE}. {_narrowest(curves)}.",
    )


def widths_by_size(curves: Sequence[StudyCurve]) -> Figure:
    """Figure 17: the width by the number of documents assessed; the normal method in grey.

    Both axes are logarithmic, on which 1 / sqrt(n) is a straight line.
    """
    rows = [
        {"x": x, "y": y, "size": one.label, "method": one.kind}
        for one in curves
        for x, y in zip(one.x, one.y, strict=True)
    ]
    names = list(dict.fromkeys(one.label for one in curves))
    ticks = sorted({x for one in curves for x in one.x})
    base = vega.Chart(values(rows)).encode(
        x=vega.X(
            "x:Q",
            title="documents assessed, split at best",
            scale=dict(type="log", nice=False, padding=6),
            axis=dict(values=ticks, format=",d", labelOverlap=True),
        ),
        y=vega.Y(
            "y:Q",
            title=WIDTH_TITLE,
            scale=dict(type="log"),
            axis=dict(values=[0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]),
        ),
        strokeDash=vega.channel(
            "size:N",
            sort=names,
            scale=dict(domain=names, range=list(DASHES[: len(names)])),
            legend=dict(title="retrieved documents", symbolSize=300),
        ),
        tooltip=_tooltips(),
    )
    ours = base.transform_filter(f"datum.method === '{POSTERIOR}'").mark_line(strokeWidth=2.5)
    other = base.transform_filter(f"datum.method !== '{POSTERIOR}'").mark_line(
        color=QUIET, strokeWidth=1.5
    )
    chart = vega.layer(other, ours.encode(color=vega.channel("size:N", scale=colour_scale(names),
                      sort=names, legend=dict(title="retrieved documents"))))  # fmt: skip
    return finished(
        chart.properties(width=WIDTH, height=HEIGHT),
        name="webber2013-figure-17",
        title="Figure 17: width by the number of assessments (grey: normal, else beta-binomial)",
        description=f"Width of the interval by the number of documents assessed. {_ends(curves)}.",
    )


def _split_axis() -> dict[str, Any]:
    return vega.X("x:Q", title=SPLIT_TITLE, scale=dict(domain=[0, 5000]))


def _narrowest(curves: Sequence[StudyCurve]) -> str:
    said = []
    for one in curves:
        width, place = min(zip(one.y, one.x, strict=True))
        said.append(f"{one.label}: narrowest {fixed(width, 3)} with {whole(place)}")
    return "; ".join(said)


def _ends(curves: Sequence[StudyCurve]) -> str:
    return "; ".join(
        f"{one.kind}, {one.label} retrieved: {fixed(one.y[0], 2)} with {whole(one.x[0])}, "
        f"{fixed(one.y[-1], 3)} with {whole(one.x[-1])}"
        for one in curves
    )


def _tooltips() -> list[Any]:
    return [
        *tooltips({"method": "method", "size": "retrieved documents"}),
        *tooltips((), {"x": "documents assessed"}, ","),
        *tooltips((), {"y": "width"}, 3),
    ]
