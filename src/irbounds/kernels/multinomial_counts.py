"""Deal an image of the corpus: how often each document was drawn, for 64 images at a time.

D draws from D documents fall on the documents one after the other: of the draws that are left, the
next document takes a binomial share, one in as many as there are documents left. Those shares
together are one multinomial sample, exactly. A document's share comes from random bits that its own
name and the image's number determine, so that the same documents in another company get nearly the
same counts.

The share is found by inversion: compare the bits with the distribution function. That function is
close to the Poisson's with mean 1 and moves with ``surplus``, the draws left over what the
documents left would expect. So sixteen bits are compared with the function's lower and upper bounds
for the next documents, all images side by side; only where the bounds disagree, in one draw of
several hundred, the binomial itself is summed up, with all the bits of a double.
"""

from __future__ import annotations

import math

import numpy as np

from .jit import jit
from .random_bits import STEP, mix, more_bits

IMAGES = 64  # images side by side: one cache line of counts; a stream of bits belongs to each
WORDS = IMAGES * 16 // 64

STRETCH = 128  # documents that share their bounds
#: draws over expectation that a stretch cannot reach: a chance below 1e-60
DRIFT = 250.0
#: how far from 1 the mean share may be where the bounds below hold
NEAR = 0.1

_PLACES = np.arange(6)
_FACTORIALS = np.cumprod(np.maximum(_PLACES, 1))
#: probabilities of 0 to 5 under the Poisson with mean 1, and of at most as many
CHANCES = np.exp(-1.0) / _FACTORIALS
UP_TO = np.cumsum(CHANCES)
#: how fast UP_TO can fall as the mean grows, anywhere near 1, and half its greatest curvature
_MEANS = np.linspace(1 - NEAR, 1 + NEAR, 201)[:, None]
STEEPEST = 1.001 * (np.exp(-_MEANS) * _MEANS**_PLACES / _FACTORIALS).max(axis=0)
CURVE = 0.25


@jit
def share(u: float, n_draws: int, n_documents: int) -> int:
    """The binomial share of one in ``n_documents``: the least c with u below P(at most c)."""
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
def bound_shares(surplus: np.ndarray, left: int, surely: np.ndarray, maybe: np.ndarray) -> None:
    """Sixteen bits above ``surely[j]`` mean a share over j, those below ``maybe[j]`` at most j.

    They hold for the next documents of a stretch. Where the mean share may stray too far from 1, as
    it does when few documents are left, nothing is sure and all is possible.
    """
    last = float(max(left - STRETCH, 1))
    furthest = 0.0
    for i in range(IMAGES):
        furthest = max(furthest, abs(surplus[i]) / last)
    if furthest + DRIFT / last > NEAR:
        surely[:, :] = 65535
        maybe[:, :] = 0
        return
    # what the stretch may add, the documents that it uses up, the curve, binomial for Poisson
    moved = (DRIFT + furthest * STRETCH) / last
    for j in range(UP_TO.size):
        guard = 65536.0 * (STEEPEST[j] * moved + CURVE * furthest**2 + 2.0 / last) + 2.0
        for i in range(IMAGES):
            middle = 65536.0 * (UP_TO[j] - CHANCES[j] * (surplus[i] / left))
            surely[j, i] = np.uint16(min(middle + guard, 65535.0))
            maybe[j, i] = np.uint16(max(middle - guard, 0.0))


@jit
def draw_bits(names: np.ndarray, key: np.uint64, unit: int, words: np.ndarray) -> None:
    """Sixteen bits for every document and image of a unit: 64 bits of ``words`` hold four."""
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
    """Write to ``counts`` (row x image) how often documents stand in the images of a unit.

    ``names`` are 64 bits for each document, in the order of dealing; ``rows`` says where a
    document's counts go, -1 for nowhere. Returns the largest count. A byte holds any count that
    will ever be seen: one over 255 has a chance below 1e-500.
    """
    # all of these are made here, so that the compiler knows that none overlaps another
    words = np.empty((STRETCH, WORDS), np.uint64)
    bits = words.view(np.uint16)
    surplus = np.zeros(IMAGES, np.int32)
    surely = np.empty((UP_TO.size, IMAGES), np.uint16)
    maybe = np.empty((UP_TO.size, IMAGES), np.uint16)
    shares = np.empty(IMAGES, np.uint8)
    most = np.empty(IMAGES, np.uint8)
    largest = np.zeros(IMAGES, np.uint8)
    for first in range(0, names.size, STRETCH):
        here = names[first : first + STRETCH]
        bound_shares(surplus, n_documents - first, surely, maybe)
        draw_bits(here, key, unit, words)
        for k in range(here.size):
            for i in range(IMAGES):
                u = bits[k, i]
                low = (u > surely[0, i]) + (u > surely[1, i]) + (u > surely[2, i])
                shares[i] = low + (u > surely[3, i]) + (u > surely[4, i])
                high = (u >= maybe[0, i]) + (u >= maybe[1, i]) + (u >= maybe[2, i])
                most[i] = high + (u >= maybe[3, i]) + (u >= maybe[4, i]) + (u >= maybe[5, i])
            differ = np.uint8(0)
            for i in range(IMAGES):
                differ |= shares[i] ^ most[i]
            if differ:
                left = n_documents - first - k
                for i in range(IMAGES):
                    if shares[i] != most[i]:
                        u = (bits[k, i] + more_bits(here[k], key, unit * IMAGES + i)) / 65536.0
                        shares[i] = share(u, left + surplus[i], left)
            for i in range(IMAGES):
                surplus[i] += np.int32(1) - np.int32(shares[i])
                largest[i] = max(largest[i], shares[i])
            if rows[first + k] >= 0:
                row = counts[rows[first + k]]
                for i in range(IMAGES):
                    row[i] = shares[i]
    return largest.max()
