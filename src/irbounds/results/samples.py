"""Assessed samples as they were read: what an interval of recall is computed from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .inputs import InputFile
from .recall import Stratum
from .shown import Shown

__all__ = ["Sample"]


@dataclass(frozen=True)
class Sample(Shown):
    """The strata of one retrieved set, with what their random samples held.

    It stands for its strata wherever these are wanted: ``recall_interval(sample)``.
    """

    strata: tuple[Stratum, ...]
    #: whose retrieved set it is, and on what, where an input names them
    system: str | None = None
    topic: str | None = None
    inputs: tuple[InputFile, ...] = ()
    #: sentences on how the inputs were read
    notes: tuple[str, ...] = ()
    #: sentences on what in them was left out
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Stratum]:
        return iter(self.strata)

    def __len__(self) -> int:
        return len(self.strata)
