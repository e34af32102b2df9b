"""All that is wrong with one input, or with several, said together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, SeveralInputsError

SHOWN = 3  # problems named one by one before the rest are only counted


class Problems:
    """Collects what is wrong with an input, so that one error can name it all."""

    def __init__(self, source: str, unit: str = "line", hint: str = "") -> None:
        self.source = source
        self.unit = unit
        self.hint = hint
        self._shown: list[tuple[int, str]] = []
        self._total = 0

    def add(self, message: str, where: int | None = None) -> None:
        """Note one problem, on line (or record) ``where``."""
        if self.has_room:
            self._shown.append(
                (where or 0, f"{self.unit} {where}: {message}" if where else message)
            )
        self._total += 1

    def add_unnamed(self, count: int) -> None:
        """Count further problems of a kind whose first few were added by name."""
        self._total += count

    @property
    def has_room(self) -> bool:
        """Whether another problem would still be shown, rather than only counted."""
        return len(self._shown) < SHOWN

    def raise_if_any(self) -> None:
        """Raise one InputError that names the first few and counts the rest."""
        if not self._total:
            return
        left = self._total - len(self._shown)
        tail = f"; and {left:,} more" if left else ""
        named = "; ".join(message for _, message in sorted(self._shown))
        raise InputError(f"{self.source}: {named}{tail}", self.hint)


def raise_together(errors: Sequence[InputError], names: Sequence[str]) -> None:
    """Raise the errors of several files as one; ``names`` are those of the files that were read."""
    if len(errors) > 1:
        raise SeveralInputsError(errors, names)
    if errors:
        raise errors[0]


# On which line each record stands, without a number for every record.
#
# Records stand on lines that follow each other, but for blank lines and comments. What is kept is
# where a stretch of such records begins, and by how much the line's number exceeds the record's.


@dataclass(eq=False)
class LineNumbers:
    """The line, from 1, of each record, from 0; or its number, where there are no lines."""

    _n_records: int = 0
    _begins: list[NDArray[np.int64]] = field(default_factory=list)
    _lines: list[NDArray[np.int64]] = field(default_factory=list)

    @classmethod
    def without_gaps(cls) -> LineNumbers:
        """Record after record."""
        numbers = cls()
        numbers.append(np.ones(1, np.int64))
        return numbers

    def append(self, lines: NDArray[np.int64]) -> None:
        """The lines of the records that follow, ascending."""
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
