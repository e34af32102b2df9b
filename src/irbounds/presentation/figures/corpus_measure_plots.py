"""Figures of measures and queries on images of the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from ...results import (
    ImageSummary,
    MeasurePrecision,
    QueryPrecision,
    SpreadSummary,
)
from ..phrases import group_by_measure, pluralise, pluralise_queries, shorten
from ..rounding import (
    SPREAD_DECIMALS,
    decimals,
    fixed,
)
from . import vega
from .boxes import (
    describe_fraction,
    describe_range,
    draw_query_boxes,
    make_box,
)
from .shapes import (
    draw_forest,
    draw_measure_panels,
    make_panel,
)
from .style import (
    ROW,
    Figure,
    colour_scale,
    make_figure,
    tooltips,
    values,
)

SPREAD_KINDS = ("of a score", "of a difference of two systems")
SPREAD_AXIS = "standard deviation over images on one query: mean \N{PLUS-MINUS SIGN} 1 sd over "


def draw_query_distributions(rows: Sequence[QueryPrecision]) -> Figure:
    """Draw one system's score on every query, on images and on the corpus (Figure 2)."""
    parts = [sorted(part, key=lambda row: row.images.median) for part in group_by_measure(rows)]
    quantity = parts[0][0].measure if len(parts) == 1 else "Scores"
    return draw_measure_panels(
        *(parts, _query_panel, _describe_queries),
        name="corpus-queries",
        title=f"{quantity} of {shorten(rows[0].system)} on single queries, on "
        f"{rows[0].n_images:,} images",
    )


def _query_panel(rows: Sequence[QueryPrecision]) -> vega.Chart:
    boxes = [{"query": row.query_id, **make_box(row)} for row in rows]
    axis = {"title": "score", "scale": dict(domainMin=0)}
    places = _places_of_deviations([row.images for row in rows])
    return draw_query_boxes(
        boxes, axis, places, describe_fraction(rows[0]), order="queries by their median"
    )


def _describe_queries(rows: Sequence[QueryPrecision]) -> str:
    widest = max(rows, key=lambda row: row.images.standard_deviation)
    deviations = [row.images.standard_deviation for row in rows]
    middle, most = (fixed(x, SPREAD_DECIMALS) for x in (median(deviations), max(deviations)))
    reach = describe_range((row.images.median for row in rows), 2)
    return (
        f"Box plots of {rows[0].measure} on {len(rows):,} queries: medians from {reach}; standard "
        f"deviations have a median of {middle} and are largest on query {widest.query_id}, {most}."
    )


def draw_measure_spreads(rows: Sequence[MeasurePrecision]) -> Figure:
    """Draw every measure's standard deviation on one query, of a score and of a difference."""
    points: list[dict[str, Any]] = [
        {"measure": row.measure, "kind": kind, **_make_range(spread)}
        for row in rows
        for kind, spread in zip(SPREAD_KINDS, (row.scores, row.differences), strict=True)
        if spread
    ]
    kinds = [kind for kind in SPREAD_KINDS if any(point["kind"] == kind for point in points)]
    first = rows[0]
    legend = dict(orient="top", title=None)
    described = " ".join(
        f"{point['measure']} {point['kind']}: {fixed(point['mean'], SPREAD_DECIMALS)} "
        f"\N{PLUS-MINUS SIGN} {fixed(point['sd'], SPREAD_DECIMALS)}."
        for point in points
    )
    return make_figure(
        _spread_rows(
            points,
            "measure",
            "systems and queries",
            {"step": ROW, "for": "offset"},
            yOffset=vega.channel("kind:N", sort=kinds, scale=dict(paddingOuter=0.2)),
            color=vega.channel("kind:N", scale=colour_scale(kinds), legend=legend),
        ),
        name="corpus-measures",
        title=f"How far {first.n_images:,} images spread the score on a single query",
        description=f"Mean and standard deviation, over {pluralise(first.n_systems, 'system')} and "
        f"{pluralise_queries(first.n_queries)}, of standard deviations over images. {described}",
    )


def _spread_rows(
    points: Sequence[Mapping[str, Any]], field: str, over: str, height: Any, **look: Any
) -> vega.Chart:
    numbers = {"mean": "mean standard deviation", "sd": "its standard deviation"}
    base = vega.Chart(values(points)).encode(
        y=vega.Y(f"{field}:N", sort=None, title=None),
        tooltip=tooltips([field], numbers, SPREAD_DECIMALS),
        **look,
    )
    axis = {"title": f"{SPREAD_AXIS}{over}"}
    return make_panel(*draw_forest(base, "mean", "two-sided", axis), height=height)


def _make_range(spread: SpreadSummary) -> dict[str, float]:
    """Return mean +- sd (the paper's mu and sigma); the low end is 0 at least."""
    mean, sd = spread.mean, spread.standard_deviation
    return {"mean": mean, "sd": sd, "low": max(mean - sd, 0.0), "high": mean + sd}


def _places_of_deviations(images: Sequence[ImageSummary]) -> int:
    return decimals(max(summary.standard_deviation for summary in images))
