"""Parts that figures of several results share: panels, series, marked places and boxes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from . import vega
from .spans import note_of, stacked
from .style import (
    CONTRAST,
    EMPHASIS,
    QUIET,
    ROW,
    THIN_LINE,
    WIDTH,
    Figure,
    colour_scale,
    finished,
    marks_key,
    tooltips,
    values,
)

Row = TypeVar("Row")
#: six of each, beside seven colours: no two of 42 series look alike
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 3])
DIAMOND = 14  # square pixels of a mark in a box, at least


def measure_panels(
    parts: Sequence[Sequence[Any]],
    draw: Callable[[Any], vega.Chart],
    describe: Callable[[Any], str],
    **words: str,
) -> Figure:
    """Draw one panel per measure, each with its description; ``words`` are name and title."""
    chart = stacked([(part[0].measure, draw(part)) for part in parts])
    return finished(chart, description=" ".join(map(describe, parts)), **words)


def panel(*layers: vega.Chart, height: Any = None, **size: Any) -> vega.Chart:
    """Return layers as one panel of the usual width; its height is one row each unless given."""
    height = vega.step(ROW) if height is None else height
    return vega.layer(*layers).properties(**{"width": WIDTH, "height": height, **size})


def keep_first(parts: Sequence[Sequence[Row]], top: int | None) -> tuple[list[Sequence[Row]], str]:
    """Return the first ``top`` systems of every panel, and a note for the title if some are cut."""
    n = max(map(len, parts))
    if top is None or n <= top:
        return list(parts), ""
    return [part[:top] for part in parts], f" ({note_of(top, n)})"


def tell_apart(
    field: str,
    names: Iterable[str],
    by: Literal["shape", "strokeDash"],
    *,
    looks: Sequence[Any] = (),
    colours: Sequence[str] = (),
    **legend: Any,
) -> dict[str, Any]:
    """Return a colour and a shape or dash for each name, which share one legend."""
    domain = list(names)
    looks = looks or (SHAPES if by == "shape" else DASHES)
    colour = dict(domain=domain, range=list(colours)) if colours else colour_scale(domain)
    look = dict(domain=domain, range=[looks[k % len(looks)] for k in range(len(domain))])
    key = {"title": None, **({} if by == "shape" else {"symbolSize": 300}), **legend}
    return {
        "color": vega.channel(f"{field}:N", scale=colour, legend=key),
        by: vega.channel(f"{field}:N", scale=look, legend=key),
    }


def log_ticks(low: float, high: float) -> list[float]:
    """Return at most five round numbers (1, 2, 5, 10, ...) within a range, or its ends."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{m}e{k}") for k in powers for m in (1, 2, 5)]
    ticks = [tick for tick in ticks if low <= tick <= high]
    return ticks[:: -(-len(ticks) // 5)] if len(ticks) > 1 else [low, high]


def curve(base: vega.Chart, colour: str = EMPHASIS) -> list[vega.Chart]:
    """Return a line with a dot at every point."""
    dots = base.mark_point(color=colour, filled=True, size=40, opacity=1)
    return [base.mark_line(color=colour, strokeWidth=2), dots]


def marked_places(
    places: Mapping[str, float],
    axis: Mapping[str, Any],
    form: int | str,
    colours: Sequence[str],
    **legend: Any,
) -> vega.Chart:
    """Return a vertical line at each place; the legend has their names, colours and dashes."""
    rows = [{"line": name, "place": place} for name, place in places.items()]
    return (
        vega.Chart(values(rows))
        .mark_rule(strokeWidth=2.5)
        .encode(
            x=vega.X("place:Q", **axis),
            tooltip=tooltips(["line"], ["place"], form),
            **tell_apart("line", places, "strokeDash", colours=colours, **legend),
        )
    )


def with_entry(layer: vega.Chart, entry: str) -> vega.Chart:
    """Return a layer that is one entry of the legend that ``marks_key`` makes."""
    return layer.transform_calculate(entry=json.dumps(entry))


def box_layers(
    base: vega.Chart,
    along: Literal["x", "y"],
    axis: Mapping[str, Any],
    thick: float,
    *,
    reach: str,
    half: str,
    point: tuple[str, str, str] | None = None,
    interval: bool = False,
    clip: bool = False,
) -> list[vega.Chart]:
    """Return box plots of rows with five quantiles, from the widest reach to the single number.

    ``reach`` and ``half`` are what the legend says of the thin line and of the box; ``point`` is
    the field, the words and the symbol of a number; ``interval`` draws a line from low to high.
    """
    entries = [(reach, QUIET, THIN_LINE), (half, EMPHASIS, "square")]
    colour, shape = marks_key([*entries, (point[1], CONTRAST, point[2])] if point else entries)
    first, second = along, f"{along}2"
    thin = base.mark_rule(strokeWidth=min(1.0, 0.4 * thick), clip=clip)
    start = vega.channel("minimum:Q", **axis)
    layers = [with_entry(thin.encode(**{first: start, second: "maximum:Q"}), reach)]
    if interval:
        line = base.mark_rule(strokeWidth=min(3.0, 0.45 * thick))
        layers.append(with_entry(line.encode(**{first: "low:Q", second: "high:Q"}), half))
    box = base.mark_bar(
        fillOpacity=0.45, strokeWidth=1, stroke=EMPHASIS, size=thick, opacity=1, clip=clip
    )
    ends = {first: "lower_quartile:Q", second: "upper_quartile:Q"}
    tick = base.mark_tick(thickness=2, size=thick + 1, opacity=1, clip=clip)
    layers += [
        with_entry(box.encode(**ends), half),
        with_entry(tick.encode(**{first: "median:Q"}), half),
    ]
    if point:
        size = max(3.5 * thick, DIAMOND)
        mark = base.mark_point(filled=True, size=size, opacity=1, clip=clip)
        layers.append(with_entry(mark.encode(shape=shape, **{first: f"{point[0]}:Q"}), point[1]))
    else:  # points of no data, for the legend's symbols
        layers.append(vega.Chart(values([])).mark_point(filled=True).encode(shape=shape))
    return [layer.encode(color=colour) for layer in layers]
