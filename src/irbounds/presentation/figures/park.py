"""Park's studies: errors of intervals, ours beside the paper's, against what was promised.

The papers print tables; each of them is drawn here. Ours are lines with dots and bars of twice the
simulation's noise, the paper's are hollow diamonds; what was promised is a dashed line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ...results import StudyTable
from ..noise import within_noise
from ..rounding import fixed, given, signed
from ..studies import study_records
from . import vega
from .style import DASH, QUIET, WIDTH, Figure, colour_scale, finished, tooltips, values

__all__ = ["park_figures"]

HEIGHT = 320
LEFT_OUT = ("sd",)  # a spread is no error to hold against what was promised
AT_LEVEL = 0.05  # of the tables by sample size


def park_figures(tables: Sequence[StudyTable]) -> list[Figure]:
    """One figure a table."""
    return [_figure(table) for table in tables]


def _figure(table: StudyTable) -> Figure:
    by_level = table.corner == "alpha"
    is_width = table.rows == ("CI width",)
    rows = [*(_by_level(table) if by_level else _by_size(table))]
    series = list(dict.fromkeys(row["series"] for row in rows))
    x = vega.X("x:Q", title="promised error", scale=dict(domain=[0, 0.52], nice=False))
    if not by_level:
        x = vega.X("x:O", title="queries in a sample", axis=dict(labelAngle=0))
    scale = dict(type="log", nice=False) if is_width else dict(zero=True)
    y: dict[str, Any] = {"title": "width" if is_width else "error", "scale": scale}
    promised = [] if is_width else [_promised(by_level, rows, x, y)]
    return finished(
        vega.layer(*promised, *_marks(rows, series, x, y)).properties(width=WIDTH, height=HEIGHT),
        name=f"{table.study}-table-{table.number}",
        title=f"Table {table.number}: {table.title}",
        description=_description(table, rows),
    )


def _by_level(table: StudyTable) -> Iterator[dict[str, Any]]:
    for record in study_records(table):
        if record["column"] not in LEFT_OUT:
            name = {"mean": "mean of systems", "max": "worst system"}
            column = name.get(record["column"], record["column"])
            yield _row(column, float(record["row"]), record)


def _by_size(table: StudyTable) -> Iterator[dict[str, Any]]:
    for record in study_records(table):
        yield _row(record["row"], int(record["column"].removeprefix("n = ")), record)


def _row(series: str, x: float, record: dict[str, Any]) -> dict[str, Any]:
    ours = record["ours"]
    low, high = within_noise(ours, record["noise"], high=math.inf)  # a width may be above 1
    return {
        "series": series,
        "x": x,
        "ours": ours,
        "theirs": record["theirs"],
        "difference": record["difference"],
        "low": low,
        "high": high,
    }


def _marks(
    rows: Sequence[dict[str, Any]], series: list[str], x: dict[str, Any], y: dict[str, Any]
) -> list[vega.Chart]:
    legend = dict(orient="top")
    base = vega.Chart(values(rows)).encode(
        x=x,
        color=vega.channel("series:N", title=None, legend=legend, scale=colour_scale(series)),
        tooltip=[
            *tooltips({"series": "what"}, {"x": "at"}, ".4~g"),
            *tooltips((), {"ours": "ours", "theirs": "the paper's"}),
            *tooltips((), ["difference"], "+.4f"),
        ],
    )
    source = dict(domain=["ours", "the paper's"], range=["circle", "diamond"])
    grey = dict(orient="top", symbolFillColor=QUIET, symbolStrokeColor=QUIET)
    shape: dict[str, Any] = {"title": None, "legend": grey, "scale": source}
    bars = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2)
    ours = base.transform_calculate(source="'ours'").mark_point(filled=True, size=40, opacity=1)
    theirs = base.transform_calculate(source='"the paper\'s"').mark_point(size=110, opacity=1)
    return [
        base.mark_line(strokeWidth=1.5).encode(y=vega.Y("ours:Q", **y)),
        bars.encode(y=vega.Y("low:Q", **y), y2="high:Q"),
        ours.encode(y=vega.Y("ours:Q", **y), shape=vega.channel("source:N", **shape)),
        theirs.encode(y=vega.Y("theirs:Q", **y), shape=vega.channel("source:N", **shape)),
    ]


def _promised(
    by_level: bool, rows: Sequence[dict[str, Any]], x: dict[str, Any], y: dict[str, Any]
) -> vega.Chart:
    places = sorted({row["x"] for row in rows})
    line = [{"x": at, "promised": at if by_level else AT_LEVEL} for at in places]
    chart = vega.Chart(values(line)).mark_line(color=QUIET, strokeDash=DASH, strokeWidth=2)
    promised: vega.Chart = chart.encode(x=x, y=vega.Y("promised:Q", **y))
    return promised


def _description(table: StudyTable, rows: Sequence[dict[str, Any]]) -> str:
    apart = max(rows, key=lambda row: abs(row["difference"]))
    first, places = rows[0], table.decimals
    return (
        f"{table.title}: {len(rows)} numbers of ours beside the paper's, from "
        f"{first['series']} at {given(first['x'])}, {fixed(first['ours'], places)} against "
        f"{fixed(first['theirs'], places)}; the largest difference is "
        f"{signed(apart['difference'], places)} ({apart['series']} at {given(apart['x'])})."
    )
