"""On which line each record stands, without a number for every record.

Records stand on lines that follow each other, but for blank lines and comments. What is kept is
where a stretch of such records begins, and by how much the line's number exceeds the record's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


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
