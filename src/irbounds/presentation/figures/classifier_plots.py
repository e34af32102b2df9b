"""AP and ROC AUC of classifiers, or their differences, on their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import ClassifierScore
from ..phrases import describe_interval, group_by_measure, half_width, pluralise
from ..rounding import decimals_of_column, small_p
from . import MAX_SYSTEMS, vega
from .shapes import (
    describe_cut,
    draw_forest,
    draw_measure_panels,
    get_ends,
    make_end_tooltips,
    make_panel,
    make_row_axis,
    make_value_axis,
)
from .style import CONTRAST, Figure, draw_reference_line, highlight, tooltips, values

CHANCE = "chance level"


def draw_classifiers(results: Sequence[Any], top: int = MAX_SYSTEMS) -> Figure:
    """Draw scores or differences best first, each a dot on its interval, one panel per measure.

    A line marks the chance level, the mean of random rankings of the same rows, or a difference of
    0. Of more rows than ``top`` the first are drawn.
    """
    families = [sorted(rows, key=lambda row: -row.value) for rows in group_by_measure(results)]
    first, cut = results[0], describe_cut(top, max(map(len, families)), "row")
    what = f"{describe_interval(first.interval)}s, {pluralise(first.n, 'row')}"
    name, title = "classifier-differences", f"Differences with {what}"
    if isinstance(first, ClassifierScore):
        measures = " and ".join(family[0].measure for family in families)
        name, title = "classifiers", f"{measures} with {what} (dashed: {CHANCE})"
    return draw_measure_panels(
        *([family[:top] for family in families], _draw_panel),
        lambda rows: f"{_name_row(rows[0])} has the highest {rows[0].measure}.",
        name=name,
        title=f"{title}, {cut}" if cut else title,
    )


def _name_row(row: Any) -> str:
    is_score = isinstance(row, ClassifierScore)
    return str(row.classifier) if is_score else f"{row.classifier} - {row.baseline}"


def _draw_panel(family: Sequence[Any]) -> vega.Chart:
    first = family[0]
    is_score = isinstance(first, ClassifierScore)
    places = decimals_of_column(half_width(row.value, row.interval) for row in family)
    rows = [
        {
            "system": _name_row(row),
            "value": row.value,
            **get_ends(row.interval),
            "p": small_p(row.p_value if is_score else row.adjusted_p_value),
        }
        for row in family
    ]
    side = first.interval.alternative
    words = first.measure if is_score else f"difference in {first.measure}"
    base = vega.Chart(values(rows)).encode(
        y=make_row_axis([row["system"] for row in rows]),
        opacity=highlight(),
        tooltip=[
            *tooltips(["system"], {"value": words}, places),
            *make_end_tooltips(rows, side, places),
            *tooltips({"p": "p of a random ranking" if is_score else "adjusted p"}),
        ],
    )
    line = draw_reference_line(0)
    if is_score:
        line = draw_reference_line(first.chance, called=CHANCE, colour=CONTRAST)
    return make_panel(line, *draw_forest(base, "value", side, make_value_axis(words, len(rows))))
