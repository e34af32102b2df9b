"""Errors of one input, collected so that one message names them with their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, SeveralInputsError

MAX_NAMED = 3  # errors named one by one; the others are only counted


class ErrorList:
    """The errors of one input; ``unit`` is what a number in a message counts.

    The ``hint`` is added to the end of the message.
    """

    def __init__(self, source: str, unit: str = "line", hint: str = "") -> None:
        self.source = source
        self.unit = unit
        self.hint = hint
        self._named: list[tuple[int, str]] = []
        self._total = 0

    def add(self, message: str, number: int | None = None) -> None:
        """Add an error, on line (or record) ``number``."""
        if self.has_room:
            named = f"{self.unit} {number}: {message}" if number else message
            self._named.append((number or 0, named))
        self._total += 1

    def count_more(self, count: int) -> None:
        """Count further errors of a kind whose first few were added by name."""
        self._total += count

    @property
    def has_room(self) -> bool:
        """Whether another error would be named, rather than only counted."""
        return len(self._named) < MAX_NAMED

    def raise_if_any(self) -> None:
        """Raise one ``InputError`` that names the first few errors and counts the others."""
        if not self._total:
            return
        n_others = self._total - len(self._named)
        others = f"; and {n_others:,} more" if n_others else ""
        named = "; ".join(message for _, message in sorted(self._named))
        raise InputError(f"{self.source}: {named}{others}", self.hint)


def raise_together(errors: Sequence[InputError], names: Sequence[str]) -> None:
    """Raise the errors of several files as one; ``names`` are those of the files that were read."""
    if len(errors) > 1:
        raise SeveralInputsError(errors, names)
    if errors:
        raise errors[0]


@dataclass(eq=False)
class LineNumbers:
    """The line (from 1) of each record (from 0); or its number, where there are no lines.

    Records are on consecutive lines, except for empty lines and comments. So a number is kept only
    for the first record of each stretch of consecutive lines.
    """

    _n_records: int = 0
    #: by part: the records that begin a stretch, and their lines
    _begins: list[NDArray[np.int64]] = field(default_factory=list)
    _lines: list[NDArray[np.int64]] = field(default_factory=list)

    @classmethod
    def without_gaps(cls) -> LineNumbers:
        """Return the numbers of records on consecutive lines."""
        numbers = cls()
        numbers.append(np.ones(1, np.int64))
        return numbers

    def append(self, lines: NDArray[np.int64]) -> None:
        """Add the lines of the records that follow, in ascending order."""
        begins = np.flatnonzero(np.diff(lines, prepend=lines[:1]) != 1)
        self._begins.append(begins + self._n_records)
        self._lines.append(lines[begins])
        self._n_records += len(lines)

    def __getitem__(self, record: int) -> int:
        for begins, lines in zip(reversed(self._begins), reversed(self._lines), strict=True):
            if len(begins) and begins[0] <= record:
                place = np.searchsorted(begins, record, "right") - 1
                return int(lines[place]) + record - int(begins[place])
        raise IndexError(record)
