"""What an explanation is made of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Explanation"]


@dataclass(frozen=True)
class Explanation:
    """One topic: its name in words, what it means, what it does not, and where it comes from."""

    name: str
    #: sentences
    means: tuple[str, ...] = ()
    does_not_mean: tuple[str, ...] = ()
    #: how it is computed, in a sentence or two
    method: str = ""
    #: keys of REFERENCES
    references: tuple[str, ...] = ()
