"""Put each query's documents in order, and find those that stand there twice."""

from __future__ import annotations

import numpy as np

from .jit import jit
from .random_bits import STEP, mix


@jit
def id_is_greater(a: int, b: int, text: np.ndarray, offsets: np.ndarray) -> bool:
    """Whether id ``a`` comes after id ``b``, byte by byte as C's strcmp has it."""
    i = offsets[a]
    j = offsets[b]
    while i < offsets[a + 1] and j < offsets[b + 1]:
        if text[i] != text[j]:
            return text[i] > text[j]
        i += 1
        j += 1
    return i < offsets[a + 1]


@jit
def precedes(
    i: int, j: int, docs: np.ndarray, keys: np.ndarray, text: np.ndarray, offsets: np.ndarray
) -> bool:
    """trec_eval's order: greater key first, then greater document id."""
    if keys[i] != keys[j]:
        return keys[i] > keys[j]
    return docs[i] != docs[j] and id_is_greater(docs[i], docs[j], text, offsets)


@jit
def merge_sort(
    order: np.ndarray,
    spare: np.ndarray,
    docs: np.ndarray,
    keys: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
) -> None:
    """Sort ``order`` in place, bottom up; stable. ``spare`` is at least as long."""
    n = order.size
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle = min(low + width, n)
            high = min(low + 2 * width, n)
            i = low
            j = middle
            for k in range(low, high):
                take_right = i == middle or (
                    j < high and precedes(order[j], order[i], docs, keys, text, offsets)
                )
                if take_right:
                    spare[k] = order[j]
                    j += 1
                else:
                    spare[k] = order[i]
                    i += 1
        order[:] = spare[:n]
        width *= 2


@jit
def are_ranked(
    bounds: np.ndarray, docs: np.ndarray, keys: np.ndarray, text: np.ndarray, offsets: np.ndarray
) -> bool:
    """Whether every query's entries stand in order already."""
    for q in range(bounds.size - 1):
        for i in range(bounds[q] + 1, bounds[q + 1]):
            if precedes(i, i - 1, docs, keys, text, offsets):
                return False
    return True


@jit
def is_descending(keys: np.ndarray, begin: int, end: int) -> bool:
    """Whether no key is greater than the one before it."""
    for i in range(begin + 1, end):
        if keys[i] > keys[i - 1]:
            return False
    return True


@jit
def rank_documents(
    bounds: np.ndarray,
    docs: np.ndarray,
    keys: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
    order: np.ndarray,
) -> None:
    """Order every query's entries; ``order`` comes in as 0, 1, 2, ...

    Most runs are written in order of their keys; then only the blocks of equal keys are sorted.
    """
    longest = 0
    for q in range(bounds.size - 1):
        longest = max(longest, bounds[q + 1] - bounds[q])
    spare = np.empty(longest, order.dtype)
    for q in range(bounds.size - 1):
        begin = bounds[q]
        last = bounds[q + 1]
        descending = is_descending(keys, begin, last)
        while begin < last:
            end = last
            if descending:
                end = begin + 1
                while end < last and keys[end] == keys[begin]:
                    end += 1
            if end - begin > 1:
                merge_sort(order[begin:end], spare, docs, keys, text, offsets)
            begin = end


@jit
def count_repeats(bounds: np.ndarray, docs: np.ndarray, last_seen: np.ndarray) -> int:
    """How many entries name a document that their query has named before.

    ``last_seen`` has a place per document and comes in filled with -1.
    """
    n_repeats = 0
    for q in range(bounds.size - 1):
        for i in range(bounds[q], bounds[q + 1]):
            if last_seen[docs[i]] >= bounds[q]:
                n_repeats += 1
            last_seen[docs[i]] = i
    return n_repeats


@jit
def find_repeats(
    bounds: np.ndarray, docs: np.ndarray, last_seen: np.ndarray, earlier: np.ndarray
) -> int:
    """For each entry, the entry of the same query that names the same document before it, or -1.

    ``last_seen`` has a place per document and comes in filled with -1. Returns how many repeat.
    """
    n_repeats = 0
    for q in range(bounds.size - 1):
        begin = bounds[q]
        for i in range(begin, bounds[q + 1]):
            seen = last_seen[docs[i]]
            earlier[i] = seen if seen >= begin else -1
            if seen >= begin:
                n_repeats += 1
            last_seen[docs[i]] = i
    return n_repeats


@jit
def count_contradictions(
    bounds: np.ndarray, scores: np.ndarray, ranks: np.ndarray, order: np.ndarray
) -> int:
    """Entries that the rank column puts behind an entry of lower score.

    ``order`` has each query's entries by descending score, and is empty where they stand so; a
    negative rank is not known and says nothing. From the end, the least rank of all strictly lower
    scores is carried along.
    """
    n = 0
    as_they_stand = order.size == 0
    for q in range(bounds.size - 1):
        least = np.int64(2**62)  # among the scores below the present one
        least_here = least  # among those equal to it, too
        for place in range(bounds[q + 1] - 1, bounds[q] - 1, -1):
            i = place if as_they_stand else order[place]
            if place < bounds[q + 1] - 1:
                after = place + 1 if as_they_stand else order[place + 1]
                if scores[i] > scores[after]:
                    least = least_here
            if ranks[i] >= 0:
                if ranks[i] > least:
                    n += 1
                least_here = min(least_here, ranks[i])
    return n


@jit
def digest_rankings(
    bounds: np.ndarray, docs: np.ndarray, hashes: np.ndarray, digests: np.ndarray
) -> None:
    """Write a number per query that depends on its documents' ids, by their hashes, and order."""
    for q in range(bounds.size - 1):
        state = STEP
        for i in range(bounds[q], bounds[q + 1]):
            state = mix((state ^ hashes[docs[i]]) + STEP)
        digests[q] = state


@jit
def find_reordered(
    bounds: np.ndarray,
    docs: np.ndarray,
    scores: np.ndarray,
    text: np.ndarray,
    offsets: np.ndarray,
    reordered: np.ndarray,
) -> int:
    """Mark the queries that single precision puts in another order; return how many.

    Rounding keeps the order of scores or ties them, so that only a new tie, whose document ids are
    not in order, moves a document.
    """
    n = 0
    for q in range(bounds.size - 1):
        reordered[q] = False
        for i in range(bounds[q] + 1, bounds[q + 1]):
            if (
                scores[i] != scores[i - 1]
                and np.float32(scores[i]) == np.float32(scores[i - 1])
                and id_is_greater(docs[i], docs[i - 1], text, offsets)
            ):
                reordered[q] = True
                n += 1
                break
    return n
