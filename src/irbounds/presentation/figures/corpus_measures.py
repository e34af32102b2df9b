"""How precise measures are on a single query: standard deviations over images, mean and spread.

The bar is the mean of many standard deviations plus and minus their own standard deviation, the
paper's mu and sigma (Zobel and Rashidi 2020, Tables 3 and 4), cut at 0, below which there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import MeasurePrecision, SpreadSummary
from ..families import by_measure
from ..rounding import SPREAD_DECIMALS, fixed
from ..words import counted, counted_queries
from . import vega
from .spans import spans, stacked
from .style import EMPHASIS, ROW, WIDTH, Figure, colour_scale, finished, highlight, tooltips, values

__all__ = ["measure_spreads", "system_spreads"]

KINDS = ("of a score", "of a difference of two systems")
AXIS = "standard deviation over images on a single query: mean and \N{PLUS-MINUS SIGN}1 sd over "


def measure_spreads(rows: Sequence[MeasurePrecision]) -> Figure:
    """Every measure: of a score, and of the difference of two systems where there are two."""
    drawn = [
        {"measure": row.measure, "kind": kind, **_span(spread)}
        for row in rows
        for kind, spread in zip(KINDS, (row.scores, row.differences), strict=True)
        if spread
    ]
    kinds = [kind for kind in KINDS if any(row["kind"] == kind for row in drawn)]
    base = vega.Chart(values(drawn)).encode(
        y=vega.Y("measure:N", sort=None, title=None),
        yOffset=vega.channel("kind:N", sort=kinds, scale=dict(paddingOuter=0.2)),
        color=vega.channel(
            "kind:N", scale=colour_scale(kinds), legend=dict(orient="top", title=None)
        ),
        tooltip=_tooltips("measure"),
    )
    first = rows[0]
    return finished(
        _dots_on_spans(base, f"{AXIS}systems and queries", {"step": ROW, "for": "offset"}),
        name="corpus-measures",
        title=f"How far {first.n_images:,} images spread the score on a single query",
        description=f"Mean and standard deviation, over {counted(first.n_systems, 'system')} and "
        f"{counted_queries(first.n_queries)}, of standard deviations over images. "
        + " ".join(f"{row['measure']} {row['kind']}: {_words(row)}." for row in drawn),
    )


def system_spreads(rows: Sequence[MeasurePrecision]) -> Figure:
    """Every system by every measure, over queries."""
    parts = by_measure(rows)
    first = rows[0]
    return finished(
        stacked([(part[0].measure, _system_panel(part)) for part in parts]),
        name="corpus-systems",
        title=f"How far {first.n_images:,} images spread a system's score on a single query",
        description=" ".join(_said_of_systems(part) for part in parts),
    )


def _system_panel(rows: Sequence[MeasurePrecision]) -> vega.Chart:
    drawn = [{"system": row.system or "", **_span(row.scores)} for row in rows]
    base = vega.Chart(values(drawn)).encode(
        y=vega.Y("system:N", sort=None, title=None),
        color=vega.value(EMPHASIS),
        opacity=highlight(),
        tooltip=_tooltips("system"),
    )
    return _dots_on_spans(base, f"{AXIS}queries", vega.step(ROW))


def _dots_on_spans(base: vega.Chart, title: str, height: Any) -> vega.Chart:
    layers = spans(base, "mean", "two-sided", {"title": title})
    return vega.layer(*layers).properties(width=WIDTH, height=height)


def _span(spread: SpreadSummary) -> dict[str, float]:
    low = max(spread.mean - spread.standard_deviation, 0.0)
    high = spread.mean + spread.standard_deviation
    return {"mean": spread.mean, "sd": spread.standard_deviation, "low": low, "high": high}


def _tooltips(name: str) -> list[dict[str, Any]]:
    numbers = {"mean": "mean standard deviation", "sd": "its standard deviation"}
    return tooltips([name], numbers, SPREAD_DECIMALS)


def _words(row: dict[str, Any]) -> str:
    numbers = (fixed(row[field], SPREAD_DECIMALS) for field in ("mean", "sd"))
    return " \N{PLUS-MINUS SIGN} ".join(numbers)


def _said_of_systems(rows: Sequence[MeasurePrecision]) -> str:
    by_mean = sorted(rows, key=lambda row: row.scores.mean)
    ends = " to ".join(
        f"{fixed(row.scores.mean, SPREAD_DECIMALS)} ({row.system})"
        for row in (by_mean[0], by_mean[-1])
    )
    return (
        f"{rows[0].measure}: mean standard deviations of the scores of "
        f"{counted(len(rows), 'system')} on a query, from {ends}."
    )
