"""Figures of measures, queries and pools on corpus images, and of images that are left out.

Figures 1, 2, 6 and 7 are those of Zobel and Rashidi (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

from ...results import (
    ImageSummary,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    SpreadSummary,
    ValidityRow,
)
from ..phrases import group_by_measure, pluralise, pluralise_queries, shorten
from ..rounding import (
    SPREAD_DECIMALS,
    decimals,
    decimals_of_column,
    describe_p,
    error_level,
    fixed,
    format_setting,
    percent,
    percentage,
    round_digits,
    small_p,
)
from . import MAX_SYSTEMS, vega
from .boxes import (
    MAX_NAMED,
    describe_fraction,
    describe_range,
    draw_query_boxes,
    make_box,
    make_box_fields,
    make_query_axis,
)
from .dots import Dot, draw_dots
from .shapes import (
    draw_forest,
    draw_measure_panels,
    keep_first,
    make_panel,
    make_panel_title,
    with_entry,
)
from .style import (
    CONTRAST,
    DASHED_LINE,
    EMPHASIS,
    LINE,
    QUIET,
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    draw_reference_line,
    highlight,
    make_figure,
    make_legend,
    tooltips,
    values,
)

MAX_POINTS = 500  # images in one panel of p-values, the first ones: a page must stay small
GAP = 16  # pixels between panels side by side
SPREAD_HEIGHT, POOL_HEIGHT = 110, 170  # pixels of panels
MIN_POOL_WIDTH = 110  # pixels of a panel, however many pool depths there are
POINT_DIGITS = 4  # significant digits of a point, far below a pixel
SIGNIFICANT = 0.05
P_TICKS = [0.0, 0.05, 0.2, 0.5, 1.0]
SPREAD_KINDS = ("of a score", "of a difference of two systems")
SPREAD_AXIS = "standard deviation over images on one query: mean \N{PLUS-MINUS SIGN} 1 sd over "
RANGE, PERCENTILE = "median to largest over systems", "95th percentile over systems"
IMAGE, CORPUS, LEVEL = "an image", "on the corpus", f"p = {format_setting(SIGNIFICANT)}"


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


def draw_query_spreads(rows: Sequence[QuerySpread]) -> Figure:
    """Draw the standard deviations of all systems' scores over images on every query (Figure 1)."""
    parts = [sorted(part, key=lambda row: row.percentile_95) for part in group_by_measure(rows)]
    most = max(row.maximum for row in rows)
    quantity = parts[0][0].measure if len(parts) == 1 else "a score"
    return draw_measure_panels(
        *(parts, partial(_spread_panel, most=most), _describe_spreads),
        name="corpus-query-spreads",
        title=f"Standard deviation of {quantity} over {rows[0].n_images:,} images, query by query",
    )


def _spread_panel(rows: Sequence[QuerySpread], most: float) -> vega.Chart:
    """Draw one measure on the scale of all panels, so that measures can be compared."""
    words = {"median": "median", "percentile_95": "95th percentile", "maximum": "largest"}
    points = [
        {"query": row.query_id, **{name: getattr(row, name) for name in words}} for row in rows
    ]
    base = vega.Chart(values(points)).encode(
        x=make_query_axis(len(rows) <= MAX_NAMED, "queries by their 95th percentile"),
        tooltip=tooltips(["query"], words, SPREAD_DECIMALS),
    )
    colour, shape = make_legend([(RANGE, QUIET, LINE), (PERCENTILE, EMPHASIS, "circle")])
    axis = vega.Y("median:Q", title="standard deviation", scale=dict(domain=[0, most]))
    width = 0.5 * WIDTH / len(rows)
    ranges = base.mark_rule(strokeWidth=min(width, 4.0)).encode(y=axis, y2="maximum:Q")
    marks = base.mark_point(filled=True, size=min(8 * width, 30), opacity=1)
    return make_panel(
        with_entry(ranges.encode(color=colour), RANGE),
        with_entry(marks.encode(y="percentile_95:Q", color=colour, shape=shape), PERCENTILE),
        height=SPREAD_HEIGHT,
    )


