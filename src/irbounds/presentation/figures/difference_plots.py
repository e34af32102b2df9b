"""Forests of mean differences on their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...results import Comparison
from ...results.comparisons import has_one_baseline
from ...validation import check_count
from ..phrases import describe_interval, group_by_measure, half_width, pluralise, shorten
from ..rounding import decimals_of_column, error_level, fixed, format_setting
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
    QUIET,
    Figure,
    draw_reference_line,
    highlight,
    make_legend,
    tooltips,
    values,
)

LABEL_LIMIT = 360  # pixels: two names and a minus
#: colour and symbol by the outcome of the test
VERDICTS = {
    "significant": (EMPHASIS, "circle"),
    "not significant": (QUIET, "diamond"),
    "no test": (CONTRAST, "cross"),
}


def draw_differences(comparisons: Sequence[Comparison], top: int = MAX_SYSTEMS) -> Figure:
    """Draw mean differences on their intervals, one panel per measure.

    ``top`` is the largest number of rows.
    """
    check_count("top", top)
    first = comparisons[0]
    families = group_by_measure(comparisons)
    is_alone = len(families) == 1
    is_grouped = hasattr(first, "group")
    one_baseline = has_one_baseline(comparisons)
    one_pair = one_baseline and len({row.system for row in comparisons}) == 1
    whose = f" from {shorten(first.baseline)}" if one_baseline else ""
    if is_grouped and one_pair:
        whose = f" of {shorten(first.system)} \N{MINUS SIGN} {shorten(first.baseline)}"
    p = "p" if first.adjustment == "none" else "adjusted p"
    level = format_setting(error_level(first.interval.confidence_level))
    words = {
        "significant": f"{p} at most {level}",
        "not significant": f"{p} above {level}",
        "no test": "no test",
    }
    used = {_verdict(row) for row in comparisons}
    colour, shape = make_legend((words[name], *VERDICTS[name]) for name in VERDICTS if name in used)

    def name_row(row: Comparison) -> str:
        pair = row.system if one_baseline else _name_pair(row)
        if not is_grouped:
            return pair
        group: str = vars(row)["group"]
        return group if one_pair else f"{pair}, {group}"

    def describe_rows(family: Sequence[Comparison]) -> str:
        return describe_cut(min(top, len(family)), len(family), "comparison")

    def draw(family: Sequence[Comparison]) -> vega.Chart:
        drawn = list(family) if is_grouped else sorted(family, key=lambda row: -row.value)
        drawn = drawn[:top]
        labels = list(map(name_row, drawn))
        places = _places(drawn)
        rows = [
            {
                "label": label,
                "system": row.system,
                "baseline": row.baseline,
                "difference": row.value,
                **get_ends(row.interval),
                "p": row.p_value,
                "adjusted_p": row.adjusted_p_value,
                "entry": words[_verdict(row)],
            }
            for label, row in zip(labels, drawn, strict=True)
        ]
        base = vega.Chart(values(rows)).encode(
            y=make_row_axis(
                labels, describe_rows(family), "label", axis={"labelLimit": LABEL_LIMIT}
            ),
            color=colour,
            opacity=highlight("system", "baseline"),
            tooltip=[
                *tooltips({"system": "system", "baseline": "minus"}, ["difference"], places),
                *make_end_tooltips(rows, first.interval.alternative, places),
                *tooltips((), {"p": "p", "adjusted_p": "adjusted p"}, ".2g"),
            ],
        )
        title = f"mean difference in {first.measure}" if is_alone else "mean difference"
        axis = make_value_axis(title, len(rows))
        marks = draw_forest(base, "difference", first.interval.alternative, axis, shape)
        return make_panel(draw_reference_line(0), *marks)

    def describe(family: Sequence[Comparison]) -> str:
        most = max(family, key=lambda row: abs(row.value))
        n_significant = sum(_verdict(row) == "significant" for row in family)
        return (
            f"{pluralise(len(family), 'comparison')} in {most.measure}, each mean difference with "
            f"its {describe_interval(first.interval)}: {n_significant:,} significant at the "
            f"{level} level; the largest difference is {fixed(most.value, _places(family))}, "
            f"{_name_pair(most)}.{make_note_sentence(describe_rows(family))}"
        )

    name = "group-differences" if is_grouped else "differences"
    return draw_measure_panels(
        families,
        draw,
        describe,
        name=f"{name}-{first.measure}" if is_alone else name,
        title=f"Mean differences{whose}{' within groups,' if is_grouped else ''} with "
        f"{describe_interval(first.interval)}s",
    )


def _name_pair(row: Comparison) -> str:
    return f"{row.system} \N{MINUS SIGN} {row.baseline}"


def _places(comparisons: Sequence[Comparison]) -> int:
    return decimals_of_column(half_width(row.value, row.interval) for row in comparisons)


def _verdict(comparison: Comparison) -> str:
    if math.isnan(comparison.adjusted_p_value):
        return "no test"
    return "significant" if comparison.is_significant else "not significant"
