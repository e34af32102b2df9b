"""A distribution of the number of relevant documents, as cells of neighbouring counts.

A cell knows its mass, its mean count, and its lowest and highest count. These bound what sharing a
cell can cost: the distribution with all counts as low as they can be, and the one with all as high,
hold the true one between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
