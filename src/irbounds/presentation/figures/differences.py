"""Differences of systems with their intervals, and which of them are shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...results import Comparison
from ..evaluation import half_width, interval_words
from ..families import by_measure
from ..rounding import decimals_of_column, error_level, fixed, given
from ..words import counted, counted_queries
from . import vega
from .spans import axis_of, end_fields, end_tooltips, spans, stacked
from .style import (
    CONTRAST,
    EMPHASIS,
    QUIET,
    ROW,
    WIDTH,
    Figure,
    finished,
    highlight,
    reference_line,
    tooltips,
    values,
)

__all__ = ["MOST_PAIRS", "differences"]

MOST_PAIRS = 60  # of one measure; all pairs of 129 systems are 8,256
LABEL_LIMIT = 360  # pixels: two names and a minus
COLOURS = {"shown": EMPHASIS, "not shown": QUIET, "no test": CONTRAST}
SHAPES = {"shown": "circle", "not shown": "diamond", "no test": "cross"}


def differences(comparisons: Sequence[Comparison]) -> Figure:
    """Mean differences, largest first, each a dot on its interval; zero is no difference.

    Colour and shape say whether the adjusted p-value shows a difference at the interval's level.
    Of more than ``MOST_PAIRS`` comparisons of a measure, those of the largest differences are
    drawn, and the title says so.
    """
    families = by_measure(comparisons)
    first = comparisons[0]
    title = _title(families[0])
    if len(families) > 1:
        title = f"Mean differences over {counted_queries(first.n)} with their intervals"
    return finished(
        stacked([(_title(family), _panel(family)) for family in families]),
        name=f"differences-{first.measure}" if len(families) == 1 else "differences",
        title=title,
        description=" ".join(map(_description, families)),
    )


def _panel(family: Sequence[Comparison]) -> vega.Chart:
    drawn, side = _largest(family), family[0].interval.alternative
    places = decimals_of_column(half_width(one.difference, one.interval) for one in drawn)
    rows = [_row(one) for one in drawn]
    base = vega.Chart(values(rows)).encode(
        y=vega.Y(
            "pair:N",
            sort=[row["pair"] for row in rows],
            title=None,
            axis=dict(labelLimit=LABEL_LIMIT),
        ),
        color=vega.channel("verdict:N", **_legend(drawn), scale=_scale(COLOURS)),
        opacity=highlight("system", "baseline"),
        tooltip=_tooltips(rows, family[0], places),
    )
    title = f"mean difference in {family[0].measure}"
    shape = vega.channel("verdict:N", **_legend(drawn), scale=_scale(SHAPES))
    marks = spans(base, "difference", side, axis_of(title, len(rows)), shape)
    return vega.layer(reference_line(0), *marks).properties(width=WIDTH, height=vega.step(ROW))


def _tooltips(rows: Sequence[dict[str, Any]], first: Comparison, places: int) -> list[Any]:
    return [
        *tooltips({"system": "system", "baseline": "minus"}, ["difference"], places),
        *end_tooltips(rows, first.interval.alternative, places),
        *tooltips((), {"p": "p", "adjusted_p": "adjusted p"}, ".2g"),
    ]


def _legend(drawn: Sequence[Comparison]) -> dict[str, Any]:
    """Only verdicts that there are, told by their rule."""
    level = given(_error_level(drawn[0]))
    p = "p" if drawn[0].adjustment == "none" else "adjusted p"
    there = [word for word in COLOURS if word in set(map(_verdict, drawn))]
    words = {"shown": f"{p} at most {level}", "not shown": f"{p} above {level}"}
    told = " : ".join(f"datum.value === '{word}' ? '{words[word]}'" for word in words)
    return {
        "legend": dict(orient="top", title=None, values=there, labelExpr=f"{told} : datum.value")
    }


def _scale(looks: dict[str, str]) -> dict[str, Any]:
    return dict(domain=list(looks), range=list(looks.values()))


def _error_level(one: Comparison) -> float:
    return error_level(one.interval.confidence_level)


def _verdict(one: Comparison) -> str:
    if math.isnan(one.adjusted_p_value):
        return "no test"
    return "shown" if one.adjusted_p_value <= _error_level(one) else "not shown"


def _largest(family: Sequence[Comparison]) -> list[Comparison]:
    largest = sorted(family, key=lambda one: -abs(one.difference))[:MOST_PAIRS]
    return sorted(largest, key=lambda one: -one.difference)


def _title(family: Sequence[Comparison]) -> str:
    first = family[0]
    words = interval_words(first.interval)
    few = f" (the {MOST_PAIRS} largest of {len(family):,})" if len(family) > MOST_PAIRS else ""
    return (
        f"Mean difference in {first.measure} over {counted_queries(first.n)} with its {words}{few}"
    )


def _description(family: Sequence[Comparison]) -> str:
    drawn = _largest(family)
    places = decimals_of_column(half_width(one.difference, one.interval) for one in drawn)
    shown = sum(_verdict(one) == "shown" for one in family)
    most = max(drawn, key=lambda one: abs(one.difference))
    return (
        f"{counted(len(family), 'comparison')} in {most.measure}, each mean difference with its "
        f"{interval_words(most.interval)} about a line at zero: {shown:,} shown at the "
        f"{given(_error_level(most))} level; the largest difference is "
        f"{fixed(most.difference, places)}, {_pair(most)}."
    )


def _pair(one: Comparison) -> str:
    return f"{one.system} \N{MINUS SIGN} {one.baseline}"


def _row(one: Comparison) -> dict[str, Any]:
    return {
        "pair": _pair(one),
        "system": one.system,
        "baseline": one.baseline,
        "difference": one.difference,
        **end_fields(one.interval),
        "p": one.p_value,
        "adjusted_p": one.adjusted_p_value,
        "verdict": _verdict(one),
    }
