"""Figures of random rankings: the distribution of their scores, systems and queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from ...errors import ParameterError
from ...results import ChanceLevel, NullDistribution, QueryChance
from ...results.chance_levels import RANKED
from ...validation import Alternative
from ..phrases import group_by_measure, pluralise
from ..rounding import describe_p, percent, significant
from . import MAX_SYSTEMS, vega
from .dots import Dot, draw_dots
from .shapes import (
    draw_measure_panels,
    keep_first,
    make_panel,
    make_value_axis,
    mark_places,
    stack_panels,
    with_entry,
)
from .style import (
    COLOURS,
    CONTRAST,
    DASH,
    EMPHASIS,
    QUIET,
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

MAX_SINGLE = 24  # scores that are drawn one by one
N_BARS = 40
TAIL = 0.001  # of the distribution, left out on either side
MIN_STEP = 1e-9  # of probability: rarer scores are not visible
EQUAL = 1e-9  # relative: an observed score and its last digits
CENTRAL = 0.95  # fraction of random rankings in the range that is drawn
HEIGHT = 220
HEADROOM = 1.15  # above the highest bar, for the range
SQUARE = 320  # pixels of a plot of one fraction against another
DIGITS = 4
MEAN = "random rankings: mean"
#: a legend's symbol
TICK_ON_LINE = "M-1,-0.2H-0.2V-0.8H0.2V-0.2H1V0.2H0.2V0.8H-0.2V0.2H-1Z"
FORM = f".{DIGITS}g"


@dataclass(frozen=True)
class Bar:
    """The probability of scores from low to high; the ends of a single score are equal."""

    low: float
    high: float
    share: float
    #: whether these scores are as extreme as the observed one
    beyond: bool = False


def make_bars(
    distribution: NullDistribution, observed: float | None, side: Alternative
) -> list[Bar]:
    """Return single scores where they are few, else bars of one width.

    An observed score is an edge of bars, so that the bars beyond it add up to the p-value.
    """
    bars = _even_bars(distribution, observed, side)
    if 2 * sum(bar.share == 0 for bar in bars) < len(bars):  # few scores leave most bars empty
        return bars
    return _single_scores(distribution, observed, side) or bars


def choose_tail(
    distribution: NullDistribution, observed: float | None, alternative: Alternative
) -> Alternative:
    """Return the side on which scores are as extreme as the observed one; of two, the rarer."""
    if observed is None or alternative != "two-sided":
        return alternative
    sides: tuple[Alternative, Alternative] = ("greater", "less")
    return min(sides, key=lambda side: distribution.p_value(observed, side))


def _single_scores(
    distribution: NullDistribution, observed: float | None, side: Alternative
) -> list[Bar]:
    """Return a bar for each possible score; none where these are many."""
    bars: list[Bar] = []
    reached, score = 0.0, distribution.quantile(0.0)
    while len(bars) < MAX_SINGLE:
        upto = distribution.cdf(score)
        bars.append(Bar(score, score, upto - reached, _is_beyond(score, score, observed, side)))
        if upto >= 1 - MIN_STEP:
            return bars
        reached, score = upto, distribution.quantile(upto + MIN_STEP)
    return []


def _even_bars(
    distribution: NullDistribution, observed: float | None, side: Alternative
) -> list[Bar]:
    low, high = distribution.quantile(TAIL), distribution.quantile(1 - TAIL)
    if not low < high:
        return [Bar(low, low, 1.0, _is_beyond(low, low, observed, side))]
    width = (high - low) / N_BARS
    first = low - width / 2  # the lowest score is within a bar, not at its edge
    if observed is not None and low < observed < high:
        edge = observed * (1 - EQUAL) if side == "greater" else observed * (1 + EQUAL)
        first = edge - math.ceil((edge - low) / width) * width
    edges = [first + k * width for k in range(N_BARS + 2)]
    shares = [distribution.cdf(edge) for edge in edges]
    return [
        Bar(a, b, upto - before, _is_beyond(a, b, observed, side))
        for (a, b), (before, upto) in zip(pairwise(edges), pairwise(shares), strict=True)
    ]


def _is_beyond(low: float, high: float, observed: float | None, side: Alternative) -> bool:
    if observed is None:
        return False
    if side == "greater":
        return low >= observed * (1 - 2 * EQUAL)
    return high <= observed * (1 + 2 * EQUAL)


def draw_null_distribution(
    distribution: NullDistribution,
    observed: float | None = None,
    *,
    measure: str = "score",
    prevalence: float | None = None,
    alternative: Alternative = "greater",
) -> Figure:
    """Draw one distribution with its mean, and an observed score with its p-value."""
    row = SimpleNamespace(
        distribution=distribution,
        measure=measure,
        observed=observed,
        p_value=None if observed is None else distribution.p_value(observed, alternative),
        prevalence=prevalence,
        alternative=alternative,
        system=None,
    )
    return _distributions([row])


def draw_distributions(baselines: Sequence[ChanceLevel]) -> Figure:
    """Draw the distribution of every measure and system, one below the other."""
    known = [row for row in baselines if row.distribution is not None]
    if not known:
        measures = ", ".join(dict.fromkeys(row.measure for row in baselines))
        raise ParameterError(f"no distribution of chance scores is known for {measures}")
    return _distributions(known)


def _distributions(rows: Sequence[Any]) -> Figure:
    """Draw rows with the fields of a ``ChanceLevel`` that has a distribution."""
    titles, charts, descriptions = zip(*map(_distribution, rows), strict=True)
    chart = stack_panels(list(zip(titles, charts, strict=True)))
    if len(rows) > 1:
        chart = chart.resolve_scale(color="independent", strokeDash="independent")
    return make_figure(
        chart,
        name=f"chance-{'-'.join(dict.fromkeys(row.measure for row in rows))}",
        title=titles[0] if len(rows) == 1 else "What random rankings score",
        description=" ".join(descriptions),
    )


def _distribution(chance: Any) -> tuple[str, vega.Chart, str]:
    """Return a title, a panel and its description; the middle range is a line above the bars."""
    measure, observed, prevalence = chance.measure, chance.observed, chance.prevalence
    p = "" if chance.p_value is None else f" ({describe_p(chance.p_value)})"
    side = choose_tail(chance.distribution, observed, chance.alternative)
    bars = make_bars(chance.distribution, observed, side)
    mean, (low, high) = chance.distribution.mean, _middle(chance.distribution)
    average = significant(mean, DIGITS)
    likeliest = max(bars, key=lambda bar: bar.share)
    middle = f"middle {percent(CENTRAL)}"
    reach = f"{significant(low, DIGITS)} to {significant(high, DIGITS)}"
    title = f"{measure} of random rankings: {average} on average"
    described = (
        f"Distribution of {measure} over random rankings ({chance.distribution.method}): mean "
        f"{average}, {middle} from {reach}, most often near "
        f"{significant((likeliest.low + likeliest.high) / 2, 2)}."
    )
    lines = {f"mean of random rankings: {average}": (mean, EMPHASIS)}
    if prevalence is not None:
        fraction = significant(prevalence, DIGITS)
        lines[f"fraction of relevant documents: {fraction}"] = (prevalence, COLOURS[2])
        described += f" The fraction of relevant documents is {fraction}."
    if observed is not None:
        score = significant(observed, DIGITS)
        lines[f"{chance.system or 'observed'}: {score}{p}"] = (observed, CONTRAST)
        title += f"; {score} observed{p}"
        described += f" Observed: {score}{p}."
    ends = [end for bar in bars for end in (bar.low, bar.high)]
    ends += [place for place, _ in lines.values()]
    room = 0.02 * ((max(ends) - min(ends)) or 1.0)
    words = f"line across the top: the {middle} of random rankings, {reach}"
    axis: dict[str, Any] = {
        "title": [measure, words],
        "scale": dict(domain=[min(ends) - room, max(ends) + room], nice=False, zero=False),
        "axis": dict(grid=False),
    }
    marked = mark_places(
        {name: place for name, (place, _) in lines.items()},
        *(axis, FORM, [colour for _, colour in lines.values()]),
        orient="bottom",
        direction="vertical",
        symbolSize=500,
        labelLimit=WIDTH,
    )
    span = vega.Chart(values([{"from": low, "to": high, "mean": mean}])).encode(
        y=vega.value(8), tooltip=tooltips((), {"from": f"{middle} from", "to": "to"}, FORM)
    )
    line = span.mark_rule(color=EMPHASIS, strokeWidth=3)
    dot = span.mark_point(color=EMPHASIS, filled=True, size=60, opacity=1)
    chart = make_panel(
        _draw_bars(bars, axis),
        marked,
        line.encode(x=vega.X("from:Q", **axis), x2="to:Q"),
        dot.encode(x=vega.X("mean:Q", **axis)),
        height=HEIGHT,
    )
    return title, chart, described


def _draw_bars(bars: Sequence[Bar], axis: dict[str, Any]) -> vega.Chart:
    """Draw single scores as thick lines, others as bars side by side."""
    single = all(bar.low == bar.high for bar in bars)
    width = "" if single else f" (bars {significant(bars[0].high - bars[0].low, 2)} wide)"
    domain = [0, HEADROOM * max(bar.share for bar in bars)]
    names = {"low": "score"} if single else {"low": "above", "high": "up to"}
    base = vega.Chart(values({**asdict(bar), "zero": 0} for bar in bars)).encode(
        x=vega.X("low:Q", **axis),
        y=vega.Y("share:Q", title=f"probability{width}", scale=dict(domain=domain, nice=False)),
        y2="zero:Q",
        color=vega.condition("datum.beyond", CONTRAST, QUIET),
        tooltip=tooltips((), {**names, "share": "probability"}, FORM),
    )
    if single:
        return base.mark_rule(strokeWidth=5, strokeCap="butt")
    return base.mark_rect().encode(x2="high:Q")


def _middle(distribution: NullDistribution) -> tuple[float, float]:
    """Return the range that holds the central fraction of random rankings."""
    outside = (1 - CENTRAL) / 2
    return distribution.quantile(outside), distribution.quantile(1 - outside)


def draw_chance_levels(
    baselines: Sequence[ChanceLevel], top: int | None = MAX_SYSTEMS
) -> list[Figure]:
    """Draw the distribution of random rankings, their queries, or systems compared with them."""
    first = baselines[0]
    if first.population == "given":
        known = [row for row in baselines if row.distribution is not None]
        return [draw_distributions(known)] if known else []
    if first.system is None:
        return [draw_chance_by_query(baselines)]
    figures = [draw_systems_and_chance(baselines, top)]
    if len({row.system for row in baselines}) == 1 and first.distribution is not None:
        figures.append(draw_distributions(baselines))
    return figures


def draw_systems_and_chance(
    baselines: Sequence[ChanceLevel], top: int | None = MAX_SYSTEMS
) -> Figure:
    """Draw systems best first, with the mean and the middle range of random rankings."""
    ordered = [
        sorted(part, key=lambda row: (-(row.observed or 0.0), row.system or ""))
        for part in group_by_measure(baselines)
    ]
    parts, note = keep_first(ordered, top)
    measures = ", ".join(part[0].measure for part in parts)
    return draw_measure_panels(
        parts,
        _system_panel,
        _describe_systems,
        name=f"systems-and-chance-{measures}",
        title=f"Mean {measures} compared with random rankings of "
        f"{RANKED[baselines[0].population]}{note}",
    )


def _system_panel(rows: Sequence[ChanceLevel]) -> vega.Chart:
    # systems may have a common distribution, whose quantiles take long
    known = {
        id(distribution): distribution
        for row in rows
        if (distribution := row.distribution) is not None
    }
    middles = {key: _middle(distribution) for key, distribution in known.items()}
    points = []
    for row in rows:
        low, high = middles.get(id(row.distribution), (None, None))
        numbers = {"score": row.observed, "chance": row.expected, "low": low, "high": high}
        more = {"corrected": row.corrected, "p": row.p_value}
        points.append({"system": row.system, **numbers, **more})
    axis = {**make_value_axis(f"mean {rows[0].measure}", len(rows)), "scale": dict(zero=True)}
    fields = {"score": "score", "chance": MEAN, "low": "from", "high": "to"}
    fields |= {"corrected": "corrected for chance", "p": "p"}
    base = vega.Chart(values(points)).encode(
        y=vega.Y("system:N", sort=[row.system or "" for row in rows], title=None),
        opacity=highlight(),
        tooltip=tooltips(["system"], fields, FORM),
    )
    chance_entry = f"random rankings: mean and middle {percent(CENTRAL)}" if middles else MEAN
    symbol = TICK_ON_LINE if middles else TICK
    colour, shape = make_legend([(chance_entry, CONTRAST, symbol), ("system", EMPHASIS, "circle")])
    line = base.mark_rule(strokeWidth=2).encode(x=vega.X("low:Q", **axis), x2="high:Q")
    tick = base.mark_tick(thickness=3, size=ROW - 4).encode(x=vega.X("chance:Q", **axis))
    dot = base.mark_point(filled=True, size=60).encode(x="score:Q", shape=shape)
    layers = [
        with_entry(line, chance_entry),
        with_entry(tick, chance_entry),
        with_entry(dot, "system"),
    ]
    return make_panel(*(layer.encode(color=colour) for layer in layers))


def _describe_systems(rows: Sequence[ChanceLevel]) -> str:
    scores = [f"{row.system} at {significant(row.observed or 0.0, DIGITS)}" for row in rows]
    reach = f"from {scores[0]} to {scores[-1]}" if len(rows) > 1 else scores[0]
    levels = sorted(row.expected for row in rows)
    chance = significant(levels[0], DIGITS)
    if levels[-1] > levels[0]:
        chance = f"between {chance} and {significant(levels[-1], DIGITS)}"
    return (
        f"{pluralise(len(rows), 'system')} by mean {rows[0].measure}, {reach}; random rankings "
        f"score {chance} on average."
    )


def draw_chance_by_query(baselines: Sequence[ChanceLevel]) -> Figure:
    """Draw each query's chance level against its fraction of relevant documents."""
    measures = ", ".join(row.measure for row in baselines)
    return make_figure(
        stack_panels([(row.measure, _query_panel(row)) for row in baselines]),
        name=f"chance-by-query-{measures}",
        title=f"{measures} of random rankings of {RANKED[baselines[0].population]}, query by query",
        description=" ".join(map(_describe_queries, baselines)),
    )


