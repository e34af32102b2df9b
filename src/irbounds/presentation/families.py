"""Results measure by measure, in the order in which the measures first come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

__all__ = ["by_measure"]


class Measured(Protocol):
    """A result of one measure."""

    @property
    def measure(self) -> str:
        """Its name."""
        ...


Result = TypeVar("Result", bound=Measured)


def by_measure(results: Iterable[Result]) -> list[list[Result]]:
    """One list a measure."""
    families: dict[str, list[Result]] = {}
    for result in results:
        families.setdefault(result.measure, []).append(result)
    return list(families.values())
