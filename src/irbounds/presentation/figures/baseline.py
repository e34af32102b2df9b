"""Systems beside chance, and chance query by query.

The figure of one distribution, with an observed score in it, is in ``chance_distribution``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import QueryBaseline, RandomBaseline
from ..baseline import RANKED
from ..families import by_measure
from ..rounding import percent, significant
from ..words import counted
from . import vega
from .chance_distribution import CENTRAL, chance_distributions
from .spans import axis_of, stacked
from .style import (
    CONTRAST,
    DASH,
    EMPHASIS,
    QUIET,
    ROW,
    WIDTH,
    Figure,
    finished,
    highlight,
    tooltips,
    values,
)

__all__ = [
    "baseline_figures",
    "chance_by_query",
    "systems_and_chance",
]

DIGITS = 4
SQUARE = 320  # pixels of a plot of one share against another


def baseline_figures(baselines: Sequence[RandomBaseline]) -> list[Figure]:
    """What there is to see of chance: its distribution, its queries, or systems beside it."""
    first = baselines[0]
    if first.population == "given":
        known = [row for row in baselines if row.distribution is not None]
        return [chance_distributions(known)] if known else []
    if first.system is None:
        return [chance_by_query(baselines)]
    figures = [systems_and_chance(baselines)]
    if len({row.system for row in baselines}) == 1 and first.distribution is not None:
        figures.append(chance_distributions(baselines))
    return figures


def systems_and_chance(baselines: Sequence[RandomBaseline]) -> Figure:
    """Systems best first, each a dot, with the mean and the middle range of random rankings."""
    parts = [_best_first(part) for part in by_measure(baselines)]
    measures = ", ".join(part[0].measure for part in parts)
    return finished(
        stacked([(part[0].measure, _systems(part)) for part in parts]),
        name=f"systems-and-chance-{measures}",
        title=f"Mean {measures} beside random rankings of {RANKED[parts[0][0].population]}",
        description=" ".join(map(_systems_words, parts)),
    )


def _best_first(rows: Sequence[RandomBaseline]) -> list[RandomBaseline]:
    return sorted(rows, key=lambda row: (-(row.observed or 0.0), row.system or ""))


def _systems(rows: Sequence[RandomBaseline]) -> vega.Chart:
    middles = _middles(rows)
    drawn = [_system_row(row, *middles.get(id(row.distribution), (None, None))) for row in rows]
    title = f"mean {rows[0].measure}; tick{' and line' if middles else ''}: random rankings"
    title += f", mean and middle {percent(CENTRAL)}" if middles else ", mean"
    axis = {**axis_of(title, len(rows)), "scale": dict(zero=True)}
    fields = {"score": "score", "chance": "random rankings: mean", "low": "from", "high": "to"}
    fields |= {"corrected": "corrected for chance", "p": "p"}
    base = vega.Chart(values(drawn)).encode(
        y=vega.Y("system:N", sort=[row.system or "" for row in rows], title=None),
        opacity=highlight(),
        tooltip=tooltips(["system"], fields, f".{DIGITS}g"),
    )
    chance = base.mark_rule(color=CONTRAST, strokeWidth=2).encode(
        x=vega.X("low:Q", **axis), x2="high:Q"
    )
    tick = base.mark_tick(color=CONTRAST, thickness=3, size=ROW - 4)
    dots = base.mark_point(color=EMPHASIS, filled=True, size=60)
    layers = [chance, tick.encode(x=vega.X("chance:Q", **axis)), dots.encode(x="score:Q")]
    return vega.layer(*layers).properties(width=WIDTH, height=vega.step(ROW))


def _middles(rows: Sequence[RandomBaseline]) -> dict[int, tuple[float, float]]:
    """Middle ranges of random rankings, by identity: systems may share one distribution."""
    known = {id(one): one for row in rows if (one := row.distribution) is not None}
    outside = (1 - CENTRAL) / 2
    return {key: (one.quantile(outside), one.quantile(1 - outside)) for key, one in known.items()}


def _system_row(row: RandomBaseline, low: float | None, high: float | None) -> dict[str, Any]:
    return {
        "system": row.system,
        "score": row.observed,
        "chance": row.expected,
        "low": low,
        "high": high,
        "corrected": row.corrected,
        "p": row.p_value,
    }


def _systems_words(rows: Sequence[RandomBaseline]) -> str:
    first, last = rows[0], rows[-1]
    reach = f"{first.system} at {significant(first.observed or 0.0, DIGITS)}"
    if len(rows) > 1:
        reach = f"from {reach} to {last.system} at {significant(last.observed or 0.0, DIGITS)}"
    levels = sorted(row.expected for row in rows)
    chance = significant(levels[0], DIGITS)
    if levels[-1] > levels[0]:
        chance = f"between {chance} and {significant(levels[-1], DIGITS)}"
    many = counted(len(rows), "system")
    return f"{many} by mean {first.measure}, {reach}; random rankings score {chance} on average."


def chance_by_query(baselines: Sequence[RandomBaseline]) -> Figure:
    """Each query's chance score against its share of relevant documents, measure by measure."""
    panels = [(row.measure, _queries(row)) for row in baselines]
    measures = ", ".join(row.measure for row in baselines)
    return finished(
        stacked(panels),
        name=f"chance-by-query-{measures}",
        title=f"{measures} of random rankings of {RANKED[baselines[0].population]}, query by query",
        description=" ".join(map(_queries_words, baselines)),
    )


