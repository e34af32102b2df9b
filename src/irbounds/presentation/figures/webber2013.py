"""Webber (2013), Figures 2 to 8: the estimator of recall, intervals of a proportion, and priors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ...results import EstimatorScatter, ProportionCoverage, StudyCurve
from ..rounding import fixed, percent, whole
from . import vega
from .style import (
    COLOURS,
    CONTRAST,
    DASH,
    EMPHASIS,
    QUIET,
    WIDTH,
    Figure,
    colour_scale,
    finished,
    reference_line,
    tooltips,
    values,
)

__all__ = [
    "bias_of_the_estimator",
    "coverage_of_proportions",
    "most_conservative_priors",
    "sampling_distribution",
]

HEIGHT = 260
#: the paper's numbers of the four intervals
FIGURES = {"clopper-pearson": 4, "wald": 5, "wilson": 6, "jeffreys": 7}
NAMES = {
    "clopper-pearson": "exact binomial (Clopper-Pearson)",
    "wald": "Wald",
    "wilson": "Wilson",
    "jeffreys": "Jeffreys",
}
TWO_BLUES = (COLOURS[0], COLOURS[4])
LABELLED = 0.004  # probability of a bar whose group has room for a label
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3])


def sampling_distribution(scatter: EstimatorScatter) -> Figure:
    """Figure 2: all estimates of recall in the example of Table III, and how likely each is."""
    highest = max(mass for _, value, mass in scatter.bars if value < 1)
    scale = highest / max(scatter.density.y)
    curves = [
        {"estimate": x, "height": y * scale, "curve": curve.label}
        for curve in (scatter.density, scatter.normal)
        for x, y in zip(curve.x, curve.y, strict=True)
    ]
    chart = vega.layer(_bars(scatter), _group_labels(scatter), _scaled(curves), *_marks(scatter))
    return finished(
        chart.properties(width=WIDTH, height=HEIGHT),
        name="webber2013-figure-02",
        title="Figure 2: sampling distribution of the recall estimator (Table III)",
        description=(
            f"Probability of each estimate of recall, in groups by the relevant documents in the "
            f"unretrieved sample, with a kernel density and a normal density scaled to fit. True "
            f"recall is {fixed(scatter.recall, 2)}, the mean estimate {fixed(scatter.mean, 2)}, "
            f"its standard deviation {fixed(scatter.standard_deviation, 2)}."
        ),
    )


def bias_of_the_estimator(curves: Sequence[StudyCurve]) -> Figure:
    """Figure 3: the bias of the estimator by the unretrieved sample, on a logarithmic axis."""
    said = "; ".join(
        f"{one.label}: {fixed(one.y[0], 3)} with {whole(one.x[0])} sampled, {fixed(one.y[-1], 3)} "
        f"with {whole(one.x[-1])}"
        for one in curves
    )
    x = vega.X(
        "x:Q",
        title="unretrieved documents sampled",
        scale=dict(type="log", nice=False),
        axis=dict(values=[25, 50, 100, 200, 400, 800, 1600, 3200], format=",d"),
    )
    return finished(
        lines(curves, x, "bias of the recall estimator", "not retrieved", ",d"),
        name="webber2013-figure-03",
        title="Figure 3: bias of the recall estimator by the unretrieved sample",
        description=f"Bias of the recall estimator. {said}.",
    )


def coverage_of_proportions(coverage: ProportionCoverage) -> Figure:
    """One of Figures 4 to 7: how often an interval holds a proportion; jumps are grey."""
    rows = [
        {"prevalence": x, "coverage": y, "piece": k}
        for k, piece in enumerate(coverage.pieces)
        for x, y in zip(piece.x, piece.y, strict=True)
    ]
    name = NAMES[coverage.method]
    scale = dict(domain=_range(rows), clamp=True)
    base = vega.Chart(values(rows)).encode(
        x=vega.X("prevalence:Q", title="population prevalence", scale=dict(domain=[0, 1])),
        y=vega.Y("coverage:Q", title="coverage", scale=scale),
    )
    jumps = base.mark_line(color=QUIET, strokeWidth=1, opacity=0.5)
    pieces = base.mark_line(color=EMPHASIS, strokeWidth=2).encode(
        detail="piece:N",
        tooltip=tooltips((), {"prevalence": "population prevalence", "coverage": "coverage"}, 3),
    )
    level = nominal_line(coverage.confidence_level, "y", scale=scale)
    chart = vega.layer(level, jumps, pieces).properties(width=WIDTH, height=HEIGHT)
    lowest = min(row["coverage"] for row in rows)
    number = FIGURES[coverage.method]
    return finished(
        chart,
        name=f"webber2013-figure-{number:02d}",
        title=f"Figure {number}: coverage of the {name} interval, {coverage.n} documents sampled",
        description=(
            f"Coverage of the {percent(coverage.confidence_level)} {name} interval by population "
            f"prevalence, {coverage.n} documents sampled: {fixed(coverage.mean, 3)} on average, "
            f"{fixed(lowest, 3)} at the lowest."
        ),
    )


def most_conservative_priors(curves: Sequence[StudyCurve]) -> Figure:
    """Figure 8: alpha = beta of the most conservative prior by the share sampled."""
    said = "; ".join(
        f"{one.label} documents: {fixed(one.y[0], 2)} to {fixed(one.y[-1], 2)}" for one in curves
    )
    x = vega.X("x:Q", title="share of the documents that is sampled (n / N)",
              scale=dict(domain=[0, 1]))  # fmt: skip
    return finished(
        lines(curves, x, "alpha = beta", "documents (N)", ".2f"),
        name="webber2013-figure-08",
        title="Figure 8: most conservative prior of the beta-binomial",
        description=f"Most conservative alpha = beta by the share sampled. {said}.",
    )


def lines(
    curves: Sequence[StudyCurve], x: dict[str, Any], y_title: str, legend: str, x_format: str
) -> vega.Chart:
    """Several lines, told apart by colour and by dashes."""
    rows = [
        {"x": x, "y": y, "label": one.label}
        for one in curves
        for x, y in zip(one.x, one.y, strict=True)
    ]
    names = list(dict.fromkeys(one.label for one in curves))
    dashes = dict(domain=names, range=list(DASHES[: len(names)]))
    key = dict(title=legend, symbolSize=300, symbolStrokeWidth=2)
    chart: vega.Chart = vega.Chart(values(rows)).mark_line(strokeWidth=2).encode(
        x=x,
        y=vega.Y("y:Q", title=y_title),
        color=vega.channel("label:N", scale=colour_scale(names), legend=key, sort=names),
        strokeDash=vega.channel("label:N", scale=dashes, legend=key, sort=names),
        tooltip=[
            *tooltips({"label": legend}, ["x"], x_format),
            *tooltips((), {"y": y_title}, 3),
        ],
    )  # fmt: skip
    chart = chart.properties(width=WIDTH, height=HEIGHT)
    return chart


def _bars(scatter: EstimatorScatter) -> Any:
    """The probability of every estimate; neighbouring groups are of two blues."""
    rows = [
        {"missed": missed, "estimate": value, "probability": mass, "even": missed % 2 == 0}
        for missed, value, mass in scatter.bars
    ]
    return (
        vega.Chart(values(rows))
        .mark_rule(strokeWidth=1.5)
        .encode(
            x=vega.X("estimate:Q", title="estimated recall", scale=dict(domain=[0, 1.1])),
            y=vega.Y("zero:Q", title="probability"),
            y2="probability:Q",
            color=vega.condition("datum.even", *TWO_BLUES),
            tooltip=[
                *tooltips((), {"missed": "relevant in the unretrieved sample"}, ",d"),
                *tooltips((), {"estimate": "estimated recall"}, 3),
                *tooltips((), ["probability"], 5),
            ],
        )
        .transform_calculate(zero="0")
    )


def _group_labels(scatter: EstimatorScatter) -> Any:
    """How many relevant documents the unretrieved sample holds, above the highest bar of each."""
    highest: dict[int, tuple[float, float]] = {}
    for missed, value, mass in scatter.bars:
        if mass > max(LABELLED, highest.get(missed, (0.0, 0.0))[1]):
            highest[missed] = (value, mass)
    rows = [{"r": f"{k}", "estimate": x, "probability": y} for k, (x, y) in highest.items()]
    return (
        vega.Chart(values(rows))
        .mark_text(dy=-8, fontSize=11, color=TWO_BLUES[0])
        .encode(x="estimate:Q", y="probability:Q", text="r:N")
    )


def _scaled(rows: Sequence[dict[str, Any]]) -> Any:
    names = list(dict.fromkeys(row["curve"] for row in rows))
    key = dict(title="density, scaled to fit", orient="top", symbolSize=300)
    return (
        vega.Chart(values(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x="estimate:Q",
            y="height:Q",
            color=vega.channel(
                "curve:N", legend=key, scale=dict(domain=names, range=[COLOURS[2], CONTRAST])
            ),
            strokeDash=vega.channel(
                "curve:N", legend=key, scale=dict(domain=names, range=[[1, 0], [6, 3]])
            ),
        )
    )


def _marks(scatter: EstimatorScatter) -> list[Any]:
    """The truth and the mean estimate."""
    rows = [
        {"estimate": scatter.recall, "what": f"true recall {fixed(scatter.recall, 2)}"},
        {"estimate": scatter.mean, "what": f"mean estimate {fixed(scatter.mean, 2)}"},
    ]
    base = vega.Chart(values(rows)).encode(x="estimate:Q", tooltip=tooltips({"what": " "}))
    rules = base.mark_rule(color=QUIET, strokeWidth=2, strokeDash=DASH)
    left, right = (vega.Chart(values([row])).encode(x="estimate:Q", text="what:N") for row in rows)
    look: dict[str, Any] = {"y": 6, "baseline": "top", "color": QUIET, "fontSize": 12}
    return [
        rules,
        left.mark_text(align="right", dx=-4, **look),
        right.mark_text(align="left", dx=4, **look),
    ]


def nominal_line(level: float, along: Literal["x", "y"], **axis: Any) -> vega.Chart:
    """The level that is promised."""
    return reference_line(level, along, called="nominal", colour=CONTRAST, **axis)


def _range(rows: Sequence[dict[str, Any]]) -> list[float]:
    """The whole height where coverage breaks down, else what there is to see."""
    lowest = min(row["coverage"] for row in rows)
    return [0, 1] if lowest < 0.5 else [min(0.8, lowest), 1]
