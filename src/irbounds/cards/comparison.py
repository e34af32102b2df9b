"""Comparison of two cards: Welch's interval and test of the difference of their means.

difference -+ t(1 - alpha/2, df) sqrt(s1^2/n1 + s2^2/n2), with the degrees of freedom after Welch
and Satterthwaite. The two samples of queries are taken as independent. Where both cards have the
same queries they are not: the scores of systems are usually correlated over queries, so that the
interval is too wide, and a paired comparison (which needs the scores of every query) would be more
precise.

Cards of different measures, or of scores that were standardised differently, are not on one scale
and are refused (Park 2010, section 5.2). The difference of means of different collections includes
the difference of the collections; a warning is given.

Reference: Welch (1947); Satterthwaite (1946).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from scipy import special

from ..errors import DataError, ParameterError
from ..results import Card, CardComparison, Interval
from ..results.result import shorten_fingerprint
from ..validation import Alternative, check_alternative, check_confidence_level


def compare_cards(
    a: Card,
    b: Card,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> CardComparison:
    """Return the difference of two cards' means, a - b, with its interval and p-value.

    Cards that are not on one scale raise ``DataError``. Where a card has no standard deviation, or
    both have a standard deviation of 0, interval and p-value are NaN and ``reason`` explains it.

    Parameters
    ----------
    a, b
        Cards, from ``make_card`` or ``read_card``.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``, ``"less"`` (a is below b) or ``"greater"``.

    Returns
    -------
    CardComparison
        The difference with Welch's interval and test.

    Examples
    --------
    >>> from irbounds.cards import make_card
    >>> a = make_card([0.5, 0.7, 0.4, 0.6], collection="ours")
    >>> b = make_card([0.3, 0.4, 0.5, 0.2], collection="ours")
    >>> comparison = compare_cards(a, b)
    >>> round(comparison.value, 3), round(comparison.interval.low, 3), round(comparison.p_value, 3)
    (0.2, -0.023, 0.071)
    """
    for card in (a, b):
        if not isinstance(card, Card):
            raise ParameterError(f"compare_cards takes two cards; got {type(card).__name__}")
    confidence_level = check_confidence_level(confidence_level)
    side = check_alternative(alternative)
    for problem in _find_scale_differences(a, b):
        raise DataError(f"the cards cannot be compared: {problem}")
    difference = a.mean - b.mean
    reason = next(_find_reasons(a, b), None)
    error, df = (math.nan, math.nan) if reason else _welch(a, b)
    low, high = _ends(difference, error, df, confidence_level, side)
    return CardComparison(
        first=a,
        second=b,
        value=difference,
        interval=Interval(low, high, confidence_level, "welch", side),
        standard_error=error,
        degrees_of_freedom=df,
        p_value=_p_value(difference / error, df, side),
        reason=reason,
        warnings=tuple(_list_warnings(a, b)),
    )


def _find_scale_differences(a: Card, b: Card) -> Iterator[str]:
    """Return the reasons why the two means are not on one scale, most important first."""
    first, second = a.standardisation, b.standardisation
    if (first is None) != (second is None):
        done, raw = (b, a) if first is None else (a, b)
        yield f"the scores of {done.system} are standardised and those of {raw.system} are not"
    if first and second and first.transform != second.transform:
        transforms = f"{first.transform} and {second.transform}"
        yield f"their scores were standardised by different transforms ({transforms})"
    if a.measure != b.measure:
        yield f"their measures differ ({a.measure} and {b.measure})"
    if first and second and first.fingerprint != second.fingerprint:
        yield (
            "their scores were standardised by different factors "
            f"({shorten_fingerprint(first.fingerprint)} and "
            f"{shorten_fingerprint(second.fingerprint)})"
        )


def _find_reasons(a: Card, b: Card) -> Iterator[str]:
    """Return the reasons why there is no interval."""
    for card in (a, b):
        if card.n < 2:
            yield f"{card.system} has a single query, and so no standard deviation"
    if a.standard_deviation == b.standard_deviation == 0:
        yield "all scores of each card are equal, so that there is no spread"
    if not any(_standard_errors(a, b)):
        yield "the scores of each card differ by less than the resolution of double precision"


def _list_warnings(a: Card, b: Card) -> Iterator[str]:
    same_collection = a.collection == b.collection
    known = a.query_fingerprint is not None and b.query_fingerprint is not None
    same_queries = known and a.query_fingerprint == b.query_fingerprint
    if not same_collection:
        ids = ", though their query ids are the same" if same_queries else ""
        yield (
            f"the collections have different names ({a.collection!r} and {b.collection!r}){ids}: "
            "the difference may be due to the collections and not to the systems"
        )
    if a.ties != b.ties:
        yield (
            f"documents of equal score were ordered differently ({a.ties} and {b.ties}): the "
            "difference may be due to the orders"
        )
    if not same_queries:
        have = "have" if known else "may have"
        yield (
            f"the cards {have} different queries: the interval allows for that only if both are "
            "samples of the same kind of queries"
        )
    elif same_collection:
        yield (
            "both cards have the same queries: a paired comparison would be more precise, but "
            "needs the scores of every query; this interval takes the scores as independent, and "
            "is too wide where the systems' scores are correlated"
        )


def _standard_errors(a: Card, b: Card) -> list[float]:
    return [card.standard_deviation / math.sqrt(card.n) for card in (a, b)]


def _welch(a: Card, b: Card) -> tuple[float, float]:
    """Return standard error and degrees of freedom by Welch and Satterthwaite."""
    errors = _standard_errors(a, b)
    error = math.hypot(*errors)
    # fractions of the variance, so that squares of tiny errors do not underflow
    fractions = [(part / error) ** 2 for part in errors]
    terms = (fraction**2 / (card.n - 1) for fraction, card in zip(fractions, (a, b), strict=True))
    return error, 1 / sum(terms)


def _ends(
    difference: float, error: float, df: float, level: float, side: Alternative
) -> tuple[float, float]:
    if math.isnan(error):
        return math.nan, math.nan
    outside = (1 - level) / (2 if side == "two-sided" else 1)
    reach = float(special.stdtrit(df, 1 - outside)) * error
    low = -math.inf if side == "less" else difference - reach
    high = math.inf if side == "greater" else difference + reach
    return low, high


def _p_value(t: float, df: float, side: Alternative) -> float:
    if math.isnan(t):
        return math.nan
    if side == "two-sided":
        return float(2 * special.stdtr(df, -abs(t)))
    return float(special.stdtr(df, t if side == "less" else -t))
