"""The relevant documents of several strata together: their tables convolved.

Counts that are told apart in every stratum are so in the sum. Otherwise strata are put on a common
lattice: a mass between two of its points goes to both, in such shares that the mean stays. The
lowest and the highest that counts can be are convolved as well, so that the sum has its bounds too.
Strata that are known are added and not smeared.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .yield_distribution import Points, YieldDistribution, known_yield, shifted, within_tails
from .yields import MOST_COUNTS

Floats = NDArray[np.float64]
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
