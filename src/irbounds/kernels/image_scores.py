"""Measures in 64 images at once, from the ranks of the relevant documents.

A relevant document with count c below x others is at the ranks x + 1 to x + c, relevant at each.
With sums of the discounts up to each rank, it adds a difference of two table entries to a measure.
Tables of four measures are interleaved, so that the four sums of a rank are in one cache line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .jit import jit
from .multinomial_counts import IMAGES

#: kinds of measures; a discounted one is divided by nothing, by the relevant or by the ideal
DISCOUNT = 0
AVERAGE_PRECISION = 1
RECIPROCAL_RANK = 2
R_PRECISION = 3
ERR = 4
NOTHING = 0
RELEVANT = 1
IDEAL = 2

LANES = 4  # discount tables side by side
DEEP = 4096  # ranks from which harmonic sums are too coarse
NOWHERE = np.int32(2**31 - 1)


@jit
def add_discounts(
    n: int,
    levels: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
    sums: np.ndarray,
    gains: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Add discounted gains of four measures: ``sums`` is rank x lane, ``gains`` level x lane."""
    for i in range(IMAGES):
        a = b = c = d = 0.0
        for k in range(n):
            x = np.uint64(above[k, i])
            y = x + np.uint64(copies[k, i])
            w = np.uint64(levels[k])
            a += gains[w, 0] * (sums[y, 0] - sums[x, 0])
            b += gains[w, 1] * (sums[y, 1] - sums[x, 1])
            c += gains[w, 2] * (sums[y, 2] - sums[x, 2])
            d += gains[w, 3] * (sums[y, 3] - sums[x, 3])
        totals[0, i], totals[1, i], totals[2, i], totals[3, i] = a, b, c, d


@jit
def add_discounts_of_one_level(
    n: int,
    above: np.ndarray,
    copies: np.ndarray,
    sums: np.ndarray,
    gains: np.ndarray,
    totals: np.ndarray,
) -> None:
    """Add discounted gains where all relevant documents are of one level, by look-ups only."""
    for i in range(IMAGES):
        a = b = c = d = 0.0
        for k in range(n):
            x = np.uint64(above[k, i])
            y = x + np.uint64(copies[k, i])
            a += sums[y, 0] - sums[x, 0]
            b += sums[y, 1] - sums[x, 1]
            c += sums[y, 2] - sums[x, 2]
            d += sums[y, 3] - sums[x, 3]
        totals[0, i], totals[1, i] = a * gains[0], b * gains[1]
        totals[2, i], totals[3, i] = c * gains[2], d * gains[3]


@jit
def add_precisions(
    n: int,
    levels: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
    least: int,
    cutoff: int,
    harmonic: np.ndarray,
    total: np.ndarray,
) -> None:
    """Add the precisions at the relevant ranks, (r + j) / (x + j) for j = 1..c, by harmonic sums.

    That is c + (r - x)(H[x + c] - H[x]), up to the cutoff only. At deep ranks the difference would
    lose digits; there the few terms are added one by one.
    """
    for i in range(IMAGES):
        n_above = np.int64(0)
        rest = 0.0
        for k in range(n):
            if levels[k] >= least:
                x = np.int64(above[k, i])
                c = np.int64(copies[k, i])
                if x < DEEP:
                    rest += (n_above - x) * (
                        harmonic[np.uint64(x + c)] - harmonic[np.uint64(x)]
                    ) + c
                else:
                    for j in range(1, min(c, cutoff - x) + 1):
                        rest += (n_above + j) / (x + j)
                n_above += c
        total[i] = rest
    if cutoff < harmonic.size:
        for k in range(n):
            if levels[k] >= least:
                for i in range(IMAGES):
                    x, y = above[k, i], above[k, i] + copies[k, i]
                    total[i] -= max(y - max(x, cutoff), 0) if x < DEEP else 0


@jit
def invert_first(
    n: int,
    levels: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
    least: int,
    cutoff: int,
    total: np.ndarray,
) -> None:
    """Write one over the rank of the first relevant document, 0 where it is below the cutoff."""
    first = np.full(IMAGES, NOWHERE, np.int32)
    for k in range(n):
        if levels[k] >= least:
            for i in range(IMAGES):
                x = above[k, i] if copies[k, i] > 0 else NOWHERE
                first[i] = min(first[i], x)
    for i in range(IMAGES):
        total[i] = 1.0 / (first[i] + 1.0) if first[i] < min(cutoff, NOWHERE) else 0.0


@jit
def count_within(
    n: int,
    levels: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
    least: int,
    n_relevant: np.ndarray,
    total: np.ndarray,
) -> None:
    """Count the relevant documents down to the rank that is their number in the image."""
    total[:] = 0.0
    for k in range(n):
        if levels[k] >= least:
            for i in range(IMAGES):
                x = above[k, i]
                total[i] += min(x + copies[k, i], n_relevant[i]) - min(x, n_relevant[i])


