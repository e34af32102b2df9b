"""Figures of plans: widths by the number of queries, and of samples for recall by split or size.

Samples with a two-sided interval have two panels, the expected width above and the expected ends
below; a one-sided interval has its expected limit only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...results import (
    PlannedSample,
    QueryPlan,
    RecallPlan,
    Reliability,
    SystemsPlan,
)
from ...results.query_plans import describe_systems_plan
from ...results.recall_plans import describe_interval
from ...validation import Alternative
from ..phrases import capitalise, group_by_measure
from ..rounding import (
    FRACTION_DECIMALS,
    decimals,
    decimals_of_column,
    fixed,
    percent,
    short_percentage,
)
from . import vega
from .shapes import choose_log_ticks, distinguish_series, draw_curve, make_panel, stack_panels
from .style import (
    COLOURS,
    CONTRAST,
    EMPHASIS,
    QUIET,
    Figure,
    draw_reference_line,
    make_figure,
    tooltips,
    values,
)

HEIGHT = 180
#: what plans of a side make small or large, and the field of a row that has it
SHOWN: dict[Alternative, tuple[str, str]] = {
    "two-sided": ("expected width", "width"),
    "greater": ("expected lower limit of recall", "low"),
    "less": ("expected upper limit of recall", "high"),
}
FRACTION = "fraction of the assessments that goes to the retrieved documents"
SIZE = "documents assessed"
REST = "other documents assessed"
SIZES = {"budget": SIZE, "retrieved": "retrieved ones among them", "others": "others among them"}
ENDS = {"width": "expected width", "low": "expected low end", "high": "expected high end"}
QUERIES_HEIGHT = 260
KINDS = {"detectable difference": COLOURS[1], "half width": COLOURS[0]}
MET = "queries that are needed"
MAX_LINES = 4  # pairs that a pattern of dashes can tell apart
MAX_TICKS = 5


def draw_plans(plans: Sequence[RecallPlan]) -> Figure:
    """Draw one plan by its split, several by their size."""
    if len(plans) > 1:
        return draw_sizes(plans)
    return draw_rest_samples(plans[0]) if plans[0].is_read_in_full else draw_allocation(plans[0])


def draw_rest_samples(plan: RecallPlan) -> Figure:
    """Draw the expected interval by the size of the sample of the rest."""
    rows = [_make_rest_row(sample) for sample in plan.curve]
    what, field = SHOWN[plan.alternative]
    places = decimals(plan.tolerance * plan.sample.expected_width)
    numbers = "; ".join(f"{fixed(row[field], places)} with {row['budget']:,}" for row in rows)
    return make_figure(
        _plan_panels(
            plan.alternative,
            rows,
            _make_size_axis(rows, REST),
            [{"mark": "this plan", **_make_rest_row(plan.sample)}],
        ),
        name="recall-plan-rest",
        title=f"{capitalise(what)} by the number of {REST}: {describe_interval(plan)}",
        description=f"{capitalise(what)} by the number of {REST}: {numbers}.",
    )


def _make_rest_row(sample: PlannedSample) -> dict[str, Any]:
    """Return a row whose size is that of the unretrieved sample."""
    return {**_make_row(sample), "budget": sample.unretrieved_sample}


def draw_allocation(plan: RecallPlan) -> Figure:
    """Draw one budget in every split; the good range is shaded, best and chosen are marked."""
    samples = {sample.retrieved_sample: sample for sample in (*plan.curve, plan.best, plan.sample)}
    rows = [_make_row(samples[place]) for place in sorted(samples)]
    budget, best = plan.sample.budget, _make_row(plan.best)
    good = {"from": plan.good_from / budget, "to": plan.good_to / budget}
    marks, instead = [{"mark": "best split", **best}], ""
    what, field = SHOWN[plan.alternative]
    places = decimals(plan.tolerance * plan.sample.expected_width)
    if plan.sample is not plan.best:
        chosen = _make_row(plan.sample)
        marks.append({"mark": "this plan", **chosen})
        instead = f" The plan has {_percent(chosen['split'])} and {fixed(chosen[field], places)}."
    return make_figure(
        _plan_panels(plan.alternative, rows, _make_split_axis(), marks, good),
        name="recall-plan-allocation",
        title=f"{capitalise(what)} by the split of {budget:,} assessments: "
        f"{describe_interval(plan)}",
        description=f"{capitalise(what)} by the {FRACTION}: {fixed(best[field], places)} at the "
        f"best split, {_percent(best['split'])}; within {_percent(plan.tolerance)} "
        f"of the best from {_percent(good['from'])} to {_percent(good['to'])} (shaded).{instead}",
    )


def draw_sizes(plans: Sequence[RecallPlan]) -> Figure:
    """Draw several budgets, each at its split, from few assessments to many."""
    ordered = sorted(plans, key=lambda plan: plan.sample.budget)
    rows = [_make_row(plan.sample) for plan in ordered]
    first, last = ordered[0], ordered[-1]
    places = decimals(last.tolerance * last.sample.expected_width)
    what, field = SHOWN[first.alternative]
    numbers = "; ".join(f"{fixed(row[field], places)} with {row['budget']:,}" for row in rows)
    return make_figure(
        _plan_panels(first.alternative, rows, _make_size_axis(rows)),
        name="recall-plan-size",
        title=f"{capitalise(what)} by the number of assessments: {describe_interval(first)}",
        description=f"{capitalise(what)} by the number of {SIZE}: {numbers}.",
    )


def draw_expected_widths(samples: Sequence[PlannedSample]) -> Figure:
    """Draw widths of samples without their plans, by size or, of one size, by split."""
    is_by_size = len({sample.budget for sample in samples}) > 1
    ordered = sorted(samples, key=lambda sample: sample.budget if is_by_size else sample.split)
    rows = [*map(_make_row, ordered)]
    x, what = (
        (_make_size_axis(rows), f"number of {SIZE}")
        if is_by_size
        else (_make_split_axis(), FRACTION)
    )
    places = decimals_of_column(sample.expected_width for sample in ordered)
    ends = "; ".join(
        f"{fixed(sample.expected_width, places)} with {sample.budget:,}, {_percent(sample.split)} "
        "of them retrieved ones"
        for sample in (ordered[0], ordered[-1])
    )
    return make_figure(
        make_panel(*draw_curve(_make_points(rows, x, "two-sided")), height=HEIGHT),
        name="planned-samples",
        title=f"Expected width by the {what}",
        description=f"Expected width of {len(ordered):,} samples, from {ends}.",
    )


def _make_split_axis() -> dict[str, Any]:
    axis = dict(format=".0%", grid=False)
    return vega.X("split:Q", title=FRACTION, axis=axis, scale=dict(nice=False))


def _make_size_axis(rows: Sequence[dict[str, Any]], title: str = SIZE) -> dict[str, Any]:
    """Return a logarithmic axis with ticks at the budgets, as far as their numbers have room."""
    budgets = [row["budget"] for row in rows]
    axis = dict(format=",d", values=budgets[:: -(-len(budgets) // MAX_TICKS)], grid=False)
    return vega.X(
        "budget:Q", title=title, scale=dict(type="log", nice=False, padding=12), axis=axis
    )


def _make_points(
    rows: Sequence[dict[str, Any]], x: dict[str, Any], side: Alternative
) -> vega.Chart:
    title, field = SHOWN[side]
    y = vega.Y(f"{field}:Q", title=title, scale=dict(zero=side == "two-sided"))
    return vega.Chart(values(rows)).encode(x=x, y=y, tooltip=_plan_tooltips())


def _plan_panels(
    side: Alternative,
    rows: Sequence[dict[str, Any]],
    x: dict[str, Any],
    marks: Sequence[dict[str, Any]] = (),
    good: dict[str, float] | None = None,
) -> vega.Chart:
    """Draw the curve, with the interval below it where both of its ends are planned."""
    shade = []
    if good:
        area = vega.Chart(values([good])).mark_rect(color=QUIET, opacity=0.18)
        shade = [area.encode(x=vega.X("from:Q"), x2="to:Q")]
    layers = [*shade, *draw_curve(_make_points(rows, x, side))]
    if marks:
        names = [row["mark"] for row in marks]
        colours, shapes = (CONTRAST, COLOURS[2]), ("diamond", "triangle-up")
        look = distinguish_series(
            *("mark", names, "shape"), styles=shapes, colours=colours[: len(names)], orient="top"
        )
        tooltip = [*tooltips({"mark": "sample"}), *_plan_tooltips()]
        chosen = _make_points(marks, x, side).mark_point(filled=True, size=140, opacity=1)
        layers.append(chosen.encode(tooltip=tooltip, **look))
    above = make_panel(*layers, height=HEIGHT)
    if side != "two-sided":
        return above
    y = vega.Y("low:Q", title="expected interval of recall", scale=dict(domain=[0, 1]))
    ends = vega.Chart(values(rows)).encode(x=x, y=y, y2="high:Q", tooltip=_plan_tooltips())
    band = ends.mark_area(color=EMPHASIS, opacity=0.2)
    below = make_panel(*shade, band, ends.mark_rule(color=EMPHASIS, strokeWidth=2), height=HEIGHT)
    return vega.vconcat(above, below, spacing=16)


def _make_row(sample: PlannedSample) -> dict[str, Any]:
    return {
        "budget": sample.budget,
        "retrieved": sample.retrieved_sample,
        "others": sample.unretrieved_sample,
        "split": sample.split,
        "width": sample.expected_width,
        "low": sample.expected_low,
        "high": sample.expected_high,
    }


def _plan_tooltips() -> list[dict[str, Any]]:
    fraction = tooltips((), {"split": "fraction of retrieved ones"}, ".1%")
    return [*tooltips((), SIZES, ","), *fraction, *tooltips((), ENDS)]


def _percent(fraction: float) -> str:
    return short_percentage(fraction, 1)


def draw_query_plans(plans: Sequence[QueryPlan]) -> Figure:
    """Draw the detectable difference and the half width against the number of queries.

    A vertical line is at the present number of queries, a diamond at one that meets a request. Of
    more than ``MAX_LINES`` plans of a measure, those of the smallest, the middle and the largest
    spread are drawn.
    """
    families = [_choose_plans(family) for family in group_by_measure(plans)]
    several = len(families) > 1
    return make_figure(
        stack_panels([(_make_title(family), _width_panel(family)) for family in families]),
        name="widths" if several else f"widths-{plans[0].measure}",
        title="What numbers of queries can show" if several else _make_title(families[0]),
        description=" ".join(map(_describe_widths, families)),
    )


def _choose_plans(family: Sequence[QueryPlan]) -> list[QueryPlan]:
    if len(family) <= MAX_LINES:
        return list(family)
    by_spread = sorted(family, key=lambda plan: plan.standard_deviation)
    chosen = (by_spread[0], by_spread[len(by_spread) // 2], by_spread[-1])
    words = ("least spread", "middle", "most spread")
    return [replace(plan, pair=f"{w}: {plan.pair}") for w, plan in zip(words, chosen, strict=True)]


def _width_panel(family: Sequence[QueryPlan]) -> vega.Chart:
    first = family[0]
    axis = _make_queries_axis([point.n for plan in family for point in plan.curve])
    what = "a mean from a fixed value" if first.kind == "mean" else "two means"
    title = f"difference of {what} in {first.measure}"
    points = [
        {"pair": plan.pair, "kind": kind, "size": size, "n": point.n}
        for plan in family
        for point in plan.curve
        for kind, size in zip(KINDS, (point.detectable_difference, point.half_width), strict=True)
    ]
    kinds = dict(domain=list(KINDS), range=list(KINDS.values()))
    strokes = dict(orient="top", symbolType="stroke", symbolStrokeWidth=2)
    lines = vega.Chart(values(points)).encode(
        x=vega.X("n:Q", **axis),
        y=vega.Y("size:Q", title=title, scale=dict(zero=True)),
        color=vega.channel("kind:N", title=None, legend=strokes, scale=kinds),
        detail="pair:N",
        tooltip=[
            *tooltips({"pair": "for"}, {"n": "queries"}, ",d"),
            *tooltips({"kind": "what"}, ["size"], decimals(first.half_width)),
        ],
    )
    if len(family) > 1:
        legend = dict(orient="bottom", direction="vertical", labelLimit=500, symbolSize=600)
        pairs = [plan.pair for plan in family]
        lines = lines.encode(
            strokeDash=vega.channel("pair:N", title=None, sort=pairs, legend=legend)
        )
    requests = [row for plan in family for row in _list_requests(plan)]
    layers = [*_mark_now(first.n, axis), lines.mark_line(), *_mark_requests(lines, requests)]
    return make_panel(*layers, height=QUERIES_HEIGHT)


def _make_queries_axis(sizes: Sequence[int]) -> dict[str, Any]:
    """Return a logarithmic axis of numbers of queries."""
    return {
        "title": "queries",
        "scale": dict(type="log", nice=False),
        "axis": dict(format=",d", values=choose_log_ticks(min(sizes), max(sizes)), grid=False),
    }


def _mark_now(n: int, axis: dict[str, Any], *, is_below: bool = False) -> list[vega.Chart]:
    """Return a vertical line at the present number of queries, with a label at one of its ends."""
    now = vega.Chart(values([{"n": n, "label": f"{n:,} now"}]))
    side, dy, height = ("bottom", -4, QUERIES_HEIGHT) if is_below else ("top", 2, 0)
    words = now.mark_text(color=QUIET, align="left", baseline=side, dx=5, dy=dy, fontSize=12)
    return [
        draw_reference_line(n, called="queries now", **axis),
        words.encode(x=vega.X("n:Q", **axis), y=vega.value(height), text="label:N"),
    ]


def _mark_requests(lines: vega.Chart, requests: Sequence[dict[str, Any]]) -> list[vega.Chart]:
    """Return a diamond at each number of queries that meets a request."""
    if not requests:
        return []
    marks = lines.properties(data={"values": values(requests)})
    marks = marks.mark_point(filled=True, size=110, opacity=1)
    grey = dict(orient="top", symbolFillColor=QUIET, symbolStrokeColor=QUIET)
    scale = dict(domain=[MET], range=["diamond"])
    shape = vega.channel("request:N", title=None, legend=grey, scale=scale)
    return [marks.encode(shape=shape, strokeDash=vega.value([1, 0]))]


def _list_requests(plan: QueryPlan) -> list[dict[str, Any]]:
    sizes = (plan.difference, plan.wanted_half_width)
    numbers = (plan.queries_for_difference, plan.queries_for_half_width)
    return [
        {"pair": plan.pair, "kind": kind, "size": size, "n": n, "request": MET}
        for kind, size, n in zip(KINDS, sizes, numbers, strict=True)
        if size is not None and n is not None
    ]


def _make_title(family: Sequence[QueryPlan]) -> str:
    first = family[0]
    return (
        f"What numbers of queries can show in {first.measure}, with {percent(first.power)} power "
        f"at the {percent(first.confidence_level)} level"
    )


def _describe_widths(family: Sequence[QueryPlan]) -> str:
    first, last = family[0], family[0].curve[-1]
    places = decimals(first.half_width)
    return (
        f"{first.measure}, {first.pair}: with the {first.n:,} queries there are, a true difference "
        f"of {fixed(first.detectable_difference, places)} is detected with {percent(first.power)} "
        f"power and an interval is {fixed(first.half_width, places)} to either side; with "
        f"{last.n:,} queries these are {fixed(last.detectable_difference, places)} and "
        f"{fixed(last.half_width, places)}."
    )


ANOVA_COLOURS = {"one-way": COLOURS[1], "two-way": COLOURS[0]}
COEFFICIENTS = {"Erho2": "differences of systems (Erho2)", "Phi": "means of systems (Phi)"}


def draw_systems_plans(plans: Sequence[SystemsPlan]) -> Figure:
    """Draw the detectable difference of best and worst system against the number of queries."""
    families = group_by_measure(plans)
    several = len(families) > 1
    name = "ranges" if several or plans[0].n is None else f"ranges-{plans[0].measure}"
    titles = [capitalise(describe_systems_plan(family[0])) for family in families]
    panels = [(title, _range_panel(family)) for title, family in zip(titles, families, strict=True)]
    return make_figure(
        stack_panels(panels),
        name=name,
        title="What numbers of queries can show about several systems" if several else titles[0],
        description=" ".join(map(_describe_ranges, families)),
    )


def _range_panel(family: Sequence[SystemsPlan]) -> vega.Chart:
    first = family[0]
    axis = _make_queries_axis([point.n for plan in family for point in plan.curve])
    points = [
        {"kind": plan.anova, "size": point.detectable_difference, "n": point.n}
        for plan in family
        for point in plan.curve
    ]
    requests = [
        {
            "kind": plan.anova,
            "size": plan.difference,
            "n": plan.queries_for_difference,
            "request": MET,
        }
        for plan in family
        if plan.queries_for_difference is not None
    ]
    places = decimals(min(plan.curve[-1].detectable_difference for plan in family))
    look = distinguish_series(
        *("kind", ANOVA_COLOURS, "strokeDash"),
        colours=tuple(ANOVA_COLOURS.values()),
        orient="top",
        symbolType="stroke",
    )
    lines = vega.Chart(values(points)).encode(
        x=vega.X("n:Q", **axis),
        y=vega.Y("size:Q", title="difference of best and worst system", scale=dict(zero=True)),
        tooltip=[
            *tooltips({"kind": "analysis of variance"}, {"n": "queries"}, ",d"),
            *tooltips((), {"size": "detectable difference"}, places),
        ],
        **look,
    )
    now = [] if first.n is None else _mark_now(first.n, axis)
    marks = _mark_requests(lines, requests)
    return make_panel(*now, lines.mark_line(), *marks, height=QUERIES_HEIGHT)


def _describe_ranges(family: Sequence[SystemsPlan]) -> str:
    first, texts = family[0], []
    for plan in family:
        ends = [plan.curve[0], plan.curve[-1]]
        places = decimals(ends[1].detectable_difference)
        numbers = " and ".join(
            f"{fixed(point.detectable_difference, places)} with {point.n:,} queries"
            for point in ends
        )
        texts.append(f"{plan.anova} {numbers}")
    measure = "" if first.n is None else f" in {first.measure}"
    return (
        f"Detectable difference of the best and the worst of {first.n_systems:,} systems{measure}, "
        f"by analysis of variance: {'; '.join(texts)}."
    )


def draw_reliability(rows: Sequence[Reliability]) -> Figure:
    """Draw both coefficients of reliability with their intervals against the number of queries."""
    parts = group_by_measure(rows)
    several = len(parts) > 1
    titles = [
        f"Reliability of {part[0].n_systems:,} systems' {part[0].measure} by the number of "
        f"queries, with {percent(part[0].interval.confidence_level)} intervals"
        for part in parts
    ]
    panels = [(title, _reliability_panel(part)) for title, part in zip(titles, parts, strict=True)]
    return make_figure(
        stack_panels(panels),
        name="reliability" if several else f"reliability-{rows[0].measure}",
        title="Reliability by the number of queries" if several else titles[0],
        description=" ".join(map(_describe_reliability, parts)),
    )


def _reliability_panel(rows: Sequence[Reliability]) -> vega.Chart:
    first = list({row.coefficient: row for row in reversed(rows)}.values())[::-1]
    points = {
        (point.coefficient, point.n): _reliability_point(point)
        for row in first
        for point in row.curve or (row,)
    }
    axis = _make_queries_axis([n for _, n in points])
    requests = [
        {
            "kind": COEFFICIENTS[required.coefficient],
            "size": required.target,
            "n": required.value,
            "request": MET,
        }
        for row in first
        for required in row.required
        if required.value <= max(n for _, n in points)
    ]
    look = distinguish_series(
        *("kind", [COEFFICIENTS[row.coefficient] for row in first], "strokeDash"),
        orient="top",
        symbolType="stroke",
        symbolOpacity=1,  # not that of the bands
    )
    scale = dict(domain=[0, 1])
    lines = vega.Chart(values(points.values())).encode(
        x=vega.X("n:Q", **axis),
        y=vega.Y("size:Q", title="reliability", scale=scale),
        tooltip=[
            *tooltips({"kind": "reliability of"}, {"n": "queries"}, ",d"),
            *tooltips((), {"size": "reliability", "low": "low", "high": "high"}, FRACTION_DECIMALS),
        ],
        **look,
    )
    bands = lines.mark_area(opacity=0.15, strokeWidth=0).encode(
        y=vega.Y("low:Q", title="reliability", scale=scale), y2="high:Q"
    )
    now = _mark_now(rows[0].n, axis, is_below=True)
    marks = _mark_requests(lines, requests)
    return make_panel(bands, *now, lines.mark_line(), *marks, height=QUERIES_HEIGHT)


def _reliability_point(row: Reliability) -> dict[str, Any]:
    low, high = row.interval
    kind = COEFFICIENTS[row.coefficient]
    return {"kind": kind, "size": row.value, "low": low, "high": high, "n": row.n}


def _describe_reliability(rows: Sequence[Reliability]) -> str:
    texts = []
    for row in rows:
        low, high = (fixed(end, FRACTION_DECIMALS) for end in row.interval)
        texts.append(
            f"{row.coefficient} {fixed(row.value, FRACTION_DECIMALS)} (from {low} to {high}) with "
            f"{row.n:,} queries"
        )
    return f"Reliability of {rows[0].n_systems:,} systems' {rows[0].measure}: {'; '.join(texts)}."
