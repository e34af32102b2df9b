"""AP and ROC AUC of classifiers, or their differences, on their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import ClassifierScore
from ...validation import check_count
from ..phrases import describe_interval, group_by_measure, half_width, pluralise
from ..rounding import decimals_of_column, fixed, small_p
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
from .style import CONTRAST, Figure, draw_reference_line, highlight, tooltips, values

CHANCE = "chance level"


def draw_classifiers(results: Sequence[Any], top: int = MAX_SYSTEMS) -> Figure:
    """Draw scores or differences best first, each a dot on its interval, one panel per measure.

    A line marks the chance level: the mean of random rankings of the same rows; or a difference of
    0. Of more rows than ``top`` the first are drawn.
    """
    check_count("top", top)
    families = [sorted(rows, key=lambda row: -row.value) for rows in group_by_measure(results)]
    first, is_alone = results[0], len(families) == 1
    interval, rows = describe_interval(first.interval), pluralise(first.n, "row")
    name, title = "classifier-differences", f"Differences on the same {rows}, with {interval}s"
    if isinstance(first, ClassifierScore):
        measures = " and ".join(family[0].measure for family in families)
        name, title = "classifiers", f"{measures} with {interval}s, {rows} (dashed: {CHANCE})"
    return draw_measure_panels(
        families,
        lambda family: _draw_panel(family, top, is_alone),
        lambda family: _describe(family, top),
        name=f"{name}-{first.measure.replace(' ', '-')}" if is_alone else name,
        title=title,
    )


def _name_row(row: Any) -> str:
    is_score = isinstance(row, ClassifierScore)
    return str(row.classifier) if is_score else f"{row.classifier} - {row.baseline}"


def _draw_panel(family: Sequence[Any], top: int, is_alone: bool) -> vega.Chart:
    visible, first = family[:top], family[0]
    is_score = isinstance(first, ClassifierScore)
    places = decimals_of_column(half_width(row.value, row.interval) for row in visible)
    rows = [
        {
            "system": _name_row(row),
            "value": row.value,
            **get_ends(row.interval),
            "p": small_p(row.p_value if is_score else row.adjusted_p_value),
        }
        for row in visible
    ]
    side = first.interval.alternative
    cut = describe_cut(len(rows), len(family), "row")
    base = vega.Chart(values(rows)).encode(
        y=make_row_axis([row["system"] for row in rows], cut),
        opacity=highlight(),
        tooltip=[
            *tooltips(["system"], {"value": first.measure if is_score else "difference"}, places),
            *make_end_tooltips(rows, side, places),
            *tooltips({"p": "p of a random ranking" if is_score else "adjusted p"}),
        ],
    )
    line = draw_reference_line(0)
    if is_score:
        line = draw_reference_line(first.chance, called=CHANCE, colour=CONTRAST)
    words = first.measure if is_score else f"difference in {first.measure}"
    axis = make_value_axis(words if is_alone else None, len(rows))
    return make_panel(line, *draw_forest(base, "value", side, axis))


def _describe(family: Sequence[Any], top: int) -> str:
    first, last = family[0], family[-1]
    is_score = isinstance(first, ClassifierScore)
    places = decimals_of_column(half_width(row.value, row.interval) for row in family)
    what = "classifier" if is_score else "difference"
    reach = " to ".join(
        f"{_name_row(row)} at {fixed(row.value, places)}" for row in dict.fromkeys((first, last))
    )
    line = f"the {CHANCE}, {fixed(first.chance, places)}" if is_score else "0"
    return (
        f"{pluralise(len(family), what)} by {first.measure}, each with its "
        f"{describe_interval(first.interval)}: {reach}. A line marks {line}."
        + make_note_sentence(describe_cut(min(top, len(family)), len(family), what))
    )
