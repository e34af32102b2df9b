"""Published means on their intervals, and how far two of them lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...parameters import Alternative
from ...results import Card, CardComparison
from ..cards import card_comparison_sentence, card_name, card_sentence, welch_words
from ..evaluation import half_width
from ..rounding import decimals, decimals_of_column
from . import vega
from .spans import axis_of, end_fields, end_tooltips, spans, stacked
from .style import ROW, WIDTH, Figure, finished, highlight, reference_line, tooltips, values

__all__ = ["card_comparison", "card_means"]


def card_means(cards: Sequence[Card]) -> Figure:
    """Each card's mean on its own interval, best first."""
    best_first = sorted(cards, key=lambda card: (-card.mean, card.system))
    measures = ", ".join(dict.fromkeys(card.measure for card in best_first))
    alone = f"Mean {measures} with the interval on the card"
    return finished(
        stacked(_panels(best_first)),
        name=f"card-{measures}",
        title=f"Published means ({measures}) with their intervals" if cards[1:] else alone,
        description="; ".join(map(card_sentence, best_first)) + ".",
    )


def card_comparison(found: CardComparison) -> Figure:
    """Either card's mean on its own interval, and below them the difference on Welch's."""
    first, second, interval = found.first, found.second, found.interval
    places = decimals(half_width(found.difference, interval))
    row = {"card": "difference", "mean": found.difference, **end_fields(interval)}
    marks = _marks([row], interval.alternative, f"difference in mean {first.measure}", places)
    below = vega.layer(reference_line(0), *marks).properties(width=WIDTH, height=vega.step(ROW))
    words = f"Difference with its {welch_words(interval)}"
    return finished(
        stacked([*_panels([first, second]), (words, below)]),
        name=f"cards-{first.measure}",
        title=f"Two cards, and their difference in mean {first.measure}",
        description=f"{card_sentence(first)}; {card_sentence(second)}; "
        f"{card_comparison_sentence(found)}. The difference stands below, beside a line at zero.",
    )


def _panels(cards: Sequence[Card]) -> list[tuple[str, vega.Chart]]:
    """A panel for each measure and side of interval: others share no axis, or no arrowhead."""
    parts: dict[tuple[str, Alternative], list[Card]] = {}
    for card in cards:
        parts.setdefault((card.measure, card.interval.alternative), []).append(card)
    panels: list[tuple[str, vega.Chart]] = []
    for (measure, side), part in parts.items():
        places = decimals_of_column(half_width(card.mean, card.interval) for card in part)
        marks = _marks([*map(_row, part)], side, f"mean {measure}", places)
        chart = vega.layer(*marks).properties(width=WIDTH, height=vega.step(ROW))
        panels.append((f"Mean {measure} with the interval on the card", chart))
    return panels


def _row(card: Card) -> dict[str, Any]:
    names = {"system": card.system, "card": card_name(card)}
    return {**names, "mean": card.mean, **end_fields(card.interval)}


def _marks(
    rows: Sequence[dict[str, Any]], side: Alternative, title: str, places: int
) -> list[vega.Chart]:
    base = vega.Chart(values(rows)).encode(
        y=vega.Y("card:N", sort=[row["card"] for row in rows], title=None),
        opacity=highlight(),
        tooltip=[
            *tooltips(("card",), {"mean": title}, places),
            *end_tooltips(rows, side, places),
        ],
    )
    return spans(base, "mean", side, axis_of(title, len(rows)))
