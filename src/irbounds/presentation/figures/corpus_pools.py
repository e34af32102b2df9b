"""Two systems on shallow pools: p-values against differences, and differences query by query.

Zobel and Rashidi (2020), Figures 6 and 7. A row of panels is a measure, a panel a pool depth; all
panels of a row have one scale, since how they change with the depth is what is to be seen. The
scale of p-values is that of their square roots, which gives room to the small ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...results import PoolPrecision
from ..families import by_measure
from ..rounding import (
    decimals_of_column,
    fixed,
    given,
    p_words,
    percentage,
    rounded,
    small_p,
)
from ..words import counted_queries, shortened
from . import vega
from .corpus_boxes import box_row, places_of_deviations, query_boxes
from .spans import panel_title
from .style import (
    CONTRAST,
    DASHED_LINE,
    EMPHASIS,
    LINE,
    QUIET,
    WIDTH,
    Figure,
    finished,
    marks_key,
    reference_line,
    tooltips,
    values,
)

__all__ = ["pool_query_differences", "pools"]

MOST_POINTS = 500  # images drawn of each panel, the first ones; a page must stay small
POINT_DIGITS = 4  # significant ones of a point, far below a pixel
HEIGHT = 170
GAP = 16  # pixels between panels
LEAST_WIDTH = 110  # pixels of a panel, however many there are
SIGNIFICANT = 0.05
P_TICKS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
IMAGE, CORPUS, LEVEL = "an image", "on the corpus", f"p = {given(SIGNIFICANT)}"


def pools(rows: Sequence[PoolPrecision]) -> Figure:
    """The p-value of every image against its mean difference, one panel a depth (Figure 6)."""
    panels = [[_p_value_panel(row, _frame(row, part)) for row in part] for part in by_measure(rows)]
    return finished(
        _grid(panels),
        name="corpus-pools",
        title=f"{_pair(rows[0])} with shallow pools: p-value against difference, image by image",
        description=" ".join(map(_said_of_p_values, rows)),
    )


def pool_query_differences(rows: Sequence[PoolPrecision]) -> Figure:
    """The difference on every query over images, one panel a depth (Figure 7).

    A query has one place in all panels: that of its median at the greatest depth.
    """
    panels = [
        [_difference_panel(row, _order(part), _frame(row, part)) for row in part]
        for part in by_measure(rows)
    ]
    return finished(
        _grid(panels),
        name="corpus-pool-queries",
        title=f"{_pair(rows[0])} with shallow pools: differences on queries, in the last panel's "
        "order",
        description=" ".join(map(_said_of_differences, rows)),
    )


def _pair(row: PoolPrecision) -> str:
    return f"{shortened(row.system)} minus {shortened(row.baseline)}"


def _grid(panels: Sequence[Sequence[vega.Chart]]) -> vega.Chart:
    """Measures below each other, depths side by side on one scale."""
    lines = [vega.hconcat(*line, spacing=GAP) for line in panels]
    return vega.vconcat(*(line.resolve_scale(x="shared", y="shared") for line in lines))


def _frame(row: PoolPrecision, part: Sequence[PoolPrecision]) -> dict[str, Any]:
    """Size and title of a panel; the first of a line has the measure above it."""
    width = max((WIDTH - GAP * (len(part) - 1)) // len(part), LEAST_WIDTH)
    measure = row.measure if row is part[0] else " "
    return {"width": width, "height": HEIGHT, "title": panel_title([measure, _judged(row)])}


def _judged(row: PoolPrecision) -> str:
    return "all judgments" if row.depth is None else f"depth {row.depth:,}"


def _p_value_panel(row: PoolPrecision, frame: Mapping[str, Any]) -> vega.Chart:
    """Points, two lines at what the corpus itself shows, and one where significance begins."""
    found = zip(row.image_differences, row.image_p_values, strict=True)
    points = [
        {"difference": rounded(difference, POINT_DIGITS), "p": rounded(p, POINT_DIGITS)}
        for difference, p in list(found)[:MOST_POINTS]
    ]
    across = vega.X("difference:Q", title="difference", axis=dict(tickCount=3, labelFlush=False))
    up = vega.Y(
        "p:Q",
        title="p-value (paired t test)",
        scale=dict(type="sqrt", nice=False),
        axis=dict(values=list(P_TICKS), format=".2~f"),
    )
    shown = tooltips((), {"difference": "difference", "p": "p-value"})
    images = vega.Chart(values(points)).mark_point(filled=True, size=12, opacity=0.5)
    images = images.encode(x=across, y=up, tooltip=shown)
    return vega.layer(
        _entry(images, IMAGE),
        *(_entry(line, CORPUS) for line in _lines_of(row)),
        _entry(reference_line(SIGNIFICANT, "y", colour=None), LEVEL),
    ).properties(**frame)


def _lines_of(row: PoolPrecision) -> list[vega.Chart]:
    data = values([{"difference": row.difference, "p": row.p_value}])
    line = vega.Chart(data).mark_rule(strokeWidth=2)
    return [line.encode(x="difference:Q"), line.encode(y="p:Q")]


def _entry(layer: vega.Chart, entry: str) -> vega.Chart:
    """A layer that is one entry of the legend."""
    colour, shape = marks_key(
        [(IMAGE, EMPHASIS, "circle"), (CORPUS, CONTRAST, LINE), (LEVEL, QUIET, DASHED_LINE)]
    )
    key = {"color": colour, "shape": shape} if entry == IMAGE else {"color": colour}
    return layer.transform_calculate(entry=json.dumps(entry)).encode(**key)


def _said_of_p_values(row: PoolPrecision) -> str:
    places = decimals_of_column([2 * row.differences.standard_deviation])
    ends = " to ".join(
        fixed(end, places) for end in (row.differences.minimum, row.differences.maximum)
    )
    return (
        f"{row.measure}, {_judged(row)}: differences from {ends} on {row.n_images:,} images, "
        f"p-values with a median of {small_p(row.p_values.median)}, below {given(SIGNIFICANT)} in "
        f"{percentage(row.significant)} of them; on the corpus {fixed(row.difference, places)} "
        f"with {p_words(row.p_value)}."
    )


def _order(rows: Sequence[PoolPrecision]) -> list[str]:
    """Queries by their median difference with all judgments, or in the deepest pool."""
    deepest = max(rows, key=lambda row: math.inf if row.depth is None else row.depth)
    pairs = zip(deepest.query_ids, deepest.on_queries, strict=True)
    return [query for query, _ in sorted(pairs, key=lambda pair: pair[1].median)]


def _difference_panel(
    row: PoolPrecision, order: Sequence[str], frame: Mapping[str, Any]
) -> vega.Chart:
    """The zero line is where the two systems are equal."""
    summaries = dict(zip(row.query_ids, row.on_queries, strict=True))
    drawn = [{"query": query, **box_row(summaries[query])} for query in order]
    places = places_of_deviations(row.on_queries)
    axis, line = {"title": "difference"}, reference_line(0, "y")
    return query_boxes(drawn, axis, places, "", line, order="queries", names=False, **frame)


def _said_of_differences(row: PoolPrecision) -> str:
    places = places_of_deviations(row.on_queries)
    medians = sorted(one.median for one in row.on_queries)
    ends = " to ".join(fixed(end, places) for end in (medians[0], medians[-1]))
    return (
        f"{row.measure}, {_judged(row)}: box plots of the difference on "
        f"{counted_queries(row.n_queries)}, "
        f"medians from {ends}, standard deviation over queries "
        f"{fixed(row.query_spreads.mean, places)}."
    )
