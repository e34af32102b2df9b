"""Figures of Webber (2013): the estimator of recall, coverage of intervals, priors and widths.

The paper does not say where the axes of Figures 10 to 13 end; ours show coverage from 0.7 and gaps
to 0.2. As there, corpora beyond are marked at the margin with < or >.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..presentation.figures import vega
from ..presentation.figures.boxes import draw_boxes
from ..presentation.figures.shapes import distinguish_series, make_panel
from ..presentation.figures.style import (
    COLOURS,
    CONTRAST,
    DASH,
    EMPHASIS,
    QUIET,
    WIDTH,
    Figure,
    draw_reference_line,
    make_figure,
    tooltips,
    values,
)
from ..presentation.rounding import (
    FRACTION_DECIMALS,
    NOISE,
    fixed,
    format_count,
    percent,
    within_noise,
)
from ..results import RecallCoverage
from .webber2013_coverage import FractionBox
from .webber2013_curves import EstimatorScatter, ProportionCoverage, StudyCurve

HEIGHT = 260
#: the paper's numbers and names of the four intervals of a proportion
PROPORTIONS = {
    "clopper-pearson": (4, "exact binomial (Clopper-Pearson)"),
    "wald": (5, "Wald"),
    "wilson": (6, "Wilson"),
    "jeffreys": (7, "Jeffreys"),
}
#: the paper's numbers of the scenarios
SCENARIOS = {"neutral": 10, "legal": 11, "small": 12}
TWO_BLUES = (COLOURS[0], COLOURS[4])
LABELLED = 0.004  # probability of a bar whose group has room for a label
COVERAGE_RANGE, GAP_RANGE = (0.7, 1.0), (0.0, 0.2)
BOX_ROW, BOX = 24, 12  # pixels of a row, and of a box in it
WIDTH_TITLE = "width of the 95 % interval of recall"
SPLIT_TITLE = "documents assessed in the retrieved set, of 5,000 in all"
POSTERIOR = "beta-binomial"
NO_GRID, UNIT = dict(grid=False), dict(domain=[0, 1])


def draw_sampling_distribution(scatter: EstimatorScatter) -> Figure:
    """Draw Figure 2: all estimates of recall in the example of Table III, with probabilities."""
    highest = max(mass for _, value, mass in scatter.bars if value < 1)
    scale = highest / max(scatter.density.y)
    curves = [
        {"estimate": x, "height": y * scale, "curve": curve.label}
        for curve in (scatter.density, scatter.normal)
        for x, y in zip(curve.x, curve.y, strict=True)
    ]
    names, colours = (scatter.density.label, scatter.normal.label), (COLOURS[2], CONTRAST)
    key = dict(title="density, scaled to fit", orient="top")
    look = distinguish_series("curve", names, "strokeDash", colours=colours, **key)
    lines = vega.Chart(values(curves)).mark_line(strokeWidth=2)
    lines = lines.encode(x="estimate:Q", y="height:Q", **look)
    return _make_figure(
        2,
        make_panel(
            *_draw_probabilities(scatter), lines, *_draw_truth_and_mean(scatter), height=HEIGHT
        ),
        "sampling distribution of the recall estimator (Table III)",
        f"Probability of each estimate of recall, in groups by the relevant documents in the "
        f"unretrieved sample, with a kernel density and a normal density scaled to fit. True "
        f"recall is {fixed(scatter.recall, 2)}, the mean estimate {fixed(scatter.mean, 2)}, its "
        f"standard deviation {fixed(scatter.standard_deviation, 2)}.",
    )


def _draw_probabilities(scatter: EstimatorScatter) -> list[vega.Chart]:
    """Draw every estimate; groups by relevant documents missed have two blues and a number."""
    rows: list[dict[str, Any]] = [
        {"missed": missed, "estimate": x, "probability": y, "even": missed % 2 == 0, "zero": 0}
        for missed, x, y in scatter.bars
    ]
    highest: dict[int, dict[str, Any]] = {}
    for row in rows:
        group = highest.get(row["missed"], {"probability": LABELLED})
        if row["probability"] > group["probability"]:
            highest[row["missed"]] = row
    labels = [{**row, "r": f"{missed}"} for missed, row in highest.items()]
    x = vega.X("estimate:Q", title="estimated recall", scale=dict(domain=[0, 1.1]), axis=NO_GRID)
    bars = vega.Chart(values(rows)).mark_rule(strokeWidth=1.5)
    text = vega.Chart(values(labels)).mark_text(dy=-8, fontSize=11, color=TWO_BLUES[0])
    columns = [
        *tooltips((), {"missed": "relevant in the unretrieved sample"}, ",d"),
        *tooltips((), {"estimate": "estimated recall"}, 3),
        *tooltips((), ["probability"], 5),
    ]
    return [
        bars.encode(
            x=x,
            y=vega.Y("zero:Q", title="probability"),
            y2="probability:Q",
            color=vega.condition("datum.even", *TWO_BLUES),
            tooltip=columns,
        ),
        text.encode(x="estimate:Q", y="probability:Q", text="r:N"),
    ]


def _draw_truth_and_mean(scatter: EstimatorScatter) -> list[vega.Chart]:
    """Draw lines at true recall and at the mean estimate, with words to their outer sides."""
    layers = []
    places = {"true recall": scatter.recall, "mean estimate": scatter.mean}
    for (what, place), align, dx in zip(places.items(), ("right", "left"), (-4, 4), strict=True):
        row = {"estimate": place, "what": f"{what} {fixed(place, 2)}"}
        base = vega.Chart(values([row])).encode(x="estimate:Q", tooltip=tooltips({"what": " "}))
        text = base.mark_text(align=align, dx=dx, y=6, baseline="top", color=QUIET, fontSize=12)
        line = base.mark_rule(color=QUIET, strokeWidth=2, strokeDash=DASH)
        layers += [line, text.encode(text="what:N")]
    return layers


def draw_estimator_bias(curves: Sequence[StudyCurve]) -> Figure:
    """Draw Figure 3: the bias of the estimator by the unretrieved sample."""
    ends = "; ".join(
        f"{curve.label}: {fixed(curve.y[0], 3)} with {format_count(curve.x[0])} sampled, "
        f"{fixed(curve.y[-1], 3)} with {format_count(curve.x[-1])}"
        for curve in curves
    )
    axis = dict(values=[25, 100, 400, 1600], format=",d", grid=False)
    title = "unretrieved documents sampled"
    x = vega.X("x:Q", title=title, scale=dict(type="log", nice=False), axis=axis)
    chart = _draw_lines(curves, x, "bias of the recall estimator", "not retrieved", ",d")
    title = "bias of the recall estimator by the unretrieved sample"
    return _make_figure(3, chart, title, f"Bias of the recall estimator. {ends}.")


def draw_proportion_coverage(coverage: ProportionCoverage) -> Figure:
    """Draw one of Figures 4 to 7: how often an interval holds a proportion; jumps are grey."""
    rows = [
        {"prevalence": x, "coverage": y, "piece": k}
        for k, piece in enumerate(coverage.pieces)
        for x, y in zip(piece.x, piece.y, strict=True)
    ]
    number, name = PROPORTIONS[coverage.method]
    lowest = min(row["coverage"] for row in rows)
    scale = dict(domain=[0, 1] if lowest < 0.5 else [min(0.8, lowest), 1], clamp=True)
    titles = {"prevalence": "population prevalence", "coverage": "coverage"}
    base = vega.Chart(values(rows)).encode(
        x=vega.X("prevalence:Q", title="population prevalence", scale=UNIT, axis=NO_GRID),
        y=vega.Y("coverage:Q", title="coverage", scale=scale),
    )
    jumps = base.mark_line(color=QUIET, strokeWidth=1, opacity=0.5)
    pieces = base.mark_line(color=EMPHASIS, strokeWidth=2)
    pieces = pieces.encode(detail="piece:N", tooltip=tooltips((), titles, 3))
    level = _draw_nominal_line(coverage.confidence_level, "y", scale=scale)
    return _make_figure(
        number,
        make_panel(level, jumps, pieces, height=HEIGHT),
        f"coverage of the {name} interval, {coverage.n} documents sampled",
        f"Coverage of the {percent(coverage.confidence_level)} {name} interval by population "
        f"prevalence, {coverage.n} documents sampled: {fixed(coverage.mean, 3)} on average, "
        f"{fixed(lowest, 3)} at the lowest.",
    )


def draw_conservative_priors(curves: Sequence[StudyCurve]) -> Figure:
    """Draw Figure 8: alpha = beta of the most conservative prior by the fraction sampled."""
    ends = "; ".join(
        f"{curve.label} documents: {fixed(curve.y[0], 2)} to {fixed(curve.y[-1], 2)}"
        for curve in curves
    )
    title = "fraction of the documents that is sampled (n / N)"
    x = vega.X("x:Q", title=title, scale=UNIT, axis=NO_GRID)
    chart = _draw_lines(curves, x, "alpha = beta", "documents (N)", ".2f")
    description = f"Most conservative alpha = beta by the fraction sampled. {ends}."
    return _make_figure(8, chart, "most conservative prior of the beta-binomial", description)


def draw_coverage_boxes(coverage: RecallCoverage, boxes: Sequence[FractionBox]) -> Figure:
    """Draw one of Figures 10 to 12: coverage over the corpora of a scenario, one box per method."""
    number, scenario = SCENARIOS[coverage.scenario], coverage.scenario
    means = "; ".join(f"{box.label} {fixed(box.mean, 3)}" for box in boxes)
    axis = _fraction_axis("coverage", COVERAGE_RANGE)
    level = _draw_nominal_line(coverage.confidence_level, "x", scale=axis["scale"])
    return _make_figure(
        number,
        make_panel(level, *_draw_corpora(boxes, axis), height=vega.step(BOX_ROW)),
        f"coverage in the {scenario} scenario ({_describe_sizes(coverage)})",
        f"Mean coverage of {percent(coverage.confidence_level)} intervals in the "
        f"{scenario} scenario, {_describe_sizes(coverage)}: {means}.",
    )


def draw_gap_boxes(
    coverage: RecallCoverage, below: Sequence[FractionBox], above: Sequence[FractionBox]
) -> Figure:
    """Draw Figure 13: how often the truth is below an interval, and how often above it."""
    panels = []
    for boxes, side in ((below, "below"), (above, "above")):
        axis = _fraction_axis(
            f"fraction of samples with true recall {side} the interval", GAP_RANGE
        )
        panels.append(make_panel(*_draw_corpora(boxes, axis), height=vega.step(BOX_ROW)))
    means = "; ".join(
        f"{lower.label} {fixed(lower.mean, 3)} and {fixed(upper.mean, 3)}"
        for lower, upper in zip(below, above, strict=True)
    )
    return _make_figure(
        13,
        vega.vconcat(*panels, spacing=16),
        f"lower and upper gaps in the {coverage.scenario} scenario ({_describe_sizes(coverage)})",
        f"Mean fraction of samples with the true recall below the interval, and above "
        f"it, in the {coverage.scenario} scenario: {means}.",
    )


def _fraction_axis(title: str, domain: tuple[float, float]) -> dict[str, Any]:
    return {"title": title, "scale": dict(domain=list(domain), nice=False)}


def _draw_corpora(boxes: Sequence[FractionBox], axis: dict[str, Any]) -> list[vega.Chart]:
    """Draw boxes with whiskers, means as crosses, corpora beyond, and signs at the margins."""
    low, high = axis["scale"]["domain"]
    y = vega.Y("method:N", title=None, sort=[box.label for box in boxes])
    titles = {name: name.replace("_", " ") for name in ("mean", "median", "lower_quartile",
              "upper_quartile", "lowest", "highest")}  # fmt: skip
    base = vega.Chart(values(_box_row(box, low, high) for box in boxes)).encode(
        y=y, tooltip=tooltips(["method"], titles, FRACTION_DECIMALS)
    )
    beyond = [
        {"method": box.label, "fraction": fraction, "corpora": corpora}
        for box in boxes
        for fraction, corpora in box.outliers
        if low <= fraction <= high
    ]
    columns = [
        *tooltips(["method"], {"fraction": "fraction of samples"}, FRACTION_DECIMALS),
        *tooltips((), ["corpora"], ",d"),
    ]
    corpora = vega.Chart(values(beyond)).mark_point(
        color=QUIET, size=14, strokeWidth=1, opacity=0.6
    )
    words: dict[str, Any] = {
        "reach": "thin line: whiskers",
        "half": "box: middle half of the corpora with the median",
        "point": ("mean", "cross: mean", "cross"),
    }
    look: dict[str, Any] = {"fontSize": 14, "fontWeight": "bold", "color": CONTRAST}
    left, right = (base.transform_filter(f"datum.{side}") for side in ("fewer", "more"))
    return [
        *draw_boxes(base, "x", axis, BOX, **words, clip=True),
        corpora.encode(y=y, x=vega.X("fraction:Q", **axis), tooltip=columns),
        left.mark_text(x=4, align="left", text="<", **look),
        right.mark_text(x=WIDTH - 4, align="right", text=">", **look),
    ]


def _box_row(box: FractionBox, low: float, high: float) -> dict[str, Any]:
    fractions = [box.low, box.high, *(fraction for fraction, _ in box.outliers)]
    return {
        "method": box.label,
        "minimum": box.low,
        "lower_quartile": box.first_quartile,
        "median": box.median,
        "upper_quartile": box.third_quartile,
        "maximum": box.high,
        "mean": box.mean,
        "lowest": min(fractions),
        "highest": max(fractions),
        "fewer": min(fractions) < low,
        "more": max(fractions) > high,
    }


def draw_closest_fractions(coverages: Sequence[RecallCoverage]) -> Figure:
    """Draw Figure 14: in how many corpora a method comes nearest to the level."""
    panels = [_draw_closest(coverage, is_first=coverage is coverages[0]) for coverage in coverages]
    fractions = ". ".join(
        f"{coverage.scenario}: "
        + "; ".join(f"{row.method} {fixed(row.closest, 2)}" for row in coverage.rows)
        for coverage in coverages
    )
    title = "fraction of corpora in which a method's coverage is nearest the level"
    description = f"{title.capitalize()}, with {NOISE} standard errors to either side. {fractions}."
    return _make_figure(14, vega.hconcat(*panels, spacing=16), title, description)


def _draw_closest(coverage: RecallCoverage, *, is_first: bool) -> vega.Chart:
    n = len(coverage.realisations)
    rows: list[dict[str, Any]] = []
    for row in coverage.rows:
        low, high = within_noise(row.closest, (row.closest * (1 - row.closest) / n) ** 0.5)
        rows.append({"method": row.method, "fraction": row.closest, "low": low, "high": high})
    names = dict(labels=is_first, ticks=is_first)
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("method:N", title=None, sort=[row["method"] for row in rows], axis=names),
        tooltip=tooltips(["method"], {"fraction": "fraction of corpora"}, FRACTION_DECIMALS),
    )
    x = vega.X("fraction:Q", title=f"fraction, {coverage.scenario}", axis=dict(tickCount=4))
    noise = base.mark_rule(color=CONTRAST, strokeWidth=2).encode(x="low:Q", x2="high:Q")
    bars = base.mark_bar(color=EMPHASIS, opacity=0.6).encode(x=x)
    return make_panel(bars, noise, width=WIDTH // 3, height=vega.step(BOX_ROW))


def _describe_sizes(coverage: RecallCoverage) -> str:
    return f"{len(coverage.realisations):,} corpora, {coverage.n_samples:,} samples of each"


def draw_widths_by_yield(curves: Sequence[StudyCurve]) -> Figure:
    """Draw Figure 15: the width by the split of the sample, for several yields."""
    return _draw_widths_by_split(curves, 15, "yields", "relevant documents")


def draw_widths_by_quality(curves: Sequence[StudyCurve]) -> Figure:
    """Draw Figure 16: the same for retrieved sets of several recalls and precisions."""
    return _draw_widths_by_split(curves, 16, "retrieved sets", "retrieved set")


def _draw_widths_by_split(
    curves: Sequence[StudyCurve], number: int, kinds: str, legend: str
) -> Figure:
    narrowest = []
    for curve in curves:
        width, place = min(zip(curve.y, curve.x, strict=True))
        narrowest.append(f"{curve.label}: narrowest {fixed(width, 3)} with {format_count(place)}")
    x = vega.X("x:Q", title=SPLIT_TITLE, scale=dict(domain=[0, 5000]), axis=NO_GRID)
    title = f"width by the sample's split, for several {kinds}"
    description = f"Width of the interval by the {SPLIT_TITLE}. {'; '.join(narrowest)}."
    return _make_figure(
        number, _draw_lines(curves, x, WIDTH_TITLE, legend, ",d"), title, description
    )


def draw_widths_by_budget(curves: Sequence[StudyCurve]) -> Figure:
    """Draw Figure 17: the width by the number of documents assessed; the normal method is grey.

    Both axes are logarithmic, on which 1 / sqrt(n) is a straight line.
    """
    names = list(dict.fromkeys(curve.label for curve in curves))
    ticks = sorted({x for curve in curves for x in curve.x})
    axis = dict(values=ticks, format=",d", labelOverlap=True, grid=False)
    scale = dict(type="log", nice=False, padding=6)
    y_axis = dict(values=[0.02, 0.1, 0.5, 1, 5])
    look = distinguish_series("label", names, "strokeDash", title="retrieved documents")
    base = _points(curves).encode(
        x=vega.X("x:Q", title="documents assessed, split at best", scale=scale, axis=axis),
        y=vega.Y("y:Q", title=WIDTH_TITLE, scale=dict(type="log"), axis=y_axis),
        strokeDash=look["strokeDash"],
        tooltip=[
            *tooltips({"method": "method", "label": "retrieved documents"}),
            *tooltips((), {"x": "documents assessed"}, ","),
            *tooltips((), {"y": "width"}, 3),
        ],
    )
    ours = base.transform_filter(f"datum.method === '{POSTERIOR}'").mark_line(strokeWidth=2.5)
    other = base.transform_filter(f"datum.method !== '{POSTERIOR}'")
    ends = "; ".join(
        f"{curve.kind}, {curve.label} retrieved: "
        f"{fixed(curve.y[0], 2)} with {format_count(curve.x[0])}, "
        f"{fixed(curve.y[-1], 3)} with {format_count(curve.x[-1])}"
        for curve in curves
    )
    grey = other.mark_line(color=QUIET, strokeWidth=1.5)
    return _make_figure(
        17,
        make_panel(grey, ours.encode(color=look["color"]), height=HEIGHT),
        "width by the number of assessments (grey: normal, else beta-binomial)",
        f"Width of the interval by the number of documents assessed. {ends}.",
    )


def _make_figure(number: int, chart: vega.Chart, title: str, description: str) -> Figure:
    name, title = f"webber2013-figure-{number:02d}", f"Figure {number}: {title}"
    return make_figure(chart, name=name, title=title, description=description)


def _points(curves: Sequence[StudyCurve]) -> vega.Chart:
    return vega.Chart(
        values(
            {"x": x, "y": y, "label": curve.label, "method": curve.kind}
            for curve in curves
            for x, y in zip(curve.x, curve.y, strict=True)
        )
    )


def _draw_lines(
    curves: Sequence[StudyCurve], x: dict[str, Any], title: str, legend: str, form: str
) -> vega.Chart:
    """Draw several lines, distinguished by colour and by dashes."""
    names = dict.fromkeys(curve.label for curve in curves)
    lines = _points(curves).mark_line(strokeWidth=2)
    columns = [*tooltips({"label": legend}, ["x"], form), *tooltips((), {"y": title}, 3)]
    look = distinguish_series("label", names, "strokeDash", title=legend, symbolStrokeWidth=2)
    lines = lines.encode(x=x, y=vega.Y("y:Q", title=title), tooltip=columns, **look)
    return lines.properties(width=WIDTH, height=HEIGHT)


def _draw_nominal_line(level: float, along: Literal["x", "y"], **axis: Any) -> vega.Chart:
    return draw_reference_line(level, along, called="nominal", colour=CONTRAST, **axis)
