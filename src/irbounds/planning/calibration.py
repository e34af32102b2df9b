"""``calibrate``: nominal and actual error rates of interval methods on the user's own scores.

The queries of the table are taken as the whole population, so the true means are known. Samples of
n queries are drawn, every method computes its intervals, and the nominal error rate is compared
with the actual one. Samples are drawn with replacement, like independent queries of a large
population. The papers of Park drew without replacement, which makes error rates look better as n
approaches the size of the population.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError, ParameterError
from ..intervals.binary_scores import are_binary
from ..intervals.means import Row, check_row_bounds
from ..intervals.methods import METHODS, check_methods, refuse_unused_prior
from ..intervals.sample import scale_of
from ..intervals.variance_prior import VariancePrior, choose_prior, parse_prior_variance
from ..measurement.parser import bounds_of
from ..resampling.seeds import SeedLike, seed_number
from ..results import CalibrationRow, Results
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import (
    Progress,
    as_list,
    check_bounds,
    check_choice,
    check_confidence_level,
    check_count,
)
from .interval_coverage import (
    CoveragePlan,
    DrawFrom,
    Tally,
    count_samples,
    reserve_coverage_memory,
    tally_misses,
)

#: a method is honest if its error exceeds the nominal one by at most this fraction of it, within
#: two Monte Carlo standard errors: a 95 % interval may miss in 6 % of samples
TOLERANCE = 0.2
#: a standard error of at most this fraction of the nominal error decides; 0.0025 of 0.05
PRECISE = 0.05
SMALLEST = 2.0**-500  # scores, relative to their bounds, whose squares do not underflow
#: the methods for unknown sigma
USABLE = [name for name, method in METHODS.items() if not method.needs_sigma]


def calibrate(
    scores: Any,
    n: int | Sequence[int] = (5, 10, 20, 50),
    *,
    methods: Sequence[str] | None = None,
    confidence_levels: Sequence[float] | float = (0.95,),
    n_samples: int = 1000,
    n_resamples: int = 1000,
    replacement: bool = True,
    bounds: tuple[float, float] | None = None,
    prior_variance: Any = None,
    rng: SeedLike = 0,
    progress: Progress | None = None,
) -> Results[CalibrationRow]:
    """Return the actual error rate of each interval method, next to the nominal one.

    Parameters
    ----------
    scores
        A ``ScoreTable`` or what ``read_scores`` takes; its queries are the population.
    n
        Numbers of queries in a sample.
    methods
        Methods to try; by default all that can be used with the measure.
    confidence_levels
        Levels to try.
    n_samples
        The number of samples per system and n.
    n_resamples
        The number of bootstrap resamples per sample.
    replacement
        Draw samples with replacement, as from a large population, or without, as in the papers of
        Park.
    bounds
        The minimum and maximum of a score, for the methods that need them; known for the usual
        measures. For any other measure they are 0 and 1 if all scores are between these.
    prior_variance
        The prior variance of moderated methods: a number, or reference scores, as in
        ``mean_interval``. By default that of the measure in public collections.
    rng
        Seed or generator; the same seed gives the same numbers. None draws a new seed, which the
        result records.
    progress
        Called with the number of samples done and the number of all samples.

    Returns
    -------
    Results of CalibrationRow
        One per measure, n, level and method; ``recommended`` marks the method to use.

    Examples
    --------
    >>> import numpy as np
    >>> skewed = np.random.default_rng(1).beta(0.5, 2, 500)
    >>> rows = calibrate(skewed, 20, methods=["percentile", "studentised"], n_samples=8000,
    ...                  n_resamples=200, rng=1)
    >>> [(row.method, row.verdict) for row in rows]
    [('percentile', 'short'), ('studentised', 'honest')]
    """
    table = as_score_table(scores)
    if len(table.queries) < 2:
        raise DataError("a population to draw from needs at least two queries; got 1")
    sizes = _check_sizes(n, len(table.queries), replacement)
    plan = CoveragePlan(
        _check_methods(methods),
        _check_levels(confidence_levels),
        check_count("n_samples", n_samples, minimum=2),
        check_count("n_resamples", n_resamples, minimum=2),
        seed_number(rng),
    )
    n_tallied = len(table.measures) * len(sizes) * len(table.systems)
    step = count_samples(progress, n_tallied, plan.n_samples)
    bounds = check_bounds(bounds)
    refuse_unused_prior(prior_variance, plan.methods)
    find_prior = choose_prior(parse_prior_variance("prior_variance", prior_variance))
    rows: list[CalibrationRow] = []
    with reserve_coverage_memory(max(sizes), len(table.queries), plan):
        for measure, population in zip(table.measures, table.values, strict=True):
            own_plan = _adapt_plan(plan, measure, population, bounds, methods, find_prior)
            rows += _make_rows(table, measure, population, sizes, own_plan, replacement, step)
    return Results(rows)


def _make_rows(
    table: ScoreTable,
    measure: str,
    population: NDArray[np.float64],
    sizes: Sequence[int],
    plan: CoveragePlan,
    replacement: bool,
    step: Callable[[], None] | None,
) -> Iterator[CalibrationRow]:
    scale = float(scale_of(population.ravel())[0])  # so that squares of widths stay finite
    if plan.bounds:
        scale = max(scale, SMALLEST * float(scale_of(np.array(plan.bounds))[0]))
        plan = replace(plan, bounds=(plan.bounds[0] / scale, plan.bounds[1] / scale))
    draw = DrawFrom(population / scale, replacement=replacement)
    for n in sizes:
        tally = tally_misses(draw, len(population), n, plan, step)
        for k in range(len(plan.confidence_levels)):
            rows = [
                _make_row(table, measure, n, plan, tally, m, k, scale)
                for m in range(len(plan.methods))
            ]
            yield from _mark_recommended(rows)


def _make_row(
    table: ScoreTable,
    measure: str,
    n: int,
    plan: CoveragePlan,
    tally: Tally,
    m: int,
    k: int,
    scale: float,
) -> CalibrationRow:
    level = plan.confidence_levels[k]
    errors = tally.errors[:, m, k]
    error, noise = float(errors.mean()), tally.error_noise(m, k)
    width, width_noise = tally.width(m, k)
    below, above, without = (
        float(counts[:, m, k].mean()) / tally.n_samples
        for counts in (tally.mean_below, tally.mean_above, tally.without)
    )
    return CalibrationRow(
        measure=measure,
        n=n,
        method=plan.methods[m],
        confidence_level=level,
        error=error,
        error_noise=noise,
        below=below,
        above=above,
        without=without,
        width=width * scale,
        width_noise=width_noise * scale,
        interval_score=tally.score(m, k) * scale,
        error_spread=float(errors.std(ddof=1)) if len(errors) > 1 else 0.0,
        worst_error=float(errors.max()),
        worst_system=table.systems[int(errors.argmax())],
        verdict=_verdict(error, noise, 1 - level),
        recommended=False,
        seed=plan.seed,
    )


def _verdict(error: float, noise: float, nominal: float) -> str:
    """Return "short" or "honest" if the simulation decides it, else "unclear"."""
    maximum = nominal * (1 + TOLERANCE)
    if error > maximum + 2 * noise:
        return "short"
    if error <= maximum - 2 * noise or noise <= PRECISE * nominal:
        return "honest"
    return "unclear"


def _mark_recommended(rows: Sequence[CalibrationRow]) -> list[CalibrationRow]:
    """Mark the honest method with the lowest interval score, if there is one."""
    honest = [row for row in rows if row.honest and np.isfinite(row.interval_score)]
    best = min(honest, key=lambda row: row.interval_score, default=None)
    return [replace(row, recommended=row is best) for row in rows]


def _adapt_plan(
    plan: CoveragePlan,
    measure: str,
    population: NDArray[np.float64],
    bounds: tuple[float, float] | None,
    methods: Sequence[str] | None,
    find_prior: Callable[[str, tuple[float, float]], VariancePrior],
) -> CoveragePlan:
    """Return the plan with the bounds and the prior of a measure.

    Where no methods were selected, those that cannot be used are left out: without bounds the
    methods that need them, and methods for proportions unless all scores are 0 or 1.
    """
    bounds = bounds or bounds_of(measure) or _bounds_from_scores(population)
    names = list(plan.methods)
    if bounds is None and methods is None:
        names = [name for name in names if not METHODS[name].needs_bounds]
    if methods is None and not are_binary(population, bounds):
        names = [name for name in names if not METHODS[name].needs_binary]
    for name in names:
        check_row_bounds(Row("all systems", measure, name, bounds), population)
    needs_prior = any(METHODS[name].needs_prior for name in names)
    prior = find_prior(measure, bounds) if bounds and needs_prior else None
    return replace(plan, methods=names, bounds=bounds, prior=prior)


def _bounds_from_scores(population: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return 0 and 1 if all scores are between them, else None."""
    return (0.0, 1.0) if population.min() >= 0 and population.max() <= 1 else None


