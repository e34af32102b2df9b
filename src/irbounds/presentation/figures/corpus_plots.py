"""Figures of corpus bootstraps: scores, ranks, queries, pools and variances on corpus images.

A box is the middle half of the images with the median in it. A thick line covers the fraction of
images that an interval holds, a thin line all images, and a diamond is the number on the corpus.
Boxes are drawn from the summaries in results: with 129 systems on 50 queries the images themselves
are millions of scores. Figures 1 to 7 are those of Zobel and Rashidi (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

from ...results import (
    DifferencePrecision,
    ImageSummary,
    MeasurePrecision,
    PoolPrecision,
    QueryPrecision,
    QuerySpread,
    RankPrecision,
    ScorePrecision,
    SpreadSummary,
    ValidityRow,
    VarianceSplit,
)
from ..phrases import group_by_measure, pluralise, pluralise_queries, shorten
from ..rounding import (
    MEAN_SPREAD_DECIMALS,
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
from .dots import Dot, draw_dots
from .rank_plots import rank_ticks
from .shapes import (
    distinguish_series,
    draw_boxes,
    draw_forest,
    draw_measure_panels,
    get_ends,
    keep_first,
    make_panel,
    make_panel_title,
    make_value_axis,
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

MAX_NAMED = 30  # queries that can have their names below them
MAX_POINTS = 500  # images in one panel of p-values, the first ones: a page must stay small
THICK = 11  # pixels across a box, at most
GAP = 16  # pixels between panels side by side
QUERY_HEIGHT, SPREAD_HEIGHT, POOL_HEIGHT = 150, 110, 170  # pixels of panels
MIN_POOL_WIDTH = 110  # pixels of a panel, however many pool depths there are
RANK_DECIMALS = 2  # of a quartile of integers
POINT_DIGITS = 4  # significant digits of a point, far below a pixel
SIGNIFICANT = 0.05
P_TICKS = [0.0, 0.05, 0.2, 0.5, 1.0]
FIVE = ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")
WORDS = {"baseline": "minus", "root": "on the corpus", "low": "low", "high": "high"}
WORDS |= {name: name.replace("_", " ") for name in FIVE}
SPREAD_KINDS = ("of a score", "of a difference of two systems")
SPREAD_AXIS = "standard deviation over images on one query: mean \N{PLUS-MINUS SIGN} 1 sd over "
RANGE, PERCENTILE = "median to largest over systems", "95th percentile over systems"
IMAGE, CORPUS, LEVEL = "an image", "on the corpus", f"p = {format_setting(SIGNIFICANT)}"
VARIANCE_PARTS = {"queries": "queries", "documents": "documents", "interaction": "both together"}
LEFT = 0.55  # of the width, for the intervals beside the variance


def score_boxes(
    rows: Sequence[ScorePrecision], systems: Sequence[str] = (), top: int | None = MAX_SYSTEMS
) -> Figure:
    """Draw the mean score of every system on images (Figure 3).

    Systems are best first by each measure, or in the order of ``systems``.
    """
    ordered = [_order(part, systems, lambda row: -row.value) for part in group_by_measure(rows)]
    parts, note = keep_first(ordered, top)
    first = rows[0]
    return draw_measure_panels(
        *(parts, _score_panel, _describe_scores),
        name="corpus-scores",
        title=f"Mean scores over {pluralise_queries(first.n_queries)} on {first.n_images:,} images "
        f"of the corpus{note}",
    )


def _score_panel(rows: Sequence[ScorePrecision]) -> vega.Chart:
    boxes = [{"system": row.system, **_box(row)} for row in rows]
    axis = make_value_axis(f"mean {rows[0].measure}", len(rows))
    return _system_boxes(boxes, axis, _places(rows), _fraction(rows[0]))


def _describe_scores(rows: Sequence[ScorePrecision]) -> str:
    places = _places(rows)
    extremes = (max(rows, key=lambda row: row.value), min(rows, key=lambda row: row.value))
    ends = " and ".join(
        f"{row.system} at {fixed(row.value, places)} (from {fixed(row.interval.low, places)} to "
        f"{fixed(row.interval.high, places)} on {_fraction(row)})"
        for row in dict.fromkeys(extremes)
    )
    return f"Box plots of {pluralise(len(rows), 'system')} by mean {rows[0].measure}: {ends}."


def score_deviations(
    rows: Sequence[ScorePrecision], systems: Sequence[str] = (), top: int | None = MAX_SYSTEMS
) -> Figure:
    """Draw the standard deviation of every system's mean score over images (Figure 4).

    Systems are in the order of ``systems``, or best first by the first measure.
    """
    ordered = group_by_measure(rows)
    (kept, *_), note = keep_first([_order(ordered[0], systems, lambda row: -row.value)], top)
    names = [row.system for row in kept]
    parts = [[row for row in part if row.system in set(names)] for part in ordered]
    points = [
        {"system": row.system, "measure": row.measure, "deviation": row.images.standard_deviation}
        for part in parts
        for row in part
    ]
    marks = vega.Chart(values(points)).mark_point(filled=True, size=45, opacity=1)
    title = "standard deviation of the mean score over images"
    shown = {"deviation": "standard deviation"}
    measures = [part[0].measure for part in parts]
    marks = marks.encode(
        y=vega.Y("system:N", sort=names, title=None),
        x=vega.X("deviation:Q", title=title),
        opacity=highlight(),
        tooltip=tooltips(["system", "measure"], shown, MEAN_SPREAD_DECIMALS),
        **distinguish_series("measure", measures, "shape", orient="top", columns=4),
    )
    return make_figure(
        make_panel(marks),
        name="corpus-deviations",
        title=f"Standard deviation of a mean score over {rows[0].n_images:,} images{note}",
        description=" ".join(map(_describe_deviations, parts)),
    )


def _describe_deviations(rows: Sequence[ScorePrecision]) -> str:
    reach = _reach((row.images.standard_deviation for row in rows), MEAN_SPREAD_DECIMALS)
    whose = pluralise(len(rows), "system")
    return f"{rows[0].measure}: standard deviation of the mean of {whose}, {reach}."


def difference_boxes(rows: Sequence[DifferencePrecision], top: int = MAX_SYSTEMS) -> Figure:
    """Draw differences of two systems' means on images, the largest first.

    Of many pairs, the ``top`` whose order is the least certain are drawn.
    """
    families = group_by_measure(rows)
    parts = [_least_certain(part, top) for part in families]
    baselines = {row.baseline for row in rows}
    against = f" from {shorten(rows[0].baseline)}" if len(baselines) == 1 else ""
    n_rows = len(families[0])
    note = f": the {top} least certain of {n_rows:,}" if n_rows > top else ""
    return draw_measure_panels(
        *(parts, partial(_difference_panel, pairs=not against), _describe_differences),
        name="corpus-differences",
        title=f"Differences of means{against} on {rows[0].n_images:,} images of the corpus{note}",
    )


def _least_certain(rows: Sequence[DifferencePrecision], top: int) -> list[DifferencePrecision]:
    """Choose by the fraction of images that agree on the order, then by the distance from 0."""

    def certainty(row: DifferencePrecision) -> tuple[float, float]:
        spread = row.images.standard_deviation
        return abs(row.higher_probability - 0.5), abs(row.value) / spread if spread else math.inf

    return sorted(sorted(rows, key=certainty)[:top], key=lambda row: -row.value)


def _difference_panel(rows: Sequence[DifferencePrecision], pairs: bool) -> vega.Chart:
    """Draw rows that name both systems; a single baseline is named in the title only."""
    boxes = []
    for row in rows:
        label = f"{row.system} \N{MINUS SIGN} {row.baseline}" if pairs else row.system
        names = {"system": row.system, "baseline": row.baseline, "label": label}
        boxes.append({**names, **_box(row)})
    axis = make_value_axis(f"difference of mean {rows[0].measure}", len(rows))
    fraction, zero = _fraction(rows[0]), draw_reference_line(0)
    return _system_boxes(boxes, axis, _places(rows), fraction, zero, label="label")


def _describe_differences(rows: Sequence[DifferencePrecision]) -> str:
    apart = sum(row.interval.low > 0 or row.interval.high < 0 for row in rows)
    reach = _reach((row.value for row in rows), _places(rows))
    return (
        f"Box plots of {len(rows):,} differences of mean {rows[0].measure}, from {reach}; in "
        f"{apart:,} of them {_fraction(rows[0])} are on one side of 0."
    )


def rank_boxes(
    rows: Sequence[RankPrecision], systems: Sequence[str] = (), top: int | None = MAX_SYSTEMS
) -> Figure:
    """Draw the rank of every system on images (Figure 5), in the order of ``score_boxes``."""
    ordered = [_order(part, systems, lambda row: row.value) for part in group_by_measure(rows)]
    parts, note = keep_first(ordered, top)
    first = rows[0]
    return draw_measure_panels(
        *(parts, _rank_panel, _describe_ranks),
        name="corpus-ranks",
        title=f"Ranks of {pluralise(first.n_systems, 'system')} on {first.n_images:,} images of "
        f"the corpus{note}",
    )


def _rank_panel(rows: Sequence[RankPrecision]) -> vega.Chart:
    """Draw boxes on an axis with ticks at integers, and half a rank of room at either end."""
    first = rows[0]
    boxes = [
        {"system": row.system, **_box_fields(row.images, row.value, *row.interval)} for row in rows
    ]
    axis = make_value_axis(f"rank by mean {first.measure}, 1 is best", len(rows))
    axis["scale"] = dict(domain=[0.5, first.n_systems + 0.5], nice=False, zero=False)
    axis["axis"] |= dict(format="d", **rank_ticks(first.n_systems))
    level = percent(first.interval.confidence_level)
    return _system_boxes(boxes, axis, RANK_DECIMALS, f"{level} of images")


def _describe_ranks(rows: Sequence[RankPrecision]) -> str:
    best = min(rows, key=lambda row: (row.value, row.system))
    widest = max(rows, key=lambda row: row.interval.high - row.interval.low)
    level, leads = percent(best.interval.confidence_level), percentage(best.best_probability, 1)
    return (
        f"Box plots of the ranks of {pluralise(len(rows), 'system')} by mean {best.measure}: "
        f"{best.system} is first on the corpus and has the highest mean in {leads} of images; "
        f"the widest range is that of {widest.system}, {widest.interval.low} to "
        f"{widest.interval.high} on {level} of images."
    )


def query_distributions(rows: Sequence[QueryPrecision]) -> Figure:
    """Draw one system's score on every query, on images and on the corpus (Figure 2)."""
    parts = [sorted(part, key=lambda row: row.images.median) for part in group_by_measure(rows)]
    what = parts[0][0].measure if len(parts) == 1 else "Scores"
    return draw_measure_panels(
        *(parts, _query_panel, _describe_queries),
        name="corpus-queries",
        title=f"{what} of {shorten(rows[0].system)} on single queries, on "
        f"{rows[0].n_images:,} images",
    )


