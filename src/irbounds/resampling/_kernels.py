"""Compiled loops of resampling: query draws, shuffled scores and replicates."""

from __future__ import annotations

import numpy as np

from ..kernels.image_scores import MeasureTables, find_bases, measure_ranking, total_levels
from ..kernels.jit import jit
from ..kernels.multinomial_counts import IMAGES
from ..kernels.replicate_rankings import Rankings, gather_counts, longest, rank_relevant

HALF = np.uint64(32)
LOWER = np.uint64(0xFFFFFFFF)

# Query draws
#
# Queries are drawn with replacement, with the bits of numpy's Philox (Salmon, Moraes, Dror and Shaw
# 2011), which computes bits from a key and a counter in ten rounds of two multiplications and
# carries no state. It is written out here, so that a unit of resamples is drawn without the
# interpreter: numpy needs a generator per unit, which takes longer than the draws of a unit where
# queries are few, and holds the interpreter's lock.
#
# A number below n is computed from 32 bits by one multiplication (Lemire 2019). A few products are
# rejected, so that all numbers are equally likely. ``Generator.integers`` does the same, and a test
# compares the two.

ROUNDS = 10
#: the multipliers of Philox4x64, and what is added to its key after each round
FIRST = np.uint64(0xD2E7470EE14C6C93)
SECOND = np.uint64(0xCA5A826395121157)
FIRST_STEP = np.uint64(0x9E3779B97F4A7C15)
SECOND_STEP = np.uint64(0xBB67AE8584CAA73B)

WORDS = 256  # computed at a time


