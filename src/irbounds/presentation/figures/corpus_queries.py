"""Scores on single queries: how far images spread them (Zobel and Rashidi 2020, Figures 1 and 2).

Queries stand in an order of their own in each panel, so that its shape can be read; which one a
mark is of is said where the mouse is, and below the marks where there is room.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from ...results import QueryPrecision, QuerySpread
from ..families import by_measure
from ..rounding import SPREAD_DECIMALS, fixed, percent
from ..words import counted, shortened
from . import vega
from .corpus_boxes import NAMED, box_row, places_of_deviations, query_axis, query_boxes
from .spans import stacked
from .style import EMPHASIS, LINE, QUIET, WIDTH, Figure, finished, marks_key, tooltips, values

__all__ = ["query_distributions", "query_spread_ranges"]

SCORE_DECIMALS = 2  # of a median in words
HEIGHT = 110  # pixels of a panel
RANGE, PERCENTILE = "median to largest over systems", "95th percentile over systems"


def query_spread_ranges(rows: Sequence[QuerySpread]) -> Figure:
    """On every query, the standard deviations of all systems' scores over images (Figure 1)."""
    parts = [sorted(part, key=lambda row: row.percentile_95) for part in by_measure(rows)]
    most = max(row.maximum for row in rows)
    first = rows[0]
    return finished(
        stacked([(part[0].measure, _spread_panel(part, most)) for part in parts]),
        name="corpus-query-spreads",
        title=f"Standard deviation of {_one(parts, 'a score')} over {first.n_images:,} images, "
        "query by query",
        description=" ".join(_said_of_spreads(part) for part in parts),
    )


def _spread_panel(rows: Sequence[QuerySpread], most: float) -> vega.Chart:
    """All panels have one scale, so that measures can be compared."""
    drawn = [
        {
            "query": row.query_id,
            "median": row.median,
            "percentile_95": row.percentile_95,
            "maximum": row.maximum,
        }
        for row in rows
    ]
    words = {"median": "median", "percentile_95": "95th percentile", "maximum": "largest"}
    base = vega.Chart(values(drawn)).encode(
        x=query_axis(len(rows) <= NAMED, "queries by their 95th percentile"),
        tooltip=tooltips(["query"], words, SPREAD_DECIMALS),
    )
    colour, shape = marks_key([(RANGE, QUIET, LINE), (PERCENTILE, EMPHASIS, "circle")])
    axis = vega.Y("median:Q", title="standard deviation", scale=dict(domain=[0, most]))
    width = 0.5 * WIDTH / len(rows)
    ranges = base.mark_rule(strokeWidth=min(width, 4.0))
    dots = base.mark_point(filled=True, size=min(8 * width, 30), opacity=1).encode(
        y="percentile_95:Q"
    )
    return vega.layer(
        ranges.encode(y=axis, y2="maximum:Q", color=colour).transform_calculate(entry=f"'{RANGE}'"),
        dots.encode(color=colour, shape=shape).transform_calculate(entry=f"'{PERCENTILE}'"),
    ).properties(width=WIDTH, height=HEIGHT)


def _one(
    parts: Sequence[Sequence[QuerySpread]] | Sequence[Sequence[QueryPrecision]], several: str
) -> str:
    """The measure, where there is one; several stand above their panels."""
    return parts[0][0].measure if len(parts) == 1 else several


def _said_of_spreads(rows: Sequence[QuerySpread]) -> str:
    first, last = rows[0], rows[-1]
    ends = " to ".join(
        f"{fixed(row.percentile_95, SPREAD_DECIMALS)} (query {row.query_id})"
        for row in (first, last)
    )
    middle = fixed(median(row.percentile_95 for row in rows), SPREAD_DECIMALS)
    systems = counted(first.n_systems, "system")
    return (
        f"{first.measure} on {len(rows):,} queries: the 95th percentile over {systems} of the "
        f"standard deviation goes from {ends}, with a median of {middle}."
    )


def query_distributions(rows: Sequence[QueryPrecision]) -> Figure:
    """One system's score on every query, on images and on the corpus (Figure 2)."""
    parts = [sorted(part, key=lambda row: row.images.median) for part in by_measure(rows)]
    first = rows[0]
    return finished(
        stacked([(part[0].measure, _distribution_panel(part)) for part in parts]),
        name="corpus-queries",
        title=f"{_one(parts, 'Scores')} of {shortened(first.system)} on single queries, on "
        f"{first.n_images:,} images",
        description=" ".join(_said_of_distributions(part) for part in parts),
    )


def _distribution_panel(rows: Sequence[QueryPrecision]) -> vega.Chart:
    first = rows[0]
    drawn = [
        {
            "query": row.query_id,
            **box_row(row.images, row.root, row.interval.low, row.interval.high),
        }
        for row in rows
    ]
    return query_boxes(
        drawn,
        {"title": "score", "scale": dict(domainMin=0)},
        places_of_deviations([row.images for row in rows]),
        f"{percent(first.interval.confidence_level)} of images",
        order="queries by their median",
    )


def _said_of_distributions(rows: Sequence[QueryPrecision]) -> str:
    widest = max(rows, key=lambda row: row.images.standard_deviation)
    deviations = [row.images.standard_deviation for row in rows]
    middle, most = (fixed(one, SPREAD_DECIMALS) for one in (median(deviations), max(deviations)))
    ends = " to ".join(fixed(row.images.median, SCORE_DECIMALS) for row in (rows[0], rows[-1]))
    return (
        f"Box plots of {rows[0].measure} on {len(rows):,} queries: medians from {ends}; standard "
        f"deviations have a median of {middle} and are largest on query {widest.query_id}, {most}."
    )
