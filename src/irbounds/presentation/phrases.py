"""Phrases of sentences, titles, captions and descriptions, also those about intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from .rounding import percent

if TYPE_CHECKING:
    from ..results import Interval

Result = TypeVar("Result", bound=Any)

MAX_TITLE_NAME = 40  # characters: two such names fit into the title of a figure
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
#: how to see the rows and tables that a terminal leaves out
WHERE_ALL_IS = "--output FILE.csv, in Python .to_pandas()"


def pluralise(n: int, singular: str, plural: str | None = None) -> str:
    """Return ``1 system``, ``129 systems``; ``many`` is the plural if it does not end in s."""
    return f"{n:,} {singular if n == 1 else plural or f'{singular}s'}"


def pluralise_queries(n: int, rule: str = "queries") -> str:
    """Return ``1 judged query``, ``50 judged queries``; ``rule`` is the plural."""
    return pluralise(n, rule.replace("queries", "query"), rule)


def capitalise(text: str) -> str:
    """Return text with a capital first letter, as in a title."""
    return text[:1].upper() + text[1:]


def shorten(name: str, max_length: int = MAX_TITLE_NAME) -> str:
    """Return a name for a title; the middle of a long name is replaced by an ellipsis."""
    if len(name) <= max_length:
        return name
    tail = (max_length - len(ELLIPSIS)) // 3
    return f"{name[: max_length - len(ELLIPSIS) - tail]}{ELLIPSIS}{name[-tail:]}"


def join_names(names: Iterable[str]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    *others, last = names
    return " and ".join(filter(None, (", ".join(others), last)))


def join_caption(*parts: str) -> str:
    """Return the parts that are not empty, as the caption of a table."""
    return "; ".join(filter(None, parts))


def describe_draws(n: int | None, items: str, seed: int | None = None) -> str:
    """Return ``9,999 resamples, seed 0``; an empty text without draws."""
    if not n:
        return ""
    return f"{n:,} {items}" if seed is None else f"{n:,} {items}, seed {seed}"


def group_by_measure(results: Iterable[Result]) -> list[list[Result]]:
    """Return one list per measure, in the order of first occurrence."""
    families: dict[str, list[Result]] = {}
    for result in results:
        families.setdefault(result.measure, []).append(result)
    return list(families.values())


METHOD_WORDS = {
    "normal": "normal",
    "student-t": "Student t",
    "logit-t": "logit t",
    "moderated-logit-t": "moderated logit t",
    "moderated-wilson": "moderated Wilson",
    "clopper-pearson": "Clopper-Pearson",
    "percentile": "percentile bootstrap",
    "bca": "BCa bootstrap",
    "studentised-logit": "studentised logit bootstrap",
    "welch": "Welch",
}
#: the ends of an interval that are limits
ENDS = {"two-sided": ("low", "high"), "less": ("high",), "greater": ("low",)}
#: names of one-sided intervals
SIDES = {"two-sided": "interval", "less": "upper limit", "greater": "lower limit"}


def meaningful_ends(interval: Interval) -> tuple[float, ...]:
    """Return the ends that are limits: both, or one of a one-sided interval."""
    return tuple(getattr(interval, end) for end in ENDS[interval.alternative])


def describe_interval(interval: Interval) -> str:
    """Return ``95 % Student t interval``, or a limit if it is one-sided."""
    level = percent(interval.confidence_level)
    return f"{level} {METHOD_WORDS[interval.method]} {SIDES[interval.alternative]}"


def half_width(value: float, interval: Interval) -> float:
    """Return the half width that decides the digits; of a one-sided interval the distance to it."""
    if interval.alternative == "two-sided":
        return interval.half_width
    return abs(value - meaningful_ends(interval)[0])
