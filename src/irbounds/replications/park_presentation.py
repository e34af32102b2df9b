"""Park (2010) and Park (2011): the answer of both studies, and a figure of each table.

The papers print tables, and each of them is drawn. Ours are lines with dots and bars of twice the
simulation noise, the paper's are hollow diamonds, and nominal error rates are a dashed line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..presentation.figures import vega
from ..presentation.figures.shapes import make_panel
from ..presentation.figures.style import (
    DASH,
    QUIET,
    Figure,
    colour_scale,
    make_figure,
    tooltips,
    values,
)
from ..presentation.registry import make_section
from ..presentation.rounding import fixed, format_setting, with_sign, within_noise
from ..results import InputFile
from ..results.result import Answer, Results
from .paper_tables import StudyTable, study_sentence
from .study_data import SIMULATED

if TYPE_CHECKING:
    from .commands import Park2010Request

HEIGHT = 320
SERIES = {"mean": "mean of systems", "max": "worst system"}
LEFT_OUT = ("sd",)  # a spread is not an error rate
AT_LEVEL = 0.05  # of the tables by sample size


def answer_park(
    tables: Sequence[StudyTable],
    comparable: Sequence[StudyTable],
    methods: Sequence[str],
    request: Park2010Request,
    notes: Sequence[str],
    inputs: Sequence[InputFile],
    facts: dict[str, Any] | None = None,
) -> Answer[Results[StudyTable]]:
    """Return the tables with a sentence on those that are on the paper's own collection."""
    is_real = request.data is not None
    section = replace(
        make_section(tables),
        sentences=[study_sentence(comparable)] if is_real else [],
        figures=partial(draw_park_figures, tables),
        topics=["study", "calibration", *methods],
    )
    lines = list(notes) if is_real else [SIMULATED, *notes]
    return Answer(
        Results(tables),
        lines=lines,
        inputs=inputs,
        facts={
            "notes": [*lines, *section.sentences],
            "seed": request.seed,
            "n_samples": request.n_samples,
            **(facts or {}),
        },
        make_sections=lambda view: [section],
    )


def draw_park_figures(tables: Sequence[StudyTable]) -> list[Figure]:
    """Draw one figure per table."""
    return [_draw_table(table) for table in tables]


def _draw_table(table: StudyTable) -> Figure:
    by_level, is_width = table.corner == "alpha", table.rows == ("CI width",)
    rows = _rows(table, by_level)
    x = vega.X("x:O", title="queries in a sample", axis=dict(labelAngle=0))
    if by_level:
        domain = dict(domain=[0, 0.52], nice=False)
        x = vega.X("x:Q", title="nominal error rate", scale=domain, axis=dict(grid=False))
    scale = dict(type="log", nice=False) if is_width else dict(zero=True)
    y: dict[str, Any] = {"title": "width" if is_width else "error rate", "scale": scale}
    nominal = []
    if not is_width:
        places = sorted({row["x"] for row in rows})
        line = [{"x": at, "nominal": at if by_level else AT_LEVEL} for at in places]
        chart = vega.Chart(values(line)).mark_line(color=QUIET, strokeDash=DASH, strokeWidth=2)
        nominal = [chart.encode(x=x, y=vega.Y("nominal:Q", **y))]
    first, digits = rows[0], table.decimals
    farthest = max(rows, key=lambda row: abs(row["difference"]))
    return make_figure(
        make_panel(*nominal, *_draw_marks(rows, x, y), height=HEIGHT),
        name=f"{table.study}-table-{table.number}",
        title=f"Table {table.number}: {table.title}",
        description=f"{table.title}: {len(rows)} numbers of ours and the paper's, from "
        f"{first['series']} at {format_setting(first['x'])}, {fixed(first['ours'], digits)} "
        f"against {fixed(first['theirs'], digits)}; the largest difference is "
        f"{with_sign(farthest['difference'], digits)} ({farthest['series']} at "
        f"{format_setting(farthest['x'])}).",
    )


def _rows(table: StudyTable, by_level: bool) -> list[dict[str, Any]]:
    rows = []
    for record in table.records():
        row, column = record["row"], record["column"]
        if by_level and column in LEFT_OUT:
            continue
        series, x = (SERIES.get(column, column), float(row)) if by_level else (
            row, int(column.removeprefix("n = "))
        )  # fmt: skip
        low, high = within_noise(record["ours"], record["noise"], high=math.inf)  # widths exceed 1
        numbers = {name: record[name] for name in ("ours", "theirs", "difference")}
        rows.append({"series": series, "x": x, **numbers, "low": low, "high": high})
    return rows


def _draw_marks(
    rows: Sequence[dict[str, Any]], x: dict[str, Any], y: dict[str, Any]
) -> list[vega.Chart]:
    series, legend = dict.fromkeys(row["series"] for row in rows), dict(orient="top")
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
