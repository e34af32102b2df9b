"""Two systems scored on judgments of their own first documents, in 64 images at once.

A pool is the first k documents of either ranking, copies counted. A document is judged in all its
copies or not at all, so a pool takes the copies of a relevant document away or leaves them as they
are. Ranks do not change: a document without a judgment keeps its rank.
"""

from __future__ import annotations

import numpy as np

from ..kernels.image_scores import MeasureTables, find_bases, measure_ranking, total_levels
from ..kernels.jit import jit
from ..kernels.multinomial_counts import IMAGES
from ..kernels.replicate_rankings import Rankings, lay_out, longest, rank_relevant

#: a depth at which all judgments count, also those of documents that neither ranking holds
EVERYTHING = np.int32(2**31 - 1)


@jit
def raise_firsts(n: int, which: np.ndarray, above: np.ndarray, firsts: np.ndarray) -> None:
    """Note where a ranking's relevant documents begin, if that is above what was noted before."""
    for k in range(n):
        row = firsts[which[k]]
        for i in range(IMAGES):
            row[i] = min(row[i], above[k, i] + np.int32(1))


@jit
def keep_pooled(firsts: np.ndarray, counts: np.ndarray, depth: int, pooled: np.ndarray) -> None:
    """Counts of relevant documents that begin within the depth, and 0 for the others."""
    for k in range(firsts.shape[0]):
        for i in range(IMAGES):
            pooled[k, i] = counts[k, i] if firsts[k, i] <= depth else 0


@jit
def score_pools(
    rankings: Rankings,
    tables: MeasureTables,
    counts: np.ndarray,
    largest: int,
    depths: np.ndarray,
    differences: np.ndarray,
    n_relevant: np.ndarray,
) -> None:
    """Write the first system's scores less the second's, measure x depth x query x image.

    ``rankings`` are of two systems. ``n_relevant`` (depth x query x image) gets the number of
    relevant documents in the pool, copies counted.
    """
    n_measures, n_depths, n_queries = differences.shape[:3]
    most = longest(rankings.level_bounds)
    here = np.empty((longest(rankings.row_bounds), IMAGES), np.uint8)
    firsts = np.empty((most, IMAGES), np.int32)
    pooled = np.empty((most, IMAGES), np.uint8)
    found = np.empty(2, np.int64)
    which = np.empty((2, most), np.int64)
    above = np.empty((2, most, IMAGES), np.int32)
    copies = np.empty((most, IMAGES), np.uint8)
    levels_here = np.empty(most, np.int64)
    n_at = np.empty((tables.gains.shape[1], IMAGES), np.int32)
    bases = np.empty((n_measures, IMAGES))
    lanes = np.empty((tables.sums.shape[0] * tables.sums.shape[2], IMAGES))
    values = np.empty((2, n_measures, IMAGES))
    for q in range(n_queries):
        levels = rankings.levels[rankings.level_bounds[q] : rankings.level_bounds[q + 1]]
        lay_out(rankings.rows[rankings.row_bounds[q] : rankings.row_bounds[q + 1]], counts, here)
        firsts[:, :] = EVERYTHING
        for s in range(2):
            begin, end = rankings.entry_bounds[q * 2 + s : q * 2 + s + 2]
            entries = rankings.entries[begin:end]
            found[s] = rank_relevant(
                entries, levels.size, here, largest, which[s], above[s], copies
            )
            raise_firsts(found[s], which[s], above[s], firsts)
        for d in range(n_depths):
            keep_pooled(firsts[: levels.size], here, depths[d], pooled)
            total_levels(levels, pooled, n_at)
            find_bases(tables, n_at, bases)
            for s in range(2):
                for k in range(found[s]):
                    levels_here[k] = levels[which[s, k]]
                    copies[k] = pooled[which[s, k]]
                measure_ranking(
                    *(tables, found[s], levels_here, above[s], copies),
                    *(n_at, bases, lanes, values[s]),
                )
            for i in range(IMAGES):
                n_relevant[d, q, i] = n_at[0, i]
            for m in range(n_measures):
                for i in range(IMAGES):
                    differences[m, d, q, i] = values[0, m, i] - values[1, m, i]
