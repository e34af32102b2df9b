"""Coverage of interval methods by simulation: samples from a population of scores with known means.

Many samples of n scores are drawn for each system, each method computes its intervals, and the
intervals that do not contain the true mean are counted. ``SHARED`` samples of one system have the
same multinomial counts of bootstrap resamples: each interval has its correct distribution, but the
intervals of these samples are slightly dependent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irbounds.intervals.methods import METHODS
from irbounds.intervals.sample import Sample
from irbounds.intervals.variance_prior import VariancePrior
from irbounds.resampling.query_bootstrap import bootstrap_queries
from irbounds.resampling.seeds import Purpose, stream

Floats = NDArray[np.float64]

SHARED = 100  # samples with the same resamples; changing it changes every result
TOGETHER = 10 * SHARED  # samples whose intervals are computed in one call
MAX_PARTS = 1 << 32


class Samples(NamedTuple):
    """Samples by row, with the true mean and standard deviation of the population of each."""

    scores: Floats
    mean: Floats
    sigma: Floats


#: draws samples of n scores: system, n, number of samples, generator
Draw = Callable[[int, int, int, np.random.Generator], Samples]


@dataclass(frozen=True)
class Tally:
    """Counts and sums over the samples of each system: system x method x level."""

    n_samples: int
    #: samples whose true mean is below the interval, above it, or that have no interval
    below: Floats
    above: Floats
    without: Floats
    #: sums over the samples that have an interval; the score is that of Gneiting and Raftery 2007,
    #: section 6.2: the width, and 2 / alpha times the distance to a missed mean
    widths: Floats
    scores: Floats

    @property
    def errors(self) -> Floats:
        """Fraction of samples without an interval that contains the mean."""
        return np.asarray((self.below + self.above + self.without) / self.n_samples)

    def error_noise(self, method: int, level: int) -> float:
        """Return the Monte Carlo standard error of the mean error over systems."""
        errors = self.errors[:, method, level]
        return float(np.sqrt((errors * (1 - errors) / self.n_samples).sum())) / len(errors)

    def mean_of(self, sums: Floats, method: int, level: int) -> float:
        """Return the mean per interval of ``widths`` or ``scores``, averaged over systems."""
        counts = self.n_samples - self.without[:, method, level]
        known = counts > 0
        means = sums[known, method, level] / counts[known]
        return float(means.mean()) if known.any() else np.nan


def draw_from(population: Floats, *, replacement: bool) -> Draw:
    """Return a function that draws samples of the scores of a system (system x query)."""
    means = [row.mean() for row in population]
    deviations = [row.std() for row in population]

    def draw(system: int, n: int, n_samples: int, generator: np.random.Generator) -> Samples:
        scores = population[system]
        if replacement:
            places = generator.integers(0, len(scores), size=(n_samples, n))
        else:
            keys = generator.random((n_samples, len(scores)))
            places = np.argpartition(keys, n - 1, axis=1)[:, :n]
        mean = np.full(n_samples, means[system])
        return Samples(scores[places], mean, np.full(n_samples, deviations[system]))

    return draw


def tally_misses(
    draw: Draw,
    n_systems: int,
    n: int,
    *,
    methods: Sequence[str],
    levels: Sequence[float],
    n_samples: int,
    n_resamples: int = 0,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
    prior: VariancePrior | None = None,
) -> Tally:
    """Count the misses of every method, level and system for samples of n scores."""
    uses_bootstrap = any(METHODS[method].needs_bootstrap for method in methods)
    sums = np.zeros((5, n_systems, len(methods), len(levels)))
    for system in range(n_systems):
        for first in range(0, n_samples, TOGETHER):
            last = min(first + TOGETHER, n_samples)
            drawn, means = [], []
            for begin in range(first, last, SHARED):
                part = begin // SHARED
                generator = stream(seed, Purpose.samples, n, system, part)
                drawn.append(draw(system, n, min(SHARED, last - begin), generator))
                if uses_bootstrap:
                    place = (n, system * MAX_PARTS + part)
                    means.append(
                        bootstrap_queries(drawn[-1].scores, n_resamples, seed, place=place)
                    )
            scores, mean, sigma = map(np.concatenate, zip(*drawn, strict=True))
            sample = Sample(
                scores,
                bootstrap_means=np.concatenate(means) if means else None,
                sigma=sigma,
                bounds=bounds,
                prior=prior,
            )
            for m, method in enumerate(methods):
                limits = METHODS[method].fit(sample)
                for k, level in enumerate(levels):
                    low, high = limits.limit((1 - level) / 2), limits.limit((1 + level) / 2)
                    sums[:, system, m, k] += sum_misses(low, high, mean, level)
    return Tally(n_samples, *sums)


def sum_misses(low: Floats, high: Floats, mean: Floats, level: float) -> Floats:
    """Count samples with the mean below, above and no interval; sum widths and scores."""
    missing = np.isnan(low) | np.isnan(high) | (np.isinf(low) & (low == high))
    low = np.where(missing, mean, low)
    high = np.where(missing, mean, high)
    widths = high - low
    distances = np.maximum(low - mean, 0) + np.maximum(mean - high, 0)
    scores = widths + 2 / (1 - level) * distances
    terms = (mean < low, mean > high, missing, widths, scores)
    return np.array([term.sum(dtype=np.float64) for term in terms])
