"""How many relevant documents a stratum holds, given its sample: a table, not a simulation.

With prior Beta(alpha, beta) on a stratum's prevalence, and r of n sampled documents relevant, the
unsampled N - n documents hold a beta-binomial number of relevant ones (Equation 17). Its
probabilities follow from each other by a ratio, so they are tabulated outwards from the largest
one, on the range that holds all but 1e-12 of the mass.

Where a range has more counts than a table may have cells, neighbouring counts share a cell. Cells
are even in arcsin(sqrt(share)), the scale on which a proportion's spread is the same everywhere;
next to 0 and to N, where a small count is the whole story, single counts keep cells of their own.

The beta posterior (section 3.5) differs in that the unsampled part holds (N - n) times a beta
variable: it forgets that whole documents are drawn, and its cells are stretches of the real line.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .yield_distribution import (
    TAIL,
    YieldDistribution,
    known_yield,
    mean_positions,
    shifted,
    trimmed,
)

Floats = NDArray[np.float64]

CHERNOFF = -2 * math.log(TAIL)
MOST_COUNTS = 1 << 20  # counts that are told apart, by default
COARSE_CELLS = 1 << 17  # cells where they are not
SINGLE = 1 << 12  # counts next to 0 and to all that keep cells of their own
GROWTH = 1.02  # of the cells that follow
GAUSS_NODES, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(4)


def beta_binomial_yield(
    population: float,
    sampled: float,
    relevant: float,
    alpha: float,
    beta: float,
    most_cells: int = MOST_COUNTS,
) -> YieldDistribution:
    """What a sample from one stratum tells of its relevant documents (Equation 17).

    ``relevant`` may be a fraction, as plans need it; then counts are no whole numbers either.
    """
    rest = round(population - sampled)
    a, b = alpha + relevant, beta + sampled - relevant
    low, high = _count_range(rest, a, b)
    if high - low < most_cells:
        found = _single_counts(rest, a, b, low, high)
    else:
        found = _shared_cells(rest, a, b, low, high, min(most_cells, COARSE_CELLS))
    return shifted(trimmed(found), relevant)


def beta_yield(
    population: float, sampled: float, relevant: float, n_cells: int = COARSE_CELLS
) -> YieldDistribution:
    """The same by a beta posterior with Jeffreys' prior, for the unsampled part only."""
    rest = population - sampled
    a, b = 0.5 + relevant, 0.5 + sampled - relevant
    if rest <= 0:
        return known_yield(relevant)
    lowest, highest = special.betaincinv(a, b, TAIL), 1 - special.betaincinv(b, a, TAIL)
    angles = _even_angles(float(lowest), float(highest), n_cells + 1)
    shares = np.sin(angles) ** 2
    masses = np.diff(special.betainc(a, b, shares))
    moments = np.diff(special.betainc(a + 1, b, shares)) * a / (a + b)
    means = mean_positions(moments, masses, shares)
    edges = relevant + rest * shares
    return YieldDistribution(edges, relevant + rest * means, masses / masses.sum(), discrete=False)


def _count_range(rest: int, a: float, b: float) -> tuple[int, int]:
    """A range outside of which the unsampled part's count is with at most ``TAIL`` a side.

    The count is binomial given a prevalence, the prevalence beta: both tails are cut, the second
    by Chernoff's bound.
    """
    least = special.betaincinv(a, b, TAIL / 2)
    most = special.betaincinv(b, a, TAIL / 2)  # as a share of documents that are not relevant
    low = rest * least - math.sqrt(CHERNOFF * 1.1 * rest * least)
    high = rest * most - math.sqrt(CHERNOFF * 1.1 * rest * most)
    return max(math.floor(low), 0), rest - max(math.floor(high), 0)


