"""Shapes of several figures: panels, forests, curves and marked places.

A forest is a dot on an interval per row. A one-sided interval is drawn from its limit to the edge
of the plot, where an arrowhead shows that it continues. A sample that allows no interval has a
hollow dot and a note in its tooltip.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from ...results import Interval
from ...validation import Alternative
from ..phrases import ENDS, pluralise
from . import vega
from .style import (
    EMPHASIS,
    ROW,
    WIDTH,
    Figure,
    colour_scale,
    make_figure,
    tooltips,
    values,
)

Row = TypeVar("Row")
#: six of each, with seven colours: 42 series are all different
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 3])
EDGE = 6  # pixels between the outermost end and the edge of the plot
ROOM = 14  # pixels between the outermost dot and an arrowhead
MANY_ROWS = 30  # more rows have their axis on top
NO_INTERVAL = "none: these data allow no interval"


def draw_measure_panels(
    parts: Sequence[Sequence[Any]],
    draw: Callable[[Any], vega.Chart],
    describe: Callable[[Any], str],
    **words: str,
) -> Figure:
    """Draw one panel per measure and join their descriptions; ``words`` are name and title."""
    chart = stack_panels([(part[0].measure, draw(part)) for part in parts])
    return make_figure(chart, description=" ".join(map(describe, parts)), **words)


def make_panel(*layers: vega.Chart, height: Any = None, **size: Any) -> vega.Chart:
    """Return layers as one panel of the usual width, by default one row high per system."""
    height = vega.step(ROW) if height is None else height
    return vega.layer(*layers).properties(**{"width": WIDTH, "height": height, **size})


def distinguish_series(
    field: str,
    names: Iterable[str],
    by: Literal["shape", "strokeDash"],
    *,
    styles: Sequence[Any] = (),
    colours: Sequence[str] = (),
    **legend: Any,
) -> dict[str, Any]:
    """Return a colour and a shape or dash for each name, with one legend."""
    domain = list(names)
    styles = styles or (SHAPES if by == "shape" else DASHES)
    colour = dict(domain=domain, range=list(colours)) if colours else colour_scale(domain)
    look = dict(domain=domain, range=[styles[k % len(styles)] for k in range(len(domain))])
    key = {"title": None, **({} if by == "shape" else {"symbolSize": 300}), **legend}
    return {
        "color": vega.channel(f"{field}:N", scale=colour, legend=key),
        by: vega.channel(f"{field}:N", scale=look, legend=key),
    }


def mark_places(
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
            **distinguish_series("line", places, "strokeDash", colours=colours, **legend),
        )
    )


def with_entry(layer: vega.Chart, entry: str) -> vega.Chart:
    """Return a layer that is one entry of the legend that ``make_legend`` makes."""
    return layer.transform_calculate(entry=json.dumps(entry))


def get_ends(interval: Interval) -> dict[str, Any]:
    """Return the ends that are limits, and a note if the interval does not exist."""
    ends = {end: getattr(interval, end) for end in ENDS[interval.alternative]}
    return {**ends, "note": NO_INTERVAL if any(map(math.isnan, ends.values())) else ""}


def make_end_tooltips(
    rows: Sequence[dict[str, Any]], side: Alternative, form: int | str
) -> list[dict[str, Any]]:
    """Return the tooltips of intervals."""
    noted = any(row["note"] for row in rows)
    return [
        *tooltips((), ENDS[side], form),
        *tooltips({"note": "interval"} if noted else {}),
    ]


def make_value_axis(title: str | None, n_rows: int) -> dict[str, Any]:
    """Return the look of the axis of values of a forest."""
    return {
        "title": title,
        "axis": dict(orient="top" if n_rows > MANY_ROWS else "bottom"),
        "scale": dict(zero=False, padding=EDGE),
    }


def describe_cut(n_shown: int, n: int, what: str = "system", which: str = "first {}") -> str:
    """Return ``the first 40 of 129 systems``; an empty text if all are shown."""
    return f"the {which.format(n_shown)} of {pluralise(n, what)}" if n_shown < n else ""


def make_note_sentence(note: str) -> str:
    """Return a note as the last sentence of a description; empty for an empty note."""
    return f" Drawn: {note}." if note else ""


def make_row_axis(order: Sequence[str], note: str = "", field: str = "system", **look: Any) -> Any:
    """Return the axis with one row per system, in this order; ``note`` is its title."""
    return vega.Y(f"{field}:N", sort=list(order), title=note or None, **look)


def draw_forest(
    base: vega.Chart,
    centre: str,
    side: Alternative,
    axis: dict[str, Any],
    shape: dict[str, Any] | None = None,
    **dots: Any,
) -> list[vega.Chart]:
    """Return lines, arrowheads at open ends, and dots at the field ``centre``.

    A colour that ``base`` encodes replaces the usual one; ``dots`` are further channels of dots.
    """
    if side != "two-sided":
        # a dot at the last tick would hide the arrowhead, which is at the edge
        axis = {**axis, "scale": {**axis["scale"], "padding": ROOM}}
    known = " && ".join(f"isValid(datum.{end})" for end in ENDS[side])
    bounded, unbounded = base.transform_filter(known), base.transform_filter(f"!({known})")
    look: dict[str, Any] = {"filled": True, "size": 60, "color": EMPHASIS, "opacity": 1}
    dots["x"] = vega.X(f"{centre}:Q", **axis)
    if shape is not None:
        dots["shape"] = shape
    return [
        *_lines(bounded, side, axis),
        bounded.mark_point(**look).encode(**dots),
        unbounded.mark_point(**{**look, "filled": False}).encode(**dots),
    ]


def _lines(base: vega.Chart, side: Alternative, axis: dict[str, Any]) -> list[vega.Chart]:
    rule = base.mark_rule(strokeWidth=2, color=EMPHASIS)
    if side == "two-sided":
        return [rule.encode(x=vega.X("low:Q", **axis), x2="high:Q")]
    (end,) = ENDS[side]
    edge, shape = ("width", "triangle-right") if side == "greater" else (0, "triangle-left")
    head = base.mark_point(shape=shape, filled=True, size=60, color=EMPHASIS, opacity=1)
    return [
        rule.encode(x=vega.X(f"{end}:Q", **axis), x2=vega.value(edge)),
        head.encode(x=vega.value(edge)),
    ]


def make_panel_title(text: str | list[str]) -> dict[str, Any]:
    """Return the title of one panel, smaller than that of the figure."""
    return dict(text=text, fontSize=12, anchor="start", frame="group", offset=8)


def stack_panels(panels: Sequence[tuple[str, vega.Chart]], *, shared_x: bool = False) -> vega.Chart:
    """Put panels below each other, each with its title; a single panel has no title.

    ``shared_x`` puts all panels on one scale.
    """
    if len(panels) == 1:
        return panels[0][1]
    titled = [
        chart.properties(title=make_panel_title(title)) if title else chart
        for title, chart in panels
    ]
    spacing = 28 if any(title for title, _ in panels) else 14
    whole = vega.vconcat(*titled, spacing=spacing)
    return whole.resolve_scale(x="shared") if shared_x else whole
