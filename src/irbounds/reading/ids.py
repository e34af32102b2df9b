"""Ids of queries and documents as integers.

The distinct ids of a file are kept once, with a hash table that finds them. The arrays grow at
their end while a file is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

MIN_LENGTH = 1 << 12  # of an array that grows


def grow(array: NDArray[Any], size: int) -> None:
    """Make room for ``size`` numbers in place; no other reference may be used meanwhile.

    An array grows by at least an eighth. ``resize`` reallocates it, and Linux then moves the pages
    of a large array rather than its bytes. So a column of unknown length takes its own size and an
    eighth, while parts and their concatenation would take it twice.
    """
    if size > len(array):
        array.resize(max(size, len(array) + len(array) // 8, MIN_LENGTH), refcheck=False)


class GrowableArray(Generic[Scalar]):
    """A column that is read part by part."""

    def __init__(self, kind: type[Scalar]) -> None:
        self._array: NDArray[Scalar] = np.empty(0, kind)
        self._n = 0

    def __len__(self) -> int:
        return self._n

    def append(self, part: NDArray[Scalar]) -> None:
        """Add a part at the end."""
        grow(self._array, self._n + len(part))
        self._array[self._n : self._n + len(part)] = part
        self._n += len(part)

    def finish(self) -> NDArray[Scalar]:
        """Return the column, trimmed to size; nothing can be added after that."""
        self._array.resize(self._n, refcheck=False)
        return self._array


@dataclass(frozen=True, eq=False)
class Identifiers:
    """Distinct ids; an id's number is its place.

    All ids are in one UTF-8 text, with offsets, hashes and a hash table: 32 to 48 bytes per id in
    addition to its characters, where a dict of Python strings takes about 150.
    """

    text: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    slots: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        return bytes(self.text[self.offsets[number] : self.offsets[number + 1]]).decode()

    def strings(self) -> list[str]:
        """Return all ids, in the order of their numbers."""
        raw = self.text.tobytes()
        bounds = self.offsets.tolist()
        return [raw[a:b].decode() for a, b in pairwise(bounds)]

    def numbers_in(self, other: Identifiers) -> NDArray[np.int32]:
        """Return the number that each of these ids has in ``other``, or -1."""
        if other is self:
            return np.arange(len(self), dtype=np.int32)
        from ._kernels import find_ids

        numbers = np.empty(len(self), dtype=np.int32)
        find_ids(
            self.text, self.offsets, self.hashes, other.text, other.offsets, other.slots, numbers
        )
        return numbers


class IdentifierTable:
    """Collects ids piece by piece; ``finish`` returns the ``Identifiers``.

    ``is_grouped`` says that most ids equal the one before, as query ids do.
    """

    def __init__(self, *, is_grouped: bool = False) -> None:
        self._is_grouped = is_grouped
        self._n_ids = 0
        self._text: NDArray[np.uint8] = np.empty(1 << 12, dtype=np.uint8)
        self._offsets: NDArray[np.int64] = np.zeros(1 << 8, dtype=np.int64)
        self._hashes: NDArray[np.uint64] = np.zeros(1 << 8, dtype=np.uint64)
        self._slots: NDArray[np.int64] = np.full(1 << 14, -1, dtype=np.int64)

    def intern(
        self, buffer: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Return the numbers of the ids in ``buffer`` from ``starts`` to ``ends``."""
        from ._kernels import intern_ids

        self._make_room(len(starts), int((ends - starts).sum()))
        numbers = np.empty(len(starts), dtype=np.int32)
        self._n_ids = intern_ids(
            buffer,
            starts,
            ends,
            self._text,
            self._offsets,
            self._hashes,
            self._slots,
            self._n_ids,
            self._is_grouped,
            numbers,
        )
        return numbers

    def finish(self) -> Identifiers:
        """Return the ids, trimmed to size; nothing can be added after that."""
        self._text.resize(int(self._offsets[self._n_ids]), refcheck=False)
        self._offsets.resize(self._n_ids + 1, refcheck=False)
        self._hashes.resize(self._n_ids, refcheck=False)
        return Identifiers(self._text, self._offsets, self._hashes, self._slots)

    def _make_room(self, n_new: int, n_bytes: int) -> None:
        """Grow for the worst case, in which every id is new."""
        from ._kernels import place_ids

        grow(self._text, int(self._offsets[self._n_ids]) + n_bytes)
        grow(self._offsets, self._n_ids + n_new + 1)
        grow(self._hashes, self._n_ids + n_new)
        n_slots = _power_of_two(2 * (self._n_ids + n_new))
        if n_slots > len(self._slots):
            self._slots = np.empty(0, dtype=np.int64)  # freed before the larger one is allocated
            self._slots = np.full(n_slots, -1, dtype=np.int64)
            place_ids(self._hashes, self._n_ids, self._slots)


def intern_strings(ids: Sequence[str]) -> tuple[Identifiers, NDArray[np.int32]]:
    """Return the distinct ids in order of appearance, and the number of each id given."""
    text = "".join(ids)
    parts = ids if text.isascii() else [part.encode() for part in ids]
    lengths = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
    buffer = np.frombuffer(bytearray(text.encode()), dtype=np.uint8)
    ends = np.cumsum(lengths, dtype=np.int64)
    table = IdentifierTable()
    numbers = table.intern(buffer, ends - lengths, ends)
    return table.finish(), numbers


def _power_of_two(n: int) -> int:
    """Return the least power of two that is at least ``n``, and at least 2."""
    return 1 << max(n - 1, 1).bit_length()
