"""Coverage of interval methods by simulation: samples from a known population of scores.

The mean of the population is known. Many samples of n scores are drawn from it for each system,
each method computes its intervals, and the intervals that do not contain the mean are counted, by
side. ``calibrate`` and the replications of papers use these functions.

``SHARED`` samples of one system have the same multinomial counts of bootstrap resamples, so that
all their bootstrap means are one matrix product. Each interval has its correct distribution, but
the intervals of these samples are slightly dependent.

A unit of work is ``UNIT`` samples of one system, several times as many, so that the methods work on
long arrays. Each thread bootstraps one unit at a time, and keeps the statistics of it that the
methods need (``bootstrapped_samples``). Only the sums of a unit are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..intervals.methods import METHODS
from ..intervals.sample import Sample, ScoredSample
from ..intervals.variance_prior import VariancePrior
from ..parallel.memory import NUMBER_BYTES, reserve_memory
from ..parallel.work import Arrays, bind, count_progress, run_work
from ..resampling.query_bootstrap import ADDING
from ..resampling.seeds import Purpose, stream
from ..validation import Progress
from .bootstrapped_samples import Bootstrap, BootstrappedSamples, estimate_bytes

Floats = NDArray[np.float64]

SHARED = 100  # samples with the same resamples; changing it changes every result
UNIT = 5 * SHARED  # samples per unit
MAX_PARTS = 1 << 32
ORDERING = 2  # operations per bootstrap mean and method that needs them
FITTING = 2e3  # operations per interval
N_SUMS = 6  # numbers that are summed over the samples of a unit
SAMPLING = 4  # sample x query arrays: scores, scores by query, places, keys to choose them by


@dataclass(frozen=True)
class DrawnSamples:
    """Samples by row, with the true mean and standard deviation of the population of each."""

    scores: Floats
    mean: Floats
    sigma: Floats


class Draw(Protocol):
    """A source of samples; a dataclass, so that it can be pickled and has a digest."""

    def __call__(
        self, system: int, n: int, n_samples: int, generator: np.random.Generator
    ) -> DrawnSamples:
        """Return samples of n scores of a system."""
        ...


@dataclass(frozen=True)
class CoveragePlan:
    """The methods and levels to try, and the numbers of samples and resamples."""

    methods: Sequence[str]
    confidence_levels: Sequence[float]
    n_samples: int
    n_resamples: int
    seed: int
    bounds: tuple[float, float] | None = None
    prior: VariancePrior | None = None


@dataclass(frozen=True)
class Tally:
    """Counts and sums over the samples of each system: system x method x level."""

    n_samples: int
    #: samples whose interval lies above the true mean, below it, or does not exist
    mean_below: NDArray[np.int64]
    mean_above: NDArray[np.int64]
    without: NDArray[np.int64]
    #: sums over the samples that have an interval
    width_sums: Floats
    width_squares: Floats
    score_sums: Floats

    @property
    def errors(self) -> Floats:
        """The fraction of samples without an interval that contains the mean."""
        return (self.mean_below + self.mean_above + self.without) / self.n_samples

    def error_noise(self, method: int, level: int) -> float:
        """Return the Monte Carlo standard error of the mean error over systems."""
        errors = self.errors[:, method, level]
        variances = errors * (1 - errors) / self.n_samples
        return float(np.sqrt(variances.sum())) / len(errors)

    def score(self, method: int, level: int) -> float:
        """Return the mean interval score (Gneiting and Raftery 2007, section 6.2) over systems."""
        place = (slice(None), method, level)
        counts = self.n_samples - self.without[place]
        known = counts > 0
        scores = self.score_sums[place][known] / counts[known]
        return float(scores.mean()) if known.any() else np.nan

    def width(self, method: int, level: int) -> tuple[float, float]:
        """Return the mean width over systems of existing intervals, and its Monte Carlo error."""
        place = (slice(None), method, level)
        counts = self.n_samples - self.without[place]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = self.width_sums[place] / counts
            variances = (self.width_squares[place] / counts - means**2) / counts
        known = counts > 0
        n = max(np.count_nonzero(known), 1)
        noise = np.sqrt(np.maximum(variances[known], 0).sum()) / n
        return (float(means[known].mean()) if known.any() else np.nan), float(noise)


def count_samples(
    progress: Progress | None, n_systems: int, n_samples: int
) -> Callable[[], None] | None:
    """Return the function to call after each unit, which reports the number of samples."""
    return count_progress(progress, n_systems * n_samples, step=n_samples / -(-n_samples // UNIT))


@dataclass(frozen=True, eq=False)
class DrawFrom:
    """Samples of a system's scores (system x query), with or without replacement."""

    population: Floats
    replacement: bool

    def __call__(
        self, system: int, n: int, n_samples: int, generator: np.random.Generator
    ) -> DrawnSamples:
        """Return samples of n scores of a system."""
        scores = self.population[system]
        places = draw_places(generator, len(scores), (n_samples, n), self.replacement)
        mean, sigma = self._moments
        return DrawnSamples(
            scores[places], np.full(n_samples, mean[system]), np.full(n_samples, sigma[system])
        )

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Means and standard deviations of all systems."""
        rows = list(self.population)
        return np.array([row.mean() for row in rows]), np.array([row.std() for row in rows])


def draw_places(
    generator: np.random.Generator, n_queries: int, shape: tuple[int, int], replacement: bool
) -> NDArray[np.intp]:
    """Draw the places of queries, one sample per row."""
    if replacement:
        return generator.integers(0, n_queries, size=shape)
    n_samples, n = shape
    keys = generator.random((n_samples, n_queries))
    return np.argpartition(keys, n - 1, axis=1)[:, :n] if n < n_queries else keys.argsort(axis=1)


def tally_misses(
    draw: Draw,
    n_systems: int,
    n: int,
    plan: CoveragePlan,
    progress: Callable[[], None] | None = None,
) -> Tally:
    """Count the misses of every method, level and system for samples of n scores.

    ``progress`` is called after each unit.
    """
    units_each = -(-plan.n_samples // UNIT)
    work = bind(
        tally_unit,
        "coverage of intervals",
        options=_describe_options(draw, n, plan),
        inputs={"draw": "the scores"},
        draw=draw,
        n=n,
        plan=plan,
        units_each=units_each,
    )
    layout = [((N_SUMS, len(plan.methods), len(plan.confidence_levels)), np.float64)]
    units = run_work(
        work,
        n_systems * units_each,
        cost=_unit_cost(n, plan),
        layout=lambda unit: layout,
        progress=progress,
    )
    unit_sums = np.stack([sums for (sums,) in units])
    sums = unit_sums.reshape(n_systems, units_each, *unit_sums.shape[1:]).sum(axis=1)
    below, above, without = (sums[:, k].astype(np.int64) for k in range(3))
    return Tally(plan.n_samples, below, above, without, sums[:, 3], sums[:, 4], sums[:, 5])


def _describe_options(draw: Draw, n: int, plan: CoveragePlan) -> dict[str, Any]:
    """Return the options by their public names."""
    options = {"n": n} | {field.name: getattr(plan, field.name) for field in fields(plan)}
    return options | ({"replacement": draw.replacement} if isinstance(draw, DrawFrom) else {})


def _unit_cost(n: int, plan: CoveragePlan) -> float:
    """Return the approximate number of operations per unit."""
    n_bootstraps = sum(METHODS[method].needs_bootstrap for method in plan.methods)
    per_resample = 2 * ADDING * n * bool(n_bootstraps) + ORDERING * n_bootstraps
    n_intervals = len(plan.methods) * len(plan.confidence_levels)
    return UNIT * (plan.n_resamples * per_resample + FITTING * n_intervals)


def tally_unit(unit: int, *, draw: Draw, n: int, plan: CoveragePlan, units_each: int) -> Arrays:
    """Return the sums over the samples of a unit: sum x method x level."""
    system, place = divmod(unit, units_each)
    first, last = place * UNIT, min((place + 1) * UNIT, plan.n_samples)
    parts = [(n, system, begin // SHARED) for begin in range(first, last, SHARED)]
    sizes = [min(SHARED, last - begin) for begin in range(first, last, SHARED)]
    drawn = [
        draw(system, n, size, stream(plan.seed, Purpose.samples, *part))
        for part, size in zip(parts, sizes, strict=True)
    ]
    sample = _bootstrap(drawn, plan, parts)
    mean = np.concatenate([samples.mean for samples in drawn])
    levels = np.array(plan.confidence_levels)
    limits = np.empty((2, len(plan.methods), len(levels), last - first))
    for m, method in enumerate(plan.methods):
        fitted = METHODS[method].fit(sample)
        for k, level in enumerate(plan.confidence_levels):
            limits[0, m, k] = fitted.limit((1 - level) / 2)
            limits[1, m, k] = fitted.limit((1 + level) / 2)
    return (_sum_misses(limits[0], limits[1], levels[:, None], mean),)


def _bootstrap(
    drawn: Sequence[DrawnSamples], plan: CoveragePlan, parts: Sequence[tuple[int, int, int]]
) -> ScoredSample:
    """Return the samples of all parts with the bootstrap statistics that the methods need."""
    scores = np.concatenate([samples.scores for samples in drawn])
    sigma = np.concatenate([samples.sigma for samples in drawn])
    bootstrap = plan_bootstrap(plan)
    if bootstrap is None:
        return Sample(scores, sigma=sigma, bounds=plan.bounds, prior=plan.prior)
    places = [_join_place(part) for part in parts]
    return BootstrappedSamples(scores, bootstrap, SHARED, places, sigma, plan.bounds, plan.prior)


def plan_bootstrap(plan: CoveragePlan) -> Bootstrap | None:
    """Return the bootstrap statistics that the methods need; None if they need no bootstrap."""
    methods = [METHODS[name] for name in plan.methods if METHODS[name].needs_bootstrap]
    if not methods:
        return None
    largest_tail = (1 - min(plan.confidence_levels)) / 2
    return Bootstrap(
        plan.n_resamples,
        plan.seed,
        n_needed=min(int(largest_tail * plan.n_resamples) + 2, plan.n_resamples),
        has_errors=any(method.needs_bootstrap_errors for method in methods),
        has_logits=any(method.needs_bounds for method in methods),
    )


def _join_place(place: tuple[int, int, int]) -> tuple[int, int]:
    """Return the place as two numbers, since a stream takes two besides its own."""
    n, system, part = place
    return n, system * MAX_PARTS + part


def _sum_misses(low: Floats, high: Floats, level: Floats, mean: Floats) -> Floats:
    """Count samples with the mean below, above or no interval; sum widths, squares and scores.

    ``low`` and ``high`` are method x level x sample. The result is sum x method x level.
    """
    missing = np.isnan(low) | np.isnan(high) | (np.isinf(low) & (low == high))
    low, high = np.where(missing, mean, low), np.where(missing, mean, high)  # widths of 0
    widths = high - low
    overshoot = np.maximum(low - mean, 0) + np.maximum(mean - high, 0)
    scores = widths + 2 / (1 - level) * overshoot
    terms = (mean < low, mean > high, missing, widths, widths**2, scores)
    return np.stack([term.sum(axis=-1, dtype=np.float64) for term in terms])


def reserve_coverage_memory(
    n: int, population: int, plan: CoveragePlan
) -> AbstractContextManager[None]:
    """Use as many threads as fit in memory, for samples of n of a population."""
    size = min(UNIT, plan.n_samples)
    bootstrap = plan_bootstrap(plan)
    return reserve_memory(
        f"{plan.n_resamples:,} resamples of each of {size} samples at a time",
        shared=0,
        each_thread=NUMBER_BYTES * SAMPLING * size * max(n, population)
        + (estimate_bytes(bootstrap, n, size, min(SHARED, size)) if bootstrap else 0),
        advice="take fewer resamples, samples or queries per sample",
    )