def _query_panel(rows: Sequence[QueryPrecision]) -> vega.Chart:
    boxes = [{"query": row.query_id, **_box(row)} for row in rows]
    axis = {"title": "score", "scale": dict(domainMin=0)}
    places = _places_of_deviations([row.images for row in rows])
    return _query_boxes(boxes, axis, places, _fraction(rows[0]), order="queries by their median")


def _describe_queries(rows: Sequence[QueryPrecision]) -> str:
    widest = max(rows, key=lambda row: row.images.standard_deviation)
    deviations = [row.images.standard_deviation for row in rows]
    middle, most = (fixed(one, SPREAD_DECIMALS) for one in (median(deviations), max(deviations)))
    reach = _reach((row.images.median for row in rows), 2)
    return (
        f"Box plots of {rows[0].measure} on {len(rows):,} queries: medians from {reach}; standard "
        f"deviations have a median of {middle} and are largest on query {widest.query_id}, {most}."
    )


def query_spread_ranges(rows: Sequence[QuerySpread]) -> Figure:
    """Draw the standard deviations of all systems' scores over images on every query (Figure 1)."""
    parts = [sorted(part, key=lambda row: row.percentile_95) for part in group_by_measure(rows)]
    most = max(row.maximum for row in rows)
    what = parts[0][0].measure if len(parts) == 1 else "a score"
    return draw_measure_panels(
        *(parts, partial(_spread_panel, most=most), _describe_spreads),
        name="corpus-query-spreads",
        title=f"Standard deviation of {what} over {rows[0].n_images:,} images, query by query",
    )


