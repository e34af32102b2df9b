"""Figures of random rankings: the distribution of their scores, and systems compared with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...results import ChanceLevel, NullDistribution
from ...results.chance_levels import RANKED
from ...validation import Alternative
from ..phrases import group_by_measure
from ..rounding import describe_p, percent, significant
from . import vega
from .dots import Dot, draw_dots
from .shapes import make_panel, mark_places, stack_panels
from .style import COLOURS, CONTRAST, EMPHASIS, QUIET, WIDTH, Figure, make_figure, tooltips, values

N_BARS = 40
TAIL = 0.001  # of the distribution, left out on either side
SINGLE = 0.02  # width of the bars of a single score
EQUAL = 1e-9  # relative: an observed score and its last digits
CENTRAL = 0.95  # fraction of random rankings in the range that is drawn
HEIGHT = 220
DIGITS = 4
FORM = f".{DIGITS}g"


def draw_chance_levels(rows: Sequence[ChanceLevel]) -> list[Figure]:
    """Draw the distributions of random rankings, or systems compared with them."""
    if rows[0].population != "given":
        return [] if rows[0].system is None else [_draw_systems(rows)]
    panels = [_draw_distribution(row) for row in rows]
    chart = stack_panels(panels)
    if len(rows) > 1:
        chart = chart.resolve_scale(color="independent", strokeDash="independent")
    titles = [title for title, _ in panels]
    return [
        make_figure(
            chart,
            name=f"chance-{'-'.join(row.measure for row in rows)}",
            title=titles[0] if len(rows) == 1 else "Scores of random rankings",
            description=". ".join(titles),
        )
    ]


def make_bars(
    distribution: NullDistribution, observed: float | None, side: Alternative
) -> list[dict[str, Any]]:
    """Return bars of one width: their ends, their probability, and whether they are beyond.

    An observed score is an edge of bars, so that the bars beyond it add up to the p-value. Of two
    sides the bars on the rarer one are marked.
    """
    if side == "two-sided" and observed is not None:
        above, below = (distribution.p_value(observed, end) for end in ("greater", "less"))
        side = "greater" if above < below else "less"
    low, high = distribution.quantile(TAIL), distribution.quantile(1 - TAIL)
    width = (high - low) / N_BARS or SINGLE
    first, edge = low - width / 2, math.nan  # the lowest score is within a bar, not at its edge
    if observed is not None:
        edge = observed * (1 - EQUAL if side == "greater" else 1 + EQUAL)
        first = edge - math.ceil((edge - low) / width) * width
    edges = [first + k * width for k in range(N_BARS + 2)]
    fractions = [distribution.cdf(end) for end in edges]
    return [
        {
            "low": a,
            "high": b,
            "probability": upto - before,
            "zero": 0,
            "beyond": (a + b) / 2 > edge if side == "greater" else (a + b) / 2 < edge,
        }
        for (a, b), (before, upto) in zip(pairwise(edges), pairwise(fractions), strict=True)
    ]


def _draw_distribution(row: ChanceLevel) -> tuple[str, vega.Chart]:
    """Return a title and a panel: bars, mean, prevalence and observed score."""
    assert row.distribution is not None  # of numbers of documents
    bars = make_bars(row.distribution, row.observed, row.alternative)
    average, prevalence = (significant(x, DIGITS) for x in (row.expected, row.prevalence))
    title = f"{row.measure} of random rankings: {average} on average"
    lines = {
        f"mean of random rankings: {average}": (row.expected, EMPHASIS),
        f"fraction of relevant documents: {prevalence}": (row.prevalence, COLOURS[2]),
    }
    if row.observed is not None and row.p_value is not None:
        score = f"{significant(row.observed, DIGITS)} observed ({describe_p(row.p_value)})"
        lines[score] = (row.observed, CONTRAST)
        title = f"{title}; {score}"
    ends = [bars[0]["low"], bars[-1]["high"], *(place for place, _ in lines.values())]
    room = 0.02 * (max(ends) - min(ends))
    axis: dict[str, Any] = {
        "title": row.measure,
        "scale": dict(domain=[min(ends) - room, max(ends) + room], nice=False, zero=False),
        "axis": dict(grid=False),
    }
    marked = mark_places(
        {name: place for name, (place, _) in lines.items()},
        *(axis, FORM, [colour for _, colour in lines.values()]),
        orient="bottom",
        direction="vertical",
        symbolSize=500,
        labelLimit=WIDTH,
    )
    fields = {"low": "above", "high": "up to", "probability": "probability"}
    painted = vega.Chart(values(bars)).encode(
        x=vega.X("low:Q", **axis),
        x2="high:Q",
        y=vega.Y("probability:Q", title="probability"),
        y2="zero:Q",
        color=vega.condition("datum.beyond", CONTRAST, QUIET),
        tooltip=tooltips((), fields, FORM),
    )
    return title, make_panel(painted.mark_rect(), marked, height=HEIGHT)


def _draw_systems(rows: Sequence[ChanceLevel]) -> Figure:
    """Draw systems best first, with the mean and the middle range of random rankings."""
    families = group_by_measure(rows)
    measures = ", ".join(family[0].measure for family in families)
    points = []
    for family in families:
        for row in sorted(family, key=lambda row: (-(row.observed or 0.0), row.system or "")):
            name, score = row.system or "", row.observed or 0.0
            label = f"{name}, {row.measure}" if len(families) > 1 else name
            assert row.distribution is not None  # as systems are compared by draws
            low, high = (row.distribution.quantile((1 + side * CENTRAL) / 2) for side in (-1, 1))
            points.append(Dot(label, score, series="system", system=name))
            points.append(Dot(label, row.expected, low, high, "random rankings", name))
    return draw_dots(
        points,
        axis="mean score",
        name=f"systems-and-chance-{measures}",
        title=f"Mean {measures} compared with random rankings of {RANKED[rows[0].population]}",
        reach=f"the middle {percent(CENTRAL)} of random rankings",
    )
