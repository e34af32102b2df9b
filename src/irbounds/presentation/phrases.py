"""Phrases that sentences, titles, captions and descriptions share, also those about intervals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from .rounding import percent

if TYPE_CHECKING:
    from ..results import Interval

Result = TypeVar("Result", bound=Any)

MAX_TITLE_NAME = 40  # characters of a name, two of which still fit above a figure
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
#: how to see the rows and tables that a terminal leaves out
WHERE_ALL_IS = "--verbose or --output FILE.csv, in Python .to_pandas()"


def pluralise(n: int, one: str, many: str | None = None) -> str:
    """``1 system``, ``129 systems``; ``many`` where an s does not make the plural."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def pluralise_queries(n: int, rule: str = "queries") -> str:
    """``1 judged query``, ``50 judged queries``; ``rule`` says which queries, in the plural."""
    return pluralise(n, rule.replace("queries", "query"), rule)


def capitalise(text: str) -> str:
    """The same with a capital at its beginning, as a title has."""
    return text[:1].upper() + text[1:]


def shorten(name: str, most: int = MAX_TITLE_NAME) -> str:
    """A name for a title, its middle left out where it is long; beginnings and ends tell apart."""
    if len(name) <= most:
        return name
    tail = (most - len(ELLIPSIS)) // 3
    return f"{name[: most - len(ELLIPSIS) - tail]}{ELLIPSIS}{name[-tail:]}"


def join_names(names: Iterable[str]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    *others, last = names
    return " and ".join(filter(None, (", ".join(others), last)))


def join_caption(*parts: str) -> str:
    """Return the parts that say something, as the line below a table."""
    return "; ".join(filter(None, parts))


def describe_draws(n: int | None, what: str, seed: int | None = None) -> str:
    """Return ``9,999 resamples, seed 0``; nothing where nothing was drawn."""
    if not n:
        return ""
    return f"{n:,} {what}" if seed is None else f"{n:,} {what}, seed {seed}"


def group_by_measure(results: Iterable[Result]) -> list[list[Result]]:
    """Return one list per measure, in the order in which the measures first come."""
    families: dict[str, list[Result]] = {}
    for result in results:
        families.setdefault(result.measure, []).append(result)
    return list(families.values())


METHOD_WORDS = {
    "normal": "normal",
    "student-t": "Student t",
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
    "studentised": "studentised bootstrap",
    "studentised-logit": "studentised logit bootstrap",
    "welch": "Welch",
}
#: the ends of an interval that say something
ENDS = {"two-sided": ("low", "high"), "less": ("high",), "greater": ("low",)}
#: what a one-sided interval is called
SIDES = {"two-sided": "interval", "less": "upper limit", "greater": "lower limit"}


def meaningful_ends(interval: Interval) -> tuple[float, ...]:
    """Return the ends that say something."""
    return tuple(getattr(interval, end) for end in ENDS[interval.alternative])


def describe_interval(interval: Interval) -> str:
    """Return ``95 % Student t interval``, or a limit where it is one-sided."""
    level = percent(interval.confidence_level)
    return f"{level} {METHOD_WORDS[interval.method]} {SIDES[interval.alternative]}"


def half_width(value: float, interval: Interval) -> float:
    """Return what decides the digits: half the interval, or the distance to its one end."""
    if interval.alternative == "two-sided":
        return interval.half_width
    return abs(value - meaningful_ends(interval)[0])
