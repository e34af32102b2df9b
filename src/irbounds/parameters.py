"""What several verbs let a person choose, checked once and in the same words."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from numbers import Real
from typing import Any, Literal, get_args

from .errors import ParameterError, quote, quote_several

__all__ = [
    "MOST_DOCUMENTS",
    "Alternative",
    "Progress",
    "check_alternative",
    "check_bounds",
    "check_choice",
    "check_confidence_level",
    "check_count",
    "check_fraction",
    "grouping_hint",
    "whole_number",
]

#: called with how much is done and how much there is
Progress = Callable[[int, int], None]
Alternative = Literal["two-sided", "less", "greater"]
MOST_DOCUMENTS = 10**15  # whole numbers that a double still tells apart, with room to add
#: thousands set apart by a comma, an apostrophe or a blank, which may be one that does not break
GROUPED = re.compile(r"\d{1,3}([,' \u00a0\u202f]\d{3}){1,6}", re.ASCII)


def check_confidence_level(level: Any) -> None:
    """A fraction strictly between 0 and 1; 95 is a slip that is worth a hint."""
    check_fraction("confidence_level", level)


def check_fraction(name: str, value: Any) -> None:
    """A number strictly between 0 and 1."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise ParameterError(f"{name} must be a fraction; got {quote(value)}")
    value = float(value)
    if not 0 < value < 1:
        hint = f", did you mean {value / 100:g}?" if 1 < value < 100 else ""
        raise ParameterError(f"{name} must be a fraction between 0 and 1; got {value:g}{hint}")


def check_count(name: str, value: Any, *, least: int = 1) -> int:
    """A whole number of at least ``least``."""
    number = whole_number(value)
    if number is None or number < least:
        raise ParameterError(
            f"{name} must be a whole number of at least {least}; got {quote(value)}"
        )
    return number


def whole_number(value: Any) -> int | None:
    """The value as an int, if it is a whole number and not a truth value."""
    if isinstance(value, bool) or type(value).__name__ == "bool":  # numpy's too
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def grouping_hint(text: str) -> str:
    """What to write in place of a whole number whose thousands are set apart; else nothing."""
    return f"; write {re.sub('[^0-9]', '', text)}" if GROUPED.fullmatch(text) else ""


def check_choice(name: str, value: Any, choices: Any) -> None:
    """One of the words in ``choices``."""
    if value not in tuple(choices):
        known = quote_several(tuple(choices))
        raise ParameterError(f"{name} must be one of {known}; got {quote(value)}")


def check_bounds(bounds: Any) -> tuple[float, float] | None:
    """The lowest and the highest value of a measure, or None where they are not given."""
    if bounds is None:
        return None
    try:
        low, high = (math.nan, math.nan) if isinstance(bounds, str) else map(float, bounds)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ParameterError(
            f"bounds must be two numbers, the lower one first; got {quote(bounds)}"
        )
    return low, high


def check_alternative(alternative: Any) -> Alternative:
    """One of the three sides."""
    check_choice("alternative", alternative, get_args(Alternative))
    side: Alternative = alternative
    return side