def _query_panel(row: ChanceLevel) -> vega.Chart:
    """Draw one dot per query; on the line the chance level is the fraction of relevant ones."""
    points: list[dict[str, Any]] = [
        {
            "query": query.query_id,
            "n_documents": query.n_documents,
            "n_relevant": query.n_relevant,
            "prevalence": query.n_relevant / query.n_documents,
            "chance": query.expected,
            "deviation": query.standard_deviation,
        }
        for query in _with_relevant(row)
    ]
    ends = [point[key] for point in points for key in ("prevalence", "chance")] or [0.01, 1.0]
    scale = dict(type="log", domain=[min(ends) / 1.2, max(ends) * 1.2], nice=False)
    fields = {
        "prevalence": "fraction of relevant documents",
        "chance": f"{row.measure} of random rankings, mean",
    }
    x, y = (
        vega.channel(f"{field}:Q", title=title, scale=scale, axis=dict(format=".1g", grid=grid))
        for (field, title), grid in zip(fields.items(), (False, True), strict=True)
    )
    line = [{"prevalence": end, "chance": end} for end in (min(ends), max(ends))]
    equal = vega.Chart(values(line)).mark_line(color=QUIET, strokeDash=DASH).encode(x=x, y=y)
    marks = vega.Chart(values(points)).mark_point(color=EMPHASIS, filled=True, size=45, opacity=1)
    tooltip = [
        *tooltips(["query"], {"n_documents": "documents", "n_relevant": "relevant"}, ","),
        *tooltips((), {**fields, "deviation": "standard deviation"}, FORM),
    ]
    return make_panel(equal, marks.encode(x=x, y=y, tooltip=tooltip), width=SQUARE, height=SQUARE)