def _single_counts(rest: int, a: float, b: float, low: int, high: int) -> YieldDistribution:
    """A cell a count, by the ratios of neighbours, outwards from the largest."""
    counts = np.arange(low, high + 1, dtype=np.float64)
    before = counts[:-1]
    ratios = (rest - before) * (before + a) / ((before + 1) * (rest - before - 1 + b))
    peak = _peak(rest, a, b, low, high) - low
    masses = np.ones(len(counts))
    np.cumprod(ratios[peak:], out=masses[peak + 1 :])
    np.cumprod(1 / ratios[:peak][::-1], out=masses[:peak][::-1])
    edges = np.append(counts, high + 1)
    return YieldDistribution(edges, counts, masses / masses.sum(), discrete=True)


def _peak(rest: int, a: float, b: float, low: int, high: int) -> int:
    """The likeliest count, if there is one inside; else the lower end is as good as the other."""
    if a > 1 and b > 1:
        return min(max(math.ceil((rest * (a - 1) - (b - 1)) / (a + b - 2)), low), high)
    return low


def _shared_cells(
    rest: int, a: float, b: float, low: int, high: int, n_cells: int
) -> YieldDistribution:
    """Cells of several counts: a short one is summed, a long one integrated over its counts."""
    edges = _shared_edges(rest, low, high, n_cells)
    widths = np.diff(edges)[:, None]
    short = widths <= len(GAUSS_NODES)
    steps = np.arange(len(GAUSS_NODES))
    nodes = np.where(short, steps, (GAUSS_NODES + 1) * widths / 2 - 0.5) + edges[:-1, None]
    weights = np.where(short, steps < widths, GAUSS_WEIGHTS * widths / 2)
    nodes = np.where(weights > 0, nodes, edges[:-1, None])  # none beyond the last count
    logs = _log_gamma_ratio(nodes + 1, a - 1) + _log_gamma_ratio(rest - nodes + 1, b - 1)
    parts = np.exp(logs - logs.max()) * weights
    masses = parts.sum(axis=1)
    means = mean_positions((parts * nodes).sum(axis=1), masses, edges)
    return YieldDistribution(edges, means, masses / masses.sum(), discrete=True)


def _shared_edges(rest: int, low: int, high: int, n_cells: int) -> Floats:
    """Even in the angle; next to 0 and to all, single counts, and then cells of a fiftieth."""
    edges = [np.round(rest * np.sin(_even_angles(low / rest, high / rest, n_cells // 2)) ** 2)]
    alone = min(SINGLE, n_cells // 8)
    n_growing = min(math.ceil(math.log(rest / alone) / math.log(GROWTH)), n_cells // 8)
    growing = np.append(np.arange(alone), np.round(np.geomspace(alone, rest, n_growing)))
    if low == 0:
        edges.append(growing)
    if high == rest:
        edges.append(rest - growing)
    firsts = np.unique(np.concatenate(edges))
    return np.append(firsts[(firsts >= low) & (firsts < high)], [high, high + 1])


def _even_angles(lowest: float, highest: float, n: int) -> Floats:
    """The scale on which a proportion's spread is the same everywhere."""
    return np.linspace(math.asin(math.sqrt(lowest)), math.asin(math.sqrt(highest)), n)


def _log_gamma_ratio(x: Floats, more: float) -> Floats:
    """Ln gamma(x + more) - ln gamma(x) by Stirling, without the cancelling of large terms."""
    y = x + more
    large = np.minimum(x, y) > 16
    safe = np.where(large, x, 32.0)
    sums = safe + more if more > 0 else np.where(large, y, 32.0 + more)
    by_stirling = (
        (safe - 0.5) * np.log1p(more / safe) + more * (np.log(sums) - 1)
        + _stirling_rest(sums) - _stirling_rest(safe)
    )  # fmt: skip
    if large.all():
        return by_stirling
    return np.where(large, by_stirling, special.gammaln(y) - special.gammaln(x))


def _stirling_rest(x: Floats) -> Floats:
    """What Stirling's formula lacks: 1/(12 x) and so on; 16 digits from 16 on."""
    square = 1 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x
