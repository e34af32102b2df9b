"""Forests of mean differences on their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...results import Comparison, GroupComparison
from ...results.comparisons import list_closest
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

    ``top`` is the largest number of rows: of more comparisons than that those closest to the
    decision are drawn.
    """
    check_count("top", top)
    families = group_by_measure(comparisons)
    first, alone = comparisons[0], len(families) == 1
    one_baseline = len({comparison.baseline for comparison in comparisons}) == 1
    whose = f" from {shorten(first.baseline)}" if one_baseline else ""
    verdicts = _list_verdicts(comparisons)

    def draw(family: Sequence[Comparison]) -> vega.Chart:
        drawn = sorted((family[k] for k in list_closest(family, top)), key=lambda row: -row.value)
        labels = [row.system if one_baseline else _name_pair(row) for row in drawn]
        return _draw_rows(drawn, labels, _note(family, top), verdicts=verdicts, alone=alone)

    return draw_measure_panels(
        families,
        draw,
        lambda family: _description(family, _note(family, top)),
        name=f"differences-{first.measure}" if alone else "differences",
        title=f"Mean differences{whose} with {describe_interval(first.interval)}s",
    )


def draw_group_differences(rows: Sequence[GroupComparison], top: int = MAX_SYSTEMS) -> Figure:
    """Draw the mean differences within groups, all groups of as many pairs as ``top`` rows hold."""
    check_count("top", top)
    families = group_by_measure(rows)
    first, alone = rows[0], len(families) == 1
    pairs = {(row.system, row.baseline) for row in rows}
    one_baseline = len({row.baseline for row in rows}) == 1
    whose = f" from {shorten(first.baseline)}" if one_baseline else ""
    if len(pairs) == 1:
        whose = f" of {shorten(first.system)} \N{MINUS SIGN} {shorten(first.baseline)}"
    verdicts = _list_verdicts(rows)

    def name_row(row: GroupComparison) -> str:
        pair = row.system if one_baseline else _name_pair(row)
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


def _name_pair(comparison: Comparison) -> str:
    return f"{comparison.system} \N{MINUS SIGN} {comparison.baseline}"


def _places(comparisons: Sequence[Comparison]) -> int:
    return decimals_of_column(half_width(row.value, row.interval) for row in comparisons)


def _verdict(comparison: Comparison) -> str:
    if math.isnan(comparison.adjusted_p_value):
        return "no test"
    return "significant" if comparison.is_significant else "not significant"


def _list_verdicts(comparisons: Sequence[Comparison]) -> list[str]:
    return [verdict for verdict in VERDICTS if verdict in set(map(_verdict, comparisons))]


def _note(family: Sequence[Comparison], top: int) -> str:
    return describe_cut(min(top, len(family)), len(family), "comparison", "{} least certain")


def _description(family: Sequence[Comparison], note: str = "") -> str:
    most = max(family, key=lambda comparison: abs(comparison.value))
    n_significant = sum(_verdict(comparison) == "significant" for comparison in family)
    level = format_setting(error_level(most.interval.confidence_level))
    return (
        f"{pluralise(len(family), 'comparison')} in {most.measure}, each mean difference with its "
        f"{describe_interval(most.interval)}: {n_significant:,} significant at the {level} level; "
        f"the largest difference is {fixed(most.value, _places(family))}, {_name_pair(most)}."
        f"{make_note_sentence(note)}"
    )


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
    p = "p" if first.adjustment == "none" else "adjusted p"
    level = format_setting(error_level(first.interval.confidence_level))
    words = {
        "significant": f"{p} at most {level}",
        "not significant": f"{p} above {level}",
        "no test": "no test",
    }
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