@jit
def upper_half(a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the upper 64 bits of a product of 128 bits."""
    middle = ((a & LOWER) * (b & LOWER) >> HALF) + (a >> HALF) * (b & LOWER)
    other = (middle & LOWER) + (a & LOWER) * (b >> HALF)
    return (a >> HALF) * (b >> HALF) + (middle >> HALF) + (other >> HALF)


@jit
def fill_words(key: np.ndarray, place: np.ndarray, first: int, words: np.ndarray) -> None:
    """Write the output of Philox for the counters of a place from ``first`` on: four words each."""
    for n in range(words.size // 4):
        k, j = key[0], key[1]
        a, b, c, d = np.uint64(first + n), place[0], place[1], place[2]
        for _ in range(ROUNDS):
            upper, lower = upper_half(FIRST, a), FIRST * a
            other_upper, other_lower = upper_half(SECOND, c), SECOND * c
            a, b, c, d = other_upper ^ b ^ k, other_lower, upper ^ d ^ j, lower
            k += FIRST_STEP
            j += SECOND_STEP
        words[4 * n], words[4 * n + 1], words[4 * n + 2], words[4 * n + 3] = a, b, c, d


@jit
def count_stream(key: np.ndarray, place: np.ndarray, rows: np.ndarray) -> None:
    """Add to ``rows`` (resample x query) how often the resamples of a stream draw each query."""
    words = np.empty(WORDS, np.uint64)
    pieces = words.view(np.uint32)
    used, filled = pieces.size, 1  # a generator's first counter is 1
    n = np.uint64(rows.shape[1])
    least = ((LOWER + np.uint64(1)) - n) % n  # of a product's lower half; others are rejected
    for r in range(rows.shape[0]):
        n_drawn = 0
        while n_drawn < rows.shape[1]:
            if used == pieces.size:
                fill_words(key, place, filled, words)
                filled += WORDS // 4
                used = 0
            product = np.uint64(pieces[used]) * n
            used += 1
            if product & LOWER >= least:
                rows[r, product >> HALF] += 1
                n_drawn += 1


@jit
def count_draws(key: np.ndarray, place: np.ndarray, size: int, counts: np.ndarray) -> None:
    """Write to ``counts`` (query x resample) how often each resample draws each query.

    ``place`` is the place of the first stream, in the three upper words of the counter. Streams of
    ``size`` resamples are numbered by its first word.
    """
    n, n_resamples = counts.shape
    current = place.copy()
    rows = np.empty((size, n), np.int8)  # the queries of a resample are contiguous
    for begin in range(0, n_resamples, size):
        n_here = min(size, n_resamples - begin)
        rows[:, :] = 0
        count_stream(key, current, rows[:n_here])
        for q in range(n):
            for r in range(n_here):
                counts[q, begin + r] = rows[r, q]
        current[0] += np.uint64(1)


# Scored replicates


@jit
def score_images(
    rankings: Rankings,
    tables: MeasureTables,
    counts: np.ndarray,
    largest: int,
    scores: np.ndarray,
    sums: np.ndarray,
) -> None:
    """Score all systems on all queries in the first images of a unit, up to 64.

    The size of ``sums`` (measure x system x image, zeros) is the number of images; the sums over
    queries are added to it. ``scores`` (measure x system x query x image) may hold fewer images.
    """
    n_measures, n_systems, n_images = sums.shape
    most = longest(rankings.level_bounds)
    gathered = np.empty((longest(rankings.row_bounds), IMAGES), np.uint8)
    which = np.empty(most, np.int64)
    above = np.empty((most, IMAGES), np.int32)
    copies = np.empty((most, IMAGES), np.uint8)
    n_at = np.empty((tables.gains.shape[1], IMAGES), np.int32)
    bases = np.empty((n_measures, IMAGES))
    lanes = np.empty((tables.sums.shape[0] * tables.sums.shape[2], IMAGES))
    values = np.empty((n_measures, IMAGES))
    for q in range(rankings.row_bounds.size - 1):
        levels = rankings.levels[rankings.level_bounds[q] : rankings.level_bounds[q + 1]]
        gather_counts(
            rankings.rows[rankings.row_bounds[q] : rankings.row_bounds[q + 1]], counts, gathered
        )
        total_levels(levels, gathered, n_at)
        find_bases(tables, n_at, bases)
        for s in range(n_systems):
            first, last = rankings.entry_bounds[q * n_systems + s : q * n_systems + s + 2]
            n = rank_relevant(
                rankings.entries[first:last], levels.size, gathered, largest, which, above, copies
            )
            for k in range(n):
                which[k] = levels[which[k]]
            measure_ranking(tables, n, which, above, copies, n_at, bases, lanes, values)
            for m in range(n_measures):
                for i in range(scores.shape[3]):
                    scores[m, s, q, i] = values[m, i]
                for i in range(n_images):
                    sums[m, s, i] += values[m, i]


# Rows of one test set
#
# The rows of a resample are counts, and its ranking is the one of the test set: rows are sorted
# once, and the scores of a resample are sums along that order.


@jit
def score_resamples(
    key: np.ndarray,
    place: np.ndarray,
    n_positive: int,
    orders: np.ndarray,
    ends: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write AP and ROC AUC (measure x classifier x resample) of the resamples of a stream.

    Positive rows have the numbers below ``n_positive``. ``orders`` (classifier x row) are rows by
    descending score, ``ends`` mark the last row of each group of equal scores. A resample without a
    class gives NaN.
    """
    n = orders.shape[1]
    counts = np.zeros((values.shape[2], n), np.int8)
    count_stream(key, place, counts)
    for r in range(values.shape[2]):
        for c in range(orders.shape[0]):
            values[0, c, r], values[1, c, r] = score_counts(
                counts[r], n_positive, orders[c], ends[c]
            )


@jit
def score_counts(
    counts: np.ndarray, n_positive: int, order: np.ndarray, ends: np.ndarray
) -> tuple[float, float]:
    """Return AP and ROC AUC of rows that occur as often as ``counts`` says."""
    n_true = n_rows = 0  # down to this row
    true_above = rows_above = 0  # above its group of equal scores
    precisions = pairs = 0.0
    for k in range(order.size):
        row = order[k]
        count = np.int64(counts[row])
        n_rows += count
        n_true += count if row < n_positive else 0
        if ends[k]:
            p, s = n_true - true_above, n_rows - rows_above
            if p > 0:
                precisions += np.divide(p * n_true, n_rows)
            pairs += (s - p) * (true_above + 0.5 * p)
            true_above, rows_above = n_true, n_rows
    n_false = n_rows - n_true
    if n_true == 0 or n_false == 0:
        return np.nan, np.nan
    return np.divide(precisions, n_true), np.divide(pairs, np.float64(n_true) * n_false)
