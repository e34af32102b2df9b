"""Published means: one on its interval, or two and how far they lie apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from ...parameters import Alternative
from ...results import Card, CardComparison
from ..evaluation import SIDES, half_width, interval_words
from ..rounding import decimals, fixed
from .spans import axis_of, end_fields, end_tooltips, spans, stacked, zero_line
from .style import ROW, WIDTH, Figure, finished, highlight, values

__all__ = ["card_comparison", "card_mean"]


def card_comparison(found: CardComparison) -> Figure:
    """Either card's mean on its own interval, and below them the difference on Welch's."""
    first, second, interval = found.first, found.second, found.interval
    places = decimals(half_width(found.difference, interval))
    row = {"system": "difference", "mean": found.difference, **end_fields(interval)}
    marks = _marks([row], interval.alternative, f"difference in mean {first.measure}", places)
    below = alt.layer(zero_line(), *marks).properties(width=WIDTH, height=alt.Step(ROW))
    level = f"{interval.confidence_level * 100:g} %"
    words = f"its {level} Welch {SIDES[interval.alternative]}"
    return finished(
        stacked([*_means([first, second]), (f"Difference with {words}", below)]),
        name=f"cards-{first.measure}",
        title=f"Two cards, and their difference in mean {first.measure}",
        description=(
            f"{_name(first)} at {fixed(first.mean, places)} and {_name(second)} at "
            f"{fixed(second.mean, places)} in mean {first.measure}; their difference of "
            f"{fixed(found.difference, places)} with {words}, about a line at zero."
        ),
    )


def card_mean(card: Card) -> Figure:
    """One card's mean on its interval."""
    places = decimals(half_width(card.mean, card.interval))
    ((title, chart),) = _means([card])
    return finished(
        chart,
        name=f"card-{card.measure}",
        title=title,
        description=f"{_name(card)} at a mean {card.measure} of {fixed(card.mean, places)}, with "
        f"its {interval_words(card.interval)}.",
    )


def _means(cards: Sequence[Card]) -> list[tuple[str, Figure]]:
    """One panel where all intervals have the same sides, else one for each kind."""
    parts: dict[Alternative, list[Card]] = {}
    for card in cards:
        parts.setdefault(card.interval.alternative, []).append(card)
    panels: list[tuple[str, Figure]] = []
    for side, part in parts.items():
        rows = [
            {"system": _name(card), "mean": card.mean, **end_fields(card.interval)} for card in part
        ]
        places = decimals(half_width(part[0].mean, part[0].interval))
        marks = _marks(rows, side, f"mean {part[0].measure}", places)
        chart = alt.layer(*marks).properties(width=WIDTH, height=alt.Step(ROW))
        panels.append((f"Mean {part[0].measure} with the interval on the card", chart))
    return panels


def _marks(
    rows: list[dict[str, Any]], side: Alternative, title: str, places: int
) -> list[alt.Chart]:
    base = alt.Chart(values(rows)).encode(
        y=alt.Y("system:N", sort=[row["system"] for row in rows], title=None),
        opacity=highlight(),
        tooltip=[
            alt.Tooltip("system:N", title="card"),
            alt.Tooltip("mean:Q", format=f".{places}f", title=title),
            *end_tooltips(rows, side, places),
        ],
    )
    return spans(base, "mean", side, axis_of(title, len(rows)))


def _name(card: Card) -> str:
    return f"{card.system} ({card.collection})"
