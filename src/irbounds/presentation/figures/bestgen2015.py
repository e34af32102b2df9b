"""Figure 1 of Bestgen (2015): how far a random ranking's AP is above the share of relevant ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import ChancePoint
from ..rounding import fixed, given
from . import vega
from .style import (
    DASH,
    QUIET,
    WIDTH,
    Figure,
    colour_scale,
    finished,
    reference_line,
    tooltips,
    values,
)

__all__ = ["bestgen_figures", "exact_against_prevalence", "exact_minus_prevalence"]

HEIGHT = 320
BOUND = 0.01  # what the paper says the difference stays below from 600 documents on
DECIMALS = 3
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])  # so that no curve is told by its colour alone
RELEVANT = {"n_relevant": "relevant"}
SCORES = {"prevalence": "share of relevant documents", "exact": "expected AP"}
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
    base = vega.Chart(values(rows)).encode(
        x=vega.X("n_documents:Q", title="documents, N", scale=dict(type="log", nice=False)),
        y=vega.Y(
            "difference:Q",
            title="expected AP of a random ranking - share of relevant",
            scale=dict(type="log", nice=False),
            axis=dict(format=".1g"),
        ),
        tooltip=[
            *tooltips(["curve"], {"n_documents": "documents", **RELEVANT}, ","),
            *tooltips((), {**SCORES, "difference": "expected AP - share"}, ".4g"),
        ],
    )
    lines = _curves(base, "curve", curves, "relevant")
    bound = reference_line(BOUND, "y", called="the paper's bound")
    return finished(
        vega.layer(bound, *lines).properties(width=WIDTH, height=HEIGHT),
        name="bestgen2015-figure-1",
        title="Figure 1: how far chance's AP is above the share of relevant documents",
        description=(
            f"Exact expected AP of a random ranking less the share p of relevant documents, for "
            f"{len(curves)} curves and N from {min(p.n_documents for p in points):,} to "
            f"{max(p.n_documents for p in points):,}. All are above 0 and fall with N; the largest "
            f"is {fixed(most.difference, DECIMALS)}, for {most.curve} and N = "
            f"{most.n_documents:,}. A dashed line marks {given(BOUND)}."
        ),
    )


def exact_against_prevalence(points: Sequence[ChancePoint]) -> Figure:
    """The same points as scores: above the diagonal, and nearer to it the more documents."""
    shown = [point for point in points if point.n_documents in SHOWN_SIZES]
    sizes = [f"N = {size:,}" for size in sorted({point.n_documents for point in shown})]
    rows = sorted(map(_row, shown), key=lambda row: row["prevalence"])
    base = vega.Chart(values(rows)).encode(
        x=vega.X("prevalence:Q", title="share of relevant documents, p"),
        y=vega.Y("exact:Q", title="expected AP of a random ranking"),
        tooltip=[
            *tooltips({"size": "documents"}, RELEVANT, ","),
            *tooltips((), SCORES, ".4g"),
        ],
    )
    ends = [{"prevalence": end, "exact": end} for end in (0.0, max(p.prevalence for p in shown))]
    equal = vega.Chart(values(ends)).mark_line(color=QUIET, strokeDash=DASH)
    equal = equal.encode(x="prevalence:Q", y="exact:Q")
    farthest = max(shown, key=lambda point: point.difference)
    return finished(
        vega.layer(equal, *_curves(base, "size", sizes, "documents")).properties(
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


def _curves(base: vega.Chart, field: str, names: Sequence[str], title: str) -> list[vega.Chart]:
    """Lines with dots, each in a colour and a dash of its own."""
    dashes = [DASHES[k % len(DASHES)] for k in range(len(names))]
    legend = dict(title=title, symbolType="stroke", symbolSize=300, symbolStrokeWidth=2.5)
    coloured = base.encode(
        color=vega.channel(f"{field}:N", scale=colour_scale(names), legend=legend)
    )
    lines = coloured.mark_line(strokeWidth=2).encode(
        strokeDash=vega.channel(
            f"{field}:N", scale=dict(domain=list(names), range=dashes), legend=legend
        )
    )
    return [lines, coloured.mark_point(filled=True, size=35, opacity=1)]