def _describe_spreads(rows: Sequence[QuerySpread]) -> str:
    ends = " to ".join(
        f"{fixed(row.percentile_95, SPREAD_DECIMALS)} (query {row.query_id})"
        for row in (rows[0], rows[-1])
    )
    middle = fixed(median(row.percentile_95 for row in rows), SPREAD_DECIMALS)
    return (
        f"{rows[0].measure} on {len(rows):,} queries: the 95th percentile over "
        f"{pluralise(rows[0].n_systems, 'system')} of the standard deviation goes from {ends}, "
        f"with a median of {middle}."
    )


def draw_spreads(rows: Sequence[MeasurePrecision], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw all systems together where there is such a row, else system by system."""
    whole = [row for row in rows if row.system is None]
    return draw_measure_spreads(whole) if whole else draw_system_spreads(rows, top)


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


def draw_system_spreads(rows: Sequence[MeasurePrecision], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw every system's standard deviation on one query, measure by measure."""
    parts, note = keep_first(group_by_measure(rows), top)
    return draw_measure_panels(
        *(parts, _system_panel, _describe_systems),
        name="corpus-systems",
        title=f"How far {rows[0].n_images:,} images spread a system's score on a single query"
        f"{note}",
    )


def _system_panel(rows: Sequence[MeasurePrecision]) -> vega.Chart:
    points = [{"system": row.system or "", **_make_range(row.scores)} for row in rows]
    look = {"color": vega.value(EMPHASIS), "opacity": highlight()}
    return _spread_rows(points, "system", "queries", vega.step(ROW), **look)


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


def _describe_systems(rows: Sequence[MeasurePrecision]) -> str:
    by_mean = sorted(rows, key=lambda row: row.scores.mean)
    ends = " to ".join(
        f"{fixed(row.scores.mean, SPREAD_DECIMALS)} ({row.system})"
        for row in (by_mean[0], by_mean[-1])
    )
    return (
        f"{rows[0].measure}: mean standard deviations of the scores of "
        f"{pluralise(len(rows), 'system')} on a query, from {ends}."
    )


def draw_pool_p_values(rows: Sequence[PoolPrecision]) -> Figure:
    """Draw the p-value of every image against its mean difference, one panel per depth (Figure 6).

    The axis of p-values is that of their square roots, which gives room to the small ones.
    """
    return _pool_grid(
        rows,
        _p_value_panel,
        _describe_p_values,
        name="corpus-pools",
        title=f"{_pair(rows[0])} with shallow pools: p-value against difference, image by image",
    )


def draw_pool_differences(rows: Sequence[PoolPrecision]) -> Figure:
    """Draw the difference on every query over images, one panel per depth (Figure 7).

    A query has one place in all panels, by its median at the greatest depth.
    """
    return _pool_grid(
        rows,
        _pool_query_panel,
        _describe_pool_queries,
        name="corpus-pool-queries",
        title=f"{_pair(rows[0])} with shallow pools: differences on queries, in the last "
        "panel's order",
    )


def _pool_grid(
    rows: Sequence[PoolPrecision],
    draw: Callable[[PoolPrecision, Sequence[PoolPrecision], dict[str, Any]], vega.Chart],
    describe: Callable[[PoolPrecision], str],
    **words: str,
) -> Figure:
    """Draw measures below each other, and depths side by side on one scale."""
    lines = []
    for part in group_by_measure(rows):
        width = max((WIDTH - GAP * (len(part) - 1)) // len(part), MIN_POOL_WIDTH)
        panels = []
        for row in part:
            title = make_panel_title([row.measure if row is part[0] else " ", _describe_depth(row)])
            panels.append(draw(row, part, dict(width=width, height=POOL_HEIGHT, title=title)))
        lines.append(vega.hconcat(*panels, spacing=GAP).resolve_scale(x="shared", y="shared"))
    return make_figure(vega.vconcat(*lines), description=" ".join(map(describe, rows)), **words)


def _pair(row: PoolPrecision) -> str:
    return f"{shorten(row.system)} minus {shorten(row.baseline)}"


def _describe_depth(row: PoolPrecision) -> str:
    return "all judgments" if row.depth is None else f"depth {row.depth:,}"


def _p_value_panel(
    row: PoolPrecision, part: Sequence[PoolPrecision], frame: dict[str, Any]
) -> vega.Chart:
    """Draw images as points, lines at the numbers of the corpus, and a line at p = 0.05."""
    pairs = list(zip(row.image_differences, row.image_p_values, strict=True))[:MAX_POINTS]
    points = [
        {"difference": round_digits(difference, POINT_DIGITS), "p": round_digits(p, POINT_DIGITS)}
        for difference, p in pairs
    ]
    p_axis = dict(values=P_TICKS, format=".2~f")
    p_scale = dict(type="sqrt", nice=False)
    images = vega.Chart(values(points)).mark_point(filled=True, size=12, opacity=0.5)
    images = images.encode(
        x=vega.X("difference:Q", title="difference", axis=dict(tickCount=3, grid=False)),
        y=vega.Y("p:Q", title="p-value (paired t test)", scale=p_scale, axis=p_axis),
        tooltip=tooltips((), {"difference": "difference", "p": "p-value"}),
    )
    corpus = vega.Chart(values([{"difference": row.difference, "p": row.p_value}]))
    line = corpus.mark_rule(strokeWidth=2)
    colour, shape = make_legend(
        [(IMAGE, EMPHASIS, "circle"), (CORPUS, CONTRAST, LINE), (LEVEL, QUIET, DASHED_LINE)]
    )
    layers = [
        with_entry(images.encode(shape=shape), IMAGE),
        with_entry(line.encode(x="difference:Q"), CORPUS),
        with_entry(line.encode(y="p:Q"), CORPUS),
        with_entry(draw_reference_line(SIGNIFICANT, "y", colour=None), LEVEL),
    ]
    return make_panel(*(layer.encode(color=colour) for layer in layers), **frame)


def _describe_p_values(row: PoolPrecision) -> str:
    places = decimals_of_column([2 * row.differences.standard_deviation])
    reach = describe_range((row.differences.minimum, row.differences.maximum), places)
    return (
        f"{row.measure}, {_describe_depth(row)}: differences from {reach} on {row.n_images:,} "
        f"images, p-values with a median of {small_p(row.p_values.median)}, below "
        f"{format_setting(SIGNIFICANT)} "
        f"in {percentage(row.significant)} of them; on the corpus {fixed(row.difference, places)} "
        f"with {describe_p(row.p_value)}."
    )


def _pool_query_panel(
    row: PoolPrecision, part: Sequence[PoolPrecision], frame: dict[str, Any]
) -> vega.Chart:
    deepest = max(part, key=lambda pool: math.inf if pool.depth is None else pool.depth)
    pairs = zip(deepest.query_ids, deepest.on_queries, strict=True)
    order = [query for query, _ in sorted(pairs, key=lambda pair: pair[1].median)]
    summaries = dict(zip(row.query_ids, row.on_queries, strict=True))
    boxes = [{"query": query, **make_box_fields(summaries[query])} for query in order]
    places, zero = _places_of_deviations(row.on_queries), draw_reference_line(0, "y")
    axis = {"title": "difference"}
    return draw_query_boxes(boxes, axis, places, "", zero, order="queries", names=False, **frame)


def _describe_pool_queries(row: PoolPrecision) -> str:
    places = _places_of_deviations(row.on_queries)
    reach = describe_range((summary.median for summary in row.on_queries), places)
    return (
        f"{row.measure}, {_describe_depth(row)}: box plots of the difference on "
        f"{pluralise_queries(row.n_queries)}, medians from {reach}, standard deviation over "
        f"queries {fixed(row.query_spreads.mean, places)}."
    )


def draw_left_out_images(rows: Sequence[ValidityRow]) -> Figure:
    """Draw the fractions of left-out images below and above the intervals from the others."""
    points = [
        Dot(f"{row.measure}, {row.rule}", fraction, series=side)
        for row in rows
        for side, fraction in (("below", row.below), ("above", row.above))
    ]
    level = rows[0].confidence_level
    return draw_dots(
        points,
        axis="fraction of left-out differences outside the interval",
        name="validity",
        title=f"Left-out images below and above {percent(level)} intervals",
        reference=error_level(level) / 2,
    )


def _places_of_deviations(images: Sequence[ImageSummary]) -> int:
    return decimals(max(summary.standard_deviation for summary in images))