def _spread_panel(rows: Sequence[QuerySpread], most: float) -> vega.Chart:
    """Draw one measure on the scale of all panels, so that measures can be compared."""
    words = {"median": "median", "percentile_95": "95th percentile", "maximum": "largest"}
    points = [
        {"query": row.query_id, **{name: getattr(row, name) for name in words}} for row in rows
    ]
    base = vega.Chart(values(points)).encode(
        x=_query_axis(len(rows) <= MAX_NAMED, "queries by their 95th percentile"),
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


def precision_spreads(rows: Sequence[MeasurePrecision], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw all systems together where there is such a row, else system by system."""
    whole = [row for row in rows if row.system is None]
    return measure_spreads(whole) if whole else system_spreads(rows, top)


def measure_spreads(rows: Sequence[MeasurePrecision]) -> Figure:
    """Draw every measure's standard deviation on one query, of a score and of a difference."""
    points: list[dict[str, Any]] = [
        {"measure": row.measure, "kind": kind, **_span(spread)}
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


def system_spreads(rows: Sequence[MeasurePrecision], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw every system's standard deviation on one query, measure by measure."""
    parts, note = keep_first(group_by_measure(rows), top)
    return draw_measure_panels(
        *(parts, _system_panel, _describe_systems),
        name="corpus-systems",
        title=f"How far {rows[0].n_images:,} images spread a system's score on a single query"
        f"{note}",
    )


def _system_panel(rows: Sequence[MeasurePrecision]) -> vega.Chart:
    points = [{"system": row.system or "", **_span(row.scores)} for row in rows]
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


def _span(spread: SpreadSummary) -> dict[str, float]:
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


def pools(rows: Sequence[PoolPrecision]) -> Figure:
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


def pool_query_differences(rows: Sequence[PoolPrecision]) -> Figure:
    """Draw the difference on every query over images, one panel per depth (Figure 7).

    A query has one place in all panels, by its median at the greatest depth.
    """
    return _pool_grid(
        rows,
        _pool_query_panel,
        _describe_pool_queries,
        name="corpus-pool-queries",
        title=f"{_pair(rows[0])} with shallow pools: differences on queries, in the last panel's "
        "order",
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
            title = make_panel_title([row.measure if row is part[0] else " ", _judged(row)])
            panels.append(draw(row, part, dict(width=width, height=POOL_HEIGHT, title=title)))
        lines.append(vega.hconcat(*panels, spacing=GAP).resolve_scale(x="shared", y="shared"))
    return make_figure(vega.vconcat(*lines), description=" ".join(map(describe, rows)), **words)


def _pair(row: PoolPrecision) -> str:
    return f"{shorten(row.system)} minus {shorten(row.baseline)}"


def _judged(row: PoolPrecision) -> str:
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
    reach = _reach((row.differences.minimum, row.differences.maximum), places)
    return (
        f"{row.measure}, {_judged(row)}: differences from {reach} on {row.n_images:,} images, "
        f"p-values with a median of {small_p(row.p_values.median)}, below "
        f"{format_setting(SIGNIFICANT)} "
        f"in {percentage(row.significant)} of them; on the corpus {fixed(row.difference, places)} "
        f"with {describe_p(row.p_value)}."
    )


def _pool_query_panel(
    row: PoolPrecision, part: Sequence[PoolPrecision], frame: dict[str, Any]
) -> vega.Chart:
    deepest = max(part, key=lambda one: math.inf if one.depth is None else one.depth)
    pairs = zip(deepest.query_ids, deepest.on_queries, strict=True)
    order = [query for query, _ in sorted(pairs, key=lambda pair: pair[1].median)]
    summaries = dict(zip(row.query_ids, row.on_queries, strict=True))
    boxes = [{"query": query, **_box_fields(summaries[query])} for query in order]
    places, zero = _places_of_deviations(row.on_queries), draw_reference_line(0, "y")
    axis = {"title": "difference"}
    return _query_boxes(boxes, axis, places, "", zero, order="queries", names=False, **frame)


def _describe_pool_queries(row: PoolPrecision) -> str:
    places = _places_of_deviations(row.on_queries)
    reach = _reach((one.median for one in row.on_queries), places)
    return (
        f"{row.measure}, {_judged(row)}: box plots of the difference on "
        f"{pluralise_queries(row.n_queries)}, medians from {reach}, standard deviation over "
        f"queries {fixed(row.query_spreads.mean, places)}."
    )


def variances(rows: Sequence[VarianceSplit], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw means, or differences from a baseline, with the parts of their variance beside them.

    Intervals are for new queries on a new corpus. Systems are best first by each measure.
    """
    ordered = [_order(part, (), lambda row: -row.value) for part in group_by_measure(rows)]
    parts, note = keep_first(ordered, top)
    first = rows[0]
    what = "Means" if first.baseline is None else f"Differences from {shorten(first.baseline)}"
    level = percent(first.interval.confidence_level)
    return draw_measure_panels(
        *(parts, _variance_panel, _describe_variances),
        name="corpus-variance",
        title=f"{what} with {level} intervals, and where their variance comes from{note}",
    )


def _variance_panel(rows: Sequence[VarianceSplit]) -> vega.Chart:
    first, left = rows[0], round(WIDTH * LEFT)
    points = [{"system": row.system, "mean": row.value, **get_ends(row.interval)} for row in rows]
    what = "mean" if first.baseline is None else "difference of mean"
    base = vega.Chart(values(points)).encode(
        y=vega.Y("system:N", sort=None, title=None),
        opacity=highlight(),
        tooltip=tooltips(["system"], ["mean", "low", "high"], _places(rows)),
    )
    axis = make_value_axis(f"{what} {first.measure}", len(rows))
    zero = [] if first.baseline is None else [draw_reference_line(0)]
    means = make_panel(*zero, *draw_forest(base, "mean", "two-sided", axis), width=left)
    fractions = _fractions(rows).properties(width=WIDTH - left - 20, height=vega.step(ROW))
    return vega.hconcat(means, fractions, spacing=20)


def _fractions(rows: Sequence[VarianceSplit]) -> vega.Chart:
    """Draw one bar of 100 percent per row; the rows are named to its left."""
    axis = make_value_axis("fraction of the variance", len(rows))
    axis["axis"] |= {"format": ".0%"}
    axis["scale"] = dict(domain=[0, 1])
    legend = dict(orient="top", title="variance due to", titleOrient="left")
    bars = vega.Chart(values(one for row in rows for one in _stretches(row)))
    return bars.mark_bar(size=ROW - 5).encode(
        y=vega.Y("system:N", sort=None, title=None, axis=None),
        x=vega.X("from:Q", **axis),
        x2="to:Q",
        color=vega.channel("part:N", scale=colour_scale(VARIANCE_PARTS.values()), legend=legend),
        opacity=highlight(),
        tooltip=tooltips({"system": "system", "part": "due to"}, ["fraction"], ".1%"),
    )


def _stretches(row: VarianceSplit) -> list[dict[str, Any]]:
    """Return the parts of one bar; where nothing varies they are not known."""
    stretches, begin = [], 0.0
    for field, words in VARIANCE_PARTS.items():
        fraction = getattr(row, field) / row.total if row.total > 0 else math.nan
        ends = {"from": begin, "to": begin + fraction}
        stretches.append({"system": row.system, "part": words, "fraction": fraction, **ends})
        begin += fraction
    return stretches


def _describe_variances(rows: Sequence[VarianceSplit]) -> str:
    best, places = rows[0], _places(rows)
    numbers = (best.value, best.interval.low, best.interval.high)
    root, low, high = (fixed(number, places) for number in numbers)
    parts = ", ".join(f"{one['part']} {percentage(one['fraction'])}" for one in _stretches(best))
    return (
        f"{pluralise(len(rows), 'system')} by {best.measure}: {best.system} has {root}, from {low} "
        f"to {high} for new queries on a new corpus; fractions of its variance: {parts}."
    )


def left_out_images(rows: Sequence[ValidityRow]) -> Figure:
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


def _order(rows: Sequence[Any], systems: Sequence[str], key: Callable[[Any], float]) -> list[Any]:
    """Sort by the order of ``systems``, or by a key and the name."""
    if systems:
        return sorted(rows, key=lambda row: systems.index(row.system))
    return sorted(rows, key=lambda row: (key(row), row.system))


def _fraction(row: ScorePrecision | DifferencePrecision | QueryPrecision) -> str:
    return f"{percent(row.interval.confidence_level)} of images"


def _places(rows: Sequence[Any]) -> int:
    return decimals_of_column(row.interval.half_width for row in rows)


def _reach(numbers: Iterable[float], places: int) -> str:
    ordered = sorted(numbers)
    return f"{fixed(ordered[0], places)} to {fixed(ordered[-1], places)}"


def _places_of_deviations(images: Sequence[ImageSummary]) -> int:
    return decimals(max(one.standard_deviation for one in images))


def _box(row: ScorePrecision | DifferencePrecision | QueryPrecision) -> dict[str, float]:
    return _box_fields(row.images, row.value, row.interval.low, row.interval.high)


def _box_fields(images: ImageSummary, *more: float) -> dict[str, float]:
    """Return the fields of a box; ``more`` are the number on the corpus and the interval."""
    numbers = dict(zip(("root", "low", "high"), more, strict=False))
    return {name: getattr(images, name) for name in FIVE} | numbers


def _system_boxes(
    rows: Sequence[Mapping[str, Any]],
    axis: Mapping[str, Any],
    places: int,
    fraction: str,
    *under: vega.Chart,
    label: str = "system",
) -> vega.Chart:
    """Draw one system below the other; ``fraction`` is what an interval holds, in words."""
    fields = [field for field in ("system", "baseline") if field in rows[0]]
    base = vega.Chart(values(rows)).encode(
        y=vega.Y(f"{label}:N", sort=None, title=None),
        opacity=highlight(*fields),
        tooltip=_box_tooltips(rows[0], fields, places),
    )
    words = _box_words(rows[0], fraction)
    return make_panel(*under, *draw_boxes(base, "x", axis, THICK, **words))


def _query_boxes(
    rows: Sequence[Mapping[str, Any]],
    axis: Mapping[str, Any],
    places: int,
    fraction: str,
    *under: vega.Chart,
    order: str,
    names: bool = True,
    **size: Any,
) -> vega.Chart:
    """Draw one query beside the other; ``order`` says how they are sorted."""
    size = {"width": WIDTH, "height": QUERY_HEIGHT, **size}
    base = vega.Chart(values(rows)).encode(
        x=_query_axis(names and len(rows) <= MAX_NAMED, order),
        tooltip=_box_tooltips(rows[0], ["query"], places),
    )
    thick = min(max(0.7 * size["width"] / len(rows), 1.0), THICK)
    layers = draw_boxes(base, "y", axis, thick, **_box_words(rows[0], fraction))
    return make_panel(*under, *layers, **size)


def _query_axis(named: bool, order: str) -> dict[str, Any]:
    below = dict(labels=named, ticks=named, labelAngle=-90, labelLimit=80)
    return vega.X("query:N", sort=None, title=order, axis=below)


def _box_words(row: Mapping[str, Any], fraction: str) -> dict[str, Any]:
    half = "box: middle half with the median"
    has_interval = "low" in row
    return {
        "reach": "thin line: all images",
        "half": f"{half}; thick line: {fraction}" if has_interval else half,
        "point": ("root", "diamond: on the corpus", "diamond") if "root" in row else None,
        "interval": has_interval,
    }


def _box_tooltips(
    row: Mapping[str, Any], names: Sequence[str], places: int
) -> list[dict[str, Any]]:
    named = {name: WORDS.get(name, name) for name in names}
    numbers = {name: words for name, words in WORDS.items() if name in row and name not in named}
    return tooltips(named, numbers, places)
