"""Figures of images of the corpus: box plots of systems, and the parts of a variance.

A box is the middle half of the images with the median in it. A thick line covers the fraction of
images in an interval, a thin line all images, and a diamond is the number on the corpus. Boxes are
drawn from summaries: the images of 129 systems on 50 queries are millions of scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from ...results import DifferencePrecision, RankPrecision, ScorePrecision, VarianceSplit
from ..phrases import group_by_measure, pluralise, shorten
from ..rounding import decimals_of_column, fixed, percent, percentage
from . import MAX_SYSTEMS, vega
from .rank_plots import choose_rank_ticks
from .shapes import (
    describe_cut,
    draw_forest,
    draw_measure_panels,
    get_ends,
    keep_first,
    make_panel,
    make_value_axis,
    with_entry,
)
from .style import (
    CONTRAST,
    EMPHASIS,
    QUIET,
    ROW,
    THIN_LINE,
    WIDTH,
    Figure,
    colour_scale,
    draw_reference_line,
    highlight,
    make_legend,
    tooltips,
    values,
)

Images: TypeAlias = ScorePrecision | DifferencePrecision | RankPrecision

#: name of the figure, quantities in its title, title of the axis
WORDS: dict[type, tuple[str, str, str]] = {
    ScorePrecision: ("corpus-scores", "Mean scores", "mean {}"),
    DifferencePrecision: ("corpus-differences", "Differences of means", "difference of mean {}"),
    RankPrecision: ("corpus-ranks", "Ranks", "rank by mean {}, 1 is best"),
}
FIVE = ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")
NUMBERS = {"root": "on the corpus", "low": "low", "high": "high"}
NUMBERS |= {name: name.replace("_", " ") for name in FIVE}
ALL_IMAGES = "thin line: all images"
ON_CORPUS = "diamond: on the corpus"
THICK = 11  # pixels across a box
RANK_DECIMALS = 2  # of a quartile of integers

VARIANCE_PARTS = {"queries": "queries", "documents": "documents", "interaction": "both together"}
LEFT = 0.55  # of the width, for the intervals to the left of the variance


def draw_images(rows: Sequence[Images], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw scores, differences or ranks on images: the best systems first, or the largest first.

    Of many differences, the ``top`` whose order is the least certain are drawn.
    """
    families: list[Any] = [sorted(part, key=_best_first) for part in group_by_measure(rows)]
    parts, note = keep_first(families, top)
    if note and isinstance(rows[0], DifferencePrecision):
        least_certain = [
            sorted(part, key=lambda row: abs(row.higher_probability - 0.5))[:top]
            for part in families
        ]
        parts = [sorted(part, key=_best_first) for part in least_certain]
        note = f" ({describe_cut(len(parts[0]), len(families[0]), 'pair', '{} least certain')})"
    name, quantity, _ = WORDS[type(rows[0])]
    return draw_measure_panels(
        *(parts, _draw_boxes, _describe_boxes),
        name=name,
        title=f"{quantity} on {rows[0].n_images:,} images of the corpus{note}",
    )


def _best_first(row: Any) -> tuple[float, str]:
    return (row.value if isinstance(row, RankPrecision) else -row.value), row.system


