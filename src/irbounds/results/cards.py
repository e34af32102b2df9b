"""Published means, and two of them compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from ..presentation.column_roles import HIDDEN, Column, Key, Warnings, make_record
from ..presentation.phrases import (
    SIDES,
    describe_interval,
    half_width,
    meaningful_ends,
    pluralise_queries,
)
from ..presentation.registry import Presentation, View, present
from ..presentation.rounding import (
    decimals,
    describe_p,
    error_level,
    fixed,
    percent,
    significant,
    small_p,
)
from ..presentation.table import Table, make_bar
from .evaluation import best_first
from .interval import Interval
from .result import InputFile, Result, Standardisation

PRIOR_DIGITS = 4  # significant ones of a prior variance
SD = Column(heading="sd", note="of its scores over queries")


@dataclass(frozen=True)
class Card(Result):
    """One system's mean by one measure, with the numbers that a comparison requires.

    The fields are the keys of the file that ``write_card`` writes.
    """

    system: Key
    #: name of the queries and documents, given by the author of the card
    collection: Key
    measure: Key
    #: how many queries
    n: Annotated[int, Column("count", "queries")]
    mean: float
    #: of the scores, divided by n - 1; NaN for a single score
    standard_deviation: Annotated[float, SD]
    standard_error: float
    #: of the mean; NaN ends where the scores allow none
    interval: Interval
    #: of the bootstrap behind the interval, where it has one
    n_resamples: Annotated[int | None, HIDDEN]
    seed: Annotated[int | None, HIDDEN]
    standardisation: Annotated[Standardisation | None, HIDDEN]
    #: SHA-256 of the set of query ids, which shows whether two cards have the same queries; None
    #: if a card was written by hand and the queries are not known
    query_fingerprint: Annotated[str | None, HIDDEN]
    #: the version that made the card
    irbounds: Annotated[str, HIDDEN]
    #: names and fingerprints of the inputs
    inputs: Annotated[tuple[InputFile, ...], HIDDEN]
    #: of the scores, relative to m (1 - m), behind the interval of a moderated method; None for
    #: other methods
    prior_variance: Annotated[float | None, HIDDEN] = None
    #: how documents of equal score were ordered
    ties: Annotated[str, HIDDEN] = "trec"
    note: Annotated[str | None, HIDDEN] = None
    url: Annotated[str | None, HIDDEN] = None

    @property
    def value(self) -> float:
        """The mean; every result has its number under this name."""
        return self.mean

    @property
    def label(self) -> str:
        """The name of the card in tables and figures."""
        return f"{self.system} ({self.collection})"


@dataclass(frozen=True)
class CardComparison(Result):
    """The difference of two cards' means, by Welch's interval and test."""

    first: Card
    second: Card
    #: mean of the first - mean of the second
    value: float
    #: its method is ``"welch"``; NaN ends where the cards allow none
    interval: Interval
    standard_error: float
    degrees_of_freedom: float
    p_value: float
    #: why there is no interval; None if there is one
    reason: str | None
    #: warnings about the comparison
    warnings: Warnings

    def _records(self) -> list[dict[str, Any]]:
        """Return either card and the difference, under the same keys."""
        cards = [
            {"what": what, **make_record(card), "degrees_of_freedom": None, "p_value": None}
            for what, card in (("first", self.first), ("second", self.second))
        ]
        difference = {
            **dict.fromkeys(cards[0]),
            "what": "difference",
            "measure": self.first.measure,
            "mean": self.value,
            **make_record(self.interval),
            "standard_error": self.standard_error,
            "degrees_of_freedom": self.degrees_of_freedom,
            "p_value": self.p_value,
        }
        return [*cards, difference]


def _comparison_table(comparison: CardComparison, digits: int | None) -> Table:
    """Return three rows: either card with its own interval, and the difference."""
    places = _places(comparison, digits)
    return Table(
        title=f"{comparison.first.measure}: two cards, and their difference with its "
        f"{describe_interval(comparison.interval)}",
        headings=("card", "mean", "low", "high", "sd", "queries", "p"),
        cells=(
            *(_card_cells(card, places) for card in (comparison.first, comparison.second)),
            (
                "difference",
                *(fixed(x, places) for x in (comparison.value, *_ends(comparison.interval))),
                "",
                "",
                small_p(comparison.p_value),
            ),
        ),
        records=tuple(comparison._records()),
        caption="low to high: of a card its own interval; sd: of its scores over queries",
        bars=(
            *(make_bar(card.mean, card.interval) for card in (comparison.first, comparison.second)),
            None,
        ),
        spare=("sd", "queries"),
    )


def comparison_sentence(comparison: CardComparison, digits: int | None = None) -> str:
    """Return the outcome of the comparison as a sentence."""
    first, second = (card.label for card in (comparison.first, comparison.second))
    measure, interval = comparison.first.measure, comparison.interval
    places = _places(comparison, digits)
    apart = fixed(comparison.value, places)
    if comparison.reason:
        return f"{first} - {second}: {apart} in {measure}; no interval, {comparison.reason}"
    is_significant = comparison.p_value <= error_level(interval.confidence_level)
    if interval.alternative == "two-sided":
        verb = "differ" if is_significant else "do not differ"
        verdict = f"{first} and {second} {verb} significantly"
    else:
        side = {"less": "lower", "greater": "higher"}[interval.alternative]
        verb = "is" if is_significant else "is not"
        verdict = f"{first} {verb} shown to score {side} than {second}"
    limits = f"{_level(interval)} {SIDES[interval.alternative]} {_limits(interval, places)}"
    return f"{verdict} in {measure}: difference {apart}, {limits}, {describe_p(comparison.p_value)}"


def _card_cells(card: Card, places: int) -> tuple[str, ...]:
    numbers = (card.mean, *_ends(card.interval), card.standard_deviation)
    return (card.label, *(fixed(x, places) for x in numbers), f"{card.n:,}", "")


def _ends(interval: Interval) -> tuple[float, float]:
    """Return both ends; NaN, shown as a dash, for an infinite one."""
    low, high = (x if math.isfinite(x) else math.nan for x in (interval.low, interval.high))
    return low, high


def _places(comparison: CardComparison, digits: int | None) -> int:
    return decimals(half_width(comparison.value, comparison.interval)) if digits is None else digits


def _level(interval: Interval) -> str:
    return percent(interval.confidence_level)


def _limits(interval: Interval, places: int) -> str:
    return " to ".join(fixed(x, places) for x in meaningful_ends(interval))


def card_table(card: Card) -> Table:
    """Return a table of a card, one row per field that has a value."""
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
        "prior variance": None
        if card.prior_variance is None
        else significant(card.prior_variance, PRIOR_DIGITS),
        "fingerprint of the queries": card.query_fingerprint,
        "order of ties": card.ties,
        "note": card.note,
        "more": card.url,
    }
    return Table(
        title=f"{card.measure}: the card of {card.label}",
        headings=("field", "value"),
        cells=tuple((name, text) for name, text in rows.items() if text is not None),
        records=(make_record(card),),
        first_number=2,
        caption=f"interval: {describe_interval(card.interval)}",
    )


def card_sentence(card: Card) -> str:
    """Return the card in one sentence."""
    places = decimals(half_width(card.mean, card.interval))
    mean = fixed(card.mean, places)
    sentence = f"{card.label} has a mean {card.measure} of {mean} over {pluralise_queries(card.n)}"
    if math.isnan(half_width(card.mean, card.interval)):
        return f"{sentence}; these scores allow no interval"
    side = SIDES[card.interval.alternative]
    return f"{sentence}, {_level(card.interval)} {side} {_limits(card.interval, places)}"


def _topics(cards: Sequence[Card]) -> list[str]:
    scale = cards[0].standardisation
    more = ["standardised", scale.transform] if scale else []
    return ["card", cards[0].interval.method, *more]


def _title(cards: Sequence[Card], view: View) -> str:
    first = cards[0]
    return f"{first.measure}: published mean with its {describe_interval(first.interval)}"


present(
    Card,
    Presentation(
        "Card",
        columns=("system", "collection", "mean", "interval", "standard_deviation", "n"),
        title=_title,
        group=lambda card: (card.measure, describe_interval(card.interval)),
        order=best_first,
        spare=("sd", "queries"),
        figures=("mean_plots:draw_cards",),
        topics=_topics,
    ),
)
present(
    CardComparison,
    Presentation(
        "Comparison",
        tables=lambda rows, view: [_comparison_table(row, view.digits) for row in rows],
        sentences=lambda rows, view: [comparison_sentence(row, view.digits) for row in rows],
        figures=("mean_plots:draw_card_comparison",),
        topics=lambda rows: ["card-comparison", "welch"],
        is_single=True,
    ),
)
