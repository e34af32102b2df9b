"""Sums over ranks in a time that does not depend on the number of ranks.

Harmonic numbers: H(n) = 1 + 1/2 + ... + 1/n is digamma(n + 1) plus Euler's constant. The difference
of two such numbers with large, close n would lose their common digits. The asymptotic series
around n + 1/2, subtracted term by term, loses none: its logarithms become one ``log1p``.

Discounts of nDCG: the sum of 1 / log2(r + 1) over ranks 1 to n is looked up where n is small.
Beyond the table it is the integral between half ranks, a logarithmic integral, less a 24th of the
change in slope (Euler and Maclaurin, midpoint form). The next term is below 1e-18 of the sum.

Any smooth function: ``rank_sums`` adds the first ranks one by one. Beyond them the sum is the
integral between half ranks, less the slopes at both ends in the same way. The integral is Gauss's
on panels that double in length. This suits functions that fall as a power of the rank, and those
that fall exponentially and are not negligible after the first ranks. The last two ranks are added
separately, so that the function is not evaluated beyond the last rank.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma, expi, zeta

from .populations import Numbers

Floats = NDArray[np.float64]

DIRECT_FRACTIONS = 16  # fractions added one by one; beyond them the series is exact
TABLE = 2**12  # ranks whose discounts are in a table; beyond them the series is exact
DIRECT_RANKS = 256  # ranks added one by one
NODES = 16  # points of a panel
QUERIES_AT_ONCE = 1024  # with some thousand points each: about 10 MB per array
LN2 = float(np.log(2.0))


def harmonic(n: Numbers) -> Numbers:
    """Return 1 + 1/2 + ... + 1/n; 0 for n = 0."""
    sums: Numbers = digamma(n + 1.0) + np.euler_gamma
    return sums


def harmonic_squares(n: Numbers) -> Numbers:
    """Return 1 + 1/4 + ... + 1/n^2; 0 for n = 0."""
    sums: Numbers = zeta(2.0, 1.0) - zeta(2.0, n + 1.0)
    return sums


def harmonic_difference(low: Numbers, high: Numbers) -> Numbers:
    """Return 1/(low + 1) + ... + 1/high; 0 where the two are equal."""
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    start, end = np.maximum(low, DIRECT_FRACTIONS) + 0.5, np.maximum(high, DIRECT_FRACTIONS) + 0.5
    sums: Numbers = np.log1p((end - start) / start) + (_corrections(end) - _corrections(start))
    if np.any(low < DIRECT_FRACTIONS):
        for number in range(DIRECT_FRACTIONS, 0, -1):  # the smallest first
            sums = sums + np.where((low < number) & (number <= high), 1.0 / number, 0.0)
    return sums


def _corrections(middle: Numbers) -> Numbers:
    """Return H(n) less its logarithm and Euler's constant, with ``middle`` = n + 1/2."""
    square = 1.0 / (middle * middle)
    rest = 31 / 8064 - square * (127 / 30720 - square * (511 / 67584))
    return square * (1 / 24 - square * (7 / 960 - square * rest))


def discount_sums(n: Numbers) -> Numbers:
    """Return the sum of 1 / log2(r + 1) over the ranks 1 to n."""
    table = _tables()[0]
    inner = np.minimum(n, TABLE)
    outer = np.maximum(n, TABLE)
    beyond = LN2 * (_integral(outer + 1.5) - _integral(TABLE + 1.5))
    beyond = beyond - (_slope(outer + 1.5) - _slope(TABLE + 1.5)) / 24
    sums: Numbers = table[np.asarray(inner, dtype=np.int64)] + np.where(outer > TABLE, beyond, 0.0)
    return sums


def discount_squares(n: Numbers) -> Numbers:
    """Return the sum of 1 / log2(r + 1)^2 over the ranks 1 to n."""
    table = _tables()[1]
    inner = np.minimum(n, TABLE)
    outer = np.maximum(n, TABLE)
    beyond = LN2**2 * (_integral_of_squares(outer + 1.5) - _integral_of_squares(TABLE + 1.5))
    beyond = beyond - (_slope_of_squares(outer + 1.5) - _slope_of_squares(TABLE + 1.5)) / 24
    sums: Numbers = table[np.asarray(inner, dtype=np.int64)] + np.where(outer > TABLE, beyond, 0.0)
    return sums


