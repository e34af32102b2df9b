"""Cards as tables, one, several or two and their difference, and sentences that say the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..results import Card, CardComparison, Interval
from .bars import bar_of
from .evaluation import ENDS, SIDES, end_values, half_width, interval_words
from .rounding import decimals, decimals_of_column, error_level, fixed, p_words, percent, small_p
from .tables import Table
from .words import counted_queries

__all__ = [
    "card_comparison_sentence",
    "card_comparison_table",
    "card_name",
    "card_sentence",
    "card_table",
    "card_tables",
    "welch_words",
]


def card_comparison_table(found: CardComparison, digits: int | None = None) -> Table:
    """Three rows: either card with its own interval, and the difference."""
    places = _places(found, digits)
    return Table(
        title=f"{found.first.measure}: two cards, and their difference with its "
        f"{welch_words(found.interval)}",
        headings=("card", "mean", "low", "high", "sd", "queries", "p"),
        cells=(
            *(_card_cells(card, places) for card in (found.first, found.second)),
            (
                "difference",
                *(fixed(x, places) for x in (found.difference, *_ends(found.interval))),
                "",
                "",
                small_p(found.p_value),
            ),
        ),
        records=tuple(_records(found)),
        caption="low to high: of a card its own interval; sd: of its scores over queries",
        bars=(*(bar_of(card.mean, card.interval) for card in (found.first, found.second)), None),
        spare=("sd", "queries"),
    )


def card_comparison_sentence(found: CardComparison, digits: int | None = None) -> str:
    """What the comparison shows, in plain words."""
    first, second = (card_name(card) for card in (found.first, found.second))
    measure, interval, places = found.first.measure, found.interval, _places(found, digits)
    apart = fixed(found.difference, places)
    if found.reason:
        return f"{first} - {second}: {apart} in {measure}; no interval, {found.reason}"
    shown = found.p_value <= error_level(interval.confidence_level)
    if interval.alternative == "two-sided":
        verdict = f"{first} and {second} {'differ' if shown else 'cannot be told apart'}"
    else:
        side = {"less": "lower", "greater": "higher"}[interval.alternative]
        verdict = f"{first} is {'' if shown else 'not '}shown to score {side} than {second}"
    limits = f"{_level(interval)} {SIDES[interval.alternative]} {_limits(interval, places)}"
    return f"{verdict} in {measure}: difference {apart}, {limits}, {p_words(found.p_value)}"


def _card_cells(card: Card, places: int) -> tuple[str, ...]:
    numbers = (card.mean, *_ends(card.interval), card.standard_deviation)
    return (card_name(card), *(fixed(x, places) for x in numbers), f"{card.n:,}", "")


def card_name(card: Card) -> str:
    """What a card is called in tables and figures."""
    return f"{card.system} ({card.collection})"


def _ends(interval: Interval) -> tuple[float, float]:
    """Both ends; NaN, shown as a dash, for one that is not there."""
    low, high = (x if math.isfinite(x) else math.nan for x in (interval.low, interval.high))
    return low, high


def _places(found: CardComparison, digits: int | None) -> int:
    return decimals(half_width(found.difference, found.interval)) if digits is None else digits


def _level(interval: Interval) -> str:
    return percent(interval.confidence_level)


def welch_words(interval: Interval) -> str:
    """``95 % Welch interval``, or a limit where it is one-sided."""
    return f"{_level(interval)} Welch {SIDES[interval.alternative]}"


def _limits(interval: Interval, places: int) -> str:
    return " to ".join(fixed(x, places) for x in end_values(interval))


def _records(found: CardComparison) -> list[dict[str, Any]]:
    """Either card and the difference, under the same keys."""
    cards = [
        {"what": what, **_card_record(card), "degrees_of_freedom": None, "p_value": None}
        for what, card in (("first", found.first), ("second", found.second))
    ]
    difference = {
        "what": "difference",
        "system": None,
        "collection": None,
        "measure": found.first.measure,
        "mean": found.difference,
        **_interval_record(found.interval),
        "standard_deviation": None,
        "standard_error": found.standard_error,
        "n": None,
        "degrees_of_freedom": found.degrees_of_freedom,
        "p_value": found.p_value,
    }
    return [*cards, difference]


def _card_record(card: Card) -> dict[str, Any]:
    """The numbers of a card; what was read and how it was scaled stay in it."""
    return {
        "system": card.system,
        "collection": card.collection,
        "measure": card.measure,
        "mean": card.mean,
        **_interval_record(card.interval),
        "standard_deviation": card.standard_deviation,
        "standard_error": card.standard_error,
        "n": card.n,
    }


def _interval_record(interval: Interval) -> dict[str, Any]:
    return {
        "low": interval.low,
        "high": interval.high,
        "method": interval.method,
        "confidence_level": interval.confidence_level,
        "alternative": interval.alternative,
    }


def card_tables(cards: Sequence[Card]) -> list[Table]:
    """One table a measure and kind of interval: a card a row, best first."""
    parts: dict[tuple[str, str], list[Card]] = {}
    for card in cards:
        parts.setdefault((card.measure, interval_words(card.interval)), []).append(card)
    return [_means_table(part) for part in parts.values()]


def _means_table(cards: Sequence[Card]) -> Table:
    best_first = sorted(cards, key=lambda card: (-card.mean, card.system))
    places = decimals_of_column(half_width(card.mean, card.interval) for card in cards)
    first = best_first[0]
    return Table(
        title=f"{first.measure}: published mean with its {interval_words(first.interval)}",
        headings=(
            *("system", "collection", "mean", *ENDS[first.interval.alternative], "sd", "queries"),
        ),
        cells=tuple(
            (
                *(card.system, card.collection),
                *(fixed(x, places) for x in (card.mean, *end_values(card.interval))),
                *(fixed(card.standard_deviation, places), f"{card.n:,}"),
            )
            for card in best_first
        ),
        records=tuple(map(_card_record, best_first)),
        first_number=2,
        caption="sd: of its scores over queries",
        bars=tuple(bar_of(card.mean, card.interval) for card in best_first),
        spare=("sd", "queries"),
    )


def card_table(card: Card) -> Table:
    """What a card says, a row a field; fields that it leaves open are left out."""
    places = decimals(half_width(card.mean, card.interval))
    numbers = {
        "mean": fixed(card.mean, places),
        "interval": _limits(card.interval, places),
        "standard deviation of scores": fixed(card.standard_deviation, places),
        "queries": f"{card.n:,}",
    }
    rows = {
        "system": card.system,
        "collection": card.collection,
        "measure": card.measure,
        **numbers,
        "fingerprint of the queries": card.query_fingerprint,
        "order of ties": card.ties,
        "note": card.note,
        "more": card.url,
    }
    return Table(
        title=f"{card.measure}: the card of {card_name(card)}",
        headings=("field", "value"),
        cells=tuple((name, text) for name, text in rows.items() if text is not None),
        records=(_card_record(card),),
        first_number=2,
        caption=f"interval: {interval_words(card.interval)}",
    )


def card_sentence(card: Card) -> str:
    """The card in one sentence."""
    places = decimals(half_width(card.mean, card.interval))
    mean = fixed(card.mean, places)
    said = f"{card_name(card)} has a mean {card.measure} of {mean} over {counted_queries(card.n)}"
    if math.isnan(half_width(card.mean, card.interval)):
        return f"{said}; these scores allow no interval"
    side = SIDES[card.interval.alternative]
    return f"{said}, {_level(card.interval)} {side} {_limits(card.interval, places)}"
