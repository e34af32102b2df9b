"""The posterior of recall, or of another quantity: density, interval, estimate and lower limit.

The density is the posterior's own, as differences of its distribution. Counts of documents are
whole, so a posterior has steps; a density is evened out over an eighth of its standard deviation
to either side, three times, which widens what is drawn by less than 1 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...parameters import Alternative
from ...results import Posterior, RecallEstimate
from ..evaluation import SIDES
from ..recall import places_of, shown_numbers
from . import vega
from .recall_labels import LABEL_LIMIT, LINE, axis_title, level_label, method_label, of_whom
from .style import CONTRAST, EMPHASIS, WIDTH, Figure, finished, tooltips, values

__all__ = ["posterior_density"]

POINTS = 160  # of a density
TAIL = 0.0005  # of the posterior that is beyond either end of the figure
REACH = 0.125  # of a standard deviation to either side: a density is a mean over so much
QUARTILES = 1.349  # standard deviations between the quartiles of a normal distribution
DENSITY_HEIGHT = 200
PADDING = 12  # pixels to either side of the outermost mark


def posterior_density(estimate: RecallEstimate) -> Figure:
    """What is known of a quantity: its density, its interval, its estimate, its lower limit.

    Without a posterior, or where it is a single value, the marks below it stand alone.
    """
    marks = _marks(estimate)
    outline = _outline(estimate)
    panels = [_density(estimate, outline)] if outline else []
    panels.append(_marked(marks, axis_title(estimate)))
    chart = vega.vconcat(*panels, spacing=6).resolve_scale(x="shared")
    said = "; ".join(dict.fromkeys(row["what"] for row in marks))
    shape = "Posterior density of" if outline else "What is known of"
    whose = of_whom(estimate, in_title=True)
    return finished(
        chart,
        name=f"posterior-{estimate.quantity}",
        title=f"{shape} {estimate.quantity}{whose} ({method_label(estimate)})",
        description=f"{shape} {estimate.quantity}{of_whom(estimate)}, {said}.",
    )


def _outline(estimate: RecallEstimate) -> list[tuple[float, float]]:
    """Points of a density; none where there is no posterior, or where it is a single value."""
    posterior = estimate.posterior
    if posterior is None:
        return []
    low, high = posterior.quantile(TAIL), posterior.quantile(1 - TAIL)
    if math.isnan(low) or not low < high:
        return []
    spread = (posterior.quantile(0.75) - posterior.quantile(0.25)) / QUARTILES
    step = (high - low) / POINTS
    near = max(round(REACH * spread / step), 1)
    first, last = estimate.bounds
    margin = 2 * near  # points beyond the figure, which the means at its ends need
    places = [low + step * k for k in range(-margin, POINTS + margin + 1)]
    places = [place for place in places if first <= place <= last]
    heights = [_around(posterior, place, near * step, estimate.bounds) for place in places]
    heights = _evened(_evened(heights, near), near)
    return [point for point in zip(places, heights, strict=True) if low <= point[0] <= high]


def _around(posterior: Posterior, place: float, reach: float, bounds: tuple[float, float]) -> float:
    """The probability around a place, for each unit."""
    below, above = max(place - reach, bounds[0]), min(place + reach, bounds[1])
    return (posterior.cdf(above) - posterior.cdf(below)) / (above - below)


def _evened(heights: Sequence[float], near: int) -> list[float]:
    """Each with its neighbours' mean; fewer of them at the ends."""
    parts = (heights[max(k - near, 0) : k + near + 1] for k in range(len(heights)))
    return [sum(part) / len(part) for part in parts]


