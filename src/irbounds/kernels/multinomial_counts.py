"""Multinomial counts: how often each document is drawn, for 64 images of the corpus at a time.

The counts of D draws from D documents are computed one document after the other: the count of the
next document is binomial, with the draws that are left and a probability of one in as many as there
are documents left. These counts together are exactly one multinomial sample. A document's count
comes from random bits that depend on the hash of its id and on the number of the image, so that the
same documents get nearly the same counts when other documents are added.

A count is computed by inversion: random bits are compared with the distribution function. That
function is close to the Poisson's with mean 1 and varies with ``surplus``, the number of draws left
minus the number of documents left. So sixteen bits are compared with lower and upper bounds of the
function for the next documents, for all images side by side. Only where the bounds disagree, in one
draw of several hundred, the binomial probabilities are added, with all the bits of a double.
"""

from __future__ import annotations

import math

import numpy as np

from .jit import jit
from .random_bits import STEP, mix, more_bits

IMAGES = 64  # images side by side: one cache line of counts; each has its own stream of bits
WORDS = IMAGES * 16 // 64

CHUNK = 128  # documents with the same bounds
#: draws above expectation that a chunk cannot reach: the probability is below 1e-60
DRIFT = 250.0
#: largest distance from 1 of the mean count for which the bounds below hold
NEAR = 0.1

_PLACES = np.arange(6)
_FACTORIALS = np.cumprod(np.maximum(_PLACES, 1))
#: probabilities of 0 to 5 under the Poisson with mean 1, and of at most as many
CHANCES = np.exp(-1.0) / _FACTORIALS
UP_TO = np.cumsum(CHANCES)
#: largest slope of UP_TO as a function of the mean near 1, and half its largest curvature
_MEANS = np.linspace(1 - NEAR, 1 + NEAR, 201)[:, None]
STEEPEST = 1.001 * (np.exp(-_MEANS) * _MEANS**_PLACES / _FACTORIALS).max(axis=0)
CURVE = 0.25


@jit
def invert_binomial(u: float, n_draws: int, n_documents: int) -> int:
    """Return the smallest c with u below P(at most c), for a probability of 1 / ``n_documents``."""
    if n_documents == 1:
        return n_draws
    chance = math.exp(n_draws * math.log1p(-1.0 / n_documents))
    total = chance
    c = 0
    while u >= total and c < n_draws and chance > 1e-30:
        chance *= (n_draws - c) / ((c + 1) * (n_documents - 1.0))
        c += 1
        total += chance
    return c


@jit
def bound_counts(surplus: np.ndarray, left: int, surely: np.ndarray, maybe: np.ndarray) -> None:
    """Write bounds: bits above ``surely[j]`` mean a count above j, below ``maybe[j]`` at most j.

    They hold for the next documents of a chunk. Where the mean count may be too far from 1, as it
    is when few documents are left, the bounds exclude nothing.
    """
    last = float(max(left - CHUNK, 1))
    furthest = 0.0
    for i in range(IMAGES):
        furthest = max(furthest, abs(surplus[i]) / last)
    if furthest + DRIFT / last > NEAR:
        surely[:, :] = 65535
        maybe[:, :] = 0
        return
    # the surplus of the chunk, its documents, the curvature, binomial instead of Poisson
    moved = (DRIFT + furthest * CHUNK) / last
    for j in range(UP_TO.size):
        guard = 65536.0 * (STEEPEST[j] * moved + CURVE * furthest**2 + 2.0 / last) + 2.0
        for i in range(IMAGES):
            middle = 65536.0 * (UP_TO[j] - CHANCES[j] * (surplus[i] / left))
            surely[j, i] = np.uint16(min(middle + guard, 65535.0))
            maybe[j, i] = np.uint16(max(middle - guard, 0.0))


@jit
def draw_bits(names: np.ndarray, key: np.uint64, unit: int, words: np.ndarray) -> None:
    """Write sixteen bits for every document and image of a unit, four per word of ``words``."""
    first = np.uint64(unit * WORDS + 1)
    for k in range(names.size):
        begin = mix(names[k] ^ key) + first * STEP
        for j in range(words.shape[1]):
            words[k, j] = mix(begin + np.uint64(j) * STEP)


@jit
def draw_multinomial(
    names: np.ndarray,
    key: np.uint64,
    unit: int,
    n_documents: int,
    rows: np.ndarray,
    counts: np.ndarray,
) -> int:
    """Write to ``counts`` (row x image) how often documents occur in the images of a unit.

    ``names`` are the hashes of document ids, in the order of the draws. ``rows`` is the row of
    ``counts`` of each document, -1 for none. Returns the largest count. A byte is enough: a count
    above 255 has a probability below 1e-500.
    """
    # allocated here, so that the compiler knows that they do not overlap
    words = np.empty((CHUNK, WORDS), np.uint64)
    bits = words.view(np.uint16)
    surplus = np.zeros(IMAGES, np.int32)
    surely = np.empty((UP_TO.size, IMAGES), np.uint16)
    maybe = np.empty((UP_TO.size, IMAGES), np.uint16)
    drawn = np.empty(IMAGES, np.uint8)
    most = np.empty(IMAGES, np.uint8)
    largest = np.zeros(IMAGES, np.uint8)
    for first in range(0, names.size, CHUNK):
        chunk = names[first : first + CHUNK]
        bound_counts(surplus, n_documents - first, surely, maybe)
        draw_bits(chunk, key, unit, words)
        for k in range(chunk.size):
            for i in range(IMAGES):
                u = bits[k, i]
                low = (u > surely[0, i]) + (u > surely[1, i]) + (u > surely[2, i])
                drawn[i] = low + (u > surely[3, i]) + (u > surely[4, i])
                high = (u >= maybe[0, i]) + (u >= maybe[1, i]) + (u >= maybe[2, i])
                most[i] = high + (u >= maybe[3, i]) + (u >= maybe[4, i]) + (u >= maybe[5, i])
            differ = np.uint8(0)
            for i in range(IMAGES):
                differ |= drawn[i] ^ most[i]
            if differ:
                left = n_documents - first - k
                for i in range(IMAGES):
                    if drawn[i] != most[i]:
                        u = (bits[k, i] + more_bits(chunk[k], key, unit * IMAGES + i)) / 65536.0
                        drawn[i] = invert_binomial(u, left + surplus[i], left)
            for i in range(IMAGES):
                surplus[i] += np.int32(1) - np.int32(drawn[i])
                largest[i] = max(largest[i], drawn[i])
            if rows[first + k] >= 0:
                row = counts[rows[first + k]]
                for i in range(IMAGES):
                    row[i] = drawn[i]
    return largest.max()
