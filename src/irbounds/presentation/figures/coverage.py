"""Figures of coverage: how often intervals of means and of recall miss or hold the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import CalibrationRow, RecallCoverageRow
from ..rounding import ERROR_DECIMALS, NOISE, error_level, fixed, given, percent, within_noise
from . import vega
from .dots import Dot, dots
from .shapes import panel, tell_apart
from .spans import stacked
from .style import Figure, finished, reference_line, tooltips, values

HEIGHT = 240  # pixels of a panel
VERDICTS = {"honest": "honest", "short": "misses too often", "unclear": "too few samples to tell"}


def calibration(rows: Sequence[CalibrationRow]) -> Figure:
    """Draw the error rate by number of queries and method, one panel per measure and level.

    A dashed line is at the nominal rate; bars are twice the simulation's noise to either side.
    """
    parts: dict[tuple[str, float], list[CalibrationRow]] = {}
    for row in rows:
        parts.setdefault((row.measure, row.confidence_level), []).append(row)
    methods = list(dict.fromkeys(row.method for row in rows))
    panels = [(_title(part[0]), _panel(part, methods)) for part in parts.values()]
    several = len(panels) > 1
    return finished(
        stacked(panels),
        name="calibration" if several else f"calibration-{rows[0].measure}",
        title="Fractions of intervals that miss the true mean" if several else panels[0][0],
        description=" ".join(map(_describe, parts.values())),
    )


def _panel(part: Sequence[CalibrationRow], methods: Sequence[str]) -> vega.Chart:
    base = vega.Chart(values(map(_row, part))).encode(
        x=vega.X("n:O", title="queries in a sample", axis=dict(labelAngle=0)),
        xOffset=vega.channel("method:N", scale=dict(domain=list(methods), paddingOuter=0.3)),
        tooltip=_tooltips(),
    )
    error: dict[str, Any] = {"title": "fraction of intervals that miss", "scale": dict(zero=True)}
    look = tell_apart("method", methods, "shape", title="method")
    bars = base.mark_rule(strokeWidth=2).encode(y=vega.Y("low:Q", **error), y2="high:Q")
    marks = base.mark_point(filled=True, size=70, opacity=1).encode(y=vega.Y("error:Q", **error))
    nominal = reference_line(_nominal(part[0]), "y", called="nominal", **error)
    return panel(nominal, bars.encode(color=look["color"]), marks.encode(**look), height=HEIGHT)


def _tooltips() -> list[Any]:
    return [
        *tooltips({"method": "method", "n": "queries in a sample"}),
        *tooltips((), {"error": "fraction that misses"}),
        *tooltips((), {"nominal": "nominal"}, ".4~g"),
        *tooltips((), {"noise": "noise of the simulation"}),
        *tooltips((), {"worst": "fraction of the worst system"}, ERROR_DECIMALS),
        *tooltips((), {"width": "mean width"}),
        *tooltips(["verdict"]),
    ]


def _row(row: CalibrationRow) -> dict[str, Any]:
    low, high = within_noise(row.error, row.error_noise)
    return {
        "method": row.method,
        "n": row.n,
        "error": row.error,
        "nominal": _nominal(row),
        "noise": row.error_noise,
        "low": low,
        "high": high,
        "worst": row.worst_error,
        "width": row.width,
        "verdict": VERDICTS[row.verdict] + (", recommended" if row.recommended else ""),
    }


def _nominal(row: CalibrationRow) -> float:
    return error_level(row.confidence_level)


def _title(row: CalibrationRow) -> str:
    level, nominal = percent(row.confidence_level), given(_nominal(row))
    return (
        f"Fraction of {level} intervals of mean {row.measure} that miss it; dashed: the nominal "
        f"{nominal}"
    )


def _describe(part: Sequence[CalibrationRow]) -> str:
    first = part[0]
    fewest = min(row.n for row in part)
    errors = ", ".join(
        f"{row.method} {fixed(row.error, ERROR_DECIMALS)}" for row in part if row.n == fewest
    )
    sizes = ", ".join(str(n) for n in dict.fromkeys(row.n for row in part))
    return (
        f"Fraction of {percent(first.confidence_level)} intervals that miss the true mean "
        f"{first.measure}, nominally {given(_nominal(first))}, by method for {sizes} queries; with "
        f"{fewest} queries: {errors}."
    )


def coverage_by_method(rows: Sequence[RecallCoverageRow]) -> Figure:
    """Draw the fraction of intervals that hold the true recall, by method."""
    several = len({row.scenario for row in rows}) > 1
    points = []
    for row in rows:
        ends = within_noise(row.coverage, row.coverage_noise)
        points.append(Dot(row.method, row.coverage, *ends, series=row.scenario if several else ""))
    level = rows[0].confidence_level
    return dots(
        points,
        axis="fraction of intervals that hold the true recall",
        name="recall-coverage",
        title=f"Coverage of {percent(level)} intervals of recall",
        reference=level,
        reach=f"simulation noise, {NOISE} standard errors to either side",
    )
