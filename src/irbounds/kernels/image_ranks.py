"""Walk rankings through 64 images at once, to find where the relevant documents stand.

A run is never rewritten. A document with count c stands at the ranks x + 1 to x + c, where x is the
sum of the counts above it; a count of 0 is an absent document. Counts lie document by document, the
images side by side, so that a step down the ranking is one addition of a cache line.
"""

from __future__ import annotations

import numpy as np

from .dealing import IMAGES
from .jit import jit

EIGHT_FIT = 31  # eight counts up to this add up within a byte


@jit
def longest(bounds: np.ndarray) -> int:
    """The largest distance of two neighbours; np.diff would take two seconds more to compile."""
    most = 0
    for k in range(1, bounds.size):
        most = max(most, bounds[k] - bounds[k - 1])
    return most


@jit
def lay_out(rows: np.ndarray, counts: np.ndarray, here: np.ndarray) -> None:
    """Copy the counts of one query's documents next to each other, where the cache holds them."""
    for k in range(rows.size):
        row = rows[k]
        for i in range(IMAGES):
            here[k, i] = counts[row, i]


@jit
def rank_relevant(
    entries: np.ndarray,
    n_relevant: int,
    counts: np.ndarray,
    largest: int,
    which: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
) -> int:
    """Find the relevant documents of a ranking in every image; returns how many it has.

    ``entries`` number the query's documents, relevant ones first. Written of each relevant entry:
    its number (``which``), and by image the sum of the counts above it and its own count.
    ``largest`` is the largest count: where they fit, eight counts are added up in bytes first.
    """
    passed = np.zeros(IMAGES, np.int32)
    n = 0
    e = 0
    while e < entries.size:
        stop = e
        while stop < entries.size and entries[stop] >= n_relevant:
            stop += 1
        while largest <= EIGHT_FIT and e + 8 <= stop:
            a, b = counts[entries[e]], counts[entries[e + 1]]
            c, d = counts[entries[e + 2]], counts[entries[e + 3]]
            f, g = counts[entries[e + 4]], counts[entries[e + 5]]
            h, j = counts[entries[e + 6]], counts[entries[e + 7]]
            for i in range(IMAGES):
                first = np.uint8(np.uint8(a[i] + b[i]) + np.uint8(c[i] + d[i]))
                second = np.uint8(np.uint8(f[i] + g[i]) + np.uint8(h[i] + j[i]))
                passed[i] += np.int32(np.uint8(first + second))
            e += 8
        while e < stop:
            row = counts[entries[e]]
            for i in range(IMAGES):
                passed[i] += np.int32(row[i])
            e += 1
        if stop < entries.size:
            row = counts[entries[stop]]
            which[n] = entries[stop]
            for i in range(IMAGES):
                above[n, i] = passed[i]
                copies[n, i] = row[i]
                passed[i] += np.int32(row[i])
            n += 1
            e = stop + 1
    return n
