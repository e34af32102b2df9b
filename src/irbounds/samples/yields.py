"""The posterior distribution of a yield, the number of relevant documents, as a table.

With prior Beta(alpha, beta) on the prevalence of a stratum, and r of n sampled documents relevant,
the unsampled N - n documents contain a beta-binomial number of relevant ones (Equation 17). Each
probability follows from its neighbour by a ratio, so they are tabulated outwards from the largest
one, on the range that contains all but 1e-12 of the mass. Nothing is simulated.

A table consists of cells. Where a range has more counts than a table may have cells, neighbouring
counts are in one cell. Cells are even in arcsin(sqrt(p)), the scale on which the spread of a
proportion p is the same everywhere. Near 0 and near N, where a difference of one count matters,
each count has its own cell. A cell has a mass and a mean count.

The beta posterior (section 3.5) differs in that the unsampled part contains (N - n) times a beta
variable: it ignores that documents are counted in integers, and its cells are intervals of the real
line.

The yield of several strata together is the convolution of their tables. Where all strata have one
cell per count, so has the sum. Otherwise strata are placed on a common lattice: a mass between two
lattice points is divided between both so that the mean stays the same. Strata with a known yield
are added exactly.

Reference: Webber (2013), sections 3.5 and 3.6.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

TAIL = 1e-13  # mass that is cut off on either side of a table
CHERNOFF = -2 * math.log(TAIL)
MAX_COUNTS = 1 << 20  # by default, up to so many counts have one cell each
COARSE_CELLS = 1 << 17  # the number of cells otherwise
SINGLE = 1 << 12  # counts next to 0 and to N that have one cell each
GROWTH = 1.02  # the factor by which the following cells grow
GAUSS_NODES, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(4)
LATTICE_CELLS = 1 << 18  # the number of lattice points where counts are joined
DIRECT = 64  # shorter tables are convolved without a Fourier transform


@dataclass(frozen=True, eq=False)
class YieldDistribution:
    """Cells of neighbouring counts: cell k contains the counts edges[k] <= R < edges[k + 1]."""

    edges: Floats
    #: mean count of each cell
    positions: Floats
    #: their sum is 1
    masses: Floats
    #: True if R is an integer, and cells begin and end at integers
    discrete: bool
    #: the probability of a yield of 0, where it does not follow from the cells
    nothing: float | None = None

    @cached_property
    def cumulative(self) -> Floats:
        """The probability below each edge."""
        return np.concatenate(([0.0], np.minimum(np.cumsum(self.masses), 1.0)))

    @cached_property
    def is_exact(self) -> bool:
        """True if every cell is a single count."""
        return self.discrete and len(self.masses) == self.edges[-1] - self.edges[0]

    def cdf(self, counts: Floats) -> Floats:
        """Return the probability of at most this many relevant documents."""
        if self.is_exact:
            first = self.edges[0] - 1
            places = np.clip(np.floor(counts) - first, 0, len(self.masses))
            return np.asarray(self.cumulative[places.astype(np.int64)])
        knots = self.edges - 1 if self.discrete else self.edges
        return np.interp(np.floor(counts) if self.discrete else counts, knots, self.cumulative)

    @cached_property
    def at_zero(self) -> float:
        """The probability of a yield of 0."""
        if self.nothing is not None:
            return self.nothing
        has_own_cell = self.discrete and self.edges[0] == 0 and self.edges[1] == 1
        return float(self.masses[0]) if has_own_cell else 0.0

    def coarsen(self, n_cells: int) -> YieldDistribution:
        """Return the distribution in fewer cells.

        The first cells stay as they are, and the following ones join more and more neighbours,
        because a ratio of yields is most curved where the yields are small.
        """
        n, n_unchanged = len(self.masses), n_cells // 4
        if n <= n_cells:
            return self
        wider = np.geomspace(n_unchanged, n, n_cells - n_unchanged, endpoint=False)
        starts = np.unique(np.append(np.arange(n_unchanged), wider.astype(np.int64)))
        masses = np.add.reduceat(self.masses, starts)
        moments = np.add.reduceat(self.masses * self.positions, starts)
        edges = np.append(self.edges[starts], self.edges[-1])
        means = mean_positions(moments, masses, edges)
        return YieldDistribution(edges, means, masses, self.discrete, nothing=self.at_zero)


def known_yield(count: float) -> YieldDistribution:
    """Return the distribution of a yield that is known to be ``count``."""
    return YieldDistribution(
        np.array([count, count + 1]), np.array([float(count)]), np.ones(1), discrete=True
    )


def add_known(part: YieldDistribution, count: float) -> YieldDistribution:
    """Return the distribution with ``count`` more relevant documents.

    If the count is not an integer, the counts of the sum are not integers either.
    """
    if not count:
        return part
    whole = float(count).is_integer() or not part.discrete
    shift = count if whole else count - 0.5
    return YieldDistribution(
        part.edges + shift,
        part.positions + count,
        part.masses,
        part.discrete and whole,
        nothing=0.0,
    )


def cut_tails(table: YieldDistribution) -> YieldDistribution:
    """Return the distribution without the outer cells that contain less than ``TAIL``."""
    cells = slice_within_tails(table.masses)
    masses = table.masses[cells]
    return YieldDistribution(
        table.edges[cells.start : cells.stop + 1],
        table.positions[cells],
        masses / masses.sum(),
        table.discrete,
    )


def slice_within_tails(masses: Floats) -> slice:
    """Return the slice without the outer cells on each side that contain less than ``TAIL``."""
    first = int(np.searchsorted(np.cumsum(masses), TAIL))
    last = len(masses) - int(np.searchsorted(np.cumsum(masses[::-1]), TAIL))
    return slice(first, max(last, first + 1))


def mean_positions(moments: Floats, masses: Floats, edges: Floats) -> Floats:
    """Return the mean position in each cell, and its middle where the cell has no mass."""
    middles = (edges[:-1] + edges[1:]) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(masses > 0, moments / masses, middles)
    return np.clip(means, edges[:-1], edges[1:])


def beta_binomial_yield(
    population: float,
    sampled: float,
    relevant: float,
    alpha: float,
    beta: float,
    max_cells: int = MAX_COUNTS,
) -> YieldDistribution:
    """Return the beta-binomial posterior of the yield of one stratum (Equation 17).

    ``relevant`` need not be an integer, since plans use expected counts; the counts of the table
    are not integers then either.
    """
    rest = round(population - sampled)
    a, b = alpha + relevant, beta + sampled - relevant
    low, high = _count_range(rest, a, b)
    if high - low < max_cells:
        table = _tabulate_counts(rest, a, b, low, high)
    else:
        table = _tabulate_cells(rest, a, b, low, high, min(max_cells, COARSE_CELLS))
    return add_known(cut_tails(table), relevant)


def beta_yield(
    population: float, sampled: float, relevant: float, n_cells: int = COARSE_CELLS
) -> YieldDistribution:
    """Return the posterior of the yield if the unsampled prevalence is beta, by Jeffreys' prior."""
    rest = population - sampled
    a, b = 0.5 + relevant, 0.5 + sampled - relevant
    if rest <= 0:
        return known_yield(relevant)
    lowest, highest = special.betaincinv(a, b, TAIL), 1 - special.betaincinv(b, a, TAIL)
    angles = _even_angles(float(lowest), float(highest), n_cells + 1)
    fractions = np.sin(angles) ** 2
    masses = np.diff(special.betainc(a, b, fractions))
    moments = np.diff(special.betainc(a + 1, b, fractions)) * a / (a + b)
    means = mean_positions(moments, masses, fractions)
    edges = relevant + rest * fractions
    return YieldDistribution(edges, relevant + rest * means, masses / masses.sum(), discrete=False)


