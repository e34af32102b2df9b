"""What a sample that is still to be drawn promises: by where it is drawn, and by how large it is.

Plans with a two-sided interval have two panels, the expected width above and the expected ends
below; a one-sided interval has its expected limit alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from ...parameters import Alternative
from ...results import PlannedSample, RecallPlan
from ..evaluation import SIDES
from ..rounding import decimals, fixed
from .style import CONTRAST, EMPHASIS, QUIET, WIDTH, Figure, finished, values

__all__ = ["plan_by_allocation", "plan_by_size"]

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
TOOLTIPS = (
    ("budget", "documents assessed", ","),
    ("retrieved", "retrieved ones among them", ","),
    ("others", "others among them", ","),
    ("split", "share of retrieved ones", ".1%"),
    ("width", "expected width", ".4f"),
    ("low", "expected low end", ".4f"),
    ("high", "expected high end", ".4f"),
)


def plan_by_allocation(plan: RecallPlan) -> Figure:
    """One budget in every split; the good range is shaded, the best and the chosen are marked."""
    samples = {one.retrieved_sample: one for one in (*plan.curve, plan.best, plan.sample)}
    rows = [_row(samples[place]) for place in sorted(samples)]
    budget = plan.sample.budget
    x = alt.X("split:Q", title=SHARE, axis=alt.Axis(format=".0%"), scale=alt.Scale(nice=False))
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
        _panels(plan.alternative, rows, x, marks, good),
        name="recall-plan-allocation",
        title=f"{_capital(what)} by the split of {budget:,} assessments ({_meant(plan)})",
        description=f"{_capital(what)} by the {SHARE}: {fixed(best, places)} at the best split, "
        f"{_percent(plan.best.split)}; within {_percent(plan.tolerance)} of the best from "
        f"{_percent(good['from'])} to {_percent(good['to'])} (shaded).{instead}",
    )


def plan_by_size(plans: Sequence[RecallPlan]) -> Figure:
    """Several budgets, each at its split, from few assessments to many."""
    ordered = sorted(plans, key=lambda plan: plan.sample.budget)
    rows = [_row(plan.sample) for plan in ordered]
    scale = alt.Scale(type="log", nice=False, padding=12)
    x = alt.X("budget:Q", title=SIZE, scale=scale, axis=alt.Axis(format=",d", values=_ticks(rows)))
    first, last = ordered[0], ordered[-1]
    places = decimals(last.tolerance * last.sample.expected_width)
    what = SHOWN[first.alternative][0]
    said = "; ".join(
        f"{fixed(_height(plan, plan.sample), places)} with {plan.sample.budget:,}"
        for plan in ordered
    )
    return finished(
        _panels(first.alternative, rows, x),
        name="recall-plan-size",
        title=f"{_capital(what)} by the number of assessments ({_meant(first)})",
        description=f"{_capital(what)} by the number of {SIZE}: {said}.",
    )


def _panels(
    side: Alternative,
    rows: Sequence[dict[str, Any]],
    x: alt.X,
    marks: Sequence[dict[str, Any]] = (),
    good: dict[str, float] | None = None,
) -> Figure:
    """The curve, with the interval below it where both of its ends are planned."""
    title, _ = SHOWN[side]
    field = {"two-sided": "width", "greater": "low", "less": "high"}[side]
    y = alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=side == "two-sided"))
    base = alt.Chart(values(rows)).encode(x=x, y=y, tooltip=_tooltips())
    layers = [_shade(good)] if good else []
    layers += [base.mark_line(color=EMPHASIS, strokeWidth=2), base.mark_point(
        color=EMPHASIS, filled=True, size=40, opacity=1)]  # fmt: skip
    if marks:
        layers.append(_marked(marks, x, y))
    curve = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    if side != "two-sided":
        return curve
    ends = alt.Chart(values(rows)).encode(
        x=x,
        y=alt.Y("low:Q", title="expected interval of recall", scale=alt.Scale(domain=[0, 1])),
        y2="high:Q",
        tooltip=_tooltips(),
    )
    band = ends.mark_area(color=EMPHASIS, opacity=0.2)
    lines = ends.mark_rule(color=EMPHASIS, strokeWidth=2)
    below = alt.layer(*([_shade(good)] if good else []), band, lines)
    return alt.vconcat(curve, below.properties(width=WIDTH, height=HEIGHT), spacing=16)


def _marked(marks: Sequence[dict[str, Any]], x: alt.X, y: alt.Y) -> Any:
    """The best and the chosen sample, in shape and colour."""
    names = [row["mark"] for row in marks]
    scales = {
        "shape": alt.Scale(domain=names, range=["diamond", "triangle-up"][: len(names)]),
        "color": alt.Scale(domain=names, range=[CONTRAST, "#009E73"][: len(names)]),
    }
    legend = alt.Legend(title=None, orient="top")
    return (
        alt.Chart(values(marks))
        .mark_point(filled=True, size=140, opacity=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("mark:N", scale=scales["shape"], legend=legend),
            color=alt.Color("mark:N", scale=scales["color"], legend=legend),
            tooltip=[alt.Tooltip("mark:N", title="sample"), *_tooltips()],
        )
    )


def _shade(good: dict[str, float]) -> Any:
    """Splits that are as good as the best."""
    shade = alt.Chart(values([good])).mark_rect(color=QUIET, opacity=0.18)
    return shade.encode(x=alt.X("from:Q"), x2="to:Q")


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


def _tooltips() -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{name}:Q", title=title, format=form) for name, title, form in TOOLTIPS]


def _ticks(rows: Sequence[dict[str, Any]]) -> list[int]:
    """The budgets themselves, as far as their numbers have room."""
    numbers = [row["budget"] for row in rows]
    return numbers if len(numbers) <= 8 else numbers[:: -(-len(numbers) // 8)]


def _height(plan: RecallPlan, sample: PlannedSample) -> float:
    return float(getattr(sample, SHOWN[plan.alternative][1]))


def _meant(plan: RecallPlan) -> str:
    prior = f", prior {plan.prior}" if plan.prior else ""
    level = f"{plan.confidence_level * 100:g} %"
    return f"{level} {SIDES[plan.alternative]}, {plan.method}{prior}"


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
