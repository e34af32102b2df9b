"""AP and ROC AUC of classifiers on their intervals with the chance level, and differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...results import ClassifierDifference, ClassifierScore
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


def draw_classifiers(scores: Sequence[ClassifierScore], top: int = MAX_SYSTEMS) -> Figure:
    """Draw classifiers best first, each value a dot on its interval, one panel per measure.

    A line marks the chance level: the mean of random rankings of the same rows. Of more classifiers
    than ``top`` the first are drawn.
    """
    check_count("top", top)
    families = [
        sorted(family, key=lambda score: -score.value) for family in group_by_measure(scores)
    ]
    first = scores[0]
    alone = len(families) == 1
    return draw_measure_panels(
        families,
        lambda family: _score_panel(family, top, alone),
        lambda family: _describe_scores(family, top),
        name=f"classifiers-{first.measure.replace(' ', '-')}" if alone else "classifiers",
        title=f"{' and '.join(family[0].measure for family in families)} with "
        f"{describe_interval(first.interval)}s, {pluralise(first.n, 'row')} (dashed: {CHANCE})",
    )


def _score_panel(family: Sequence[ClassifierScore], top: int, alone: bool) -> vega.Chart:
    visible, first = family[:top], family[0]
    places = decimals_of_column(half_width(score.value, score.interval) for score in visible)
    rows = [
        {
            "system": score.classifier,
            "value": score.value,
            **get_ends(score.interval),
            "p": small_p(score.p_value),
        }
        for score in visible
    ]
    words = {"value": first.measure}
    marks = _draw_rows(rows, first, words, {"p": "p of a random ranking"}, places, len(family))
    line = draw_reference_line(first.chance, called=CHANCE, colour=CONTRAST)
    axis = make_value_axis(first.measure if alone else None, len(rows))
    return make_panel(line, *marks(axis))


def _draw_rows(
    rows: Sequence[dict[str, Any]],
    first: Any,
    words: Mapping[str, str],
    more: Mapping[str, str],
    places: int,
    n: int,
) -> Any:
    """Return a function of the axis that draws the rows as a forest."""
    side = first.interval.alternative
    base = vega.Chart(values(rows)).encode(
        y=make_row_axis([row["system"] for row in rows], describe_cut(len(rows), n, "row")),
        opacity=highlight(),
        tooltip=[
            *tooltips(["system"], words, places),
            *make_end_tooltips(rows, side, places),
            *tooltips(more),
        ],
    )
    return lambda axis: draw_forest(base, "value", side, axis)


def _describe_scores(family: Sequence[ClassifierScore], top: int) -> str:
    first, last = family[0], family[-1]
    places = decimals_of_column(half_width(score.value, score.interval) for score in family)
    reach = f"{first.classifier} at {fixed(first.value, places)}"
    if len(family) > 1:
        reach = f"from {reach} to {last.classifier} at {fixed(last.value, places)}"
    note = make_note_sentence(describe_cut(min(top, len(family)), len(family), "classifier"))
    return (
        f"{pluralise(len(family), 'classifier')} by {first.measure}, each with its "
        f"{describe_interval(first.interval)}: {reach}. A line marks the {CHANCE}, "
        f"{fixed(first.chance, places)}.{note}"
    )


def draw_classifier_differences(
    differences: Sequence[ClassifierDifference], top: int = MAX_SYSTEMS
) -> Figure:
    """Draw differences of classifiers on their intervals with a line at 0, a panel per measure."""
    check_count("top", top)
    families = [
        sorted(family, key=lambda difference: -difference.value)
        for family in group_by_measure(differences)
    ]
    first, alone = differences[0], len(families) == 1
    return draw_measure_panels(
        families,
        lambda family: _difference_panel(family, top, alone),
        lambda family: _describe_differences(family, top),
        name=f"classifier-differences-{first.measure.replace(' ', '-')}"
        if alone
        else "classifier-differences",
        title=f"Differences of classifiers on the same {pluralise(first.n, 'row')}, with "
        f"{describe_interval(first.interval)}s",
    )


def _label(difference: ClassifierDifference) -> str:
    return f"{difference.classifier} - {difference.baseline}"


def _difference_panel(family: Sequence[ClassifierDifference], top: int, alone: bool) -> vega.Chart:
    visible, first = family[:top], family[0]
    places = decimals_of_column(half_width(row.value, row.interval) for row in visible)
    rows = [
        {
            "system": _label(difference),
            "value": difference.value,
            **get_ends(difference.interval),
            "p": small_p(difference.adjusted_p_value),
        }
        for difference in visible
    ]
    words = {"value": "difference"}
    marks = _draw_rows(rows, first, words, {"p": "adjusted p"}, places, len(family))
    axis = make_value_axis(f"difference in {first.measure}" if alone else None, len(rows))
    return make_panel(draw_reference_line(0), *marks(axis))


def _describe_differences(family: Sequence[ClassifierDifference], top: int) -> str:
    first = family[0]
    n = sum(difference.is_significant for difference in family)
    note = make_note_sentence(describe_cut(min(top, len(family)), len(family), "difference"))
    return (
        f"{pluralise(len(family), 'difference')} in {first.measure}, each with its "
        f"{describe_interval(first.interval)}; {n} significant. A line marks 0.{note}"
    )