def _count_range(rest: int, a: float, b: float) -> tuple[int, int]:
    """Return a range of counts in the unsampled part, with at most ``TAIL`` outside per side.

    The prevalence is beta, and the count given the prevalence is binomial. Both tails are cut, the
    second by Chernoff's bound.
    """
    relevant = special.betaincinv(a, b, TAIL / 2)
    irrelevant = special.betaincinv(b, a, TAIL / 2)
    low = rest * relevant - math.sqrt(CHERNOFF * 1.1 * rest * relevant)
    high = rest * irrelevant - math.sqrt(CHERNOFF * 1.1 * rest * irrelevant)
    return max(math.floor(low), 0), rest - max(math.floor(high), 0)


def _tabulate_counts(rest: int, a: float, b: float, low: int, high: int) -> YieldDistribution:
    """Return one cell per count, by the ratios of neighbours, outwards from the largest."""
    counts = np.arange(low, high + 1, dtype=np.float64)
    before = counts[:-1]
    ratios = (rest - before) * (before + a) / ((before + 1) * (rest - before - 1 + b))
    peak = _find_mode(rest, a, b, low, high) - low
    masses = np.ones(len(counts))
    np.cumprod(ratios[peak:], out=masses[peak + 1 :])
    np.cumprod(1 / ratios[:peak][::-1], out=masses[:peak][::-1])
    edges = np.append(counts, high + 1)
    return YieldDistribution(edges, counts, masses / masses.sum(), discrete=True)


def _find_mode(rest: int, a: float, b: float, low: int, high: int) -> int:
    """Return the most likely count of the range; the lower end if both ends have a peak.

    Probabilities are products of ratios from there, and would overflow from the other end.
    """
    if a > 1 and b > 1:
        return min(max(math.ceil((rest * (a - 1) - (b - 1)) / (a + b - 2)), low), high)
    return high if a > 1 else low


def _tabulate_cells(
    rest: int, a: float, b: float, low: int, high: int, n_cells: int
) -> YieldDistribution:
    """Return cells of several counts: short cells are summed, long ones integrated."""
    edges = cell_edges(rest, low, high, n_cells)
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


