"""Two cards and their difference as a small table, with a sentence that says what it shows."""

from __future__ import annotations

import math
from typing import Any

from ..results import Card, CardComparison, Interval
from .evaluation import SIDES, end_values, half_width
from .rounding import decimals, fixed, small_p
from .tables import Table

__all__ = ["card_comparison_sentence", "card_comparison_table"]


def card_comparison_table(found: CardComparison, digits: int | None = None) -> Table:
    """Three rows: either card with its own interval, and the difference."""
    places = _places(found, digits)
    return Table(
        title=f"{found.first.measure}: two cards, and their difference with its "
        f"{_level(found.interval)} Welch {SIDES[found.interval.alternative]}",
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
    )


def card_comparison_sentence(found: CardComparison, digits: int | None = None) -> str:
    """What the comparison shows, in plain words."""
    first, second = (_name(card) for card in (found.first, found.second))
    measure, interval, places = found.first.measure, found.interval, _places(found, digits)
    apart = fixed(found.difference, places)
    if found.reason:
        return f"{first} - {second}: {apart} in {measure}; no interval, {found.reason}"
    # 0.1, not 0.09999999999999998
    shown = found.p_value <= round(1 - interval.confidence_level, 12)
    if interval.alternative == "two-sided":
        verdict = f"{first} and {second} {'differ' if shown else 'cannot be told apart'}"
    else:
        side = {"less": "lower", "greater": "higher"}[interval.alternative]
        verdict = f"{first} is {'' if shown else 'not '}shown to score {side} than {second}"
    limits = f"{_level(interval)} {SIDES[interval.alternative]} {_limits(interval, places)}"
    p = small_p(found.p_value)
    said = f"p {p[0]} {p[1:]}" if p.startswith("<") else f"p = {p}"
    return f"{verdict} in {measure}: difference {apart}, {limits}, {said}"


def _card_cells(card: Card, places: int) -> tuple[str, ...]:
    numbers = (card.mean, *_ends(card.interval), card.standard_deviation)
    return (_name(card), *(fixed(x, places) for x in numbers), f"{card.n:,}", "")


def _name(card: Card) -> str:
    return f"{card.system} ({card.collection})"


def _ends(interval: Interval) -> tuple[float, float]:
    """Both ends; NaN, shown as a dash, for one that is not there."""
    low, high = (x if math.isfinite(x) else math.nan for x in (interval.low, interval.high))
    return low, high


def _places(found: CardComparison, digits: int | None) -> int:
    return decimals(half_width(found.difference, found.interval)) if digits is None else digits


def _level(interval: Interval) -> str:
    return f"{interval.confidence_level * 100:g} %"


def _limits(interval: Interval, places: int) -> str:
    return " to ".join(fixed(x, places) for x in end_values(interval))


def _records(found: CardComparison) -> list[dict[str, Any]]:
    """Either card and the difference, under the same keys."""
    cards = [
        {
            "what": what,
            "system": card.system,
            "collection": card.collection,
            "measure": card.measure,
            "mean": card.mean,
            **_interval_record(card.interval),
            "standard_deviation": card.standard_deviation,
            "standard_error": card.standard_error,
            "n": card.n,
            "degrees_of_freedom": None,
            "p_value": None,
        }
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


def _interval_record(interval: Interval) -> dict[str, Any]:
    return {
        "low": interval.low,
        "high": interval.high,
        "method": interval.method,
        "confidence_level": interval.confidence_level,
        "alternative": interval.alternative,
    }
