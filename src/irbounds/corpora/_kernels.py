"""Compiled loops of shallow pools: scores on judgments of both systems' first documents.

A pool is the first k documents of either ranking, copies counted. Either all copies of a document
are judged or none, so that a pool removes the copies of a relevant document or leaves them
unchanged. Ranks do not change: unjudged documents stay in the ranking.
"""

from __future__ import annotations

import numpy as np

from ..kernels.image_scores import MeasureTables, find_bases, measure_ranking, total_levels
from ..kernels.jit import jit
from ..kernels.multinomial_counts import IMAGES
from ..kernels.replicate_rankings import Rankings, gather_counts, longest, rank_relevant

#: a depth at which all judgments count, including documents that are in neither ranking
EVERYTHING = np.int32(2**31 - 1)


@jit
def lower_firsts(n: int, which: np.ndarray, above: np.ndarray, firsts: np.ndarray) -> None:
    """Lower ``firsts`` to the first ranks of relevant documents in a ranking."""
    for k in range(n):
        row = firsts[which[k]]
        for i in range(IMAGES):
            row[i] = min(row[i], above[k, i] + np.int32(1))


@jit
def keep_pooled(firsts: np.ndarray, counts: np.ndarray, depth: int, pooled: np.ndarray) -> None:
    """Write the counts of relevant documents that begin within the depth, 0 for the others."""
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
    """Write the first system's scores minus the second's: measure x depth x query x image.

    ``rankings`` are of two systems. The number of relevant documents in the pool, copies counted,
    is written to ``n_relevant`` (depth x query x image).
    """
    n_measures, n_depths, n_queries = differences.shape[:3]
    most = longest(rankings.level_bounds)
    gathered = np.empty((longest(rankings.row_bounds), IMAGES), np.uint8)
    firsts = np.empty((most, IMAGES), np.int32)
    pooled = np.empty((most, IMAGES), np.uint8)
    n_found = np.empty(2, np.int64)
    which = np.empty((2, most), np.int64)
    above = np.empty((2, most, IMAGES), np.int32)
    copies = np.empty((most, IMAGES), np.uint8)
    found_levels = np.empty(most, np.int64)
    n_at = np.empty((tables.gains.shape[1], IMAGES), np.int32)
    bases = np.empty((n_measures, IMAGES))
    lanes = np.empty((tables.sums.shape[0] * tables.sums.shape[2], IMAGES))
    values = np.empty((2, n_measures, IMAGES))
    for q in range(n_queries):
        levels = rankings.levels[rankings.level_bounds[q] : rankings.level_bounds[q + 1]]
        gather_counts(
            rankings.rows[rankings.row_bounds[q] : rankings.row_bounds[q + 1]], counts, gathered
        )
        firsts[:, :] = EVERYTHING
        for s in range(2):
            begin, end = rankings.entry_bounds[q * 2 + s : q * 2 + s + 2]
            entries = rankings.entries[begin:end]
            n_found[s] = rank_relevant(
                entries, levels.size, gathered, largest, which[s], above[s], copies
            )
            lower_firsts(n_found[s], which[s], above[s], firsts)
        for d in range(n_depths):
            keep_pooled(firsts[: levels.size], gathered, depths[d], pooled)
            total_levels(levels, pooled, n_at)
            find_bases(tables, n_at, bases)
            for s in range(2):
                for k in range(n_found[s]):
                    found_levels[k] = levels[which[s, k]]
                    copies[k] = pooled[which[s, k]]
                measure_ranking(
                    *(tables, n_found[s], found_levels, above[s], copies),
                    *(n_at, bases, lanes, values[s]),
                )
            for i in range(IMAGES):
                n_relevant[d, q, i] = n_at[0, i]
            for m in range(n_measures):
                for i in range(IMAGES):
                    differences[m, d, q, i] = values[0, m, i] - values[1, m, i]
