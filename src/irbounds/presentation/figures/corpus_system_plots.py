"""Figures of systems on corpus images: scores, differences, ranks and parts of their variance.

Figures 3 to 5 are those of Zobel and Rashidi (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...results import (
    DifferencePrecision,
    RankPrecision,
    ScorePrecision,
    VarianceSplit,
)
from ..phrases import group_by_measure, pluralise, pluralise_queries, shorten
from ..rounding import (
    MEAN_SPREAD_DECIMALS,
    decimals_of_column,
    fixed,
    percent,
    percentage,
)
from . import MAX_SYSTEMS, vega
from .boxes import (
    describe_fraction,
    describe_range,
    draw_system_boxes,
    make_box,
    make_box_fields,
)
from .rank_plots import choose_rank_ticks
from .shapes import (
    distinguish_series,
    draw_forest,
    draw_measure_panels,
    get_ends,
    keep_first,
    make_panel,
    make_value_axis,
)
from .style import (
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    draw_reference_line,
    highlight,
    make_figure,
    tooltips,
    values,
)

RANK_DECIMALS = 2  # of a quartile of integers
VARIANCE_PARTS = {"queries": "queries", "documents": "documents", "interaction": "both together"}
LEFT = 0.55  # of the width, for the intervals to the left of the variance


def draw_score_boxes(
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
    boxes = [{"system": row.system, **make_box(row)} for row in rows]
    axis = make_value_axis(f"mean {rows[0].measure}", len(rows))
    return draw_system_boxes(boxes, axis, _places(rows), describe_fraction(rows[0]))


def _describe_scores(rows: Sequence[ScorePrecision]) -> str:
    places = _places(rows)
    extremes = (max(rows, key=lambda row: row.value), min(rows, key=lambda row: row.value))
    ends = " and ".join(
        f"{row.system} at {fixed(row.value, places)} (from {fixed(row.interval.low, places)} to "
        f"{fixed(row.interval.high, places)} on {describe_fraction(row)})"
        for row in dict.fromkeys(extremes)
    )
    return f"Box plots of {pluralise(len(rows), 'system')} by mean {rows[0].measure}: {ends}."


def draw_score_deviations(
    rows: Sequence[ScorePrecision], systems: Sequence[str] = (), top: int | None = MAX_SYSTEMS
) -> Figure:
    """Draw the standard deviation of every system's mean score over images (Figure 4).

    Systems are in the order of ``systems``, or best first by the first measure.
    """
    ordered = group_by_measure(rows)
    (first_rows, *_), note = keep_first([_order(ordered[0], systems, lambda row: -row.value)], top)
    names = [row.system for row in first_rows]
    parts = [[row for row in part if row.system in set(names)] for part in ordered]
    points = [
        {"system": row.system, "measure": row.measure, "deviation": row.images.standard_deviation}
        for part in parts
        for row in part
    ]
    marks = vega.Chart(values(points)).mark_point(filled=True, size=45, opacity=1)
    title = "standard deviation of the mean score over images"
    titles = {"deviation": "standard deviation"}
    measures = [part[0].measure for part in parts]
    marks = marks.encode(
        y=vega.Y("system:N", sort=names, title=None),
        x=vega.X("deviation:Q", title=title),
        opacity=highlight(),
        tooltip=tooltips(["system", "measure"], titles, MEAN_SPREAD_DECIMALS),
        **distinguish_series("measure", measures, "shape", orient="top", columns=4),
    )
    return make_figure(
        make_panel(marks),
        name="corpus-deviations",
        title=f"Standard deviation of a mean score over {rows[0].n_images:,} images{note}",
        description=" ".join(map(_describe_deviations, parts)),
    )


def _describe_deviations(rows: Sequence[ScorePrecision]) -> str:
    reach = describe_range((row.images.standard_deviation for row in rows), MEAN_SPREAD_DECIMALS)
    whose = pluralise(len(rows), "system")
    return f"{rows[0].measure}: standard deviation of the mean of {whose}, {reach}."


def draw_difference_boxes(rows: Sequence[DifferencePrecision], top: int = MAX_SYSTEMS) -> Figure:
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
        boxes.append({**names, **make_box(row)})
    axis = make_value_axis(f"difference of mean {rows[0].measure}", len(rows))
    fraction, zero = describe_fraction(rows[0]), draw_reference_line(0)
    return draw_system_boxes(boxes, axis, _places(rows), fraction, zero, label="label")


def _describe_differences(rows: Sequence[DifferencePrecision]) -> str:
    apart = sum(row.interval.low > 0 or row.interval.high < 0 for row in rows)
    reach = describe_range((row.value for row in rows), _places(rows))
    return (
        f"Box plots of {len(rows):,} differences of mean {rows[0].measure}, from {reach}; in "
        f"{apart:,} of them {describe_fraction(rows[0])} are on one side of 0."
    )


def draw_rank_boxes(
    rows: Sequence[RankPrecision], systems: Sequence[str] = (), top: int | None = MAX_SYSTEMS
) -> Figure:
    """Draw the rank of every system on images (Figure 5), in the order of ``draw_score_boxes``."""
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
        {"system": row.system, **make_box_fields(row.images, row.value, *row.interval)}
        for row in rows
    ]
    axis = make_value_axis(f"rank by mean {first.measure}, 1 is best", len(rows))
    axis["scale"] = dict(domain=[0.5, first.n_systems + 0.5], nice=False, zero=False)
    axis["axis"] |= dict(format="d", **choose_rank_ticks(first.n_systems))
    level = percent(first.interval.confidence_level)
    return draw_system_boxes(boxes, axis, RANK_DECIMALS, f"{level} of images")


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


def draw_variances(rows: Sequence[VarianceSplit], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw means, or differences from a baseline, and the parts of their variance.

    Intervals are for new queries on a new corpus. Systems are best first by each measure.
    """
    ordered = [_order(part, (), lambda row: -row.value) for part in group_by_measure(rows)]
    parts, note = keep_first(ordered, top)
    first = rows[0]
    quantity = "Means" if first.baseline is None else f"Differences from {shorten(first.baseline)}"
    level = percent(first.interval.confidence_level)
    return draw_measure_panels(
        *(parts, _variance_panel, _describe_variances),
        name="corpus-variance",
        title=f"{quantity} with {level} intervals, and where their variance comes from{note}",
    )


