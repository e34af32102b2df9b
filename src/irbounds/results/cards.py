"""Published means, and two of them against each other."""

from __future__ import annotations

from dataclasses import dataclass

from .inputs import InputFile, Standardisation
from .intervals import Interval
from .shown import Shown

__all__ = ["Card", "CardComparison"]


@dataclass(frozen=True)
class Card(Shown):
    """One system's mean by one measure, with what others need to compare theirs with it.

    The fields are the keys of the file that ``write_card`` writes.
    """

    system: str
    #: what the queries and documents are, in the words of whoever made the card
    collection: str
    measure: str
    #: how many queries
    n: int
    mean: float
    #: of the scores, n - 1 below; NaN where there is one alone
    standard_deviation: float
    standard_error: float
    #: of the mean; NaN ends where the scores allow none
    interval: Interval
    #: of the bootstrap behind the interval, where it has one
    n_resamples: int | None
    seed: int | None
    standardisation: Standardisation | None
    #: SHA-256 of the set of query ids: tells whether two cards are of the same queries; None where
    #: a card was written by hand and the queries are not known
    query_fingerprint: str | None
    #: the version that made the card
    irbounds: str
    #: names and fingerprints of what was read
    inputs: tuple[InputFile, ...]
    #: how documents of equal score were ordered
    ties: str = "trec"
    note: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class CardComparison(Shown):
    """The difference of two cards' means, by Welch's interval and test."""

    first: Card
    second: Card
    #: mean of the first - mean of the second
    difference: float
    #: its method is ``"welch"``; NaN ends where the cards allow none
    interval: Interval
    standard_error: float
    degrees_of_freedom: float
    p_value: float
    #: why there is no interval, where there is none
    reason: str | None
    #: what to keep in mind, in sentences
    warnings: tuple[str, ...]
