"""Words that sentences, titles and descriptions share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

Result = TypeVar("Result", bound=Any)

MOST_IN_TITLE = 40  # characters of a name, two of which still fit above a figure
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def counted(n: int, one: str, many: str | None = None) -> str:
    """``1 system``, ``129 systems``; ``many`` where an s does not make the plural."""
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def counted_queries(n: int, rule: str = "queries") -> str:
    """``1 judged query``, ``50 judged queries``; ``rule`` says which queries, in the plural."""
    return counted(n, rule.replace("queries", "query"), rule)


def capital(text: str) -> str:
    """The same with a capital at its beginning, as a title has."""
    return text[:1].upper() + text[1:]


def shortened(name: str, most: int = MOST_IN_TITLE) -> str:
    """A name for a title, its middle left out where it is long; beginnings and ends tell apart."""
    if len(name) <= most:
        return name
    tail = (most - len(ELLIPSIS)) // 3
    return f"{name[: most - len(ELLIPSIS) - tail]}{ELLIPSIS}{name[-tail:]}"


def listed(names: Iterable[str]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    *others, last = names
    return " and ".join(filter(None, (", ".join(others), last)))


def caption_of(*parts: str) -> str:
    """Return the parts that say something, as the line below a table."""
    return "; ".join(filter(None, parts))


def drawn(n: int | None, what: str, seed: int | None = None) -> str:
    """Return ``9,999 resamples, seed 0``; nothing where nothing was drawn."""
    if not n:
        return ""
    return f"{n:,} {what}" if seed is None else f"{n:,} {what}, seed {seed}"


def by_measure(results: Iterable[Result]) -> list[list[Result]]:
    """Return one list per measure, in the order in which the measures first come."""
    families: dict[str, list[Result]] = {}
    for result in results:
        families.setdefault(result.measure, []).append(result)
    return list(families.values())
