"""Score all systems on all queries in the images of one unit: one pass over the rankings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .dealing import IMAGES
from .image_ranks import lay_out, longest, rank_relevant
from .image_scores import MeasureTables, find_bases, measure_ranking, total_levels
from .jit import jit


class Rankings(NamedTuple):
    """All rankings, query by query; within a query, documents are numbered relevant ones first.

    Nothing below the last relevant document of a ranking matters, so it is not there.
    """

    #: the rows of counts of query q's documents are ``rows[row_bounds[q] : row_bounds[q + 1]]``
    rows: np.ndarray
    row_bounds: np.ndarray
    #: levels of relevance of its relevant documents, 0 for the lowest, in the same way
    levels: np.ndarray
    level_bounds: np.ndarray
    #: documents of query q as system s ranks them: the stretch q x systems + s
    entries: np.ndarray
    entry_bounds: np.ndarray


@jit
def sum_up(values: np.ndarray, n_images: int, centres: np.ndarray, spreads: np.ndarray) -> None:
    """Mean over images and sum of squared deviations from it, for each measure of ``values``."""
    n_measures = values.shape[0]
    for m in range(n_measures):
        centres[m] = spreads[m] = 0.0
    # measures inside, so that sums of several go on at once
    for i in range(n_images):
        for m in range(n_measures):
            centres[m] += values[m, i]
    for m in range(n_measures):
        centres[m] /= n_images
    for i in range(n_images):
        for m in range(n_measures):
            spreads[m] += (values[m, i] - centres[m]) ** 2


@jit
def score_images(
    rankings: Rankings,
    tables: MeasureTables,
    counts: np.ndarray,
    largest: int,
    scores: np.ndarray,
    sums: np.ndarray,
    centres: np.ndarray,
    spreads: np.ndarray,
) -> None:
    """Score the first images of a unit, as many as are wanted, up to 64.

    ``sums`` (measure x system x image, zeros) has room for those that are wanted and gets the sums
    over queries; ``scores`` (measure x system x query x image) may have room for fewer. ``centres``
    and ``spreads`` (system x query x measure) get the mean over these images and the sum of squared
    deviations from it.
    """
    n_measures, n_systems, n_images = sums.shape
    most = longest(rankings.level_bounds)
    here = np.empty((longest(rankings.row_bounds), IMAGES), np.uint8)
    which = np.empty(most, np.int64)
    above = np.empty((most, IMAGES), np.int32)
    copies = np.empty((most, IMAGES), np.uint8)
    n_at = np.empty((tables.gains.shape[1], IMAGES), np.int32)
    bases = np.empty((n_measures, IMAGES))
    lanes = np.empty((tables.sums.shape[0] * tables.sums.shape[2], IMAGES))
    values = np.empty((n_measures, IMAGES))
    for q in range(rankings.row_bounds.size - 1):
        levels = rankings.levels[rankings.level_bounds[q] : rankings.level_bounds[q + 1]]
        lay_out(rankings.rows[rankings.row_bounds[q] : rankings.row_bounds[q + 1]], counts, here)
        total_levels(levels, here, n_at)
        find_bases(tables, n_at, bases)
        for s in range(n_systems):
            first, last = rankings.entry_bounds[q * n_systems + s : q * n_systems + s + 2]
            n = rank_relevant(
                rankings.entries[first:last], levels.size, here, largest, which, above, copies
            )
            for k in range(n):
                which[k] = levels[which[k]]
            measure_ranking(tables, n, which, above, copies, n_at, bases, lanes, values)
            sum_up(values, n_images, centres[s, q], spreads[s, q])
            for m in range(n_measures):
                for i in range(scores.shape[3]):
                    scores[m, s, q, i] = values[m, i]
                for i in range(n_images):
                    sums[m, s, i] += values[m, i]


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
    """Number the documents of each query, relevant ones first, then as rankings bring them.

    ``docs[bounds[k, 0] : bounds[k, 1]]`` is the ranking k = query x systems + system. ``number``
    has a place for every document there is and comes in filled with -1; it holds where a document's
    row was last written, which counts only inside the present query.
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
