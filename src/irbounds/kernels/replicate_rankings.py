"""Ranks of the relevant documents in 64 images of the corpus at once.

Rankings are not rewritten. A document with count c has the ranks x + 1 to x + c, where x is the sum
of the counts above it; a count of 0 is an absent document. Counts are stored by document with the
images side by side, so that a step down the ranking is one addition of a cache line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .jit import jit
from .multinomial_counts import IMAGES

EIGHT_FIT = 31  # the sum of eight counts up to this fits in a byte


class Rankings(NamedTuple):
    """All rankings by query; within a query, documents are numbered with relevant ones first.

    Rankings end at their last relevant document, since nothing below it matters.
    """

    #: the rows of counts of query q's documents are ``rows[row_bounds[q] : row_bounds[q + 1]]``
    rows: np.ndarray
    row_bounds: np.ndarray
    #: levels of relevance of its relevant documents, 0 for the lowest, with the same layout
    levels: np.ndarray
    level_bounds: np.ndarray
    #: documents of query q in the ranking of system s: the part q x systems + s
    entries: np.ndarray
    entry_bounds: np.ndarray


@jit
def longest(bounds: np.ndarray) -> int:
    """Return the largest difference of neighbours; np.diff takes two seconds more to compile."""
    most = 0
    for k in range(1, bounds.size):
        most = max(most, bounds[k] - bounds[k - 1])
    return most


@jit
def gather_counts(rows: np.ndarray, counts: np.ndarray, gathered: np.ndarray) -> None:
    """Copy the counts of one query's documents to contiguous memory that fits in the cache."""
    for k in range(rows.size):
        row = rows[k]
        for i in range(IMAGES):
            gathered[k, i] = counts[row, i]


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
    """Find the relevant documents of a ranking in every image; return their number.

    ``entries`` number the query's documents, relevant ones first. Of each relevant entry its number
    is written to ``which``, and by image the sum of the counts above it to ``above`` and its count
    to ``copies``. ``largest`` is the largest count; if they fit, eight counts are added in a byte.
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


@jit
def number_by_query(
    relevant: np.ndarray,
    relevant_bounds: np.ndarray,
    docs: np.ndarray,
    bounds: np.ndarray,
    number: np.ndarray,
    rows: np.ndarray,
    row_bounds: np.ndarray,
    entries: np.ndarray,
    entry_bounds: np.ndarray,
) -> None:
    """Assign numbers to the documents of each query: relevant ones first, then by ranking.

    ``docs[bounds[k, 0] : bounds[k, 1]]`` is the ranking k = query x systems + system. ``number``
    has an element per document and is filled with -1 by the caller. It holds the last row of each
    document, which is valid only within the current query.
    """
    n_queries = relevant_bounds.size - 1
    n_systems = bounds.shape[0] // n_queries
    n_rows = 0
    n_entries = 0
    for q in range(n_queries):
        begin = n_rows
        row_bounds[q] = begin
        for k in range(relevant_bounds[q], relevant_bounds[q + 1]):
            number[relevant[k]] = n_rows
            rows[n_rows] = relevant[k]
            n_rows += 1
        n_relevant = n_rows - begin
        for k in range(q * n_systems, (q + 1) * n_systems):
            entry_bounds[k] = n_entries
            last = bounds[k, 1]
            while last > bounds[k, 0]:
                place = number[docs[last - 1]]
                if begin <= place < begin + n_relevant:
                    break
                last -= 1
            for e in range(bounds[k, 0], last):
                doc = docs[e]
                if number[doc] < begin:
                    number[doc] = n_rows
                    rows[n_rows] = doc
                    n_rows += 1
                entries[n_entries] = number[doc] - begin
                n_entries += 1
    row_bounds[n_queries] = n_rows
    entry_bounds[bounds.shape[0]] = n_entries