def _density(estimate: RecallEstimate, outline: Sequence[tuple[float, float]]) -> vega.Chart:
    """The whole as a line, the interval as an area below it."""
    interval = estimate.interval
    ends = [end for end in (interval.low, interval.high) if outline[0][0] < end < outline[-1][0]]
    within = sorted(
        [point for point in outline if interval.low <= point[0] <= interval.high]
        + [(end, _height(outline, end)) for end in ends]
    )
    scale = dict(zero=False, nice=False, padding=PADDING)
    x = vega.X("value:Q", title=None, axis=dict(labels=False, ticks=False), scale=scale)
    y = vega.Y("density:Q", title="density", axis=dict(tickCount=4))
    shaded = (
        vega.Chart(values({"value": x, "density": y} for x, y in within))
        .mark_area(color=EMPHASIS, opacity=0.35)
        .encode(x=x, y=y)
    )
    places = places_of(estimate, None)
    line = (
        vega.Chart(values({"value": x, "density": y} for x, y in outline))
        .mark_line(color=EMPHASIS, strokeWidth=2)
        .encode(
            x=x,
            y=y,
            tooltip=[
                *tooltips((), {"value": estimate.quantity}, f",.{places}f"),
                *tooltips((), ["density"], ",.3~g"),
            ],
        )
    )
    return vega.layer(shaded, line).properties(width=WIDTH, height=DENSITY_HEIGHT)


def _height(outline: Sequence[tuple[float, float]], place: float) -> float:
    """The line's height between two of its points."""
    k = next(k for k, (x, _) in enumerate(outline) if x >= place)
    (x0, y0), (x1, y1) = outline[k - 1], outline[k]
    return y0 + (y1 - y0) * (place - x0) / (x1 - x0)


def _marks(estimate: RecallEstimate) -> list[dict[str, Any]]:
    """The estimate, the interval, and the lower limit at the same level: a row each, with words."""
    interval = estimate.interval
    places = places_of(estimate, None)
    number, *ends = shown_numbers(estimate, places)
    rows = []
    if not math.isnan(estimate.value):
        rows.append({"what": f"estimate {number}", "value": estimate.value, "mark": "estimate"})
    if math.isnan(interval.low):
        return rows
    both = {"low": interval.low, "high": interval.high, "mark": "interval"}
    if interval.alternative == "two-sided":
        rows.append({"what": f"{level_label(estimate)} interval {ends[0]} to {ends[1]}", **both})
    side: Alternative = "less" if interval.alternative == "less" else "greater"
    bounded = estimate.at(interval.confidence_level, side)
    limit = bounded.interval.high if side == "less" else bounded.interval.low
    words = f"{level_label(estimate)} {SIDES[side]} {shown_numbers(bounded, places)[1]}"
    if interval.alternative != "two-sided":
        rows.append({"what": words, **both})
    return [*rows, {"what": words, "value": limit, "mark": SIDES[side]}]


def _marked(rows: Sequence[dict[str, Any]], title: str) -> vega.Chart:
    """A row a mark: a dot, a bar, and a triangle that points to where the truth would be."""
    names = list(dict.fromkeys(row["what"] for row in rows))
    y = vega.Y("what:N", title=None, sort=names, axis=dict(labelLimit=LABEL_LIMIT))
    scale = dict(zero=False, nice=False, padding=PADDING)
    base = vega.Chart(values(rows)).encode(y=y, tooltip=tooltips({"what": "result"}))
    span = (
        base.transform_filter("datum.mark === 'interval'")
        .mark_rule(color=EMPHASIS, strokeWidth=4)
        .encode(x=vega.X("low:Q", title=title, scale=scale), x2="high:Q")
    )
    dots = (
        base.transform_filter("datum.mark !== 'interval'")
        .mark_point(filled=True, size=110, opacity=1)
        .encode(
            x=vega.X("value:Q", title=title, scale=scale),
            shape=vega.channel(
                "mark:N",
                legend=None,
                scale=dict(
                    domain=["estimate", SIDES["greater"], SIDES["less"]],
                    range=["circle", "triangle-right", "triangle-left"],
                ),
            ),
            color=vega.condition("datum.mark === 'estimate'", EMPHASIS, CONTRAST),
        )
    )
    return vega.layer(span, dots).properties(width=WIDTH, height=vega.step(LINE))
