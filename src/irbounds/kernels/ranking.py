"""Sort the documents of each query, find repeated documents, and compare rankings."""

from __future__ import annotations

import numpy as np

from .jit import jit
from .random_bits import STEP, mix


@jit
def id_is_greater(a: int, b: int, text: np.ndarray, offsets: np.ndarray) -> bool:
    """Return whether id ``a`` is greater than id ``b``, compared bytewise as by C's strcmp."""
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
    """Return whether entry i is before entry j in trec_eval's order.

    The greater key is first; of equal keys, the greater document id.
    """
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
    """Return whether the entries of every query are in order."""
    for q in range(bounds.size - 1):
        for i in range(bounds[q] + 1, bounds[q + 1]):
            if precedes(i, i - 1, docs, keys, text, offsets):
                return False
    return True


@jit
def is_descending(keys: np.ndarray, begin: int, end: int) -> bool:
    """Return whether no key is greater than its predecessor."""
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
    """Sort the entries of every query; the caller fills ``order`` with 0, 1, 2, ...

    Most runs are in the order of their keys. Then only the blocks of equal keys are sorted.
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
    """Return the number of entries whose document occurs earlier in the same query.

    ``last_seen`` has one element per document; the caller fills it with -1.
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
    """Write, for each entry, the previous entry of the same query and document, or -1.

    ``last_seen`` has one element per document; the caller fills it with -1. Returns the number of
    repeated entries.
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
    """Return the number of entries that the rank column puts behind an entry of lower score.

    ``order`` has the entries of each query by descending score; it is empty if they are in that
    order. A negative rank is unknown and is ignored. The loop runs backwards and keeps the minimum
    rank of all strictly lower scores.
    """
    n = 0
    is_sorted = order.size == 0
    for q in range(bounds.size - 1):
        minimum = np.int64(2**62)  # of the ranks of lower scores
        minimum_with_ties = minimum  # with the ranks of equal scores
        for place in range(bounds[q + 1] - 1, bounds[q] - 1, -1):
            i = place if is_sorted else order[place]
            if place < bounds[q + 1] - 1:
                after = place + 1 if is_sorted else order[place + 1]
                if scores[i] > scores[after]:
                    minimum = minimum_with_ties
            if ranks[i] >= 0:
                if ranks[i] > minimum:
                    n += 1
                minimum_with_ties = min(minimum_with_ties, ranks[i])
    return n


@jit
def digest_rankings(
    bounds: np.ndarray, docs: np.ndarray, hashes: np.ndarray, digests: np.ndarray
) -> None:
    """Write one number per query, which depends on the hashes and the order of its documents."""
    for q in range(bounds.size - 1):
        state = STEP
        for i in range(bounds[q], bounds[q + 1]):
            state = mix((state ^ hashes[docs[i]]) + STEP)
        digests[q] = state


@jit
def is_reordered(
    bounds: np.ndarray, docs: np.ndarray, scores: np.ndarray, text: np.ndarray, offsets: np.ndarray
) -> bool:
    """Return whether the order of any query changes in single precision.

    Rounding keeps the order of two scores or makes them equal. So a document moves only if scores
    become equal and the document ids are not in order.
    """
    for q in range(bounds.size - 1):
        for i in range(bounds[q] + 1, bounds[q + 1]):
            if (
                scores[i] != scores[i - 1]
                and np.float32(scores[i]) == np.float32(scores[i - 1])
                and id_is_greater(docs[i], docs[i - 1], text, offsets)
            ):
                return True
    return False