def _draw_boxes(rows: Sequence[Images]) -> vega.Chart:
    first = rows[0]
    axis = make_value_axis(WORDS[type(first)][2].format(first.measure), len(rows))
    if isinstance(first, RankPrecision):
        axis["scale"] = dict(domain=[0.5, first.n_systems + 0.5], nice=False, zero=False)
        axis["axis"] |= dict(format="d", **choose_rank_ticks(first.n_systems))
    names = {"system": "system"}
    if isinstance(first, DifferencePrecision):
        names["baseline"] = "minus"
    data = [
        {name: getattr(row, name) for name in names}
        | {name: getattr(row.images, name) for name in FIVE}
        | {"label": _label(row), "root": row.value}
        | {"low": row.interval.low, "high": row.interval.high}
        for row in rows
    ]
    base = vega.Chart(values(data)).encode(
        y=vega.Y("label:N", sort=None, title=None),
        opacity=highlight(*names),
        tooltip=tooltips(names, NUMBERS, _places(rows)),
    )
    half = f"box: middle half with the median; thick line: {_fraction(first)}"
    entries = [(ALL_IMAGES, QUIET, THIN_LINE), (half, EMPHASIS, "square")]
    colour, shape = make_legend([*entries, (ON_CORPUS, CONTRAST, "diamond")])
    thin, line = base.mark_rule(strokeWidth=1), base.mark_rule(strokeWidth=3)
    box = base.mark_bar(fillOpacity=0.45, strokeWidth=1, stroke=EMPHASIS, size=THICK, opacity=1)
    median = base.mark_tick(thickness=2, size=THICK + 1, opacity=1)
    mark = base.mark_point(filled=True, size=3.5 * THICK, opacity=1)
    layers = [
        with_entry(thin.encode(x=vega.X("minimum:Q", **axis), x2="maximum:Q"), ALL_IMAGES),
        with_entry(line.encode(x="low:Q", x2="high:Q"), half),
        with_entry(box.encode(x="lower_quartile:Q", x2="upper_quartile:Q"), half),
        with_entry(median.encode(x="median:Q"), half),
        with_entry(mark.encode(x="root:Q", shape=shape), ON_CORPUS),
    ]
    under = [draw_reference_line(0)] if isinstance(first, DifferencePrecision) else []
    return make_panel(*under, *(layer.encode(color=colour) for layer in layers))


def _describe_boxes(rows: Sequence[Images]) -> str:
    first = rows[0]
    places = 0 if isinstance(first, RankPrecision) else _places(rows)
    ends = " and ".join(
        f"{_label(row)} at {fixed(row.value, places)} (from {fixed(row.interval.low, places)} to "
        f"{fixed(row.interval.high, places)} on {_fraction(row)})"
        for row in dict.fromkeys((rows[0], rows[-1]))
    )
    quantity = WORDS[type(first)][2].format(first.measure)
    return f"{pluralise(len(rows), 'box plot')} of {quantity}: {ends}."


def _label(row: Images) -> str:
    if isinstance(row, DifferencePrecision):
        return f"{row.system} \N{MINUS SIGN} {row.baseline}"
    return row.system


def _fraction(row: Images) -> str:
    return f"{percent(row.interval.confidence_level)} of images"


def _places(rows: Sequence[Any]) -> int:
    if isinstance(rows[0], RankPrecision):
        return RANK_DECIMALS
    return decimals_of_column(row.interval.half_width for row in rows)


def draw_variances(rows: Sequence[VarianceSplit], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw means, or differences from a baseline, and the parts of their variance.

    Intervals are for new queries on a new corpus. Systems are best first by each measure.
    """
    first = rows[0]
    families = [sorted(part, key=_best_first) for part in group_by_measure(rows)]
    parts, note = keep_first(families, top)
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
    axis = make_value_axis("fraction of the variance", len(rows))
    axis["axis"] |= {"format": ".0%"}
    axis["scale"] = dict(domain=[0, 1])
    legend = dict(orient="top", title="variance due to", titleOrient="left")
    bars = vega.Chart(values(stretch for row in rows for stretch in _stretches(row)))
    bars = bars.mark_bar(size=ROW - 5).encode(
        y=vega.Y("system:N", sort=None, title=None, axis=None),
        x=vega.X("from:Q", **axis),
        x2="to:Q",
        color=vega.channel("part:N", scale=colour_scale(VARIANCE_PARTS.values()), legend=legend),
        opacity=highlight(),
        tooltip=tooltips({"system": "system", "part": "due to"}, ["fraction"], ".1%"),
    )
    fractions = bars.properties(width=WIDTH - left - 20, height=vega.step(ROW))
    return vega.hconcat(means, fractions, spacing=20)


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
