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

A distribution of the number of relevant documents, as cells of neighbouring counts.

A cell knows its mass, its mean count, and its lowest and highest count. These bound what sharing a
cell can cost: the distribution with all counts as low as they can be, and the one with all as high,
hold the true one between them.

The relevant documents of several strata together: their tables convolved.

Counts that are told apart in every stratum are so in the sum. Otherwise strata are put on a common
lattice: a mass between two of its points goes to both, in such shares that the mean stays. The
lowest and the highest that counts can be are convolved as well, so that the sum has its bounds too.
Strata that are known are added and not smeared.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

#: counts in ascending order, and their masses
Points = tuple[Floats, Floats]

TAIL = 1e-13  # mass that is cut off on either side of a table


@dataclass(frozen=True, eq=False)
class YieldDistribution:
    """Cells of neighbouring counts: cell k holds the counts edges[k] <= R < edges[k + 1]."""

    edges: Floats
    #: mean count of each cell
    positions: Floats
    #: their sum is 1
    masses: Floats
    #: whether R takes whole numbers, and cells begin and end at them
    discrete: bool
    #: the same with all counts as low, and as high, as they can be; None: at the edges of cells
    extremes: tuple[Points, Points] | None = None
    #: the probability that there is nothing relevant, where the cells do not tell
    nothing: float | None = None

    @cached_property
    def cumulative(self) -> Floats:
        """The probability below each edge."""
        return np.concatenate(([0.0], np.minimum(np.cumsum(self.masses), 1.0)))

    @cached_property
    def is_exact(self) -> bool:
        """Whether every cell is a single count."""
        return self.discrete and len(self.masses) == self.edges[-1] - self.edges[0]

    def cdf(self, counts: Floats) -> Floats:
        """The probability of at most so many relevant documents."""
        if self.is_exact:
            first = self.edges[0] - 1
            places = np.clip(np.floor(counts) - first, 0, len(self.masses))
            return np.asarray(self.cumulative[places.astype(np.int64)])
        knots = self.edges - 1 if self.discrete else self.edges
        return np.interp(np.floor(counts) if self.discrete else counts, knots, self.cumulative)

    @cached_property
    def lowest(self) -> Points:
        """The distribution with every count as low as it can be."""
        return self.extremes[0] if self.extremes else (self.edges[:-1], self.masses)

    @cached_property
    def highest(self) -> Points:
        """The one with every count as high as it can be."""
        last = self.edges[1:] - (1 if self.discrete else 0)
        return self.extremes[1] if self.extremes else (last, self.masses)

    @cached_property
    def at_zero(self) -> float:
        """The probability that there is nothing relevant."""
        if self.nothing is not None:
            return self.nothing
        alone = self.discrete and self.edges[0] == 0 and self.edges[1] == 1
        return float(self.masses[0]) if alone else 0.0

    def coarser(self, n_cells: int) -> YieldDistribution:
        """The same in fewer cells: the first ones as they are, then ever more neighbours in one.

        A ratio of yields bends most where they are small.
        """
        n, alone = len(self.masses), n_cells // 4
        if n <= n_cells:
            return self
        wider = np.geomspace(alone, n, n_cells - alone, endpoint=False)
        starts = np.unique(np.append(np.arange(alone), wider.astype(np.int64)))
        masses = np.add.reduceat(self.masses, starts)
        moments = np.add.reduceat(self.masses * self.positions, starts)
        edges = np.append(self.edges[starts], self.edges[-1])
        means = mean_positions(moments, masses, edges)
        return YieldDistribution(edges, means, masses, self.discrete, nothing=self.at_zero)


def known_yield(count: float) -> YieldDistribution:
    """So many relevant documents, without doubt."""
    return YieldDistribution(
        np.array([count, count + 1]), np.array([float(count)]), np.ones(1), discrete=True
    )


def shifted(part: YieldDistribution, count: float) -> YieldDistribution:
    """With so many more relevant documents; a fraction puts whole counts between whole numbers."""
    if not count:
        return part
    whole = float(count).is_integer() or not part.discrete
    shift = count if whole else count - 0.5
    extremes = None
    if part.extremes:
        (low, low_masses), (high, high_masses) = part.extremes
        extremes = (low + count, low_masses), (high + count, high_masses)
    return YieldDistribution(
        part.edges + shift,
        part.positions + count,
        part.masses,
        part.discrete and whole,
        extremes,
        nothing=0.0,
    )


def trimmed(table: YieldDistribution) -> YieldDistribution:
    """Without the cells at the ends that hold less than ``TAIL`` together."""
    kept = within_tails(table.masses)
    masses = table.masses[kept]
    return YieldDistribution(
        table.edges[kept.start : kept.stop + 1],
        table.positions[kept],
        masses / masses.sum(),
        table.discrete,
    )