def _queries(row: RandomBaseline) -> vega.Chart:
    """A dot a query; on the line chance scores the prevalence."""
    drawn = [_query_row(query) for query in _relevant(row)]
    ends = [one[key] for one in drawn for key in ("prevalence", "chance")] or [0.01, 1.0]
    scale = dict(type="log", domain=[min(ends) / 1.2, max(ends) * 1.2], nice=False)
    marks = dict(format=".1g", tickCount=6)
    x = vega.X("prevalence:Q", title="share of relevant documents", scale=scale, axis=marks)
    y = vega.Y("chance:Q", title=f"{row.measure} of random rankings, mean", scale=scale, axis=marks)
    line = [{"prevalence": end, "chance": end} for end in (min(ends), max(ends))]
    equal = vega.Chart(values(line)).mark_line(color=QUIET, strokeDash=DASH).encode(x=x, y=y)
    fields = {
        "prevalence": "share of relevant documents",
        "chance": "random rankings: mean",
        "deviation": "standard deviation",
    }
    dots = vega.Chart(values(drawn)).mark_point(color=EMPHASIS, filled=True, size=45, opacity=1)
    dots = dots.encode(
        x=x,
        y=y,
        tooltip=[
            *tooltips(["query"], {"n_documents": "documents", "n_relevant": "relevant"}, ","),
            *tooltips((), fields, f".{DIGITS}g"),
        ],
    )
    return vega.layer(equal, dots).properties(width=SQUARE, height=SQUARE)


def _relevant(row: RandomBaseline) -> list[QueryBaseline]:
    """Queries that a logarithm can place: those of which something is relevant and ranked."""
    return [query for query in row.queries if query.n_relevant > 0 and query.expected > 0]


def _query_row(query: QueryBaseline) -> dict[str, Any]:
    return {
        "query": query.query_id,
        "n_documents": query.n_documents,
        "n_relevant": query.n_relevant,
        "prevalence": query.n_relevant / query.n_documents,
        "chance": query.expected,
        "deviation": query.standard_deviation,
    }


def _queries_words(row: RandomBaseline) -> str:
    shown = _relevant(row)
    left_out = len(row.queries) - len(shown)
    said = (
        f"{len(shown):,} queries: {row.measure} of random rankings against the share of relevant "
        f"documents; the means are {significant(row.expected, DIGITS)} and "
        f"{significant(row.prevalence, DIGITS)}. On the dashed line both are equal."
    )
    return said + (f" {left_out:,} with nothing relevant are not drawn." if left_out else "")
