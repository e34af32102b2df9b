"""Turn ids into integers: a hash table of byte strings with linear probing.

The distinct ids stand end to end in ``text``; id ``k`` is ``text[offsets[k]:offsets[k + 1]]`` and
has the hash ``hashes[k]``. ``slots`` has a power of two of places, at least twice as many as there
are ids. A slot is -1 where free; else its low half is the id's number and its high half a piece of
the id's hash, so that a slot with another id is nearly always told by the slot alone, without a
look at the text, which would be a cache miss or two.
"""

from __future__ import annotations

import numpy as np

from .jit import jit

FNV_OFFSET = np.uint64(14695981039346656037)
FNV_PRIME = np.uint64(1099511628211)
HALF = np.uint64(32)
NUMBER = np.int64(2**32 - 1)
TAG = np.int64((2**31 - 1) << 32)


@jit
def hash_bytes(buffer: np.ndarray, start: int, end: int) -> np.uint64:
    """FNV-1a with the high half folded in, since the low bits choose the slot."""
    value = FNV_OFFSET
    for i in range(start, end):
        value = (value ^ np.uint64(buffer[i])) * FNV_PRIME
    return value ^ (value >> HALF)


@jit
def same_bytes(
    a: np.ndarray, start_a: int, end_a: int, b: np.ndarray, start_b: int, end_b: int
) -> bool:
    """Whether two stretches of bytes are equal."""
    if end_a - start_a != end_b - start_b:
        return False
    for i in range(end_a - start_a):
        if a[start_a + i] != b[start_b + i]:
            return False
    return True


@jit
def find_slot(
    buffer: np.ndarray,
    start: int,
    end: int,
    hashed: np.uint64,
    text: np.ndarray,
    offsets: np.ndarray,
    slots: np.ndarray,
) -> int:
    """The slot that holds this id, or the free one where it belongs."""
    mask = slots.size - 1
    tag = np.int64(hashed) & TAG
    slot = np.int64(hashed) & mask
    while slots[slot] >= 0:
        if slots[slot] & TAG == tag:
            k = slots[slot] & NUMBER
            if same_bytes(buffer, start, end, text, offsets[k], offsets[k + 1]):
                break
        slot = (slot + 1) & mask
    return slot


@jit
def intern_ids(
    buffer: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
    hashes: np.ndarray,
    slots: np.ndarray,
    n_ids: int,
    in_stretches: bool,
    codes: np.ndarray,
) -> int:
    """Write every id's number to ``codes``, adding the new ones; returns how many there are now.

    The arrays have room for as many new ids as there are fields. ``in_stretches`` says that an id
    is mostly the one before it, as query ids are; then that is looked at first.
    """
    for i in range(starts.size):
        start = starts[i]
        end = ends[i]
        if (
            in_stretches
            and i > 0
            and same_bytes(buffer, start, end, buffer, starts[i - 1], ends[i - 1])
        ):
            codes[i] = codes[i - 1]
            continue
        hashed = hash_bytes(buffer, start, end)
        slot = find_slot(buffer, start, end, hashed, text, offsets, slots)
        if slots[slot] < 0:
            begin = offsets[n_ids]
            for j in range(end - start):
                text[begin + j] = buffer[start + j]
            offsets[n_ids + 1] = begin + end - start
            hashes[n_ids] = hashed
            slots[slot] = (np.int64(hashed) & TAG) | n_ids
            n_ids += 1
        codes[i] = slots[slot] & NUMBER
    return n_ids


@jit
def place_ids(hashes: np.ndarray, n_ids: int, slots: np.ndarray) -> None:
    """Fill an empty table with the first ``n_ids`` ids, all distinct."""
    mask = slots.size - 1
    for k in range(n_ids):
        slot = np.int64(hashes[k]) & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = (np.int64(hashes[k]) & TAG) | k


@jit
def find_ids(
    sought: np.ndarray,
    bounds: np.ndarray,
    sought_hashes: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
    slots: np.ndarray,
    codes: np.ndarray,
) -> None:
    """Write the number that each sought id has in the table, or -1."""
    for i in range(bounds.size - 1):
        hashed = sought_hashes[i]
        slot = find_slot(sought, bounds[i], bounds[i + 1], hashed, text, offsets, slots)
        codes[i] = -1 if slots[slot] < 0 else slots[slot] & NUMBER
