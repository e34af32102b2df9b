"""Words that sentences, titles and descriptions share."""

from __future__ import annotations

__all__ = ["capital", "counted", "counted_queries", "shortened"]

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
