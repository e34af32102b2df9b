"""Koopman's chi-square interval of the ratio of two binomial proportions, and recall from it.

Of two samples, x of m and y of n documents are relevant. A ratio t of the two proportions is in the
interval if the most likely pair of proportions with this ratio, p = t q, is close enough to the
samples:

    (x - mp)^2 / (m p (1-p)) + (y - nq)^2 / (n q (1-q)) <= z^2.

Usually p, q and t are found by nested searches. One unknown is enough. The most likely pair
fulfils (x - mp)/(1 - p) = -(y - nq)/(1 - q); call this number a. Then p = (x - a)/(m - a) and
q = (y + a)/(n + a), the sum above is

    a^2 ((1 - x/m)/(x - a) + (1 - y/n)/(y + a)),

and the lower limit is the a between 0 and x at which this is z^2. The sum is convex and increasing
in a. Without one of its terms it gives a quadratic equation, whose root is above the one searched
for. Newton's steps from the smaller of these two roots come down to the root without overshooting.
The upper limit is one over the lower limit of the proportions exchanged.

Where x is 0 the lower limit is 0. For 0 of m and 0 of n the interval is 0 to infinity. Where x is m
the most likely p is 1 as long as a is below m; for smaller ratios a stays at m. Recall is
1 / (1 + R0/R1), and R0/R1 is the ratio of two proportions times the ratio of the sizes of the
segments (Webber's section 3.4).

When not to use: With strata, Koopman's interval is not defined. Where much of a segment was
assessed, it is too wide.

Reference: Koopman (1984), section 2.2; Webber (2013), section 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError
from .counts import Counts
from .point_estimates import check_sampled

Floats = NDArray[np.float64]

MAX_STEPS = 100  # never reached: six are usual


@dataclass(frozen=True, eq=False)
class Koopman:
    """Limits of recall from those of unretrieved over retrieved prevalence."""

    method: ClassVar[str] = "koopman"

    retrieved: Counts
    unretrieved: Counts

    def limit(self, probability: float) -> Floats:
        """Return the confidence limit of a probability; recall falls as the ratio rises."""
        inside, outside = self.retrieved, self.unretrieved
        shape = np.broadcast_shapes(inside.relevant.shape[:-1], outside.relevant.shape[:-1])
        if not inside.population[0] or not outside.population[0]:
            return np.full(shape, 1.0 if inside.population[0] else 0.0)
        ratio = koopman_ratio_limits(
            outside.relevant[..., 0],
            outside.sampled[0],
            inside.relevant[..., 0],
            inside.sampled[0],
            1 - probability,
        )
        return np.asarray(1 / (1 + outside.population[0] / inside.population[0] * ratio))


def koopman(counts: Counts) -> Koopman:
    """Return the limits for counts without strata; with an empty segment recall is 0 or 1."""
    if not counts.is_simple:
        raise DataError(
            "method 'koopman' takes one stratum per segment, because a sum over strata is not a "
            f"binomial count; got {np.count_nonzero(counts.retrieved)} retrieved and "
            f"{np.count_nonzero(~counts.retrieved)} unretrieved strata"
        )
    check_sampled(counts, Koopman.method)
    return Koopman(counts.segment(True), counts.segment(False))


def koopman_ratio_limits(x: Any, m: Any, y: Any, n: Any, probability: float) -> Floats:
    """Return confidence limits of (proportion of x in m) / (proportion of y in n), for arrays.

    A probability up to 0.5 gives the lower limit of a two-sided interval at 1 - 2 ``probability``,
    one above 0.5 the upper limit at 2 ``probability`` - 1. Counts need not be integers.
    """
    counts = np.broadcast_arrays(*(np.asarray(count, dtype=np.float64) for count in (x, m, y, n)))
    shape = counts[0].shape
    hits, draws, other_hits, other_draws = (np.ravel(count) for count in counts)
    square = float(special.ndtri(probability)) ** 2
    if probability <= 0.5:
        return _lower_limits(hits, draws, other_hits, other_draws, square).reshape(shape)
    with np.errstate(divide="ignore"):  # a limit of 0: the ratio is unbounded
        limits = 1 / _lower_limits(other_hits, other_draws, hits, draws, square)
    return np.asarray(limits).reshape(shape)


def _lower_limits(x: Floats, m: Floats, y: Floats, n: Floats, square: float) -> Floats:
    """Return lower limits of the ratio."""
    a = _find_root(x, 1 - x / m, y, 1 - y / n, square)
    full = (x == m) & (a >= m)
    with np.errstate(divide="ignore", invalid="ignore"):  # replaced below
        ratio = (x - a) * (n + a) / ((m - a) * (y + a))
        ratio = np.where(x == m, (n + a) / (y + a), ratio)
    if full.any():
        ratio[full] = _limits_below_full(m[full], y[full], n[full], square)
    return np.where(x > 0, ratio, 0.0)


def _find_root(x: Floats, c: Floats, y: Floats, d: Floats, square: float) -> Floats:
    """Return the a, at most x, at which a^2 (c / (x - a) + d / (y + a)) is ``square``."""
    a = _start_above_root(x, c, y, d, square)
    moving = (x > 0) & (c > 0) & (a > 0)  # with c = 0 the start is the root
    x, y = np.where(moving, x, 2.0), np.where(moving, y, 0.0)
    c, d = np.where(moving, c, 1.0), np.where(moving, d, 0.0)
    root = np.where(moving, a, 1.0)
    for _ in range(MAX_STEPS):
        before, after = 1 / (x - root), 1 / (y + root)
        first, second = root * c * before, root * d * after
        excess = root * (first + second) - square
        # the slope of a^2 c / (x - a) is (a c / (x - a)) (2 + a / (x - a)); likewise the other
        slope = first * (2 + root * before) + second * (2 - root * after)
        step = np.where(moving, excess / slope, 0.0)
        root = root - step
        if np.all(step <= 1e-11 * root):  # the error is of the order of the square of this
            break
    return np.where(moving, root, a)


def _start_above_root(x: Floats, c: Floats, y: Floats, d: Floats, square: float) -> Floats:
    """Return the smallest a at which one of the two terms is ``square``; at most x."""
    if square == 0:
        return np.zeros_like(x)
    by_first = 2 * x / (1 + np.sqrt(1 + 4 * c * x / square))
    with np.errstate(divide="ignore"):
        by_second = square * (1 + np.sqrt(1 + 4 * d * y / square)) / (2 * d)
    return np.asarray(np.minimum(by_first, by_second))


def _limits_below_full(m: Floats, y: Floats, n: Floats, square: float) -> Floats:
    """Return the limit where all m are hits and p is below 1: a is m, q is fixed, p follows."""
    odds = (square - m**2 * (1 - y / n) / (y + m)) / m
    return np.asarray((n + m) / (y + m) / (1 + odds))
