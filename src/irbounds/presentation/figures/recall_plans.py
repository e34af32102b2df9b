"""What a sample that is still to be drawn promises: by where it is drawn, and by how large it is.

Plans with a two-sided interval have two panels, the expected width above and the expected ends
below; a one-sided interval has its expected limit alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...parameters import Alternative
from ...results import PlannedSample, RecallPlan
from ..recall_planning import interval_meant
from ..rounding import decimals, decimals_of_column, fixed, short_percentage
from ..words import capital
from . import vega
from .style import COLOURS, CONTRAST, EMPHASIS, QUIET, WIDTH, Figure, finished, tooltips, values

__all__ = ["expected_widths", "plan_by_allocation", "plan_by_size"]

HEIGHT = 180
#: what a side's plans make small or large, and where a planned sample has it
SHOWN: dict[Alternative, tuple[str, str]] = {
    "two-sided": ("expected width", "expected_width"),
    "greater": ("expected lower limit of recall", "expected_low"),
    "less": ("expected upper limit of recall", "expected_high"),
}
SHARE = "share of the assessments that goes to the retrieved documents"
SIZE = "documents assessed"
BEST, PLAN = "best split", "this plan"
SIZES = {
    "budget": "documents assessed",
    "retrieved": "retrieved ones among them",
    "others": "others among them",
}
ENDS = {"width": "expected width", "low": "expected low end", "high": "expected high end"}


def plan_by_allocation(plan: RecallPlan) -> Figure:
    """One budget in every split; the good range is shaded, the best and the chosen are marked."""
    samples = {one.retrieved_sample: one for one in (*plan.curve, plan.best, plan.sample)}
    rows = [_row(samples[place]) for place in sorted(samples)]
    budget = plan.sample.budget
    good = {"from": plan.good_from / budget, "to": plan.good_to / budget}
    marks = [{"mark": BEST, **_row(plan.best)}]
    if plan.sample is not plan.best:
        marks.append({"mark": PLAN, **_row(plan.sample)})
    best, chosen = (_height(plan, one) for one in (plan.best, plan.sample))
    places = decimals(plan.tolerance * plan.sample.expected_width)
    what = SHOWN[plan.alternative][0]
    instead = "" if plan.sample is plan.best else (
        f" The plan has {_percent(plan.sample.split)} and {fixed(chosen, places)}."
    )  # fmt: skip
    return finished(
        _panels(plan.alternative, rows, _by_split(), marks, good),
        name="recall-plan-allocation",
        title=f"{capital(what)} by the split of {budget:,} assessments: {interval_meant(plan)}",
        description=f"{capital(what)} by the {SHARE}: {fixed(best, places)} at the best split, "
        f"{_percent(plan.best.split)}; within {_percent(plan.tolerance)} of the best from "
        f"{_percent(good['from'])} to {_percent(good['to'])} (shaded).{instead}",
    )


def plan_by_size(plans: Sequence[RecallPlan]) -> Figure:
    """Several budgets, each at its split, from few assessments to many."""
    ordered = sorted(plans, key=lambda plan: plan.sample.budget)
    rows = [_row(plan.sample) for plan in ordered]
    first, last = ordered[0], ordered[-1]
    places = decimals(last.tolerance * last.sample.expected_width)
    what = SHOWN[first.alternative][0]
    said = "; ".join(
        f"{fixed(_height(plan, plan.sample), places)} with {plan.sample.budget:,}"
        for plan in ordered
    )
    return finished(
        _panels(first.alternative, rows, _by_size(rows)),
        name="recall-plan-size",
        title=f"{capital(what)} by the number of assessments: {interval_meant(first)}",
        description=f"{capital(what)} by the number of {SIZE}: {said}.",
    )


def expected_widths(samples: Sequence[PlannedSample]) -> Figure:
    """Samples without their plans: widths alone, by size or, of one size, by split."""
    is_by_size = len({one.budget for one in samples}) > 1
    ordered = sorted(samples, key=lambda one: one.budget if is_by_size else one.split)
    rows = [*map(_row, ordered)]
    x, what = (_by_size(rows), SIZE) if is_by_size else (_by_split(), SHARE)
    places = decimals_of_column(one.expected_width for one in ordered)
    said = "; ".join(
        f"{fixed(one.expected_width, places)} with {one.budget:,}, {_percent(one.split)} of them "
        "retrieved ones"
        for one in (ordered[0], ordered[-1])
    )
    width = SHOWN["two-sided"][0]
    return finished(
        vega.layer(*_curve(rows, x, _height_axis("two-sided"))).properties(
            width=WIDTH, height=HEIGHT
        ),
        name="planned-samples",
        title=f"{capital(width)} by the {'number of ' if is_by_size else ''}{what}",
        description=f"{capital(width)} of {len(ordered):,} samples, from {said}.",
    )


def _by_split() -> dict[str, Any]:
    return vega.X("split:Q", title=SHARE, axis=dict(format=".0%"), scale=dict(nice=False))


def _by_size(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    scale = dict(type="log", nice=False, padding=12)
    axis = dict(format=",d", values=_ticks(rows))
    return vega.X("budget:Q", title=SIZE, scale=scale, axis=axis)


def _height_axis(side: Alternative) -> dict[str, Any]:
    field = {"two-sided": "width", "greater": "low", "less": "high"}[side]
    return vega.Y(f"{field}:Q", title=SHOWN[side][0], scale=dict(zero=side == "two-sided"))


def _curve(
    rows: Sequence[dict[str, Any]], x: dict[str, Any], y: dict[str, Any]
) -> list[vega.Chart]:
    base = vega.Chart(values(rows)).encode(x=x, y=y, tooltip=_tooltips())
    return [
        base.mark_line(color=EMPHASIS, strokeWidth=2),
        base.mark_point(color=EMPHASIS, filled=True, size=40, opacity=1),
    ]


def _panels(
    side: Alternative,
    rows: Sequence[dict[str, Any]],
    x: dict[str, Any],
    marks: Sequence[dict[str, Any]] = (),
    good: dict[str, float] | None = None,
) -> vega.Chart:
    """The curve, with the interval below it where both of its ends are planned."""
    y = _height_axis(side)
    layers = [*([_shade(good)] if good else []), *_curve(rows, x, y)]
    if marks:
        layers.append(_marked(marks, x, y))
    curve = vega.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    if side != "two-sided":
        return curve
    ends = vega.Chart(values(rows)).encode(
        x=x,
        y=vega.Y("low:Q", title="expected interval of recall", scale=dict(domain=[0, 1])),
        y2="high:Q",
        tooltip=_tooltips(),
    )
    band = ends.mark_area(color=EMPHASIS, opacity=0.2)
    lines = ends.mark_rule(color=EMPHASIS, strokeWidth=2)
    below = vega.layer(*([_shade(good)] if good else []), band, lines)
    return vega.vconcat(curve, below.properties(width=WIDTH, height=HEIGHT), spacing=16)


def _marked(marks: Sequence[dict[str, Any]], x: dict[str, Any], y: dict[str, Any]) -> Any:
    """The best and the chosen sample, in shape and colour."""
    names = [row["mark"] for row in marks]
    scales = {
        "shape": dict(domain=names, range=["diamond", "triangle-up"][: len(names)]),
        "color": dict(domain=names, range=[CONTRAST, COLOURS[2]][: len(names)]),
    }
    legend = dict(title=None, orient="top")
    return (
        vega.Chart(values(marks))
        .mark_point(filled=True, size=140, opacity=1)
        .encode(
            x=x,
            y=y,
            shape=vega.channel("mark:N", scale=scales["shape"], legend=legend),
            color=vega.channel("mark:N", scale=scales["color"], legend=legend),
            tooltip=[*tooltips({"mark": "sample"}), *_tooltips()],
        )
    )


def _shade(good: dict[str, float]) -> Any:
    """Splits that are as good as the best."""
    shade = vega.Chart(values([good])).mark_rect(color=QUIET, opacity=0.18)
    return shade.encode(x=vega.X("from:Q"), x2="to:Q")


def _row(sample: PlannedSample) -> dict[str, Any]:
    return {
        "budget": sample.budget,
        "retrieved": sample.retrieved_sample,
        "others": sample.unretrieved_sample,
        "split": sample.split,
        "width": sample.expected_width,
        "low": sample.expected_low,
        "high": sample.expected_high,
    }


def _tooltips() -> list[dict[str, Any]]:
    share = tooltips((), {"split": "share of retrieved ones"}, ".1%")
    return [*tooltips((), SIZES, ","), *share, *tooltips((), ENDS)]


def _ticks(rows: Sequence[dict[str, Any]]) -> list[int]:
    """The budgets themselves, as far as their numbers have room."""
    numbers = [row["budget"] for row in rows]
    return numbers if len(numbers) <= 8 else numbers[:: -(-len(numbers) // 8)]


def _height(plan: RecallPlan, sample: PlannedSample) -> float:
    return float(getattr(sample, SHOWN[plan.alternative][1]))


def _percent(share: float) -> str:
    return short_percentage(share, 1)
