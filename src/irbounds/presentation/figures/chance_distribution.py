"""What random rankings score, as a distribution, and an observed score in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import ParameterError
from ...parameters import Alternative
from ...results import NullDistribution, RandomBaseline
from ..rounding import p_words, percent, significant
from . import vega
from .chance_bars import Bar, bars_of, tail_side
from .spans import stacked
from .style import COLOURS, CONTRAST, EMPHASIS, QUIET, WIDTH, Figure, finished, tooltips, values

__all__ = ["CENTRAL", "chance_distributions", "null_distribution_figure"]

CENTRAL = 0.95  # share of random rankings in the range that is drawn
HEIGHT = 220
HEADROOM = 1.15  # above the highest bar, for the range
DIGITS = 4
FORM = f".{DIGITS}g"
MEAN, PREVALENCE, OBSERVED = EMPHASIS, COLOURS[2], CONTRAST
DASHES = {MEAN: [1, 0], PREVALENCE: [3, 3], OBSERVED: [8, 3]}


@dataclass(frozen=True)
class _Chance:
    """A distribution, and what is marked in it."""

    distribution: NullDistribution
    measure: str
    observed: float | None = None
    p_value: float | None = None
    prevalence: float | None = None
    alternative: Alternative = "greater"
    system: str | None = None

    @property
    def middle(self) -> tuple[float, float]:
        """The range that holds the central share of random rankings."""
        outside = (1 - CENTRAL) / 2
        return self.distribution.quantile(outside), self.distribution.quantile(1 - outside)


def null_distribution_figure(
    distribution: NullDistribution,
    observed: float | None = None,
    *,
    measure: str = "score",
    prevalence: float | None = None,
    alternative: Alternative = "greater",
) -> Figure:
    """One distribution of chance scores, with its mean, and an observed score with its p-value."""
    p = None if observed is None else distribution.p_value(observed, alternative)
    return _figure([_Chance(distribution, measure, observed, p, prevalence, alternative)])


def chance_distributions(baselines: Sequence[RandomBaseline]) -> Figure:
    """The same for every measure, and every system, one below the other."""
    known = [
        _Chance(
            row.distribution,
            row.measure,
            row.observed,
            row.p_value,
            row.prevalence,
            row.alternative,
            row.system,
        )
        for row in baselines
        if row.distribution is not None
    ]
    if not known:
        named = ", ".join(dict.fromkeys(row.measure for row in baselines))
        raise ParameterError(f"no distribution of chance scores is known for {named}")
    return _figure(known)


def _figure(chances: Sequence[_Chance]) -> Figure:
    drawn = [_panel(one) for one in chances]
    titles = [_title(one) for one in chances]
    measures = dict.fromkeys(one.measure for one in chances)
    chart = stacked([(title, panel) for title, (panel, _) in zip(titles, drawn, strict=True)])
    if len(chances) > 1:
        chart = chart.resolve_scale(color="independent", strokeDash="independent")
    return finished(
        chart,
        name=f"chance-{'-'.join(measures)}",
        title=titles[0] if len(chances) == 1 else "What random rankings score",
        description=" ".join(
            _description(one, bars) for one, (_, bars) in zip(chances, drawn, strict=True)
        ),
    )


def _panel(chance: _Chance) -> tuple[vega.Chart, list[Bar]]:
    side = tail_side(chance.distribution, chance.observed, chance.alternative)
    bars = bars_of(chance.distribution, chance.observed, side)
    lines = _lines(chance)
    ends = [one for bar in bars for one in (bar.low, bar.high)]
    ends += [line["score"] for line in lines]
    room = 0.02 * ((max(ends) - min(ends)) or 1.0)
    axis: dict[str, Any] = {
        "title": _axis_title(chance),
        "scale": dict(domain=[min(ends) - room, max(ends) + room], nice=False, zero=False),
    }
    layers = [_bars(bars, axis), _marked(lines, axis), *_range(chance, axis)]
    return vega.layer(*layers).properties(width=WIDTH, height=HEIGHT), bars


def _bars(bars: Sequence[Bar], axis: dict[str, Any]) -> vega.Chart:
    """Each score by itself as a thick line, or bars side by side."""
    single = all(bar.low == bar.high for bar in bars)
    width = "" if single else f" (bars {significant(bars[0].high - bars[0].low, 2)} wide)"
    top = HEADROOM * max(bar.share for bar in bars)
    names = {"low": "score"} if single else {"low": "above", "high": "up to"}
    base = vega.Chart(values({**asdict(bar), "zero": 0} for bar in bars)).encode(
        x=vega.X("low:Q", **axis),
        y=vega.Y("share:Q", title=f"probability{width}", scale=dict(domain=[0, top], nice=False)),
        y2="zero:Q",
        color=vega.condition("datum.beyond", CONTRAST, QUIET),
        tooltip=tooltips((), {**names, "share": "probability"}, FORM),
    )
    if single:
        return _chart(base.mark_rule(strokeWidth=5, strokeCap="butt"))
    return _chart(base.mark_rect().encode(x2="high:Q"))


def _lines(chance: _Chance) -> list[dict[str, Any]]:
    """What is marked by a line, named with its number."""
    mean = chance.distribution.mean
    lines = [(f"mean of random rankings: {significant(mean, DIGITS)}", mean, MEAN)]
    if chance.prevalence is not None:
        share = significant(chance.prevalence, DIGITS)
        lines.append((f"share of relevant documents: {share}", chance.prevalence, PREVALENCE))
    if chance.observed is not None:
        whose = "observed" if chance.system is None else chance.system
        named = f"{whose}: {significant(chance.observed, DIGITS)}{_p_words(chance)}"
        lines.append((named, chance.observed, OBSERVED))
    return [{"line": name, "score": score, "colour": c} for name, score, c in lines]


def _marked(lines: Sequence[dict[str, Any]], axis: dict[str, Any]) -> vega.Chart:
    names, colours = ([line[key] for line in lines] for key in ("line", "colour"))
    dashes = [DASHES[colour] for colour in colours]
    legend = dict(
        title=None, orient="bottom", direction="vertical", symbolSize=500, labelLimit=WIDTH
    )
    rows = [{"line": line["line"], "score": line["score"]} for line in lines]
    marks = vega.Chart(values(rows)).mark_rule(strokeWidth=2.5)
    return _chart(
        marks.encode(
            x=vega.X("score:Q", **axis),
            color=vega.channel("line:N", scale=dict(domain=names, range=colours), legend=legend),
            strokeDash=vega.channel(
                "line:N", scale=dict(domain=names, range=dashes), legend=legend
            ),
            tooltip=tooltips(["line"], ["score"], FORM),
        )
    )


def _range(chance: _Chance, axis: dict[str, Any]) -> list[vega.Chart]:
    """The middle of random rankings as an interval above the bars, its mean a dot."""
    low, high = chance.middle
    rows = values([{"from": low, "to": high, "mean": chance.distribution.mean}])
    middle = f"middle {percent(CENTRAL)}"
    base = vega.Chart(rows).encode(
        y=vega.value(8), tooltip=tooltips((), {"from": f"{middle} from", "to": "to"}, FORM)
    )
    line = base.mark_rule(color=EMPHASIS, strokeWidth=3)
    dot = base.mark_point(color=EMPHASIS, filled=True, size=60, opacity=1)
    return [
        _chart(line.encode(x=vega.X("from:Q", **axis), x2="to:Q")),
        _chart(dot.encode(x=vega.X("mean:Q", **axis))),
    ]


def _chart(chart: Any) -> vega.Chart:
    """A chart whose type altair leaves open."""
    found: vega.Chart = chart
    return found


def _axis_title(chance: _Chance) -> list[str]:
    low, high = (significant(end, DIGITS) for end in chance.middle)
    return [
        chance.measure,
        f"line across the top: the middle {percent(CENTRAL)} of random rankings, {low} to {high}",
    ]


def _title(chance: _Chance) -> str:
    title = f"{chance.measure} of random rankings: {significant(chance.distribution.mean, DIGITS)}"
    title += " on average"
    if chance.observed is None:
        return title
    return f"{title}; {significant(chance.observed, DIGITS)} observed{_p_words(chance)}"


def _p_words(chance: _Chance) -> str:
    return "" if chance.p_value is None else f" ({p_words(chance.p_value)})"


def _description(chance: _Chance, bars: Sequence[Bar]) -> str:
    low, high = (significant(end, DIGITS) for end in chance.middle)
    likeliest = max(bars, key=lambda bar: bar.share)
    said = (
        f"Distribution of {chance.measure} over random rankings ({chance.distribution.method}): "
        f"mean {significant(chance.distribution.mean, DIGITS)}, middle {percent(CENTRAL)} from "
        f"{low} to {high}, most often near {significant((likeliest.low + likeliest.high) / 2, 2)}."
    )
    if chance.prevalence is not None:
        said += f" The share of relevant documents is {significant(chance.prevalence, DIGITS)}."
    if chance.observed is not None:
        said += f" Observed: {significant(chance.observed, DIGITS)}{_p_words(chance)}."
    return said
