"""What several verbs let a person choose, checked once and in the same words."""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, Literal, get_args

from .errors import ParameterError, quote, quote_several

#: called with how much is done and how much there is
Progress = Callable[[int, int], None]
Alternative = Literal["two-sided", "less", "greater"]
#: the queries that count: all of them, or those that every system has
QueryRule = Literal["all", "common"]
#: what becomes of documents with equal scores
TieRule = Literal["trec", "expected", "worst", "best"]
#: what becomes of a document that a query has twice
DuplicateRule = Literal["error", "first"]
#: what puts a run in order
OrderRule = Literal["score", "rank"]
#: the documents that a random ranking is made of
PopulationName = Literal["corpus", "judged", "retrieved"]
#: how a p-value of random rankings is computed
ChanceMethod = Literal["exact", "monte-carlo", "matched-moments"]
#: how a difference is tested
TestName = Literal["sign-flip", "t", "wilcoxon", "bootstrap"]
#: how p-values allow for many comparisons
AdjustmentName = Literal["holm", "benjamini-hochberg", "max-statistic", "none"]
#: how an interval of a mean is computed
MeanMethod = Literal[
    "student-t", "studentised-logit", "studentised", "bca", "percentile", "basic", "normal"
]
#: how an interval of recall or of a related quantity is computed
RecallMethod = Literal[
    "beta-binomial",
    "beta-jeffreys",
    "koopman",
    "laplace",
    "agresti-coull",
    "normal",
    "normal-official",
    "naive-binomial",
    "monte-carlo",
    "wilson",
    "jeffreys",
    "clopper-pearson",
    "wald",
]
#: what is made of a score's distance from the mean
Transform = Literal["z", "normal-cdf"]
MOST_DOCUMENTS = 10**15  # whole numbers that a double still tells apart, with room to add
#: of a confidence level, a power or the like, on either side: farther out, 1 - level has lost too
#: many digits for its quantiles to be right
MIN_TAIL = 1e-9
#: of a score, without its sign: sums of scores and their multiples by any quantile stay finite
MAX_SCORE = 1e250
#: thousands set apart by a comma, an apostrophe or a blank, which may be one that does not break
GROUPED = re.compile(r"\d{1,3}([,' \u00a0\u202f]\d{3}){1,6}", re.ASCII)


def check_confidence_level(level: Any) -> float:
    """Return a confidence level as a float; 95 is a slip that is worth a hint."""
    return check_level("confidence_level", level)


def check_level(name: str, value: Any) -> float:
    """Return a fraction that is at least ``MIN_TAIL`` away from 0 and from 1."""
    number = check_fraction(name, value)
    if not MIN_TAIL <= number <= 1 - MIN_TAIL:
        rule = f"{name} must be from {MIN_TAIL:g} to 1 - {MIN_TAIL:g}"
        near = f"1 - {1 - number:g}" if number > 0.5 else f"{number:g}"
        raise ParameterError(f"{rule}; got {near}")
    return number


def check_fraction(name: str, value: Any) -> float:
    """Return a number strictly between 0 and 1 as a float."""
    number = as_float(value)
    if number is None:
        raise ParameterError(f"{name} must be a fraction; got {quote(value)}")
    if not 0 < number < 1:
        hint = f", did you mean {number / 100:g}?" if 1 < number < 100 else ""
        raise ParameterError(f"{name} must be a fraction between 0 and 1; got {number:g}{hint}")
    return number


def check_positive(name: str, value: Any) -> float:
    """Return a number above 0 as a float."""
    number = as_float(value)
    if number is None or not 0 < number < math.inf:
        raise ParameterError(f"{name} must be a number greater than 0; got {quote(value)}")
    return number


def as_float(value: Any) -> float | None:
    """Return a number as a float, numpy's numbers included; None for truth values and the rest.

    A number too large for a float is infinite.
    """
    if getattr(value, "shape", None) == ():  # an array without axes, or a number of numpy's
        value = value.item()
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    number: Any = value
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
    except (TypeError, ValueError):  # a span of time is a number to numpy
        return None


def as_list(values: Any) -> list[Any]:
    """Return one value or several as a list; text is one value."""
    try:
        return [values] if isinstance(values, str) else list(values)
    except TypeError:
        return [values]


def check_count(name: str, value: Any, *, least: int = 1) -> int:
    """A whole number of at least ``least``, and no more than any count can be."""
    number = whole_number(value)
    if number is None or number < least:
        raise ParameterError(
            f"{name} must be a whole number of at least {least}; got {quote(value)}"
        )
    if number > MOST_DOCUMENTS:
        raise ParameterError(f"{name} must be at most {MOST_DOCUMENTS:,}; got {quote(value)}")
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
    """Raise ``ParameterError`` unless the value is one of the words in ``choices``."""
    if not isinstance(value, str) or value not in tuple(choices):
        known = quote_several(tuple(choices))
        hint = nearest_hint(value, tuple(choices)) if isinstance(value, str) else ""
        raise ParameterError(f"{name} must be one of {known}; got {quote(value)}{hint}")


def nearest_hint(word: str, choices: Sequence[str]) -> str:
    """Return a hint at the choice that is like a word or has its characters in their order."""
    lower = {one.lower(): one for one in choices}
    close = difflib.get_close_matches(word.lower(), lower, n=1)
    characters = re.compile(".*".join(map(re.escape, word.lower())))
    found = close or [one for one in lower if word and characters.search(one)]
    if not found:  # "ttest" holds "t", "t-test" too
        found = [
            one for one in lower if word and re.match(rf"{re.escape(one)}\W?[a-z]", word.lower())
        ]
    return f", did you mean {lower[found[0]]}?" if found else ""


def check_bounds(bounds: Any) -> tuple[float, float] | None:
    """The lowest and the highest value of a measure, or None where they are not given."""
    if bounds is None:
        return None
    try:
        low, high = map(as_float, bounds)
    except (TypeError, ValueError):
        low = high = None
    if low is None or high is None or not -MAX_SCORE <= low < high <= MAX_SCORE:
        raise ParameterError(
            f"bounds must be two numbers, the lower one first, from -{MAX_SCORE:g} to "
            f"{MAX_SCORE:g}; got {quote(bounds)}"
        )
    return low, high


def check_alternative(alternative: Any) -> Alternative:
    """One of the three sides."""
    check_choice("alternative", alternative, get_args(Alternative))
    side: Alternative = alternative
    return side
