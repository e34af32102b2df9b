"""Box plots of images, drawn from numbers that results hold and never from the images themselves.

A box is the middle half of the images with the median in it; a thick line reaches over the share
that an interval holds, a thin one over all images; a diamond is the number on the corpus. A page
with 129 systems on 50 queries would hold millions of scores otherwise.

Systems lie below each other with their names beside them, and can be picked; queries stand side by
side, and have their names where there is room. A chart has a panel for each measure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...results import ImageSummary
from ..rounding import decimals
from . import vega
from .style import (
    CONTRAST,
    EMPHASIS,
    QUIET,
    ROW,
    THIN_LINE,
    WIDTH,
    highlight,
    marks_key,
    tooltips,
    values,
)

__all__ = [
    "NAMED",
    "box_row",
    "places_of_deviations",
    "query_axis",
    "query_boxes",
    "system_boxes",
]

Row = Mapping[str, Any]

HALF = "box: middle half with the median"
ALL = "thin line: all images"
CORPUS = "diamond: on the corpus"
NAMED = 30  # queries that can have their names below them
THICK = 11  # pixels across a box, at the most
LEAST_DIAMOND = 14  # square pixels
PANEL = 150  # pixels of height of a panel that has queries side by side
FIVE = ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")
WORDS = {
    **{"baseline": "minus", "root": "on the corpus", "low": "low", "high": "high"},
    **{name: name.replace("_", " ") for name in FIVE},
}


def box_row(
    images: ImageSummary,
    root: float | None = None,
    low: float | None = None,
    high: float | None = None,
) -> dict[str, float]:
    """What a box is drawn from; the number on the corpus and the interval where there are any."""
    row = {name: getattr(images, name) for name in FIVE}
    more = {"root": root, "low": low, "high": high}
    return row | {name: value for name, value in more.items() if value is not None}


def system_boxes(
    rows: Sequence[Row],
    axis: Mapping[str, Any],
    places: int,
    share: str,
    *under: vega.Chart,
    label: str = "system",
) -> vega.Chart:
    """One system below the other in the order of the rows.

    ``share`` is what an interval holds, in words; ``under`` are layers that lie below the boxes; a
    row that belongs to several systems has a ``label`` for them.
    """
    fields = [field for field in ("system", "baseline") if field in rows[0]]
    base = vega.Chart(values(rows)).encode(
        y=vega.Y(f"{label}:N", sort=None, title=None),
        opacity=highlight(*fields),
        tooltip=_tooltips(rows[0], fields, places),
    )
    layers = _layers(base, rows[0], "x", vega.X("minimum:Q", **axis), share, THICK)
    # no layer of layers: altair copies what is nested many times over
    return vega.layer(*under, *layers).properties(width=WIDTH, height=vega.step(ROW))


def query_boxes(
    rows: Sequence[Row],
    axis: Mapping[str, Any],
    places: int,
    share: str,
    *under: vega.Chart,
    order: str,
    names: bool = True,
    **size: Any,
) -> vega.Chart:
    """One query beside the other in the order of the rows, which ``order`` has in words."""
    size = {"width": WIDTH, "height": PANEL, **size}
    base = vega.Chart(values(rows)).encode(
        x=query_axis(names and len(rows) <= NAMED, order),
        tooltip=_tooltips(rows[0], ["query"], places),
    )
    thick = min(max(0.7 * size["width"] / len(rows), 1.0), THICK)
    layers = _layers(base, rows[0], "y", vega.Y("minimum:Q", **axis), share, thick)
    return vega.layer(*under, *layers).properties(**size)


def query_axis(named: bool, order: str) -> dict[str, Any]:
    """Queries in the order of the rows, with their names where there is room."""
    below = dict(labels=named, ticks=named, grid=False, labelAngle=-90, labelLimit=80)
    return vega.X("query:N", sort=None, title=order, axis=below)


def _layers(
    base: vega.Chart, row: Row, along: str, axis: Any, share: str, thick: float
) -> list[vega.Chart]:
    """From the widest reach to the single number, so that nothing hides what is narrower."""
    middle = f"{HALF}; thick line: {share}" if "low" in row else HALF
    entries = [(ALL, QUIET, THIN_LINE), (middle, EMPHASIS, "square")]
    if "root" in row:
        entries.append((CORPUS, CONTRAST, "diamond"))
    colour, shape = marks_key(entries)
    thin = base.mark_rule(strokeWidth=min(1.0, 0.4 * thick))
    layers = [_reach(thin, along, axis, "maximum", ALL)]
    if "low" in row:
        line = base.mark_rule(strokeWidth=min(3.0, 0.45 * thick))
        layers.append(_reach(line, along, "low:Q", "high", middle))
    box = base.mark_bar(fillOpacity=0.45, strokeWidth=1, stroke=EMPHASIS, size=thick, opacity=1)
    layers.append(_reach(box, along, "lower_quartile:Q", "upper_quartile", middle))
    tick = base.mark_tick(thickness=2, size=thick + 1, opacity=1)
    layers.append(_named(tick.encode(**{along: "median:Q"}), middle))
    if "root" in row:
        size = max(3.5 * thick, LEAST_DIAMOND)
        dot = base.mark_point(filled=True, size=size, opacity=1)
        layers.append(_named(dot.encode(shape=shape, **{along: "root:Q"}), CORPUS))
    else:  # points of no data, for the legend's symbols
        layers.append(vega.Chart(values([])).mark_point(filled=True).encode(shape=shape))
    return [layer.encode(color=colour) for layer in layers]


def _reach(mark: vega.Chart, along: str, start: Any, end: str, entry: str) -> vega.Chart:
    return _named(mark.encode(**{along: start, f"{along}2": f"{end}:Q"}), entry)


def _named(layer: vega.Chart, entry: str) -> vega.Chart:
    """A layer that is one entry of the legend."""
    return layer.transform_calculate(entry=json.dumps(entry))


def _tooltips(row: Row, names: Sequence[str], places: int) -> list[dict[str, Any]]:
    named = {name: WORDS.get(name, name) for name in names}
    numbers = {name: words for name, words in WORDS.items() if name in row and name not in named}
    return tooltips(named, numbers, places)


def places_of_deviations(images: Sequence[ImageSummary]) -> int:
    """Decimals of tooltips: two digits of the largest standard deviation."""
    return decimals(max(one.standard_deviation for one in images))
