"""The scores of single queries, system by system.

Where there are few enough, every query is a thin line that the pointer names. Beyond that, a page
of them would be a blot and a file of megabytes: the scores are counted in classes, and a circle's
area is the number of queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, quantiles
from typing import Any, TypeAlias

from ...results.query_scores import QueryScores
from ...validation import check_choice, check_count
from ..phrases import pluralise
from ..rounding import fixed
from . import MAX_SYSTEMS, vega
from .shapes import describe_cut, make_note_sentence, make_row_axis, make_value_axis, stack_panels
from .style import (
    CONTRAST,
    EMPHASIS,
    LINE,
    ROW,
    TICK,
    WIDTH,
    Figure,
    highlight,
    make_figure,
    make_legend,
    tooltips,
    values,
)

#: queries with their scores
BySystem: TypeAlias = dict[str, list[tuple[str, float]]]

MAX_LINES = 3000  # scores that are drawn one by one
CLASSES = 25
QUARTILE_DECIMALS = 3
LARGEST = 180  # square pixels: a circle as high as a row


def draw_scores(table: QueryScores, measure: str | None = None, top: int = MAX_SYSTEMS) -> Figure:
    """Draw the scores of all measures, or of one."""
    if measure is not None:
        check_choice("measure", measure, table.measures)
    rows = {
        name: [
            (system, query, score)
            for system, scores in zip(table.systems, by_system.tolist(), strict=True)
            for query, score in zip(table.queries, scores, strict=True)
        ]
        for name, by_system in zip(table.measures, table.values, strict=True)
        if measure in (None, name)
    }
    return draw_score_panels(rows, top)


def draw_score_panels(
    scores: Mapping[str, Iterable[tuple[str, str, float]]], top: int = MAX_SYSTEMS
) -> Figure:
    """Draw (system, query, score) by measure, one row per system, highest mean first.

    A line goes from the first to the third quartile, with a dot at the median. Of more systems than
    ``top`` the first are drawn.
    """
    check_count("top", top)
    panels, descriptions = [], []
    for measure, rows in scores.items():
        by_system = _by_system(rows)
        summaries = [_summary(system, part) for system, part in by_system.items()]
        note = describe_cut(min(top, len(summaries)), len(summaries))
        tooltip = dict(list(by_system.items())[:top])
        title = f"{measure} of a query" if len(scores) == 1 else "score of a query"
        panels.append((measure, _panel(tooltip, summaries[:top], title, note)))
        descriptions.append(_description(summaries, measure) + make_note_sentence(note))
    first = next(iter(scores))
    return make_figure(
        stack_panels(panels),
        name=f"scores-{first}" if len(scores) == 1 else "scores",
        title="Scores per query",
        description=" ".join(descriptions),
    )


def _by_system(rows: Iterable[tuple[str, str, float]]) -> BySystem:
    """Highest mean first."""
    scores_of: dict[str, list[tuple[str, float]]] = {}
    for system, query, score in rows:
        scores_of.setdefault(system, []).append((query, score))
    return dict(sorted(scores_of.items(), key=lambda item: (-_mean(item[1]), item[0])))


def _mean(part: Sequence[tuple[str, float]]) -> float:
    return fmean(score for _, score in part)


def _panel(
    by_system: BySystem, summaries: Sequence[dict[str, Any]], title: str, note: str
) -> vega.Chart:
    order = list(by_system)
    axis = make_value_axis(title, len(order))
    is_few = sum(map(len, by_system.values())) <= MAX_LINES
    colour, shape = make_legend(
        (
            *((("a query", EMPHASIS, TICK),) if is_few else ()),
            ("first to third quartile", CONTRAST, LINE),
            ("median", CONTRAST, "circle"),
        )
    )
    look = {"y": make_row_axis(order, note), "opacity": highlight()}
    scores = (_lines if is_few else _circles)(by_system, axis, colour).encode(**look)
    quartiles = vega.Chart(values({**row, "entry": "first to third quartile"} for row in summaries))
    medians = vega.Chart(values({**row, "entry": "median"} for row in summaries))
    names = {"first": "first quartile", "third": "third quartile"}
    look["tooltip"] = tooltips(["system"], {"mean": "mean", "median": "median", **names})
    look["color"] = colour
    line = quartiles.mark_rule(strokeWidth=2).encode(x=vega.X("first:Q", **axis), x2="third:Q")
    dot = medians.mark_point(filled=True, size=50).encode(x=vega.X("median:Q", **axis), shape=shape)
    chart = vega.layer(scores, line.encode(**look), dot.encode(**look))
    return chart.properties(width=WIDTH, height=vega.step(ROW))


def _lines(by_system: BySystem, axis: dict[str, Any], colour: dict[str, Any]) -> vega.Chart:
    rows = [
        {"system": system, "query": query, "score": score, "entry": "a query"}
        for system, part in by_system.items()
        for query, score in part
    ]
    ticks = vega.Chart(values(rows)).mark_tick(thickness=1, size=ROW - 4)
    tooltip = tooltips(["system", "query"], ["score"])
    return ticks.encode(x=vega.X("score:Q", **axis), tooltip=tooltip, color=colour)


def _circles(by_system: BySystem, axis: dict[str, Any], colour: dict[str, Any]) -> vega.Chart:
    scores = {system: [score for _, score in part] for system, part in by_system.items()}
    low = min(map(min, scores.values()))
    width = (max(map(max, scores.values())) - low) / CLASSES or 1.0
    rows = [row for system in scores for row in _count_classes(system, scores[system], low, width)]
    tooltip = tooltips(["system"], {"from": "scores from", "to": "to"}, QUARTILE_DECIMALS)
    tooltip += tooltips((), ["queries"], ",d")
    most = max(row["queries"] for row in rows)
    size = vega.channel(
        "queries:Q",
        title="queries (area)",
        scale=dict(domain=[0, most], range=[0, LARGEST]),
        legend=dict(orient="top", tickCount=4, format="d"),
    )
    circles = vega.Chart(values(rows)).mark_point(filled=True, color=EMPHASIS)
    return circles.encode(x=vega.X("middle:Q", **axis), tooltip=tooltip, size=size)


def _count_classes(
    system: str, scores: Sequence[float], low: float, width: float
) -> Iterable[dict[str, Any]]:
    counts = [0] * CLASSES
    for score in scores:
        counts[min(int((score - low) / width), CLASSES - 1)] += 1
    for k, count in enumerate(counts):
        if count:
            start = low + k * width
            ends = {"from": start, "to": start + width, "middle": start + width / 2}
            yield {"system": system, **ends, "queries": count}


def _summary(system: str, part: Sequence[tuple[str, float]]) -> dict[str, Any]:
    scores = [score for _, score in part]
    cuts = quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else scores * 3
    named = dict(zip(("first", "median", "third"), cuts, strict=True))
    return {"system": system, "n": len(scores), "mean": _mean(part), **named}


def _description(summaries: Sequence[dict[str, Any]], measure: str) -> str:
    first, last = summaries[0], summaries[-1]

    def describe(summary: dict[str, Any]) -> str:
        ends = " to ".join(fixed(summary[end], QUARTILE_DECIMALS) for end in ("first", "third"))
        return f"{summary['system']} from {ends}"

    reach = describe(first) + (f", and the last, {describe(last)}" if len(summaries) > 1 else "")
    queries, systems = (
        pluralise(first["n"], "query", "queries"),
        pluralise(len(summaries), "system"),
    )
    return (
        f"{measure} of {queries} for each of {systems}, highest mean first. Half of the queries "
        f"lie between the quartiles: for the first, {reach}."
    )