def _variance_panel(rows: Sequence[VarianceSplit]) -> vega.Chart:
    first, left = rows[0], round(WIDTH * LEFT)
    points = [{"system": row.system, "mean": row.value, **get_ends(row.interval)} for row in rows]
    quantity = "mean" if first.baseline is None else "difference of mean"
    base = vega.Chart(values(points)).encode(
        y=vega.Y("system:N", sort=None, title=None),
        opacity=highlight(),
        tooltip=tooltips(["system"], ["mean", "low", "high"], _places(rows)),
    )
    axis = make_value_axis(f"{quantity} {first.measure}", len(rows))
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
    bars = vega.Chart(values(stretch for row in rows for stretch in _stretches(row)))
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
    parts = ", ".join(
        f"{stretch['part']} {percentage(stretch['fraction'])}" for stretch in _stretches(best)
    )
    return (
        f"{pluralise(len(rows), 'system')} by {best.measure}: {best.system} has {root}, from {low} "
        f"to {high} for new queries on a new corpus; fractions of its variance: {parts}."
    )


def _order(rows: Sequence[Any], systems: Sequence[str], key: Callable[[Any], float]) -> list[Any]:
    """Sort by the order of ``systems``, or by a key and the name."""
    if systems:
        return sorted(rows, key=lambda row: systems.index(row.system))
    return sorted(rows, key=lambda row: (key(row), row.system))


def _places(rows: Sequence[Any]) -> int:
    return decimals_of_column(row.interval.half_width for row in rows)
