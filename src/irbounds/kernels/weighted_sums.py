"""Weighted sums of columns of scores: the product behind every resampling of queries.

Weights are stored by query with the resamples side by side, so that the innermost loop is one
vector multiply-add. Every sum adds the queries in their order: the same bits on any machine.
"""

from __future__ import annotations

import numpy as np

from .jit import jit

TILE = 32  # columns whose sums fit in the first-level cache
LANES = 128  # resamples of these


@jit
def add_weighted(weights: np.ndarray, columns: np.ndarray, sums: np.ndarray) -> None:
    """Add to ``sums`` (column x resample) the product of ``columns`` and ``weights``.

    ``columns`` is query x column, ``weights`` query x resample. Four queries are added in their
    order before a sum is stored, and two columns at a time. This saves most of the cache traffic
    and does not change a bit.
    """
    n_queries, n_resamples = weights.shape
    n_columns = columns.shape[1]
    last = n_queries - 1  # has weight 0 where fewer than four queries are left
    rows = np.zeros((4, LANES))
    spare = np.zeros(LANES)  # in place of the second column where there is none
    for first in range(0, n_resamples, LANES):
        n_lanes = min(LANES, n_resamples - first)
        for begin in range(0, n_columns, TILE):
            end = min(begin + TILE, n_columns)
            for q in range(0, n_queries, 4):
                second, third, fourth = min(q + 1, last), min(q + 2, last), min(q + 3, last)
                for k in range(4):
                    if q + k <= last:
                        lanes = weights[q + k, first : first + n_lanes]
                        for r in range(n_lanes):
                            rows[k, r] = lanes[r]
                    else:
                        rows[k, :] = 0.0
                for c in range(begin, end, 2):
                    other = min(c + 1, end - 1)
                    a, b = columns[q, c], columns[second, c]
                    d, e = columns[third, c], columns[fourth, c]
                    f, g = columns[q, other], columns[second, other]
                    h, i = columns[third, other], columns[fourth, other]
                    part = sums[c, first : first + n_lanes]
                    if other > c:
                        other_part = sums[other, first : first + n_lanes]
                    else:
                        other_part = spare[:n_lanes]
                    for r in range(n_lanes):
                        u, v, w, x = rows[0, r], rows[1, r], rows[2, r], rows[3, r]
                        total = part[r] + u * a
                        total += v * b
                        total += w * d
                        part[r] = total + x * e
                        total = other_part[r] + u * f
                        total += v * g
                        total += w * h
                        other_part[r] = total + x * i


@jit
def multiply_rows(rows: np.ndarray) -> np.ndarray:
    """Return the product of every two of ``rows``, summed in the order of their numbers.

    BLAS would give other bits for another number of its threads.
    """
    columns = np.ascontiguousarray(rows.T)
    products = np.zeros((rows.shape[0], rows.shape[0]))
    add_weighted(columns, columns, products)
    return products