def within_tails(masses: Floats) -> slice:
    """All but the ends that hold less than ``TAIL``."""
    first = int(np.searchsorted(np.cumsum(masses), TAIL))
    last = len(masses) - int(np.searchsorted(np.cumsum(masses[::-1]), TAIL))
    return slice(first, max(last, first + 1))


def mean_positions(moments: Floats, masses: Floats, edges: Floats) -> Floats:
    """Mean position in each cell; the middle, where there is no mass to speak of."""
    middles = (edges[:-1] + edges[1:]) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(masses > 0, moments / masses, middles)
    return np.clip(means, edges[:-1], edges[1:])


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


#: a lowest value, and masses at even steps from it
Lattice = tuple[float, Floats]
Rounded = Callable[[Floats], Floats]

LATTICE_CELLS = 1 << 18  # where not every count is told apart
DIRECT = 64  # shorter tables are convolved without a Fourier transform


def total_yield(
    strata: Sequence[YieldDistribution], most_counts: int = MOST_COUNTS
) -> YieldDistribution:
    """The relevant documents of several strata together."""
    known = sum(float(one.positions[0]) for one in strata if len(one.masses) == 1)
    strata = [one for one in strata if len(one.masses) > 1]
    if not strata:
        return known_yield(known)
    if len(strata) == 1:
        return shifted(strata[0], known)
    reach = float(sum(one.edges[-1] - one.edges[0] for one in strata))
    if all(one.is_exact for one in strata) and reach <= most_counts:
        return shifted(_summed_counts(strata), known)
    step = reach / min(most_counts, LATTICE_CELLS)
    return shifted(_summed_cells(strata, step), known)


def _summed_counts(strata: Sequence[YieldDistribution]) -> YieldDistribution:
    """The sum of several, count by count."""
    low, masses = _convolved([(float(one.edges[0]), one.masses) for one in strata], 1.0)
    counts = low + np.arange(len(masses) + 1, dtype=np.float64)
    return YieldDistribution(counts, counts[:-1], masses, discrete=True)


def _summed_cells(strata: Sequence[YieldDistribution], step: float) -> YieldDistribution:
    """The sum of several on a common lattice, and what it can be at the lowest and the highest."""
    low, masses = _convolved([_on_lattice(one, step) for one in strata], step)
    points = low + step * np.arange(len(masses), dtype=np.float64)
    edges = np.append(points, points[-1] + step) - step / 2
    least = float(sum(one.lowest[0][0] for one in strata))
    extremes = (
        _summed_points([one.lowest for one in strata], step, np.floor),
        _summed_points([one.highest for one in strata], step, np.ceil),
    )
    return YieldDistribution(
        np.maximum(edges, least),
        np.maximum(points, least),
        masses,
        discrete=False,
        extremes=extremes,
        nothing=math.prod(one.at_zero for one in strata),
    )


def _summed_points(tables: Sequence[Points], step: float, rounded: Rounded) -> Points:
    """The sum of several, every count moved to the lattice in one direction."""
    on_lattice = []
    for counts, masses in tables:
        places = rounded((counts - counts[0]) / step).astype(np.int64)
        on_lattice.append((float(counts[0]), np.bincount(places, masses).astype(np.float64)))
    low, masses = _convolved(on_lattice, step)
    return low + step * np.arange(len(masses), dtype=np.float64), masses


def _on_lattice(table: YieldDistribution, step: float) -> Lattice:
    """Masses at multiples of a step from the first position; what lies between goes to both."""
    low = float(table.positions[0])
    places = (table.positions - low) / step
    floors = np.floor(places).astype(np.int64)
    upper = (places - floors) * table.masses
    n = int(floors[-1]) + 2
    lower = table.masses - upper
    return low, np.asarray(
        np.bincount(floors, lower, n) + np.bincount(floors + 1, upper, n), dtype=np.float64
    )


def _convolved(tables: Sequence[Lattice], step: float) -> Lattice:
    """The masses of a sum, from its lowest value on: the two shortest tables first, and again."""
    heap = [(len(masses), place, low, masses) for place, (low, masses) in enumerate(tables)]
    heapq.heapify(heap)
    for place in range(len(heap), 2 * len(heap) - 1):
        (_, _, one, first), (_, _, other, second) = heapq.heappop(heap), heapq.heappop(heap)
        masses = _convolved_pair(first, second)
        kept = within_tails(masses)
        low = one + other + step * kept.start
        heapq.heappush(heap, (kept.stop - kept.start, place, low, masses[kept]))
    return heap[0][2], heap[0][3] / heap[0][3].sum()


def _convolved_pair(one: Floats, other: Floats) -> Floats:
    """The masses of a sum of two; rounding of a Fourier transform is cut off at 0."""
    if min(len(one), len(other)) <= DIRECT:
        return np.convolve(one, other)
    n = len(one) + len(other) - 1
    size = 1 << (n - 1).bit_length()
    product = np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)[:n]
    return np.maximum(product, 0.0)
