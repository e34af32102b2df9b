"""Figures of cards: published means with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...results import Card, CardComparison
from ...results.cards import card_sentence, comparison_sentence
from ...validation import Alternative
from ..phrases import describe_interval, half_width
from ..rounding import decimals, decimals_of_column
from . import vega
from .shapes import (
    draw_forest,
    get_ends,
    make_end_tooltips,
    make_panel,
    make_value_axis,
    stack_panels,
)
from .style import Figure, draw_reference_line, highlight, make_figure, tooltips, values


def card_means(cards: Sequence[Card]) -> Figure:
    """Draw the mean of each card on its interval, best first."""
    best_first = sorted(cards, key=lambda card: (-card.mean, card.system))
    measures = ", ".join(dict.fromkeys(card.measure for card in best_first))
    single = f"Mean {measures} with the interval on the card"
    return make_figure(
        stack_panels(_card_panels(best_first)),
        name=f"card-{measures}",
        title=f"Published means ({measures}) with their intervals" if cards[1:] else single,
        description="; ".join(map(card_sentence, best_first)) + ".",
    )


def card_comparison(comparison: CardComparison) -> Figure:
    """Draw both means on their intervals, and below them the difference on Welch's interval."""
    first, second, interval = comparison.first, comparison.second, comparison.interval
    places = decimals(half_width(comparison.value, interval))
    row = {"card": "difference", "mean": comparison.value, **get_ends(interval)}
    marks = _marks([row], interval.alternative, f"difference in mean {first.measure}", places)
    below = (
        f"Difference with its {describe_interval(interval)}",
        make_panel(draw_reference_line(0), *marks),
    )
    return make_figure(
        stack_panels([*_card_panels([first, second]), below]),
        name=f"cards-{first.measure}",
        title=f"Two cards, and their difference in mean {first.measure}",
        description=f"{card_sentence(first)}; {card_sentence(second)}; "
        f"{comparison_sentence(comparison)}. The difference is below, with a line at zero.",
    )


def _card_panels(cards: Sequence[Card]) -> list[tuple[str, vega.Chart]]:
    """Draw one panel per measure and side of interval: others share no axis, or no arrowhead."""
    parts: dict[tuple[str, Alternative], list[Card]] = {}
    for card in cards:
        parts.setdefault((card.measure, card.interval.alternative), []).append(card)
    panels = []
    for (measure, side), part in parts.items():
        places = decimals_of_column(half_width(card.mean, card.interval) for card in part)
        rows = [
            {"system": card.system, "card": card.label, "mean": card.mean,
             **get_ends(card.interval)} for card in part
        ]  # fmt: skip
        chart = make_panel(*_marks(rows, side, f"mean {measure}", places))
        panels.append((f"Mean {measure} with the interval on the card", chart))
    return panels


def _marks(
    rows: Sequence[dict[str, Any]], side: Alternative, title: str, places: int
) -> list[vega.Chart]:
    shown = [*tooltips(("card",), {"mean": title}, places), *make_end_tooltips(rows, side, places)]
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("card:N", sort=[row["card"] for row in rows], title=None),
        opacity=highlight(),
        tooltip=shown,
    )
    return draw_forest(base, "mean", side, make_value_axis(title, len(rows)))