def cell_edges(rest: int, low: int, high: int, n_cells: int) -> Floats:
    """Return edges that are even in the angle.

    Near 0 and near ``rest`` there are single counts, and then cells that grow by ``GROWTH``.
    """
    edges = [np.round(rest * np.sin(_even_angles(low / rest, high / rest, n_cells // 2)) ** 2)]
    n_single = min(SINGLE, n_cells // 8)
    n_growing = min(math.ceil(math.log(rest / n_single) / math.log(GROWTH)), n_cells // 8)
    growing = np.append(np.arange(n_single), np.round(np.geomspace(n_single, rest, n_growing)))
    if low == 0:
        edges.append(growing)
    if high == rest:
        edges.append(rest - growing)
    firsts = np.unique(np.concatenate(edges))
    return np.append(firsts[(firsts >= low) & (firsts < high)], [high, high + 1])


def _even_angles(lowest: float, highest: float, n: int) -> Floats:
    """Return n angles, on the scale where the spread of a proportion is the same everywhere."""
    return np.linspace(math.asin(math.sqrt(lowest)), math.asin(math.sqrt(highest)), n)


def _log_gamma_ratio(x: Floats, more: float) -> Floats:
    """Return ln gamma(x + more) - ln gamma(x) by Stirling's formula, without cancellation."""
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
    """Return the correction of Stirling's formula, 1/(12 x) - ..., to 16 digits for x >= 16."""
    square = 1 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x


#: a lowest value, and masses at even steps from it
Lattice = tuple[float, Floats]


def sum_yields(
    strata: Sequence[YieldDistribution], max_counts: int = MAX_COUNTS
) -> YieldDistribution:
    """Return the distribution of the total yield of several strata."""
    known = sum(float(stratum.positions[0]) for stratum in strata if len(stratum.masses) == 1)
    strata = [stratum for stratum in strata if len(stratum.masses) > 1]
    if not strata:
        return known_yield(known)
    if len(strata) == 1:
        return add_known(strata[0], known)
    reach = float(sum(stratum.edges[-1] - stratum.edges[0] for stratum in strata))
    if all(stratum.is_exact for stratum in strata) and reach <= max_counts:
        return add_known(_sum_counts(strata), known)
    step = reach / min(max_counts, LATTICE_CELLS)
    return add_known(_sum_cells(strata, step), known)


def _sum_counts(strata: Sequence[YieldDistribution]) -> YieldDistribution:
    """Return the distribution of the sum, with one cell per count."""
    tables = [(float(stratum.edges[0]), stratum.masses) for stratum in strata]
    low, masses = _convolve(tables, 1.0)
    counts = low + np.arange(len(masses) + 1, dtype=np.float64)
    return YieldDistribution(counts, counts[:-1], masses, discrete=True)


def _sum_cells(strata: Sequence[YieldDistribution], step: float) -> YieldDistribution:
    """Return the distribution of the sum on a common lattice, with its lowest and highest."""
    low, masses = _convolve([_place_on_lattice(stratum, step) for stratum in strata], step)
    points = low + step * np.arange(len(masses), dtype=np.float64)
    edges = np.append(points, points[-1] + step) - step / 2
    minimum = float(sum(stratum.edges[0] for stratum in strata))
    return YieldDistribution(
        np.maximum(edges, minimum),
        np.maximum(points, minimum),
        masses,
        discrete=False,
        nothing=math.prod(stratum.at_zero for stratum in strata),
    )


def _place_on_lattice(table: YieldDistribution, step: float) -> Lattice:
    """Return masses at multiples of a step; a mass between two points is divided between them."""
    low = float(table.positions[0])
    places = (table.positions - low) / step
    floors = np.floor(places).astype(np.int64)
    upper = (places - floors) * table.masses
    n = int(floors[-1]) + 2
    lower = table.masses - upper
    return low, np.asarray(
        np.bincount(floors, lower, n) + np.bincount(floors + 1, upper, n), dtype=np.float64
    )


def _convolve(tables: Sequence[Lattice], step: float) -> Lattice:
    """Return the masses of a sum from its lowest value on, convolving the shortest pair first."""
    heap = [(len(masses), place, low, masses) for place, (low, masses) in enumerate(tables)]
    heapq.heapify(heap)
    for place in range(len(heap), 2 * len(heap) - 1):
        _, _, first_low, first = heapq.heappop(heap)
        _, _, second_low, second = heapq.heappop(heap)
        masses = _convolve_pair(first, second)
        cells = slice_within_tails(masses)
        low = first_low + second_low + step * cells.start
        heapq.heappush(heap, (cells.stop - cells.start, place, low, masses[cells]))
    return heap[0][2], heap[0][3] / heap[0][3].sum()


def _convolve_pair(first: Floats, second: Floats) -> Floats:
    """Return the masses of a sum of two; negative rounding errors of the transform become 0."""
    if min(len(first), len(second)) <= DIRECT:
        return np.convolve(first, second)
    n = len(first) + len(second) - 1
    size = 1 << (n - 1).bit_length()
    product = np.fft.irfft(np.fft.rfft(first, size) * np.fft.rfft(second, size), size)[:n]
    return np.maximum(product, 0.0)
