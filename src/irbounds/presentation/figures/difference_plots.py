"""Differences of systems, by how many are compared.

Two systems: the difference of each query, sorted. All pairs of up to 25 systems: a triangle.
Otherwise mean differences on their intervals, of very many those that are the least certain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...results import Comparison, GroupComparison, QueryContribution
from ...results.query_contributions import MAX_PAIRS
from ...validation import check_count
from ..phrases import (
    ENDS,
    describe_interval,
    group_by_measure,
    half_width,
    pluralise,
    pluralise_queries,
    shorten,
)
from ..rounding import decimals_of_column, error_level, fixed, format_setting, tick, with_sign
from . import MAX_SYSTEMS, vega
from .shapes import (
    describe_cut,
    draw_forest,
    draw_measure_panels,
    get_ends,
    make_end_tooltips,
    make_note_sentence,
    make_panel,
    make_row_axis,
    make_value_axis,
)
from .style import (
    CONTRAST,
    EMPHASIS,
    LINE,
    QUIET,
    WIDTH,
    Figure,
    draw_reference_line,
    highlight,
    make_legend,
    tooltips,
    values,
)

MIN_TRIANGLE, MAX_TRIANGLE = 4, 25  # systems
ROOMY = 11  # systems above whose triangle the legend has room
MAX_CELL, MIN_CELL, NUMBER_CELL = 44, 20, 38  # pixels of a pair; the last has room for a number
#: negative, none, positive: distinguishable with every colour vision, light enough for dark text
DIVERGING = ("#EE9A5B", "#F2F2F2", "#5AA9D6")
CELL_INK = "#1a1a1a"
LABEL_LIMIT = 360  # pixels: two names and a minus
MAX_LABELS = 50  # queries that all have their ids below them
HEIGHT = 240  # pixels of a plot of differences per query
#: colour and symbol by the outcome of the test
VERDICTS = {
    "significant": (EMPHASIS, "circle"),
    "not significant": (QUIET, "diamond"),
    "no test": (CONTRAST, "cross"),
}


def draw_differences(comparisons: Sequence[Comparison], top: int = MAX_SYSTEMS) -> Figure:
    """Draw mean differences, one panel per measure, in the shape that suits their number.

    ``top`` is the largest number of rows: of more comparisons than that the least certain are
    drawn, whose adjusted p-values are nearest to one minus the confidence level.
    """
    check_count("top", top)
    families = group_by_measure(comparisons)
    first, alone = comparisons[0], len(families) == 1
    queries = pluralise_queries(first.n)
    draw: Callable[[Any], vega.Chart]
    describe: Callable[[Any], str]
    if all(len(family) == 1 and family[0].scores is not None for family in families):
        pairs = {_short_pair(family[0]) for family in families}  # measures may order them otherwise
        one_pair = len(pairs) == 1
        title = f"{pairs.pop() if one_pair else 'Differences per query'}, {queries}"
        draw, describe = partial(_query_panel, one_pair=one_pair, alone=alone), _query_description
    elif all(map(_is_triangle, families)):
        title = f"Mean differences of all pairs of systems, {queries}"
        draw = partial(_triangle, order=_best_first(families[0]), alone=alone)
        describe = _description
    else:
        one_baseline = len({comparison.baseline for comparison in comparisons}) == 1
        whose = f" from {shorten(first.baseline)}" if one_baseline else ""
        title = f"Mean differences{whose} with {describe_interval(first.interval)}s, {queries}"
        verdicts = [verdict for verdict in VERDICTS if verdict in set(map(_verdict, comparisons))]
        draw = partial(_forest, top=top, verdicts=verdicts, has_pairs=not one_baseline, alone=alone)
        describe = partial(_description, top=top)
    name = f"differences-{first.measure}" if alone else "differences"
    return draw_measure_panels(families, draw, describe, name=name, title=title)


def draw_contributions(rows: Sequence[QueryContribution]) -> list[Figure]:
    """Draw the differences of a pair query by query, one figure per pair of the first few."""
    pairs: dict[tuple[str, str], dict[str, Comparison]] = {}
    for row in rows:
        if row.comparison is not None:
            pairs.setdefault((row.system, row.baseline), {})[row.measure] = row.comparison
    several = len(pairs) > 1
    return [
        replace(figure, name=f"{figure.name}-{k}") if several else figure
        for k, by_measure in enumerate(list(pairs.values())[:MAX_PAIRS], start=1)
        for figure in [draw_differences(list(by_measure.values()))]
    ]


def draw_group_differences(rows: Sequence[GroupComparison], top: int = MAX_SYSTEMS) -> Figure:
    """Draw the mean differences within groups, all groups of as many pairs as ``top`` rows hold."""
    check_count("top", top)
    families = group_by_measure(rows)
    first, alone = rows[0], len(families) == 1
    pairs = {(row.system, row.baseline) for row in rows}
    one_baseline = len({row.baseline for row in rows}) == 1
    whose = f" from {shorten(first.baseline)}" if one_baseline else ""
    if len(pairs) == 1:
        whose = f" of {_short_pair(first)}"
    verdicts = [verdict for verdict in VERDICTS if verdict in set(map(_verdict, rows))]

    def name_row(row: GroupComparison) -> str:
        pair = row.system if one_baseline else _pair(row)
        return row.group if len(pairs) == 1 else f"{pair}, {row.group}"

    def draw(family: Sequence[GroupComparison]) -> vega.Chart:
        n_each = len(family) // len({(row.system, row.baseline) for row in family})
        drawn = family[: max(top // n_each, 1) * n_each]
        note = describe_cut(len(drawn), len(family), "row")
        return _draw_rows(drawn, list(map(name_row, drawn)), note, verdicts=verdicts, alone=alone)

    return draw_measure_panels(
        families,
        draw,
        _description,
        name=f"group-differences-{first.measure}" if alone else "group-differences",
        title=f"Mean differences{whose} within groups, with {describe_interval(first.interval)}s",
    )


def _pair(comparison: Comparison) -> str:
    return f"{comparison.system} \N{MINUS SIGN} {comparison.baseline}"


def _short_pair(comparison: Comparison) -> str:
    return f"{shorten(comparison.system)} \N{MINUS SIGN} {shorten(comparison.baseline)}"


def _places(comparisons: Iterable[Comparison]) -> int:
    return decimals_of_column(
        half_width(comparison.value, comparison.interval) for comparison in comparisons
    )


def _level(comparison: Comparison) -> float:
    return error_level(comparison.interval.confidence_level)


def _verdict(comparison: Comparison) -> str:
    if math.isnan(comparison.adjusted_p_value):
        return "no test"
    return "significant" if comparison.adjusted_p_value <= _level(comparison) else "not significant"


def _entries(first: Comparison) -> dict[str, str]:
    """Return the words of a legend by verdict."""
    p, level = "p" if first.adjustment == "none" else "adjusted p", format_setting(_level(first))
    return {
        "significant": f"{p} at most {level}",
        "not significant": f"{p} above {level}",
        "no test": "no test",
    }


def _least_certain(family: Sequence[Comparison], top: int) -> list[Comparison]:
    """Return the pairs next to the level of significance, half of them on either side of it."""
    sides: dict[str, list[Comparison]] = {verdict: [] for verdict in VERDICTS}
    for comparison in family:
        sides[_verdict(comparison)].append(comparison)
    below = sorted(
        sides["significant"],
        key=lambda comparison: (-comparison.adjusted_p_value, _ratio(comparison)),
    )
    above = sorted(
        sides["not significant"],
        key=lambda comparison: (comparison.adjusted_p_value, -_ratio(comparison)),
    )
    n_below = max(top - len(above), min(top - top // 2, len(below)))
    chosen = [*below[:n_below], *above[: max(0, top - n_below)]]
    chosen += sides["no test"][: top - len(chosen)]
    return sorted(chosen, key=lambda comparison: -comparison.value)


def _ratio(comparison: Comparison) -> float:
    return (
        abs(comparison.value) / comparison.standard_error if comparison.standard_error else math.inf
    )


def _note(family: Sequence[Comparison], top: int) -> str:
    return describe_cut(min(top, len(family)), len(family), "comparison", "{} least certain")


def _description(family: Sequence[Comparison], top: int | None = None) -> str:
    most = max(family, key=lambda comparison: abs(comparison.value))
    n_significant = sum(_verdict(comparison) == "significant" for comparison in family)
    return (
        f"{pluralise(len(family), 'comparison')} in {most.measure}, each mean difference with its "
        f"{describe_interval(most.interval)}: {n_significant:,} significant at the "
        f"{format_setting(_level(most))} level; the largest difference is "
        f"{fixed(most.value, _places(family))}, {_pair(most)}."
        f"{make_note_sentence(_note(family, top or len(family)))}"
    )


def _forest(
    family: Sequence[Comparison],
    *,
    top: int,
    verdicts: Sequence[str],
    has_pairs: bool,
    alone: bool,
) -> vega.Chart:
    """Return mean differences on their intervals; labels omit a common baseline."""
    drawn = _least_certain(family, top)
    labels = [_pair(comparison) if has_pairs else comparison.system for comparison in drawn]
    return _draw_rows(drawn, labels, _note(family, top), verdicts=verdicts, alone=alone)


def _draw_rows(
    drawn: Sequence[Comparison],
    labels: Sequence[str],
    note: str,
    *,
    verdicts: Sequence[str],
    alone: bool,
) -> vega.Chart:
    """Return one row per comparison, in this order."""
    first, places = drawn[0], _places(drawn)
    words = _entries(first)
    rows = [
        {
            "label": label,
            "system": comparison.system,
            "baseline": comparison.baseline,
            "difference": comparison.value,
            **get_ends(comparison.interval),
            "p": comparison.p_value,
            "adjusted_p": comparison.adjusted_p_value,
            "entry": words[_verdict(comparison)],
        }
        for label, comparison in zip(labels, drawn, strict=True)
    ]
    colour, shape = make_legend((words[verdict], *VERDICTS[verdict]) for verdict in verdicts)
    base = vega.Chart(values(rows)).encode(
        y=make_row_axis(
            labels,
            note,
            "label",
            axis=dict(labelLimit=LABEL_LIMIT),
        ),
        color=colour,
        opacity=highlight("system", "baseline"),
        tooltip=[
            *tooltips({"system": "system", "baseline": "minus"}, ["difference"], places),
            *make_end_tooltips(rows, first.interval.alternative, places),
            *tooltips((), {"p": "p", "adjusted_p": "adjusted p"}, ".2g"),
        ],
    )
    axis = make_value_axis(
        f"mean difference in {first.measure}" if alone else "mean difference", len(rows)
    )
    marks = draw_forest(base, "difference", first.interval.alternative, axis, shape)
    return make_panel(draw_reference_line(0), *marks)


def _query_panel(family: Sequence[Comparison], *, one_pair: bool, alone: bool) -> vega.Chart:
    """Return the difference of each query as a bar, highest first, and their mean."""
    (comparison,) = family
    per_query = comparison.query_differences
    order = sorted(range(comparison.n), key=lambda k: -per_query[k])
    system, baseline = comparison.scores or ((), ())
    words = ("difference of a query", f"mean with its {describe_interval(comparison.interval)}")
    rows = [
        {
            "query": comparison.queries[k],
            "difference": per_query[k],
            "system": system[k],
            "baseline": baseline[k],
            "entry": words[0],
        }
        for k in order
    ]
    places = _places([comparison])
    colour, shape = make_legend(((words[0], EMPHASIS, "square"), (words[1], CONTRAST, LINE)))
    difference = "difference" if one_pair else _short_pair(comparison)
    y: dict[str, Any] = {"title": f"{difference} in {comparison.measure}" if alone else difference}
    few = comparison.n <= MAX_LABELS
    labels = dict(labelFontSize=11, labelOverlap=False if few else "greedy", ticks=few)
    bars = vega.Chart(values(rows)).encode(
        x=vega.X("query:N", sort=[row["query"] for row in rows], title="query", axis=labels),
        y=vega.Y("difference:Q", **y),
        color=colour,
        tooltip=tooltips(
            ["query"],
            {
                "difference": "difference",
                "system": comparison.system,
                "baseline": comparison.baseline,
            },
            places,
        ),
    )
    mean = {"mean": comparison.value, **get_ends(comparison.interval), "entry": words[1]}
    whole = vega.Chart(values([mean])).encode(
        color=colour,
        tooltip=[
            *tooltips((), {"mean": "mean difference"}, places),
            *make_end_tooltips([mean], comparison.interval.alternative, places),
        ],
    )
    key = vega.Chart(values([{"entry": entry} for entry in words])).mark_point(opacity=0)
    return make_panel(
        *_band(whole, comparison, y),
        bars.mark_bar(),
        whole.mark_rule(strokeWidth=2).encode(y=vega.Y("mean:Q", **y)),
        draw_reference_line(0, "y", **y),
        key.encode(color=colour, shape=shape),
        height=HEIGHT,
    )


def _band(whole: vega.Chart, comparison: Comparison, y: dict[str, Any]) -> list[vega.Chart]:
    """Return the interval across the plot, to its edge where one end is open."""
    ends = ENDS[comparison.interval.alternative]
    if any(math.isnan(getattr(comparison.interval, end)) for end in ends):
        return []
    other: Any = "high:Q"
    if len(ends) == 1:
        other = vega.value(0 if ends[0] == "low" else "height")
    return [whole.mark_rect(opacity=0.25).encode(y=vega.Y(f"{ends[0]}:Q", **y), y2=other)]


def _query_description(family: Sequence[Comparison]) -> str:
    (comparison,) = family
    per_query, places = comparison.query_differences, _places([comparison])
    higher, lower = int((per_query > 0).sum()), int((per_query < 0).sum())
    ends = [
        f"{comparison.queries[k]} ({with_sign(float(per_query[k]), places)})"
        for k in (int(per_query.argmax()), int(per_query.argmin()))
    ]
    limits = [
        f"{end} {fixed(getattr(comparison.interval, end), places)}"
        for end in ENDS[comparison.interval.alternative]
    ]
    return (
        f"{_pair(comparison)} by {comparison.measure}, query by query: higher on {higher:,} of "
        f"{pluralise_queries(comparison.n)}, lower on {lower:,}, from {ends[0]} to {ends[1]}; mean "
        f"{with_sign(comparison.value, places)}, {describe_interval(comparison.interval)}: "
        f"{', '.join(limits)}."
    )


def _is_triangle(family: Sequence[Comparison]) -> bool:
    systems = {name for comparison in family for name in (comparison.system, comparison.baseline)}
    n = len(systems)
    return MIN_TRIANGLE <= n <= MAX_TRIANGLE and len(family) == n * (n - 1) // 2


def _best_first(family: Sequence[Comparison]) -> list[str]:
    """Return the systems by their mean difference from all others."""
    ahead: dict[str, float] = {}
    for comparison in family:
        ahead[comparison.system] = ahead.get(comparison.system, 0.0) + comparison.value
        ahead[comparison.baseline] = ahead.get(comparison.baseline, 0.0) - comparison.value
    return sorted(ahead, key=lambda name: (-ahead[name], name))


def _triangle(family: Sequence[Comparison], *, order: list[str], alone: bool) -> vega.Chart:
    """Return a cell per pair: the system of the column minus that of the row, which is below it."""
    place = {name: k for k, name in enumerate(order)}
    cell = max(MIN_CELL, min(MAX_CELL, WIDTH // len(order)))
    places, words = _places(family), _entries(family[0])
    two_sided = family[0].interval.alternative == "two-sided"
    rows: list[dict[str, Any]] = []
    for comparison in family:
        sign = 1 if place[comparison.system] < place[comparison.baseline] else -1
        low, high = sorted((sign * comparison.interval.low, sign * comparison.interval.high))
        rows.append(
            {
                "system": comparison.system if sign > 0 else comparison.baseline,
                "minus": comparison.baseline if sign > 0 else comparison.system,
                "difference": sign * comparison.value,
                "low": low,
                "high": high,
                "number": tick(sign * comparison.value, places),
                "adjusted_p": comparison.adjusted_p_value,
                "entry": words[_verdict(comparison)],
            }
        )
    most = max(abs(row["difference"]) for row in rows) or 1.0
    has_negative = any(row["difference"] < 0 for row in rows)
    legend: dict[str, Any] = {"orient": "top-right" if len(order) >= ROOMY else "right"}
    title = f"mean difference in {family[0].measure}" if alone else "mean difference"
    base = vega.Chart(values(rows)).encode(
        x=vega.X("system:N", sort=order[:-1], title="system", axis=dict(labelAngle=-45)),
        y=vega.Y("minus:N", sort=order[1:], title="minus system"),
        opacity=highlight("system", "minus"),
        tooltip=[
            *tooltips(["system", "minus"], ["difference"], places),
            *tooltips((), ("low", "high") if two_sided else (), places),
            *tooltips((), {"adjusted_p": "adjusted p"}, ".2g"),
        ],
    )
    colour = vega.channel(
        "difference:Q",
        title=title,
        scale=dict(
            domain=[-most, 0, most] if has_negative else [0, most],
            range=list(DIVERGING if has_negative else DIVERGING[1:]),
        ),
        legend=legend,
    )
    layers = [base.mark_rect(stroke="white", strokeWidth=1).encode(color=colour)]
    has_numbers = cell >= NUMBER_CELL
    if has_numbers:
        text = base.mark_text(color=CELL_INK, fontSize=11, dy=-5)
        layers.append(text.encode(text=vega.channel("number:N")))
    significant = words["significant"]
    dot = base.mark_point(
        filled=True,
        size=36,
        fill=CELL_INK,
        stroke=DIVERGING[1],  # seen on dark paper
        strokeWidth=1,
        opacity=1,
        yOffset=10 if has_numbers else 0,
    )
    shape = vega.channel(
        "entry:N",
        title=None,
        scale=dict(domain=[significant], range=["circle"]),
        legend=dict(**legend, symbolOpacity=1),
    )
    layers.append(dot.transform_filter(f"datum.entry === {significant!r}").encode(shape=shape))
    whole = vega.layer(*layers).resolve_scale(color="independent", shape="independent")
    return whole.properties(width=vega.step(cell), height=vega.step(cell))
