"""Sums over ranks in a time that does not depend on how many ranks there are.

The first ranks are added one by one. Beyond them a smooth function's sum is its integral between
half ranks, less what the slopes at both ends add (Euler and Maclaurin, midpoint form). The integral
is Gauss's on panels that double in length. This suits what falls as a power of the rank, and what
falls exponentially and has not fallen to nothing among the first ranks. The last two ranks are
added by themselves, so that no rank beyond the last is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIRECT = 256  # ranks added one by one
NODES = 16  # points of a panel
QUERIES_AT_ONCE = 1024  # with some thousand points each: about 10 MB an array


def rank_sums(term: Callable[..., Floats], last: Floats, *parameters: Floats) -> Floats:
    """The sum of ``term(rank, *parameters)`` over the ranks from 1 to the last, for each query.

    ``last`` and the parameters hold one number a query. ``term`` gets them as columns, beside a
    table of ranks with one row a query or one for all.
    """
    sums = np.empty(len(last))
    for start in range(0, len(last), QUERIES_AT_ONCE):
        some = slice(start, start + QUERIES_AT_ONCE)
        columns = [parameter[some, np.newaxis] for parameter in parameters]
        sums[some] = _summed(term, last[some, np.newaxis], columns)
    return sums


def _summed(term: Callable[..., Floats], last: Floats, columns: list[Floats]) -> Floats:
    ranks = np.arange(1.0, min(DIRECT, last.max()) + 1)[np.newaxis, :]
    sums: Floats = np.where(ranks <= last, term(ranks, *columns), 0.0).sum(axis=1)
    far = last[:, 0] > DIRECT
    if far.any():
        sums[far] += _beyond(term, last[far], [column[far] for column in columns])
    return sums


def _beyond(term: Callable[..., Floats], last: Floats, columns: list[Floats]) -> Floats:
    """The sum over the ranks from ``DIRECT`` + 1 to the last."""
    points, weights = _panels(DIRECT + 0.5, last - 1.5)
    integral = (weights * term(points, *columns)).sum(axis=1)
    around = np.arange(-1.0, 3.0)  # four ranks, with the end of the integral in their middle
    at_start = term(DIRECT + around[np.newaxis, :], *columns)
    at_end = term(last - 2 + around, *columns)
    sums: Floats = integral - (_slopes(at_end) - _slopes(at_start)) + at_end[:, 2:].sum(axis=1)
    return sums


def _slopes(values: Floats) -> Floats:
    """A 24th of the slope amid four ranks, less 7/5760 of the third derivative there."""
    first = values[:, 2] - values[:, 1]
    third = values[:, 3] - values[:, 0] - 3 * first
    # a difference is the slope and a 24th of the third derivative
    slopes: Floats = first / 24 - third * (1 / 576 + 7 / 5760)
    return slopes


def _panels(low: float, high: Floats) -> tuple[Floats, Floats]:
    """Points and weights for the integral from ``low`` to each ``high``."""
    nodes, weights = _gauss()
    # where the last rank is close, ``high`` may lie below ``low``; the integral is then negative
    n_panels = max(int(np.ceil(np.log2(high.max() / low))), 1)
    edges = low * (high / low) ** (np.arange(n_panels + 1) / n_panels)
    half = np.diff(edges, axis=1)[:, :, np.newaxis] / 2
    points = edges[:, :-1, np.newaxis] + half * (1 + nodes)
    shape = (len(high), -1)
    return points.reshape(shape), (half * weights).reshape(shape)


@cache
def _gauss() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(NODES)
