"""The scores of single queries, system by system.

Where there are few enough, every query is a thin line that the pointer names. Beyond that, a page
of them would be a blot and a file of megabytes: the scores are counted in classes, and a circle's
area is the number of queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, quantiles
from typing import Any, TypeAlias

from ..rounding import fixed
from ..words import counted
from . import vega
from .spans import axis_of, stacked
from .style import CONTRAST, EMPHASIS, ROW, WIDTH, Figure, finished, highlight, tooltips, values

__all__ = ["score_distributions", "score_panels"]

#: queries with their scores
BySystem: TypeAlias = dict[str, list[tuple[str, float]]]

MOST_LINES = 3000  # scores that are drawn one by one
CLASSES = 25
QUARTILE_DECIMALS = 3
LARGEST = 180  # square pixels: a circle as high as a row


def score_distributions(scores: Iterable[tuple[str, str, float]], measure: str) -> Figure:
    """(system, query, score) as a row a system, highest mean first.

    An orange line goes from the first to the third quartile, with a dot at the median.
    """
    return score_panels({measure: scores})


def score_panels(scores: Mapping[str, Iterable[tuple[str, str, float]]]) -> Figure:
    """The same for several measures, one below the other."""
    panels, told = [], []
    for measure, rows in scores.items():
        by_system = _by_system(rows)
        summaries = [_summary(system, part) for system, part in by_system.items()]
        panels.append((f"{measure} of single queries", _panel(by_system, summaries, measure)))
        told.append(_description(summaries, measure))
    what = next(iter(scores)) if len(scores) == 1 else "Scores"
    return finished(
        stacked(panels),
        name=f"scores-{what}" if len(scores) == 1 else "scores",
        title=f"{what} of single queries, with quartiles (orange) and median (dot)",
        description=" ".join(told),
    )


def _by_system(rows: Iterable[tuple[str, str, float]]) -> BySystem:
    """Highest mean first."""
    found: dict[str, list[tuple[str, float]]] = {}
    for system, query, score in rows:
        found.setdefault(system, []).append((query, score))
    return dict(sorted(found.items(), key=lambda item: (-_mean(item[1]), item[0])))


def _mean(part: Sequence[tuple[str, float]]) -> float:
    return fmean(score for _, score in part)


def _panel(by_system: BySystem, summaries: Sequence[dict[str, Any]], measure: str) -> vega.Chart:
    order = list(by_system)
    axis = axis_of(f"{measure} of a query", len(order))
    few = sum(map(len, by_system.values())) <= MOST_LINES
    scores = _lines(by_system, order, axis) if few else _circles(by_system, order, axis)
    chart = vega.layer(scores, *_quartiles(summaries, order, axis))
    return chart.properties(width=WIDTH, height=vega.step(ROW))


def _lines(by_system: BySystem, order: list[str], axis: dict[str, Any]) -> vega.Chart:
    rows = [
        {"system": system, "query": query, "score": score}
        for system in order
        for query, score in by_system[system]
    ]
    ticks = vega.Chart(values(rows)).mark_tick(color=EMPHASIS, thickness=1, size=ROW - 4)
    shown = tooltips(["system", "query"], ["score"])
    return _encoded(ticks, order, shown).encode(x=vega.X("score:Q", **axis))


def _circles(by_system: BySystem, order: list[str], axis: dict[str, Any]) -> vega.Chart:
    scores = {system: [score for _, score in by_system[system]] for system in order}
    low = min(map(min, scores.values()))
    width = (max(map(max, scores.values())) - low) / CLASSES or 1.0
    rows = [row for system in order for row in _counted(system, scores[system], low, width)]
    shown = tooltips(["system"], {"from": "scores from", "to": "to"}, QUARTILE_DECIMALS)
    shown += tooltips((), ["queries"], ",d")
    most = max(row["queries"] for row in rows)
    size = vega.channel(
        "queries:Q",
        title="queries (area)",
        scale=dict(domain=[0, most], range=[0, LARGEST]),
        legend=dict(orient="top", tickCount=4, format="d"),
    )
    circles = vega.Chart(values(rows)).mark_point(filled=True, color=EMPHASIS)
    return _encoded(circles, order, shown).encode(x=vega.X("middle:Q", **axis), size=size)


def _counted(
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


def _quartiles(
    summaries: Sequence[dict[str, Any]], order: list[str], axis: dict[str, Any]
) -> list[vega.Chart]:
    words = {"first": "first quartile", "third": "third quartile"}
    shown = tooltips(["system"], {"mean": "mean", "median": "median", **words})
    data = vega.Chart(values(summaries))
    line = _encoded(data.mark_rule(color=CONTRAST, strokeWidth=2), order, shown)
    dot = _encoded(data.mark_point(color=CONTRAST, filled=True, size=50), order, shown)
    return [
        line.encode(x=vega.X("first:Q", **axis), x2="third:Q"),
        dot.encode(x=vega.X("median:Q", **axis)),
    ]


def _encoded(chart: vega.Chart, order: list[str], shown: list[Any]) -> vega.Chart:
    return chart.encode(
        y=vega.Y("system:N", sort=order, title=None), opacity=highlight(), tooltip=shown
    )


def _summary(system: str, part: Sequence[tuple[str, float]]) -> dict[str, Any]:
    scores = [score for _, score in part]
    cuts = quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else scores * 3
    named = dict(zip(("first", "median", "third"), cuts, strict=True))
    return {"system": system, "n": len(scores), "mean": _mean(part), **named}


def _description(summaries: Sequence[dict[str, Any]], measure: str) -> str:
    first, last = summaries[0], summaries[-1]

    def told(one: dict[str, Any]) -> str:
        ends = " to ".join(fixed(one[end], QUARTILE_DECIMALS) for end in ("first", "third"))
        return f"{one['system']} from {ends}"

    reach = told(first) + (f", and the last, {told(last)}" if len(summaries) > 1 else "")
    queries, systems = counted(first["n"], "query", "queries"), counted(len(summaries), "system")
    return (
        f"{measure} of {queries} for each of {systems}, highest mean first. Half of the queries "
        f"lie between the quartiles: for the first, {reach}."
    )