@cache
def _tables() -> tuple[Floats, Floats]:
    discounts = 1 / np.log2(np.arange(2.0, TABLE + 2))
    return np.append(0.0, np.cumsum(discounts)), np.append(0.0, np.cumsum(discounts**2))


def _integral(x: Numbers) -> Numbers:
    return expi(np.log(x))


def _integral_of_squares(x: Numbers) -> Numbers:
    return expi(np.log(x)) - x / np.log(x)


def _slope(x: Numbers) -> Numbers:
    return -LN2 / (x * np.log(x) ** 2)


def _slope_of_squares(x: Numbers) -> Numbers:
    return -2 * LN2**2 / (x * np.log(x) ** 3)


def rank_sums(term: Callable[..., Floats], last: Floats, *parameters: Floats) -> Floats:
    """Return the sum of ``term(rank, *parameters)`` over the ranks from 1 to the last, per query.

    ``last`` and the parameters have one number per query. ``term`` gets them as columns, and a
    table of ranks with one row per query or one for all.
    """
    sums = np.empty(len(last))
    for start in range(0, len(last), QUERIES_AT_ONCE):
        part = slice(start, start + QUERIES_AT_ONCE)
        columns = [parameter[part, np.newaxis] for parameter in parameters]
        sums[part] = _sum_ranks(term, last[part, np.newaxis], columns)
    return sums


def _sum_ranks(term: Callable[..., Floats], last: Floats, columns: list[Floats]) -> Floats:
    ranks = np.arange(1.0, min(DIRECT_RANKS, last.max()) + 1)[np.newaxis, :]
    sums: Floats = np.where(ranks <= last, term(ranks, *columns), 0.0).sum(axis=1)
    far = last[:, 0] > DIRECT_RANKS
    if far.any():
        sums[far] += _sum_beyond(term, last[far], [column[far] for column in columns])
    return sums


def _sum_beyond(term: Callable[..., Floats], last: Floats, columns: list[Floats]) -> Floats:
    """Return the sum over the ranks from ``DIRECT_RANKS`` + 1 to the last."""
    points, weights = _panels(DIRECT_RANKS + 0.5, last - 1.5)
    integral = (weights * term(points, *columns)).sum(axis=1)
    around = np.arange(-1.0, 3.0)  # four ranks, with the end of the integral in their middle
    at_start = term(DIRECT_RANKS + around[np.newaxis, :], *columns)
    at_end = term(last - 2 + around, *columns)
    sums: Floats = integral - (_slopes(at_end) - _slopes(at_start)) + at_end[:, 2:].sum(axis=1)
    return sums


def _slopes(values: Floats) -> Floats:
    """Return a 24th of the slope amid four ranks, less 7/5760 of the third derivative there."""
    first = values[:, 2] - values[:, 1]
    third = values[:, 3] - values[:, 0] - 3 * first
    # a difference is the slope plus a 24th of the third derivative
    slopes: Floats = first / 24 - third * (1 / 576 + 7 / 5760)
    return slopes


def _panels(low: float, high: Floats) -> tuple[Floats, Floats]:
    """Return points and weights for the integral from ``low`` to each ``high``."""
    nodes, weights = _gauss()
    # if the last rank is close, ``high`` may be below ``low``; the integral is then negative
    n_panels = max(int(np.ceil(np.log2(high.max() / low))), 1)
    edges = low * (high / low) ** (np.arange(n_panels + 1) / n_panels)
    half = np.diff(edges, axis=1)[:, :, np.newaxis] / 2
    points = edges[:, :-1, np.newaxis] + half * (1 + nodes)
    shape = (len(high), -1)
    return points.reshape(shape), (half * weights).reshape(shape)


@cache
def _gauss() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(NODES)
