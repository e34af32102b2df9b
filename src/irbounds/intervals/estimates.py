"""Means of systems with their intervals, all from one bootstrap."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..parallel.work import count_progress
from ..resampling.queries import QueryBootstrap, bootstrap_queries, unit_of
from ..results import Estimate, InputFile, Interval, Results
from ..results.interval import Limits, compute_interval
from ..validation import Alternative, Progress, check_positive
from .memory import check_estimates_fit
from .methods import METHODS
from .sample import AnySample, Sample

Floats = NDArray[np.float64]
Bounds = tuple[float, float]

MANY_DROPPED = 0.01  # share of bootstrap means without a logit from which on it is said


@dataclass(frozen=True)
class IntervalPlan:
    """What was asked for, checked."""

    confidence_level: float
    alternative: Alternative
    n_resamples: int
    seed: int
    #: one standard deviation for all, or one for each system
    sigma: float | Mapping[str, float] | None = None
    inputs: tuple[InputFile, ...] = ()
    progress: Progress | None = None


@dataclass(frozen=True)
class Asked:
    """One row that is asked for: whose scores, by which measure, and the method for their mean."""

    system: str
    measure: str
    method: str
    bounds: Bounds | None = None
    #: what the numbers are, in words
    what: str = "scores"

    @property
    def label(self) -> str:
        """As in warnings."""
        return f"{self.system}, {self.measure}"


@dataclass(frozen=True, kw_only=True)
class Labelled(Asked):
    """One row with its scores."""

    scores: Floats


def estimate_means(rows: Sequence[Labelled], plan: IntervalPlan) -> Results[Estimate]:
    """An estimate for each row; all share their resampled queries.

    Rows of one system and measure are the same scores by several methods.
    """
    for row in rows:
        check_bounded(row, row.scores)
    groups: dict[tuple[str, str], list[Labelled]] = {}
    for row in rows:
        groups.setdefault((row.system, row.measure), []).append(row)
    methods = [[row.method for row in group] for group in groups.values()]
    check_estimates_fit(methods, plan.n_resamples)
    bootstrap = _bootstrap(list(groups.values()), plan)
    samples = {
        key: _sample(group, place, bootstrap, plan)
        for place, (key, group) in enumerate(groups.items())
    }
    return Results(estimate_of(row, samples[row.system, row.measure], plan) for row in rows)


def _bootstrap(groups: Sequence[Sequence[Labelled]], plan: IntervalPlan) -> QueryBootstrap | None:
    methods = [METHODS[row.method] for group in groups for row in group]
    if not any(method.needs_bootstrap for method in methods):
        return None
    scores = [group[0].scores for group in groups]
    unit = unit_of(len(scores[0]))
    return bootstrap_queries(
        scores,
        plan.n_resamples,
        plan.seed,
        standard_errors=any(method.needs_bootstrap_errors for method in methods),
        progress=count_progress(plan.progress, plan.n_resamples, step=unit),
    )


def _sample(
    group: Sequence[Labelled], place: int, bootstrap: QueryBootstrap | None, plan: IntervalPlan
) -> Sample:
    row = group[0]
    errors = bootstrap.standard_errors if bootstrap else None
    needs_sigma = any(METHODS[one.method].needs_sigma for one in group)
    return Sample(
        row.scores,
        bootstrap_means=bootstrap.means[place] if bootstrap else None,
        bootstrap_errors=errors[place] if errors is not None else None,
        sigma=sigma_of(row.system, plan.sigma) if needs_sigma else None,
        bounds=row.bounds,
    )


def estimate_of(row: Asked, sample: AnySample, plan: IntervalPlan) -> Estimate:
    """A row's mean and interval; a warning where there is something to say of it."""
    method = METHODS[row.method]
    limits = method.fit(sample)
    interval = compute_interval(limits, plan.confidence_level, plan.alternative)
    trouble = _trouble(sample, interval, limits, row.what)
    if trouble:
        warnings.warn(f"{row.label}: {trouble}", DegenerateSampleWarning, stacklevel=5)
    n_dropped = int(getattr(limits, "n_dropped", 0))
    return Estimate(
        system=row.system,
        measure=row.measure,
        value=float(sample.mean),
        interval=interval,
        standard_error=float(sample.standard_error),
        n=sample.n,
        limits=limits,
        distribution=sample.bootstrap_means if method.needs_bootstrap else None,
        seed=plan.seed if method.needs_bootstrap else None,
        n_dropped=n_dropped + sample.n_empty if method.needs_bootstrap else 0,
        weights=sample.weights if method.needs_bootstrap else None,
        inputs=plan.inputs,
    )


def _trouble(sample: AnySample, interval: Interval, limits: Limits, what: str) -> str:
    """What is wrong with an interval, if anything."""
    if np.isnan(interval.low):
        return f"no interval, {_reason(sample, what)}"
    if sample.n > 1 and np.isnan(sample.standard_error) and not sample.is_constant:
        return f"no standard error, {_reason(sample, what)}"
    ends = {"two-sided": (interval.low, interval.high), "less": (interval.high,)}
    if not np.isfinite(ends.get(interval.alternative, (interval.low,))).all():
        few = f"{sample.n} queries are too few for {interval.method} at this level"
        return f"an infinite end: {few}"
    dropped = int(getattr(limits, "n_dropped", 0))
    if sample.bootstrap_means is not None and dropped > MANY_DROPPED * sample.bootstrap_means.size:
        return (
            f"{dropped:,} of {sample.bootstrap_means.size:,} bootstrap means are at a bound and "
            "left out: the interval is likely too short"
        )
    return ""


def _reason(sample: AnySample, what: str) -> str:
    if sample.n < 2:
        return "one query alone has no spread"
    if sample.is_constant:
        return f"all {sample.n} {what} are {float(sample.mean):g}"
    if np.isnan(sample.standard_error):
        return f"the {sample.n} {what} differ by less than double precision can tell"
    return (
        "the bootstrap means are all equal, on one side of the mean, at a bound or without spread"
    )


def check_bounded(row: Asked, scores: Floats) -> None:
    """Raise unless a method that needs bounds has some that hold every score, but for rounding."""
    if not METHODS[row.method].needs_bounds:
        return
    if row.bounds is None:
        raise ParameterError(
            f"method {row.method!r} needs bounds, the lowest and highest value of a score, such as "
            f"bounds=(0, 1); they are not known for {row.measure!r}"
        )
    low, high = row.bounds
    rounding = 1e-9 * (high - low)
    for value in (float(scores.min()), float(scores.max())):
        if not low - rounding <= value <= high + rounding:
            raise ParameterError(
                f"bounds {low:g} to {high:g} must hold every score; {row.label} has {value:g}"
            )


def sigma_of(system: str, sigma: Any) -> float:
    """The known standard deviation of a system's scores."""
    if sigma is None:
        raise ParameterError(
            "method 'normal' needs sigma, the known standard deviation of scores; where it is not "
            "known, 'student-t' estimates it"
        )
    value = sigma.get(system) if isinstance(sigma, Mapping) else sigma
    if value is None:
        raise ParameterError(f"sigma has no value for system {system!r}")
    return check_positive("sigma", value)
