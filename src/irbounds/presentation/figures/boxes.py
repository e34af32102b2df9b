"""Box plots of numbers on corpus images.

A box is the middle half of the images with the median in it. A thick line covers the fraction of
images in an interval, a thin line all images, and a diamond is the number on the corpus. Boxes are
drawn from the summaries in results: with 129 systems on 50 queries the images themselves are
millions of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ...results import (
    DifferencePrecision,
    ImageSummary,
    QueryPrecision,
    ScorePrecision,
)
from ..rounding import (
    fixed,
    percent,
)
from . import vega
from .shapes import make_panel, with_entry
from .style import (
    CONTRAST,
    EMPHASIS,
    QUIET,
    THIN_LINE,
    WIDTH,
    highlight,
    make_legend,
    tooltips,
    values,
)

MAX_NAMED = 30  # queries that can have their names below them
THICK = 11  # pixels across a box, at most
QUERY_HEIGHT = 150  # pixels of a panel of queries
FIVE = ("minimum", "lower_quartile", "median", "upper_quartile", "maximum")
WORDS = {"baseline": "minus", "root": "on the corpus", "low": "low", "high": "high"}
WORDS |= {name: name.replace("_", " ") for name in FIVE}
ON_CORPUS = "diamond: on the corpus"  # entry of the legend
DIAMOND = 14  # square pixels of a mark in a box, at least


def draw_boxes(
    base: vega.Chart,
    along: Literal["x", "y"],
    axis: Mapping[str, Any],
    thick: float,
    *,
    reach: str,
    half: str,
    interval: bool,
) -> list[vega.Chart]:
    """Return box plots of rows with five quantiles and the number on the corpus.

    ``reach`` and ``half`` are the entries of thin line and box in the legend. ``interval`` draws a
    line from low to high.
    """
    entries = [(reach, QUIET, THIN_LINE), (half, EMPHASIS, "square")]
    colour, shape = make_legend([*entries, (ON_CORPUS, CONTRAST, "diamond")])
    first, second = along, f"{along}2"
    thin = base.mark_rule(strokeWidth=min(1.0, 0.4 * thick))
    start = vega.channel("minimum:Q", **axis)
    layers = [with_entry(thin.encode(**{first: start, second: "maximum:Q"}), reach)]
    if interval:
        line = base.mark_rule(strokeWidth=min(3.0, 0.45 * thick))
        layers.append(with_entry(line.encode(**{first: "low:Q", second: "high:Q"}), half))
    box = base.mark_bar(fillOpacity=0.45, strokeWidth=1, stroke=EMPHASIS, size=thick, opacity=1)
    ends = {first: "lower_quartile:Q", second: "upper_quartile:Q"}
    tick = base.mark_tick(thickness=2, size=thick + 1, opacity=1)
    layers += [
        with_entry(box.encode(**ends), half),
        with_entry(tick.encode(**{first: "median:Q"}), half),
    ]
    mark = base.mark_point(filled=True, size=max(3.5 * thick, DIAMOND), opacity=1)
    layers.append(with_entry(mark.encode(shape=shape, **{first: "root:Q"}), ON_CORPUS))
    return [layer.encode(color=colour) for layer in layers]


def make_box(row: ScorePrecision | DifferencePrecision | QueryPrecision) -> dict[str, float]:
    """Return the fields of a box: the images, the number on the corpus and the interval."""
    return make_box_fields(row.images, row.value, row.interval.low, row.interval.high)


def make_box_fields(images: ImageSummary, *more: float) -> dict[str, float]:
    """Return the fields of a box; ``more`` are the number on the corpus and the interval."""
    numbers = dict(zip(("root", "low", "high"), more, strict=False))
    return {name: getattr(images, name) for name in FIVE} | numbers


def describe_fraction(row: ScorePrecision | DifferencePrecision | QueryPrecision) -> str:
    """Return ``95 % of images``."""
    return f"{percent(row.interval.confidence_level)} of images"


def describe_range(numbers: Iterable[float], places: int) -> str:
    """Return ``0.21 to 0.35``, from the lowest number to the highest."""
    ordered = sorted(numbers)
    return f"{fixed(ordered[0], places)} to {fixed(ordered[-1], places)}"


def draw_system_boxes(
    rows: Sequence[Mapping[str, Any]],
    axis: Mapping[str, Any],
    places: int,
    fraction: str,
    *under: vega.Chart,
    label: str = "system",
) -> vega.Chart:
    """Draw one system per row; ``fraction`` describes how many images an interval contains."""
    fields = [field for field in ("system", "baseline") if field in rows[0]]
    base = vega.Chart(values(rows)).encode(
        y=vega.Y(f"{label}:N", sort=None, title=None),
        opacity=highlight(*fields),
        tooltip=_box_tooltips(rows[0], fields, places),
    )
    words = _box_words(rows[0], fraction)
    return make_panel(*under, *draw_boxes(base, "x", axis, THICK, **words))


def draw_query_boxes(
    rows: Sequence[Mapping[str, Any]],
    axis: Mapping[str, Any],
    places: int,
    fraction: str,
    order: str,
) -> vega.Chart:
    """Draw queries from left to right; ``order`` describes how they are sorted."""
    named = len(rows) <= MAX_NAMED
    below = dict(labels=named, ticks=named, labelAngle=-90, labelLimit=80)
    base = vega.Chart(values(rows)).encode(
        x=vega.X("query:N", sort=None, title=order, axis=below),
        tooltip=_box_tooltips(rows[0], ["query"], places),
    )
    thick = min(max(0.7 * WIDTH / len(rows), 1.0), THICK)
    layers = draw_boxes(base, "y", axis, thick, **_box_words(rows[0], fraction))
    return make_panel(*layers, width=WIDTH, height=QUERY_HEIGHT)


def _box_words(row: Mapping[str, Any], fraction: str) -> dict[str, Any]:
    half = "box: middle half with the median"
    has_interval = "low" in row
    return {
        "reach": "thin line: all images",
        "half": f"{half}; thick line: {fraction}" if has_interval else half,
        "interval": has_interval,
    }


def _box_tooltips(
    row: Mapping[str, Any], names: Sequence[str], places: int
) -> list[dict[str, Any]]:
    named = {name: WORDS.get(name, name) for name in names}
    numbers = {name: words for name, words in WORDS.items() if name in row and name not in named}
    return tooltips(named, numbers, places)
