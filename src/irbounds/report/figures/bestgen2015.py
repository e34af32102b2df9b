"""Figure 1 of Bestgen (2015): how far a random ranking's AP is above the share of relevant ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from ...results import ChancePoint
from ..rounding import fixed
from .style import COLOURS, QUIET, WIDTH, Figure, colour_scale, finished, values

__all__ = ["bestgen_figures", "exact_against_prevalence", "exact_minus_prevalence"]

HEIGHT = 320
BOUND = 0.01  # what the paper says the difference stays below from 600 documents on
DECIMALS = 3
DASHES = ([1, 0], [6, 3])  # of the first seven curves, and of those that take a colour again
SHOWN_SIZES = (10, 20, 50, 100, 1000)  # of a curve each in the second figure


def bestgen_figures(points: Sequence[ChancePoint]) -> list[Figure]:
    """The paper's figure, and the same points as scores."""
    return [exact_minus_prevalence(points), exact_against_prevalence(points)]


def exact_minus_prevalence(points: Sequence[ChancePoint]) -> Figure:
    """Figure 1: a curve for each share of relevant documents, falling with their number.

    On logarithmic axes the curves are nearly straight, so that a line between two points of one
    does not cross another that it lies below.
    """
    curves = list(dict.fromkeys(point.curve for point in points))
    most = max(points, key=lambda point: point.difference)
    rows = [{**_row(point), "difference": point.difference} for point in points]
    base = alt.Chart(values(rows)).encode(
        x=alt.X("n_documents:Q", title="documents, N", scale=alt.Scale(type="log", nice=False)),
        y=alt.Y(
            "difference:Q",
            title="expected AP of a random ranking - share of relevant",
            scale=alt.Scale(type="log", nice=False),
            axis=alt.Axis(format=".1g"),
        ),
        tooltip=_tooltips(
            "curve", "n_documents", "n_relevant", "prevalence", "exact", "difference"
        ),
    )
    lines = _curves(base, "curve", curves, "relevant")
    return finished(
        alt.layer(_bound(), *lines).properties(width=WIDTH, height=HEIGHT),
        name="bestgen2015-figure-1",
        title="Figure 1: how far chance's AP is above the share of relevant documents",
        description=(
            f"Exact expected AP of a random ranking less the share p of relevant documents, for "
            f"{len(curves)} curves and N from {min(p.n_documents for p in points):,} to "
            f"{max(p.n_documents for p in points):,}. All are above 0 and fall with N; the largest "
            f"is {fixed(most.difference, DECIMALS)}, for {most.curve} and N = "
            f"{most.n_documents:,}. A dashed line marks {BOUND:g}."
        ),
    )


def exact_against_prevalence(points: Sequence[ChancePoint]) -> Figure:
    """The same points as scores: above the diagonal, and nearer to it the more documents."""
    shown = [point for point in points if point.n_documents in SHOWN_SIZES]
    sizes = [f"N = {size:,}" for size in sorted({point.n_documents for point in shown})]
    rows = sorted(map(_row, shown), key=lambda row: row["prevalence"])
    base = alt.Chart(values(rows)).encode(
        x=alt.X("prevalence:Q", title="share of relevant documents, p"),
        y=alt.Y("exact:Q", title="expected AP of a random ranking"),
        tooltip=_tooltips("size", "n_relevant", "prevalence", "exact"),
    )
    ends = [{"prevalence": end, "exact": end} for end in (0.0, max(p.prevalence for p in shown))]
    equal = alt.Chart(values(ends)).mark_line(color=QUIET, strokeDash=[4, 3])
    equal = equal.encode(x="prevalence:Q", y="exact:Q")
    farthest = max(shown, key=lambda point: point.difference)
    return finished(
        alt.layer(equal, *_curves(base, "size", sizes, "documents")).properties(
            width=HEIGHT, height=HEIGHT
        ),
        name="bestgen2015-exact-against-prevalence",
        title="Chance's AP is not the share of relevant documents",
        description=(
            f"Exact expected AP of a random ranking against the share of relevant documents, for "
            f"{len(sizes)} numbers of documents. All points lie above the dashed line of equal "
            f"values; farthest is {fixed(farthest.exact, DECIMALS)} where "
            f"{fixed(farthest.prevalence, DECIMALS)} are relevant, of {farthest.n_documents:,}."
        ),
    )


def _row(point: ChancePoint) -> dict[str, Any]:
    return {
        "curve": point.curve,
        "size": f"N = {point.n_documents:,}",
        "n_documents": point.n_documents,
        "n_relevant": point.n_relevant,
        "prevalence": point.prevalence,
        "exact": point.exact,
    }


def _tooltips(*fields: str) -> list[alt.Tooltip]:
    words = {
        "curve": ("curve", "N"),
        "size": ("documents", "N"),
        "n_documents": ("documents", "Q"),
        "n_relevant": ("relevant", "Q"),
        "prevalence": ("share of relevant documents", "Q"),
        "exact": ("expected AP", "Q"),
        "difference": ("expected AP - share", "Q"),
    }
    formats = {"n_documents": ",", "n_relevant": ","}
    return [
        alt.Tooltip(f"{field}:{words[field][1]}", title=words[field][0])
        if words[field][1] == "N"
        else alt.Tooltip(f"{field}:Q", title=words[field][0], format=formats.get(field, ".4g"))
        for field in fields
    ]


def _curves(base: alt.Chart, field: str, names: Sequence[str], title: str) -> list[alt.Chart]:
    """Lines with dots; a colour that comes again is dashed."""
    dashes = [DASHES[k // len(COLOURS) % len(DASHES)] for k in range(len(names))]
    legend = alt.Legend(title=title, symbolType="stroke", symbolSize=300, symbolStrokeWidth=2.5)
    coloured = base.encode(color=alt.Color(f"{field}:N", scale=colour_scale(names), legend=legend))
    lines = coloured.mark_line(strokeWidth=2).encode(
        strokeDash=alt.StrokeDash(
            f"{field}:N", scale=alt.Scale(domain=list(names), range=dashes), legend=legend
        )
    )
    return [lines, coloured.mark_point(filled=True, size=35, opacity=1)]


def _bound() -> alt.Chart:
    rule = alt.Chart(values([{"bound": BOUND}])).mark_rule(color=QUIET, strokeDash=[4, 3])
    tooltip = alt.Tooltip("bound:Q", title="the paper's bound")
    line: alt.Chart = rule.encode(y="bound:Q", tooltip=[tooltip])
    return line
