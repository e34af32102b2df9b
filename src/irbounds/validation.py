"""Validation of options that several verbs share, and the names of their choices."""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, Literal, get_args

from .errors import ParameterError, quote, quote_several

SIMILAR = 0.7  # ratio of difflib from which a word is suggested
#: what other tools and people call options and choices of ours
OTHER_WORDS = {
    "rng": "seed",
    "random_state": "seed",
    "alpha": "confidence_level",
    "level": "confidence_level",
    "metric": "measures",
    "metrics": "measures",
    "measure": "measures",
    "n_bootstrap": "n_resamples",
    "methods": "method",
    "adjust": "adjustment",
    "correction": "adjustment",
    "judgments": "qrels",
    "n_jobs": "threads",
    "ttest": "t",
    "t-test": "t",
    "student": "t",
    "fisher": "sign-flip",
    "randomization": "sign-flip",
    "permutation": "sign-flip",
    "bh": "benjamini-hochberg",
    "fdr": "benjamini-hochberg",
    "md": "markdown",
    "tex": "latex",
}
#: called with the amount that is done and the total
Progress = Callable[[int, int], None]
Alternative = Literal["two-sided", "less", "greater"]
#: an analysis of variance: systems only, or systems and queries
Anova = Literal["one-way", "two-way"]
#: which queries are evaluated: all of them, or those that every system has
QueryRule = Literal["all", "common"]
#: the order of documents with equal scores
TieRule = Literal["trec", "expected", "worst", "best"]
#: the handling of a document that a query has twice
DuplicateRule = Literal["error", "first"]
#: what a run is ordered by
OrderRule = Literal["score", "rank"]
#: tests of a difference
TestName = Literal["t", "sign-flip", "wilcoxon"]
#: adjustments of p-values for many comparisons
AdjustmentName = Literal["holm", "benjamini-hochberg", "none"]
#: what a gate requires of a new system
Requirement = Literal["not-worse", "better"]
#: interval methods for a mean
MeanMethod = Literal[
    "moderated-wilson",
    "logit-t",
    "student-t",
    "clopper-pearson",
    "studentised-logit",
    "bca",
    "percentile",
    "normal",
]
#: interval methods for recall and related quantities
RecallMethod = Literal[
    "beta-binomial",
    "exact",
    "beta-jeffreys",
    "koopman",
    "laplace",
    "agresti-coull",
    "normal",
    "normal-official",
    "naive-binomial",
    "monte-carlo",
]
#: transforms of a score's distance from the mean
Transform = Literal["z", "normal-cdf"]

RankCriterion = Literal["mean", "borda"]
MAX_DOCUMENTS = 10**15  # well within the integers that a double represents exactly
#: minimum distance of a confidence level or a power from 0 and 1: closer, 1 - level loses so many
#: digits that its quantiles are wrong
MIN_TAIL = 1e-9
MIN_CLAIM_LEVEL = 0.8  # confidence level of a claim
#: maximum absolute value of a score: sums of scores, times any quantile, stay finite
MAX_SCORE = 1e250
#: thousands separated by a comma, an apostrophe or a space, which may be a no-break space
GROUPED = re.compile(r"\d{1,3}([,' \u00a0\u202f]\d{3}){1,6}", re.ASCII)
#: the same for counts, with one mark throughout, which may be a point
GROUPED_COUNT = re.compile(r"[1-9]\d{0,2}([,.'\u2019 \u00a0\u202f])\d{3}(\1\d{3}){0,4}", re.ASCII)
DECIMAL_ZEROS = re.compile(r"([^.,].*)([.,])0+")
MAX_COUNT_DIGITS = 18


def check_confidence_level(level: Any) -> float:
    """Return a confidence level as a float; the error for 95 and for 5 suggests 0.95."""
    return check_level("confidence_level", level)


def check_level(name: str, value: Any) -> float:
    """Return a fraction that is at least ``MIN_TAIL`` away from 0 and from 1."""
    number = check_fraction(name, value)
    if not MIN_TAIL <= number <= 1 - MIN_TAIL:
        rule = f"{name} must be from {MIN_TAIL:g} to 1 - {MIN_TAIL:g}"
        near = f"1 - {1 - number:g}" if number > 0.5 else f"{number:g}"
        raise ParameterError(f"{rule}; got {near}")
    return number


def check_claim(name: str, value: Any, confidence_level: float) -> float:
    """Return the value that a claim states; raise ``ParameterError`` if the level shows nothing."""
    if check_confidence_level(confidence_level) < MIN_CLAIM_LEVEL:
        raise ParameterError(
            f"{name} needs a confidence_level of at least {MIN_CLAIM_LEVEL:g}; got "
            f"{confidence_level:g}"
        )
    return check_fraction(name, value)


def check_fraction(name: str, value: Any) -> float:
    """Return a number strictly between 0 and 1 as a float."""
    number = as_float(value)
    if number is None:
        raise ParameterError(f"{name} must be a fraction; got {quote(value)}")
    if not 0 < number < 1:
        percent = max(number, 100 - number) if name == "confidence_level" else number
        hint = f", did you mean {percent / 100:g}?" if 1 < number < 100 else ""
        raise ParameterError(f"{name} must be a fraction between 0 and 1; got {number:g}{hint}")
    return number


