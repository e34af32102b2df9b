"""Samples before they are drawn: what sizes promise, and how estimated recall scatters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from ...results import PlannedSample
from .style import CONTRAST, EMPHASIS, WIDTH, Figure, finished, values

__all__ = ["estimator_scatter", "expected_widths"]

BINS = 60
HEIGHT = 220
#: what the samples differ in, and what it is called
BY_SPLIT = ("split", "share of the assessments that goes to the retrieved documents")
BY_BUDGET = ("budget", "number of documents assessed")


def expected_widths(samples: Sequence[PlannedSample]) -> Figure:
    """The width to be expected, by the number of assessments or by how they are split."""
    field, axis = BY_BUDGET if len({one.budget for one in samples}) > 1 else BY_SPLIT
    ordered = sorted(samples, key=lambda one: getattr(one, field))
    ends = (
        f"{one.expected_width:.4g} at a {field} of {getattr(one, field):.4g}"
        for one in (ordered[0], ordered[-1])
    )
    base = alt.Chart(values(map(_planned, ordered))).encode(
        x=alt.X(f"{field}:Q", title=axis, scale=alt.Scale(zero=False)),
        y=alt.Y("width:Q", title="expected width of the interval of recall"),
        tooltip=[
            alt.Tooltip("budget:Q", format=",", title="assessed"),
            alt.Tooltip("split:Q", format=".1%", title="share of the retrieved"),
            *(alt.Tooltip(f"{end}:Q", format=".4f", title=end) for end in ("width", "low", "high")),
        ],
    )
    line, dots = (
        base.mark_line(color=EMPHASIS),
        base.mark_point(color=EMPHASIS, filled=True, opacity=1),
    )
    return finished(
        alt.layer(line, dots).properties(width=WIDTH, height=HEIGHT),
        name="planned-samples",
        title=f"Expected width by the {axis}",
        description=f"{len(ordered)} samples: expected width {' and '.join(ends)}.",
    )


def _planned(one: PlannedSample) -> dict[str, Any]:
    return {
        "budget": one.budget,
        "split": one.split,
        "width": one.expected_width,
        "low": one.expected_low,
        "high": one.expected_high,
    }


def estimator_scatter(scatter: Any) -> Figure:
    """How likely every value of estimated recall is, with true recall and the mean marked."""
    edges = np.linspace(0.0, 1.0, BINS + 1)
    masses, _ = np.histogram(scatter.values, edges, weights=scatter.masses)
    bars = alt.Chart(
        values(
            {"from": low, "to": high, "probability": mass, "none": 0}
            for low, high, mass in zip(edges[:-1], edges[1:], masses, strict=True)
        )
    )
    drawn = bars.mark_bar(color=EMPHASIS, opacity=0.6).encode(
        x=alt.X("from:Q", title="estimated recall", scale=alt.Scale(domain=[0, 1])),
        x2="to:Q",
        y=alt.Y("probability:Q", title="probability"),
        y2="none:Q",
        tooltip=[
            *(alt.Tooltip(f"{end}:Q", format=".3f", title=end) for end in ("from", "to")),
            alt.Tooltip("probability:Q", format=".3~g", title="probability"),
        ],
    )
    return finished(
        alt.layer(drawn, _marked(scatter)).properties(width=WIDTH, height=HEIGHT),
        name="estimator",
        title="Estimated recall over all samples that may come",
        description=(
            f"True recall {scatter.recall:.4g}; the estimate is {scatter.mean:.4g} on average, "
            f"with a standard deviation of {scatter.standard_deviation:.4g}."
        ),
    )


def _marked(scatter: Any) -> alt.Chart:
    """Where the truth is, and where the estimate is on average."""
    names = {"true recall": scatter.recall, "mean of the estimate": scatter.mean}
    rows = values({"what": what, "place": place} for what, place in names.items())
    scale = alt.Scale(domain=list(names), range=["#009E73", CONTRAST])
    line: alt.Chart = alt.Chart(rows).mark_rule(strokeWidth=2)
    return line.encode(
        x="place:Q",
        color=alt.Color("what:N", scale=scale, legend=alt.Legend(title=None, orient="top")),
        strokeDash=alt.StrokeDash("what:N", legend=None),
        tooltip=[
            alt.Tooltip("what:N", title="mark"),
            alt.Tooltip("place:Q", format=".4f", title="recall"),
        ],
    )
