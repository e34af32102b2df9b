"""What more queries, or fewer, would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...results import QueryPlan
from ..families import by_measure
from ..rounding import decimals, fixed, percent
from . import vega
from .spans import stacked
from .style import COLOURS, QUIET, WIDTH, Figure, finished, reference_line, tooltips, values

__all__ = ["widths_by_queries"]

HEIGHT = 260  # pixels of a panel
KINDS = {"detectable difference": COLOURS[1], "half width": COLOURS[0]}
MOST_LINES = 4  # pairs that a pattern of dashes can tell apart


def widths_by_queries(plans: Sequence[QueryPlan]) -> Figure:
    """The detectable difference and the half width against the number of queries.

    A vertical line is at the queries there are, a diamond where a wish is met. Of more than
    ``MOST_LINES`` plans of a measure, those of the least, the middle and the largest spread are
    drawn.
    """
    families = [_drawn(family) for family in by_measure(plans)]
    first = plans[0]
    title = _title(families[0])
    if len(families) > 1:
        title = "What numbers of queries can show"
    return finished(
        stacked([(_title(family), _panel(family)) for family in families]),
        name=f"widths-{first.measure}" if len(families) == 1 else "widths",
        title=title,
        description=" ".join(map(_description, families)),
    )


def _panel(family: Sequence[QueryPlan]) -> vega.Chart:
    places = decimals(family[0].half_width)
    n_axis: dict[str, Any] = {
        "title": "queries",
        "scale": dict(type="log", nice=False),
        "axis": dict(format=",d", tickCount=8, labelOverlap=True),
    }
    what = "a mean from a fixed value" if family[0].kind == "mean" else "two means"
    size: dict[str, Any] = {
        "title": f"difference of {what} in {family[0].measure}",
        "scale": dict(zero=True),
    }
    colour = vega.channel(
        "kind:N",
        title=None,
        legend=dict(orient="top"),
        scale=dict(domain=list(KINDS), range=list(KINDS.values())),
    )
    lines = vega.Chart(values(_points(family))).encode(
        x=vega.X("n:Q", **n_axis),
        y=vega.Y("size:Q", **size),
        color=colour,
        detail="pair:N",
        tooltip=_tooltips(places),
    )
    if len(family) > 1:
        lines = lines.encode(strokeDash=_dashes(family))
    return vega.layer(
        *_now(family[0], n_axis), lines.mark_line(), *_wishes(lines, family)
    ).properties(width=WIDTH, height=HEIGHT)


def _drawn(family: Sequence[QueryPlan]) -> list[QueryPlan]:
    if len(family) <= MOST_LINES:
        return list(family)
    by_spread = sorted(family, key=lambda plan: plan.standard_deviation)
    chosen = (by_spread[0], by_spread[len(by_spread) // 2], by_spread[-1])
    words = ("least spread", "middle", "most spread")
    return [replace(plan, pair=f"{w}: {plan.pair}") for w, plan in zip(words, chosen, strict=True)]


def _dashes(family: Sequence[QueryPlan]) -> dict[str, Any]:
    return vega.channel(
        "pair:N",
        title=None,
        sort=[plan.pair for plan in family],
        legend=dict(orient="bottom", direction="vertical", labelLimit=500, symbolSize=600),
    )


def _tooltips(places: int) -> list[Any]:
    return [
        *tooltips({"pair": "for"}, {"n": "queries"}, ",d"),
        *tooltips({"kind": "what"}, ["size"], places),
    ]


def _now(first: QueryPlan, axis: dict[str, Any]) -> list[vega.Chart]:
    """The queries there are."""
    data = vega.Chart(values([{"n": first.n, "label": f"{first.n:,} now"}]))
    words = data.mark_text(color=QUIET, align="left", baseline="top", dx=5, dy=2, fontSize=12)
    named = words.encode(x=vega.X("n:Q", **axis), y=vega.value(0), text="label:N")
    return [reference_line(first.n, called="queries now", **axis), named]


def _wishes(lines: vega.Chart, family: Sequence[QueryPlan]) -> list[vega.Chart]:
    rows = [row for plan in family for row in _wished(plan)]
    if not rows:
        return []
    marks = lines.properties(data={"values": values(rows)}).mark_point(
        filled=True, shape="diamond", size=110, opacity=1
    )
    return [marks.encode(strokeDash=vega.value([1, 0]))]


def _wished(plan: QueryPlan) -> Iterator[dict[str, Any]]:
    met = (
        ("detectable difference", plan.difference, plan.queries_for_difference),
        ("half width", plan.wanted_half_width, plan.queries_for_half_width),
    )
    for kind, size, n in met:
        if size is not None and n is not None:
            yield {"pair": plan.pair, "kind": kind, "size": size, "n": n}


def _points(family: Sequence[QueryPlan]) -> Iterator[dict[str, Any]]:
    for plan in family:
        for point in plan.curve:
            sizes = (point.detectable_difference, point.half_width)
            for kind, size in zip(KINDS, sizes, strict=True):
                yield {"pair": plan.pair, "kind": kind, "size": size, "n": point.n}


def _title(family: Sequence[QueryPlan]) -> str:
    first = family[0]
    return (
        f"What numbers of queries can show in {first.measure}, with {percent(first.power)} power "
        f"at the {percent(first.confidence_level)} level"
    )


def _description(family: Sequence[QueryPlan]) -> str:
    first, last = family[0], family[0].curve[-1]
    places = decimals(first.half_width)
    return (
        f"{first.measure}, {first.pair}: with the {first.n:,} queries there are, a true difference "
        f"of {fixed(first.detectable_difference, places)} is seen with {percent(first.power)} "
        f"power and an interval is {fixed(first.half_width, places)} to either side; with "
        f"{last.n:,} queries these are {fixed(last.detectable_difference, places)} and "
        f"{fixed(last.half_width, places)}."
    )