def check_positive(name: str, value: Any) -> float:
    """Return a number above 0 as a float."""
    number = as_float(value)
    if number is None or not 0 < number < math.inf:
        raise ParameterError(f"{name} must be a number greater than 0; got {quote(value)}")
    return number


def as_float(value: Any) -> float | None:
    """Return a number, numpy's included, as a float; None for booleans and anything else.

    A number too large for a float is infinite.
    """
    if getattr(value, "shape", None) == ():  # a numpy scalar, or an array without axes
        value = value.item()
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    number: Any = value
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
    except (TypeError, ValueError):  # numpy counts a time span as a number
        return None


def as_list(values: Any) -> list[Any]:
    """Return one value or several as a list; text is one value."""
    try:
        return [values] if isinstance(values, str) else list(values)
    except TypeError:
        return [values]


def check_count(name: str, value: Any, *, minimum: int = 1) -> int:
    """Return an integer of at least ``minimum``, and at most ``MAX_DOCUMENTS``."""
    number = as_integer(value)
    if number is None or number < minimum:
        raise ParameterError(f"{name} must be an integer of at least {minimum}; got {quote(value)}")
    if number > MAX_DOCUMENTS:
        raise ParameterError(f"{name} must be at most {MAX_DOCUMENTS:,}; got {quote(value)}")
    return number


def as_integer(value: Any) -> int | None:
    """Return a value as an int; None if it is a boolean or not an integer."""
    if isinstance(value, bool) or type(value).__name__ == "bool":  # also numpy's
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def grouping_hint(text: str) -> str:
    """Return a hint for an integer with thousands separators; nothing for other text."""
    return f"; write {re.sub('[^0-9]', '', text)}" if GROUPED.fullmatch(text) else ""


def parse_written_count(text: str, decimal_mark: str = ".") -> int | None:
    """Return the count that a person or a spreadsheet wrote, if it can only mean one integer.

    Thousands may be separated, and decimals may be zeros: ``1,200``, ``1 200``, ``800.0``. A single
    ``decimal_mark`` before three digits, as in ``1.200`` and ``1.000``, gives None.
    """
    if GROUPED_COUNT.fullmatch(text) and text.count(decimal_mark) == 1:
        return None
    return next(iter(_count_readings(text)), None)


def count_hint(text: str, decimal_mark: str = ".") -> str:
    """Return a hint on how to write a count that is not a plain integer; nothing for other text."""
    readings = _count_readings(text)
    if readings and parse_written_count(text, decimal_mark) is not None:
        return f"; write {readings[0]}"
    if len(readings) > 1:
        return f"; write {readings[1]} or {readings[0]}"
    if readings:
        return f"; write {readings[0]} if {quote(decimal_mark)} separates thousands"
    if re.fullmatch(r"[\d.,]+ ?%", text, re.ASCII):
        return "; a count is needed, not a percentage"
    if re.fullmatch(r"\d([.,]\d*)?[eE]\+?\d+", text, re.ASCII):
        return "; write all digits"
    return ""


def _count_readings(text: str) -> list[int]:
    """Return the integers that a written count can mean, with separated thousands first."""
    decimals = DECIMAL_ZEROS.fullmatch(text)
    whole, mark = decimals.groups() if decimals else (text, "")
    wholes = [text] if GROUPED_COUNT.fullmatch(text) else []
    grouped = GROUPED_COUNT.fullmatch(whole)
    if (whole.isascii() and whole.isdigit()) or (grouped and grouped[1] != mark):
        wholes.append(whole)
    digits = dict.fromkeys(re.sub("[^0-9]", "", written) for written in wholes)
    return [int(each) for each in digits if len(each) <= MAX_COUNT_DIGITS]


def check_choice(name: str, value: Any, choices: Any) -> None:
    """Raise ``ParameterError`` unless the value is one of the words in ``choices``."""
    if not isinstance(value, str) or value not in tuple(choices):
        known = quote_several(tuple(choices))
        hint = nearest_hint(value, tuple(choices)) if isinstance(value, str) else ""
        raise ParameterError(f"{name} must be one of {known}; got {quote(value)}{hint}")


def nearest_hint(word: str, choices: Sequence[str]) -> str:
    """Return a hint: the choice that a word of another tool means, or a similar one."""
    near = find_meant(word, choices)
    return f", did you mean {near}?" if near else ""


def find_meant(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that a word of another tool means, or a similar one; None without one."""
    by_lower = {choice.lower(): choice for choice in choices}
    word = word.lower()
    for meant in (OTHER_WORDS.get(word), Path(word).name.partition(".")[0]):  # a run by its file
        if meant in by_lower:
            return by_lower[meant]
    near = difflib.get_close_matches(word, by_lower, n=1, cutoff=SIMILAR)
    return by_lower[near[0]] if near else None


def check_bounds(bounds: Any) -> tuple[float, float] | None:
    """Return the minimum and maximum of a measure, or None if they are not given."""
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
    """Return the alternative; raise ``ParameterError`` unless it is one of the three."""
    check_choice("alternative", alternative, get_args(Alternative))
    side: Alternative = alternative
    return side
