"""Figure 1 of Bestgen (2015): AP of random rankings above the fraction of relevant documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import ChancePoint
from ..rounding import fixed, format_setting
from . import vega
from .shapes import choose_log_ticks, distinguish_series, make_panel
from .style import DASH, QUIET, Figure, draw_reference_line, make_figure, tooltips, values

HEIGHT = 320
BOUND = 0.01  # what the paper says the difference stays below from 600 documents on
DECIMALS = 3
RELEVANT = {"n_relevant": "relevant"}
SCORES = {"prevalence": "fraction of relevant documents", "exact": "expected AP"}
SHOWN_SIZES = (10, 20, 50, 100, 1000)  # of a curve each in the second figure


def bestgen_figures(points: Sequence[ChancePoint]) -> list[Figure]:
    """Draw the paper's figure, and the same points as scores."""
    return [exact_minus_prevalence(points), exact_against_prevalence(points)]


def exact_minus_prevalence(points: Sequence[ChancePoint]) -> Figure:
    """Draw Figure 1: a curve for each fraction of relevant documents, falling with their number.

    On logarithmic axes the curves are nearly straight, so that a line between two points of one
    does not cross another that it lies below.
    """
    curves = list(dict.fromkeys(point.curve for point in points))
    most = max(points, key=lambda point: point.difference)
    rows = [{**_row(point), "difference": point.difference} for point in points]
    log = dict(type="log", nice=False)
    sizes, heights = zip(*((point.n_documents, point.difference) for point in points), strict=True)
    documents = dict(values=choose_log_ticks(min(sizes), max(sizes)), format=",d", grid=False)
    base = vega.Chart(values(rows)).encode(
        x=vega.X("n_documents:Q", title="documents, N", scale=log, axis=documents),
        y=vega.Y(
            "difference:Q",
            title="expected AP of a random ranking - fraction of relevant",
            scale=log,
            axis=dict(values=choose_log_ticks(min(heights), max(heights)), format=".1g"),
        ),
        tooltip=[
            *tooltips(["curve"], {"n_documents": "documents", **RELEVANT}, ","),
            *tooltips((), {**SCORES, "difference": "expected AP - fraction"}, ".4g"),
        ],
    )
    bound = draw_reference_line(BOUND, "y", called="the paper's bound")
    return make_figure(
        make_panel(bound, *_curves(base, "curve", curves, "relevant"), height=HEIGHT),
        name="bestgen2015-figure-1",
        title="Figure 1: how far chance's AP is above the fraction of relevant documents",
        description=(
            f"Exact expected AP of a random ranking less the fraction p of relevant documents, for "
            f"{len(curves)} curves and N from {min(sizes):,} to {max(sizes):,}. All are above 0 "
            f"and fall with N; the largest is {fixed(most.difference, DECIMALS)}, for {most.curve} "
            f"and N = {most.n_documents:,}. A dashed line marks {format_setting(BOUND)}."
        ),
    )


def exact_against_prevalence(points: Sequence[ChancePoint]) -> Figure:
    """Draw the same points as scores: above the diagonal, and nearer to it the more documents."""
    shown = [point for point in points if point.n_documents in SHOWN_SIZES]
    sizes = [f"N = {size:,}" for size in sorted({point.n_documents for point in shown})]
    rows = sorted(map(_row, shown), key=lambda row: row["prevalence"])
    base = vega.Chart(values(rows)).encode(
        x=vega.X("prevalence:Q", title=f"{SCORES['prevalence']}, p", axis=dict(grid=False)),
        y=vega.Y("exact:Q", title="expected AP of a random ranking"),
        tooltip=[*tooltips({"size": "documents"}, RELEVANT, ","), *tooltips((), SCORES, ".4g")],
    )
    ends = [{"prevalence": end, "exact": end} for end in (0.0, max(p.prevalence for p in shown))]
    equal = vega.Chart(values(ends)).mark_line(color=QUIET, strokeDash=DASH)
    equal = equal.encode(x="prevalence:Q", y="exact:Q")
    farthest = max(shown, key=lambda point: point.difference)
    return make_figure(
        make_panel(equal, *_curves(base, "size", sizes, "documents"), width=HEIGHT, height=HEIGHT),
        name="bestgen2015-exact-against-prevalence",
        title="Chance's AP is not the fraction of relevant documents",
        description=(
            f"Exact expected AP of a random ranking against the fraction of relevant documents, "
            f"for {len(sizes)} numbers of documents. All points lie above the dashed line of equal "
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
    """Draw lines with dots, each in its own colour and dash."""
    look = distinguish_series(
        *(field, names, "strokeDash"), title=title, symbolType="stroke", symbolStrokeWidth=2.5
    )
    dots = base.mark_point(filled=True, size=35, opacity=1)
    return [base.mark_line(strokeWidth=2).encode(**look), dots.encode(color=look["color"])]