@jit
def expect_reciprocal(
    n: int,
    levels: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
    stops: np.ndarray,
    cutoff: int,
    total: np.ndarray,
) -> None:
    """Write the expected reciprocal rank, with the probability of stopping at each level."""
    for i in range(IMAGES):
        reading = 1.0
        expected = 0.0
        for k in range(n):
            stop = stops[levels[k]]
            for rank in range(above[k, i] + 1, above[k, i] + copies[k, i] + 1):
                if rank <= cutoff:
                    expected += stop * reading / rank
                reading *= 1.0 - stop
        total[i] = expected


@jit
def total_levels(levels: np.ndarray, counts: np.ndarray, n_at: np.ndarray) -> None:
    """Count the documents of each level or higher in every image: level x image."""
    n_at[:, :] = 0
    for k in range(levels.size):
        for i in range(IMAGES):
            n_at[levels[k], i] += counts[k, i]
    for level in range(n_at.shape[0] - 1, 0, -1):
        for i in range(IMAGES):
            n_at[level - 1, i] += n_at[level, i]


@jit
def ideal_gain(n_at: np.ndarray, i: int, sums: np.ndarray, gains: np.ndarray) -> float:
    """Return the discounted gain of the best ranking of an image: highest level first."""
    total = 0.0
    above = 0
    for level in range(n_at.shape[0] - 1, -1, -1):
        total += gains[level] * (sums[n_at[level, i]] - sums[above])
        above = n_at[level, i]
    return total


@jit
def ideal_reciprocal(n_at: np.ndarray, i: int, stops: np.ndarray, cutoff: int) -> float:
    """Return the expected reciprocal rank of the best ranking of an image."""
    reading = 1.0
    expected = 0.0
    rank = 0
    for level in range(n_at.shape[0] - 1, -1, -1):
        last = min(n_at[level, i], cutoff)
        while rank < last:
            rank += 1
            expected += stops[level] * reading / rank
            reading *= 1.0 - stops[level]
    return expected


class MeasureTables(NamedTuple):
    """All that the measures need, one entry per measure unless stated otherwise."""

    kinds: np.ndarray
    #: which of its kind: of all lanes, of the harmonic sums, of the chances to stop
    places: np.ndarray
    #: the lowest level that is relevant
    least: np.ndarray
    cutoffs: np.ndarray
    #: ``NOTHING``: divide by ``constants``; ``RELEVANT``: by the relevant; ``IDEAL``: by the ideal
    bases: np.ndarray
    constants: np.ndarray
    #: discounts summed up to each rank: group of lanes x rank x lane
    sums: np.ndarray
    #: group of lanes x level x lane
    gains: np.ndarray
    #: harmonic numbers, up to the cutoff of an average precision: which x rank
    harmonics: np.ndarray
    #: chance to stop reading: which ERR x level
    stops: np.ndarray


@jit
def find_bases(tables: MeasureTables, n_at: np.ndarray, bases: np.ndarray) -> None:
    """Write the divisor of each measure in every image of a query: measure x image."""
    for m in range(tables.kinds.size):
        for i in range(IMAGES):
            if tables.bases[m] == RELEVANT:
                least = tables.least[m]
                bases[m, i] = n_at[least, i] if least < n_at.shape[0] else 0
            elif tables.bases[m] == IDEAL and tables.kinds[m] == ERR:
                stops = tables.stops[tables.places[m]]
                bases[m, i] = ideal_reciprocal(n_at, i, stops, tables.cutoffs[m])
            elif tables.bases[m] == IDEAL:
                group, lane = divmod(tables.places[m], LANES)
                sums, gains = tables.sums[group, :, lane], tables.gains[group, :, lane]
                bases[m, i] = ideal_gain(n_at, i, sums, gains)
            else:
                bases[m, i] = tables.constants[m]


@jit
def measure_ranking(
    tables: MeasureTables,
    n: int,
    levels: np.ndarray,
    above: np.ndarray,
    copies: np.ndarray,
    n_at: np.ndarray,
    bases: np.ndarray,
    lanes: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write every measure of one ranking in every image: measure x image; ``lanes`` is scratch."""
    for group in range(tables.sums.shape[0]):
        part = lanes[group * LANES : (group + 1) * LANES]
        sums, gains = tables.sums[group], tables.gains[group]
        if gains.shape[0] == 1:
            add_discounts_of_one_level(n, above, copies, sums, gains[0], part)
        else:
            add_discounts(n, levels, above, copies, sums, gains, part)
    for m in range(tables.kinds.size):
        kind, place, least = tables.kinds[m], tables.places[m], tables.least[m]
        cutoff, total = tables.cutoffs[m], values[m]
        if kind == DISCOUNT:
            total[:] = lanes[place]
        elif kind == AVERAGE_PRECISION:
            harmonic = tables.harmonics[place]
            add_precisions(n, levels, above, copies, least, cutoff, harmonic, total)
        elif kind == RECIPROCAL_RANK:
            invert_first(n, levels, above, copies, least, cutoff, total)
        elif kind == R_PRECISION:
            n_relevant = n_at[min(least, n_at.shape[0] - 1)]
            count_within(n, levels, above, copies, least, n_relevant, total)
        else:
            expect_reciprocal(n, levels, above, copies, tables.stops[place], cutoff, total)
        for i in range(IMAGES):
            total[i] = total[i] / bases[m, i] if bases[m, i] > 0 else 0.0