def measures_bounded_by_scores(
    rows: Sequence[CalibrationRow], bounds: tuple[float, float] | None
) -> list[str]:
    """Return the measures whose bounds were taken from the scores, for a method that needs them."""
    if bounds:
        return []
    measures = dict.fromkeys(row.measure for row in rows if METHODS[row.method].needs_bounds)
    return [measure for measure in measures if bounds_of(measure) is None]


def _check_sizes(n: Any, n_queries: int, replacement: bool) -> list[int]:
    sizes = [check_count("n", size, minimum=2) for size in as_list(n)]
    if not sizes:
        raise ParameterError("n must be one or more numbers of queries; got none")
    if not replacement and max(sizes) > n_queries:
        raise ParameterError(
            f"n must be at most the {n_queries} queries of the table without replacement; got "
            f"{max(sizes)}"
        )
    return sizes


def _check_methods(methods: Sequence[str] | None) -> list[str]:
    chosen = USABLE if methods is None else check_methods(methods)
    for name in chosen:
        check_choice("method", name, USABLE)
    if not chosen:
        raise ParameterError("methods must be one or more names; got none")
    return chosen


def _check_levels(levels: Any) -> list[float]:
    chosen = [check_confidence_level(level) for level in as_list(levels)]
    if not chosen:
        raise ParameterError("confidence_levels must be one or more fractions; got none")
    return chosen
