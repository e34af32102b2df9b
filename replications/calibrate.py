"""Nominal and actual error rates of interval methods: ``python -m replications calibrate FILE``.

The queries of a score table are taken as the whole population, so that the true means are known.
Samples of n queries are drawn for each system, every method computes its intervals, and the
nominal error rate is compared with the actual one. Samples are drawn with replacement, like
independent queries of a large population. The papers of Park drew without replacement, which makes
error rates look better as n approaches the size of the population.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import irbounds
from irbounds.intervals.binary_scores import are_binary
from irbounds.intervals.means import Row, check_row_bounds
from irbounds.intervals.methods import METHODS
from irbounds.intervals.variance_prior import choose_prior
from irbounds.measurement.parser import bounds_of

from .coverage import Tally, draw_from, tally_misses

Floats = NDArray[np.float64]
Bounds = tuple[float, float]

#: a method is honest if its error exceeds the nominal one by at most this fraction of it, within
#: two Monte Carlo standard errors: a 95 % interval may miss in 6 % of samples
TOLERANCE = 0.2
#: a standard error of at most this fraction of the nominal error decides; 0.0025 of 0.05
PRECISE = 0.05
N_SAMPLES = 1000
COLUMNS = (
    *("measure", "n", "method", "level", "error", "noise", "below", "above", "none", "width"),
    *("interval_score", "worst_error", "verdict"),
)


@dataclass(frozen=True)
class CalibrationRow:
    """Error rate and width of one method on samples of n queries, averaged over systems."""

    measure: str
    #: queries in a sample
    n: int
    method: str
    confidence_level: float
    #: fraction of samples whose interval missed, and its Monte Carlo standard error
    error: float
    error_noise: float
    #: of these, where the mean is below the interval, where above, and where there is no interval
    below: float
    above: float
    without: float
    #: mean width of the intervals that exist
    width: float
    #: mean of width + 2 / alpha times the distance to a missed mean; low for short honest intervals
    interval_score: float
    #: the largest error of a system
    worst_error: float
    #: ``"honest"``: the error is no more than the tolerance above the nominal one; ``"short"``: it
    #: is more; ``"unclear"``: too few samples to decide
    verdict: str
    #: True for the honest method with the lowest interval score
    recommended: bool = False


def rows(scores: str, scale: float) -> Iterator[tuple[str | float, ...]]:
    """Yield the table of ``scores.csv`` or ``AP=scores.csv``; ``scale`` is of the samples."""
    measure, _, file = scores.rpartition("=")
    table = irbounds.read_scores({measure: file} if measure else file)
    for row in calibrate(table, n_samples=max(round(scale * N_SAMPLES), 2)):
        verdict = "use" if row.recommended else row.verdict
        yield (
            *(row.measure, row.n, row.method, row.confidence_level, row.error, row.error_noise),
            *(row.below, row.above, row.without, row.width, row.interval_score, row.worst_error),
            verdict,
        )


def calibrate(
    table: irbounds.ScoreTable,
    sizes: Sequence[int] = (5, 10, 20, 50),
    *,
    methods: Sequence[str] | None = None,
    levels: Sequence[float] = (0.95,),
    n_samples: int = N_SAMPLES,
    n_resamples: int = 1000,
    prior_variance: float | None = None,
    seed: int = 0,
) -> list[CalibrationRow]:
    """Return the actual error rate of each interval method, by default of all for the measure.

    Bounds that are not known are 0 and 1 if all scores are between these. ``prior_variance`` is
    that of moderated methods, by default that of the measure in public collections.
    """
    find_prior = choose_prior(prior_variance)
    calibrated: list[CalibrationRow] = []
    for measure, population in zip(table.measures, table.values, strict=True):
        bounds = bounds_of(measure) or bounds_from_scores(population)
        names = methods or usable_methods(population, bounds)
        for name in names:
            check_row_bounds(Row("all systems", measure, name, bounds), population)
        prior = find_prior(measure, bounds) if bounds else None
        for n in sizes:
            tally = tally_misses(
                draw_from(population, replacement=True),
                len(population),
                n,
                methods=names,
                levels=levels,
                n_samples=n_samples,
                n_resamples=n_resamples,
                seed=seed,
                bounds=bounds,
                prior=prior,
            )
            for k, level in enumerate(levels):
                of_level = [
                    make_row(measure, n, name, level, tally, m, k) for m, name in enumerate(names)
                ]
                calibrated += mark_recommended(of_level)
    return calibrated


def bounds_from_scores(population: Floats) -> Bounds | None:
    """Return 0 and 1 if all scores are between them, else None."""
    return (0.0, 1.0) if population.min() >= 0 and population.max() <= 1 else None


def usable_methods(population: Floats, bounds: Bounds | None) -> list[str]:
    """Return the methods for an unknown standard deviation that suit the scores and bounds."""
    binary = are_binary(population, bounds)
    return [
        name
        for name, method in METHODS.items()
        if not method.needs_sigma
        and (bounds is not None or not method.needs_bounds)
        and (binary or not method.needs_binary)
    ]


def make_row(
    measure: str, n: int, method: str, level: float, tally: Tally, m: int, k: int
) -> CalibrationRow:
    """Return the means over systems of a method (number m) and a level (number k)."""
    errors = tally.errors[:, m, k]
    error, noise = float(errors.mean()), tally.error_noise(m, k)
    below, above, without = (
        float(counts[:, m, k].mean()) / tally.n_samples
        for counts in (tally.below, tally.above, tally.without)
    )
    return CalibrationRow(
        measure=measure,
        n=n,
        method=method,
        confidence_level=level,
        error=error,
        error_noise=noise,
        below=below,
        above=above,
        without=without,
        width=tally.mean_of(tally.widths, m, k),
        interval_score=tally.mean_of(tally.scores, m, k),
        worst_error=float(errors.max()),
        verdict=judge_error(error, noise, 1 - level),
    )


def judge_error(error: float, noise: float, nominal: float) -> str:
    """Return "short" or "honest" if the simulation decides it, else "unclear"."""
    maximum = nominal * (1 + TOLERANCE)
    if error > maximum + 2 * noise:
        return "short"
    if error <= maximum - 2 * noise or noise <= PRECISE * nominal:
        return "honest"
    return "unclear"


def mark_recommended(rows: Sequence[CalibrationRow]) -> list[CalibrationRow]:
    """Mark the honest method with the lowest interval score, if there is one."""
    honest = [row for row in rows if row.verdict == "honest" and np.isfinite(row.interval_score)]
    best = min(honest, key=lambda row: row.interval_score, default=None)
    return [replace(row, recommended=row is best) for row in rows]