def _with_relevant(row: ChanceLevel) -> list[QueryChance]:
    """Return the queries that a logarithm can place."""
    return [query for query in row.queries if query.n_relevant > 0 and query.expected > 0]


def _describe_queries(row: ChanceLevel) -> str:
    n_shown = len(_with_relevant(row))
    left_out = len(row.queries) - n_shown
    note = f" {left_out:,} with nothing relevant are not drawn." if left_out else ""
    return (
        f"{n_shown:,} queries: {row.measure} of random rankings against the fraction of relevant "
        f"documents; the means are {significant(row.expected, DIGITS)} and "
        f"{significant(row.prevalence, DIGITS)}. On the dashed line both are equal.{note}"
    )


def draw_query_chance(rows: Sequence[QueryChance]) -> Figure:
    """Draw the chance level of each query, and the system's score where there is one."""
    points = []
    for row in rows:
        low, high = (row.expected + sign * row.standard_deviation for sign in (-1, 1))
        points.append(Dot(row.query_id, row.expected, max(low, 0.0), high, series="chance"))
    points += [
        Dot(row.query_id, row.observed, series="system") for row in rows if row.observed is not None
    ]
    return draw_dots(
        points,
        axis="score",
        name="chance-by-query",
        title="What chance scores on each query",
        reach="one standard deviation of chance to either side",
    )
