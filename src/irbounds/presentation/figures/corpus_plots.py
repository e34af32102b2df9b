"""Figures of images of the corpus: box plots of systems, and the parts of a variance.

A box is the middle half of the images with the median in it. A thick line covers the fraction of
images in an interval, a thin line all images, and a diamond is the number on the corpus. Boxes are
drawn from summaries: the images of 129 systems on 50 queries are millions of scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...results import DifferencePrecision, RankPrecision, ScorePrecision, VarianceSplit
from ..phrases import group_by_measure, pluralise, shorten
from ..rounding import decimals_of_column, percent
from . import MAX_SYSTEMS, vega
from .rank_plots import choose_rank_ticks
from .shapes import (
    describe_cut,
    draw_measure_panels,
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


def draw_images(rows: Sequence[Images], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw scores, differences or ranks on images: the best systems first, or the largest first."""
    name, quantity, _ = WORDS[type(rows[0])]
    return _draw_panels(
        *(rows, top, _draw_boxes, name),
        f"{quantity} on {rows[0].n_images:,} images of the corpus",
    )


def draw_variances(rows: Sequence[VarianceSplit], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw the fractions of the variance of means, or of differences, best first."""
    first = rows[0]
    quantity = "means" if first.baseline is None else f"differences from {shorten(first.baseline)}"
    title = f"Fractions of the variance of {quantity} over new queries on a new corpus"
    return _draw_panels(rows, top, _draw_variance_bars, "corpus-variance", title)


def _draw_panels(
    rows: Sequence[Any],
    top: int | None,
    draw: Callable[[Sequence[Any]], vega.Chart],
    name: str,
    title: str,
) -> Figure:
    families: list[Any] = [
        sorted(part, key=lambda row: row.value if isinstance(row, RankPrecision) else -row.value)
        for part in group_by_measure(rows)
    ]
    what = "pair" if isinstance(rows[0], DifferencePrecision) else "system"
    n = max(map(len, families))
    cut = describe_cut(n if top is None else top, n, what)
    return draw_measure_panels(
        *([family[:top] for family in families], draw),
        lambda part: f"{part[0].measure}: {part[0].system} is first of {pluralise(n, what)}.",
        name=name,
        title=f"{title} ({cut})" if cut else title,
    )


def _draw_boxes(rows: Sequence[Images]) -> vega.Chart:
    first = rows[0]
    axis = make_value_axis(WORDS[type(first)][2].format(first.measure), len(rows))
    if isinstance(first, RankPrecision):
        axis["scale"] = dict(domain=[0.5, first.n_systems + 0.5], nice=False, zero=False)
        axis["axis"] |= dict(format="d", **choose_rank_ticks(first.n_systems))
    names = {"system": "system"}
    if isinstance(first, DifferencePrecision):
        names["baseline"] = "minus"
    places = RANK_DECIMALS
    if not isinstance(first, RankPrecision):
        places = decimals_of_column(row.interval.half_width for row in rows)
    data = [
        {name: getattr(row, name) for name in names}
        | {name: getattr(row.images, name) for name in FIVE}
        | {"label": " \N{MINUS SIGN} ".join(getattr(row, name) for name in names)}
        | {"root": row.value}
        | {"low": row.interval.low, "high": row.interval.high}
        for row in rows
    ]
    base = vega.Chart(values(data)).encode(
        y=vega.Y("label:N", sort=None, title=None),
        opacity=highlight(*names),
        tooltip=tooltips(names, NUMBERS, places),
    )
    level = percent(first.interval.confidence_level)
    half = f"box: middle half with the median; thick line: {level} of images"
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


def _draw_variance_bars(rows: Sequence[VarianceSplit]) -> vega.Chart:
    parts = []
    for row in rows:
        begin = 0.0
        for field, words in VARIANCE_PARTS.items():  # where nothing varies they are not known
            fraction = getattr(row, field) / row.total if row.total > 0 else math.nan
            ends = {"from": begin, "to": begin + fraction}
            parts.append({"system": row.system, "part": words, "fraction": fraction, **ends})
            begin += fraction
    axis = make_value_axis(f"fraction of the variance, {rows[0].measure}", len(rows))
    axis["axis"] |= {"format": ".0%"}
    axis["scale"] = dict(domain=[0, 1])
    legend = dict(orient="top", title="variance due to", titleOrient="left")
    bars = vega.Chart(values(parts)).mark_bar(size=ROW - 5)
    return make_panel(
        bars.encode(
            y=vega.Y("system:N", sort=None, title=None),
            x=vega.X("from:Q", **axis),
            x2="to:Q",
            color=vega.channel(
                "part:N", scale=colour_scale(VARIANCE_PARTS.values()), legend=legend
            ),
            opacity=highlight(),
            tooltip=tooltips({"system": "system", "part": "due to"}, ["fraction"], ".1%"),
        )
    )
