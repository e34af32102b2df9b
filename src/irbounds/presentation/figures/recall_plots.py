"""Figures of recall: methods, quantities, systems, the posterior and samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...results import Posterior, RecallEstimate, Sample
from ...results.recall_estimates import format_numbers, is_recommended, places_of, recall_view
from ...validation import Alternative
from ..phrases import SIDES, capitalise, half_width, shorten
from ..rounding import decimals_of_column, fixed, percent
from . import MAX_SYSTEMS, vega
from .dots import Dot, draw_dots
from .shapes import (
    draw_forest,
    get_ends,
    keep_first,
    make_end_tooltips,
    make_panel,
    make_value_axis,
    stack_panels,
)
from .style import (
    CONTRAST,
    EMPHASIS,
    QUIET,
    Figure,
    highlight,
    make_figure,
    tooltips,
    values,
)

#: quantities that are not on the axis of recall, by their common axis
SCALES = {"yield": "documents", "prevalence": "rare", "elusion": "rare"}
KINDS = ["other methods", "recommended"]
LABELS = dict(labelLimit=320)  # pixels of a name to the left of a row
HEIGHT = 200
POINTS = 160  # of a density
TAIL = 0.0005  # of the posterior beyond either end of the figure
REACH = 0.125  # standard deviations to either side that a density is averaged over
QUARTILES = 1.349  # standard deviations between the quartiles of a normal distribution
PADDED = dict(zero=False, nice=False, padding=12)
DIGITS = 4


def draw_recall_figures(
    estimates: Sequence[RecallEstimate], top: int = MAX_SYSTEMS
) -> list[Figure]:
    """Draw methods or systems, as the tables have them; of one sample the posterior first."""
    kind = recall_view(estimates)
    if kind == "methods":
        return [draw_methods(estimates)]
    if kind == "systems":
        return [draw_systems(estimates, top)]
    first = draw_posterior(estimates[0])
    return [first, draw_quantities(estimates)] if len(estimates) > 1 else [first]


def draw_recall(estimates: Sequence[RecallEstimate], top: int = MAX_SYSTEMS) -> Figure:
    """Draw all estimates in one figure; the posterior of a single one."""
    return draw_recall_figures(estimates, top)[-1]


def draw_methods(estimates: Sequence[RecallEstimate]) -> Figure:
    """Draw the same samples by several methods, one panel per retrieved set."""
    parts = _group(estimates, lambda estimate: (estimate.topic, estimate.system))
    titles = [*[""] * (len(parts) - 1), "recall"]  # the last panel names the axis
    panels = [
        (_name_owner(part[0]), _forest(part, "method", _name_method, title))
        for part, title in zip(parts, titles, strict=True)
    ]
    interval = _interval_words(estimates[0])
    return make_figure(
        stack_panels(panels, shared_x=True),
        name="recall-methods",
        title=f"Recall and its {interval} by {len(parts[0])} methods",
        description=f"Recall by method, each with its {interval}. "
        + " ".join(map(_describe_methods, parts)),
    )


def draw_quantities(estimates: Sequence[RecallEstimate]) -> Figure:
    """Draw the quantities of one sample; those of one scale have a common axis."""
    panels = [
        (
            "",
            _forest(
                part,
                "quantity",
                lambda estimate: estimate.quantity,
                ", ".join(map(_make_axis_title, part)),
            ),
        )
        for part in _group(estimates, lambda estimate: SCALES.get(estimate.quantity))
    ]
    first = estimates[0]
    numbers = "; ".join(f"{estimate.quantity} {_numbers(estimate)}" for estimate in estimates)
    words = _interval_words(first)
    if len({estimate.interval.alternative for estimate in estimates}) > 1:
        words = f"{percent(first.interval.confidence_level)} one-sided limit"
    return make_figure(
        stack_panels(panels),
        name="recall-quantities",
        title=f"Estimates from the samples{_add_owner(_name_owner(first, shorten))}, with "
        f"{words}s ({_name_method(first)})",
        description=f"Estimates with their {words}s: {numbers}.",
    )


def draw_systems(estimates: Sequence[RecallEstimate], top: int | None = MAX_SYSTEMS) -> Figure:
    """Draw many retrieved sets, best first, one panel per quantity and topic."""
    by_value = sorted(estimates, key=lambda estimate: (-_sortable(estimate), estimate.system or ""))
    kinds = dict.fromkeys((estimate.quantity, estimate.topic) for estimate in estimates)
    ordered = [
        [estimate for estimate in by_value if (estimate.quantity, estimate.topic) == kind]
        for kind in kinds
    ]
    parts, note = keep_first(ordered, top)
    panels = []
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        first = part[0]
        is_followed = after is not None and after[0].quantity == first.quantity
        title = "" if is_followed else _make_axis_title(first)  # the next panel names the axis
        topic = f"topic {first.topic}" if first.topic is not None else ""
        panels.append(
            (topic, _forest(part, "system", lambda estimate: estimate.system or "", title))
        )
    first = estimates[0]
    named = list(dict.fromkeys(estimate.quantity for estimate in estimates))
    n_systems = len({estimate.system for estimate in estimates})
    return make_figure(
        stack_panels(panels, shared_x=len(named) == 1),
        name=f"{'-'.join(named)}-systems",
        title=f"{capitalise(', '.join(named))} of {n_systems:,} systems with "
        f"{_interval_words(first)}s "
        f"({_name_method(first)}){note}",
        description=f"{len(estimates):,} estimates with their {_interval_words(first)}s. "
        + " ".join(map(_describe_systems, ordered)),
    )


def _forest(
    part: Sequence[RecallEstimate], field: str, name: Callable[[RecallEstimate], str], title: str
) -> vega.Chart:
    """Draw estimates on intervals; methods that are not recommended are grey."""
    side = part[0].interval.alternative
    form = ",.0f" if part[0].quantity == "yield" else f",.{_places(part)}f"
    rows = [
        {field: name(estimate), "estimate": estimate.value, **get_ends(estimate.interval)}
        for estimate in part
    ]
    look: dict[str, Any] = {"opacity": highlight()} if field == "system" else {}
    if field == "method":
        for row, estimate in zip(rows, part, strict=True):
            row["kind"] = KINDS[is_recommended(estimate)]
        scale = dict(domain=KINDS[::-1], range=[EMPHASIS, QUIET])
        look["color"] = vega.channel("kind:N", scale=scale, legend=dict(title=None, orient="top"))
    base = vega.Chart(values(rows)).encode(
        y=vega.Y(f"{field}:N", title=None, sort=[row[field] for row in rows], axis=LABELS),
        tooltip=[*tooltips([field], ["estimate"], form), *make_end_tooltips(rows, side, form)],
        **look,
    )
    return make_panel(
        *draw_forest(base, "estimate", side, make_value_axis(title or None, len(rows)))
    )


def _group(
    estimates: Sequence[RecallEstimate], key: Callable[[RecallEstimate], Any]
) -> list[list[RecallEstimate]]:
    parts: dict[Any, list[RecallEstimate]] = {}
    for estimate in estimates:
        parts.setdefault(key(estimate), []).append(estimate)
    return list(parts.values())


def _describe_methods(part: Sequence[RecallEstimate]) -> str:
    """Name the estimate, and the narrowest and the widest interval."""
    known = [estimate for estimate in part if not math.isnan(estimate.interval.low)]
    owner = _name_owner(part[0])
    recall = f"{owner}{': ' if owner else ''}recall {fixed(part[0].value, _places(part))}"
    if not known:
        return f"{recall}, without intervals."
    ordered = sorted(known, key=lambda estimate: estimate.interval.half_width)
    narrow, wide = (
        f"{_name_method(estimate)} at {_numbers(estimate)}"
        for estimate in (ordered[0], ordered[-1])
    )
    return f"{recall}; the narrowest is {narrow}, the widest {wide}."


def _describe_systems(part: Sequence[RecallEstimate]) -> str:
    first, last = part[0], part[-1]
    topic = f"Topic {first.topic}: " if first.topic else ""
    return (
        f"{topic}{first.quantity} from {first.system} at {_numbers(first)} to {last.system} at "
        f"{_numbers(last)}."
    )


def draw_posterior(estimate: RecallEstimate) -> Figure:
    """Draw the density of a quantity, its interval, its estimate and its lower limit.

    Without a posterior, or where it is a single value, only the marks below it are drawn.
    """
    marks, outline = _marks(estimate), _outline(estimate)
    panels = [_density(estimate, outline)] if outline else []
    panels.append(_mark_rows(marks, _make_axis_title(estimate)))
    what = f"{'Posterior density' if outline else 'What is known'} of {estimate.quantity}"
    results = "; ".join(dict.fromkeys(row["what"] for row in marks))
    return make_figure(
        vega.vconcat(*panels, spacing=6).resolve_scale(x="shared"),
        name=f"posterior-{estimate.quantity}",
        title=f"{what}{_add_owner(_name_owner(estimate, shorten))} ({_name_method(estimate)})",
        description=f"{what}{_add_owner(_name_owner(estimate))}, {results}.",
    )


def _outline(estimate: RecallEstimate) -> list[tuple[float, float]]:
    """Return points of the density, as differences of the posterior's distribution function.

    Documents are counted, so a posterior has steps. The density is smoothed three times over an
    eighth of a standard deviation to either side, which widens the curve by less than 1 %.
    """
    posterior = estimate.posterior
    if posterior is None:
        return []
    low, high = posterior.quantile(TAIL), posterior.quantile(1 - TAIL)
    if math.isnan(low) or not low < high:
        return []
    spread = (posterior.quantile(0.75) - posterior.quantile(0.25)) / QUARTILES
    step = (high - low) / POINTS
    near = max(round(REACH * spread / step), 1)
    first, last = estimate.bounds
    margin = 2 * near  # points beyond the figure, which the means at its ends need
    places = [low + step * k for k in range(-margin, POINTS + margin + 1)]
    places = [place for place in places if first <= place <= last]
    heights = [_density_at(posterior, place, near * step, estimate.bounds) for place in places]
    heights = _smooth(_smooth(heights, near), near)
    return [point for point in zip(places, heights, strict=True) if low <= point[0] <= high]


def _density_at(
    posterior: Posterior, place: float, reach: float, bounds: tuple[float, float]
) -> float:
    below, above = max(place - reach, bounds[0]), min(place + reach, bounds[1])
    return (posterior.cdf(above) - posterior.cdf(below)) / (above - below)


def _smooth(heights: Sequence[float], near: int) -> list[float]:
    """Return means over neighbours; fewer of them at the ends."""
    parts = (heights[max(k - near, 0) : k + near + 1] for k in range(len(heights)))
    return [sum(part) / len(part) for part in parts]


def _density(estimate: RecallEstimate, outline: Sequence[tuple[float, float]]) -> vega.Chart:
    """Draw the density as a line, and the interval as the area below it."""
    low, high = estimate.interval.low, estimate.interval.high
    xs, ys = zip(*outline, strict=True)
    ends = [(end, float(np.interp(end, xs, ys))) for end in (low, high) if xs[0] < end < xs[-1]]
    within = sorted([point for point in outline if low <= point[0] <= high] + ends)
    x = vega.X("value:Q", title=None, axis=dict(labels=False, ticks=False), scale=PADDED)
    y = vega.Y("density:Q", title="density", axis=dict(tickCount=4, grid=False))
    shade, line = (
        vega.Chart(values({"value": x, "density": y} for x, y in points)).encode(x=x, y=y)
        for points in (within, outline)
    )
    tips = [
        *tooltips((), {"value": estimate.quantity}, f",.{places_of(estimate, None)}f"),
        *tooltips((), ["density"], ",.3~g"),
    ]
    return make_panel(
        shade.mark_area(color=EMPHASIS, opacity=0.35),
        line.mark_line(color=EMPHASIS, strokeWidth=2).encode(tooltip=tips),
        height=HEIGHT,
    )


def _marks(estimate: RecallEstimate) -> list[dict[str, Any]]:
    """Return rows of the estimate, the interval, and the limit at the same level."""
    interval, places = estimate.interval, places_of(estimate, None)
    level = percent(interval.confidence_level)
    number, *ends = format_numbers(estimate, places)
    rows = []
    if not math.isnan(estimate.value):
        rows.append({"what": f"estimate {number}", "value": estimate.value, "mark": "estimate"})
    if math.isnan(interval.low):
        return rows
    side: Alternative = "less" if interval.alternative == "less" else "greater"
    bounded = estimate.at(interval.confidence_level, side)
    limit = bounded.interval.high if side == "less" else bounded.interval.low
    words = f"{level} {SIDES[side]} {format_numbers(bounded, places)[1]}"
    is_interval = interval.alternative == "two-sided"
    what = f"{level} interval {ends[0]} to {ends[1]}" if is_interval else words
    rows.append({"what": what, "low": interval.low, "high": interval.high, "mark": "interval"})
    return [*rows, {"what": words, "value": limit, "mark": SIDES[side]}]


def _mark_rows(rows: Sequence[dict[str, Any]], title: str) -> vega.Chart:
    """Draw one row per mark: a dot, a bar, and a triangle that points to where the truth is."""
    names = list(dict.fromkeys(row["what"] for row in rows))
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("what:N", title=None, sort=names, axis=LABELS),
        tooltip=tooltips({"what": "result"}),
    )
    bar = base.transform_filter("datum.mark === 'interval'")
    marks = base.transform_filter("datum.mark !== 'interval'")
    domain = ["estimate", SIDES["greater"], SIDES["less"]]
    scale = dict(domain=domain, range=["circle", "triangle-right", "triangle-left"])
    return make_panel(
        bar.mark_rule(color=EMPHASIS, strokeWidth=4).encode(
            x=vega.X("low:Q", title=title, scale=PADDED), x2="high:Q"
        ),
        marks.mark_point(filled=True, size=110, opacity=1).encode(
            x=vega.X("value:Q", title=title, scale=PADDED),
            shape=vega.channel("mark:N", legend=None, scale=scale),
            color=vega.condition("datum.mark === 'estimate'", EMPHASIS, CONTRAST),
        ),
        height=vega.step(22),
    )


def draw_relevant_fractions(samples: Sequence[Sample]) -> Figure:
    """Draw the fraction of relevant documents in the sample of every stratum."""
    points = []
    for sample in samples:
        owner = (sample.system, sample.topic) if len(samples) > 1 else ()
        points += [
            Dot(
                ", ".join((*filter(None, owner), stratum.name)),
                stratum.relevant / stratum.judged if stratum.judged else math.nan,
                series="retrieved" if stratum.retrieved else "not retrieved",
                system=sample.system,
            )
            for stratum in sample.strata
        ]
    return draw_dots(
        points,
        axis="fraction of relevant documents among those assessed",
        name="samples",
        title="What the samples held, stratum by stratum",
    )


def _make_axis_title(estimate: RecallEstimate) -> str:
    return "yield (relevant documents)" if estimate.quantity == "yield" else estimate.quantity


def _name_method(estimate: RecallEstimate) -> str:
    return estimate.interval.method + (f", prior {estimate.prior}" if estimate.prior else "")


def _interval_words(estimate: RecallEstimate) -> str:
    """Return ``95 % interval``, or which limit it is."""
    return f"{percent(estimate.interval.confidence_level)} {SIDES[estimate.interval.alternative]}"


def _name_owner(estimate: RecallEstimate, name: Callable[[str], str] = str) -> str:
    """Return whose retrieved set it is, where that has a name: ``UW, topic 201``."""
    topic = f"topic {estimate.topic}" if estimate.topic else ""
    return ", ".join(filter(None, (estimate.system and name(estimate.system), topic)))


def _add_owner(owner: str) -> str:
    return f" of {owner}" if owner else ""


def _places(part: Sequence[RecallEstimate]) -> int:
    return decimals_of_column(half_width(estimate.value, estimate.interval) for estimate in part)


def _sortable(estimate: RecallEstimate) -> float:
    return -math.inf if math.isnan(estimate.value) else estimate.value


def _numbers(estimate: RecallEstimate) -> str:
    number, *ends = format_numbers(estimate, places_of(estimate, None))
    return f"{number} ({' to '.join(ends)})"
