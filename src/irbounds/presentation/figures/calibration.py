"""What interval methods promise against what they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import CalibrationRow
from ..noise import within_noise
from ..rounding import ERROR_DECIMALS, error_level, fixed, given, percent
from . import vega
from .spans import stacked
from .style import WIDTH, Figure, colour_scale, finished, reference_line, tooltips, values

__all__ = ["calibration"]

HEIGHT = 240  # pixels of a panel
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
VERDICTS = {"honest": "honest", "short": "misses too often", "unclear": "too few samples to tell"}


def calibration(rows: Sequence[CalibrationRow]) -> Figure:
    """The share of intervals that miss, by number of queries and method; a panel a level.

    A dashed line is at the share that the level promises; bars are twice the simulation's noise to
    either side.
    """
    parts: dict[tuple[str, float], list[CalibrationRow]] = {}
    for row in rows:
        parts.setdefault((row.measure, row.confidence_level), []).append(row)
    methods = list(dict.fromkeys(row.method for row in rows))
    panels = [(_title(part), _panel(part, methods)) for part in parts.values()]
    first = rows[0]
    title = panels[0][0] if len(panels) == 1 else "Shares of intervals that miss the true mean"
    return finished(
        stacked(panels),
        name=f"calibration-{first.measure}" if len(panels) == 1 else "calibration",
        title=title,
        description=" ".join(map(_description, parts.values())),
    )


def _panel(part: Sequence[CalibrationRow], methods: Sequence[str]) -> vega.Chart:
    shapes = [SHAPES[k % len(SHAPES)] for k in range(len(methods))]
    base = vega.Chart(values(map(_row, part))).encode(
        x=vega.X("n:O", title="queries in a sample", axis=dict(labelAngle=0, grid=False)),
        xOffset=vega.channel("method:N", scale=dict(domain=list(methods), paddingOuter=0.3)),
        color=vega.channel("method:N", title="method", scale=colour_scale(methods)),
        tooltip=_tooltips(),
    )
    error: dict[str, Any] = {"title": "share of intervals that miss", "scale": dict(zero=True)}
    bars = base.mark_rule(strokeWidth=2).encode(y=vega.Y("low:Q", **error), y2="high:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        y=vega.Y("error:Q", **error),
        shape=vega.channel(
            "method:N", title="method", scale=dict(domain=list(methods), range=shapes)
        ),
    )
    nominal = reference_line(_nominal(part[0]), "y", called="promised", **error)
    return vega.layer(nominal, bars, dots).properties(width=WIDTH, height=HEIGHT)


def _tooltips() -> list[Any]:
    return [
        *tooltips({"method": "method", "n": "queries in a sample"}),
        *tooltips((), {"error": "share that misses"}),
        *tooltips((), {"nominal": "promised"}, ".4~g"),
        *tooltips((), {"noise": "noise of the simulation"}),
        *tooltips((), {"worst": "worst system's share"}, ERROR_DECIMALS),
        *tooltips((), {"width": "mean width"}),
        *tooltips(["verdict"]),
    ]


def _row(row: CalibrationRow) -> dict[str, Any]:
    verdict = VERDICTS[row.verdict]
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
        "verdict": f"{verdict}, recommended" if row.recommended else verdict,
    }


def _nominal(row: CalibrationRow) -> float:
    return error_level(row.confidence_level)


def _title(part: Sequence[CalibrationRow]) -> str:
    first = part[0]
    level, nominal = percent(first.confidence_level), given(_nominal(first))
    return (
        f"Share of {level} intervals of mean {first.measure} that miss it; dashed: the {nominal} "
        "promised"
    )


def _description(part: Sequence[CalibrationRow]) -> str:
    first = part[0]
    fewest = [row for row in part if row.n == min(row.n for row in part)]
    told = ", ".join(f"{row.method} {fixed(row.error, ERROR_DECIMALS)}" for row in fewest)
    sizes = ", ".join(str(n) for n in dict.fromkeys(row.n for row in part))
    return (
        f"Share of {percent(first.confidence_level)} intervals that miss the true mean "
        f"{first.measure}, nominally {given(_nominal(first))}, by method for {sizes} queries; with "
        f"{fewest[0].n} queries: {told}."
    )
