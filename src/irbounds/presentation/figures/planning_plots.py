"""Figures of plans of samples for recall, by split or size.

Samples with a two-sided interval have two panels, the expected width above and the expected ends
below; a one-sided interval has its expected limit only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import PlannedSample, RecallPlan
from ...results.recall_plans import describe_interval
from ...validation import Alternative
from ..phrases import capitalise
from ..rounding import (
    decimals,
    decimals_of_column,
    fixed,
    short_percentage,
)
from . import vega
from .shapes import distinguish_series, draw_curve, make_panel
from .style import (
    COLOURS,
    CONTRAST,
    EMPHASIS,
    QUIET,
    Figure,
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
