"""Means of systems with their intervals, all from one bootstrap."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..parameters import Alternative, Progress
from ..resample.blocks import counted
from ..resample.queries import QueryBootstrap, block_of, bootstrap_queries
from ..results import Estimate, InputFile, Limits, interval_at
from .methods import METHODS
from .sample import Sample

__all__ = ["Bounds", "IntervalPlan", "Labelled", "estimate_means"]

Floats = NDArray[np.float64]
Bounds = tuple[float, float]


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
class Labelled:
    """One row of scores: whose they are, by which measure, and the method for their mean."""

    system: str
    measure: str
    scores: Floats
    method: str
    bounds: Bounds | None = None

    @property
    def label(self) -> str:
        """As in warnings."""
        return f"{self.system}, {self.measure}"


def estimate_means(rows: Sequence[Labelled], plan: IntervalPlan) -> tuple[Estimate, ...]:
    """An estimate for each row; rows share their resampled queries."""
    for row in rows:
        _check_bounds(row)
    bootstrap = _bootstrap(rows, plan)
    return tuple(
        _estimate(row, _sample(row, k, bootstrap, plan), plan) for k, row in enumerate(rows)
    )


def _bootstrap(rows: Sequence[Labelled], plan: IntervalPlan) -> QueryBootstrap | None:
    methods = [METHODS[row.method] for row in rows]
    if not any(method.needs_bootstrap for method in methods):
        return None
    n_blocks = -(-plan.n_resamples // block_of(len(rows[0].scores)))
    return bootstrap_queries(
        np.array([row.scores for row in rows]),
        plan.n_resamples,
        plan.seed,
        standard_errors=any(method.needs_bootstrap_errors for method in methods),
        progress=counted(plan.progress, n_blocks),
    )


def _sample(
    row: Labelled, place: int, bootstrap: QueryBootstrap | None, plan: IntervalPlan
) -> Sample:
    method = METHODS[row.method]
    errors = bootstrap.standard_errors if bootstrap else None
    return Sample(
        row.scores,
        bootstrap_means=bootstrap.means[place] if bootstrap and method.needs_bootstrap else None,
        bootstrap_errors=errors[place] if errors is not None else None,
        sigma=_sigma_of(row.system, plan.sigma) if method.needs_sigma else None,
        bounds=row.bounds,
    )


def _estimate(row: Labelled, sample: Sample, plan: IntervalPlan) -> Estimate:
    limits = METHODS[row.method].fit(sample)
    for sentence in _sentences(sample, limits, plan.confidence_level, plan.alternative):
        warnings.warn(f"{row.label}: {sentence}", DegenerateSampleWarning, stacklevel=5)
    return Estimate(
        system=row.system,
        measure=row.measure,
        value=float(sample.mean),
        interval=interval_at(limits, plan.confidence_level, plan.alternative),
        standard_error=float(sample.standard_error),
        n=sample.n,
        limits=limits,
        distribution=sample.bootstrap_means,
        seed=plan.seed if sample.bootstrap_means is not None else None,
        n_dropped=int(getattr(limits, "n_dropped", 0)),
        inputs=plan.inputs,
    )


def _sentences(
    sample: Sample, limits: Limits, confidence_level: float, alternative: Alternative
) -> Iterator[str]:
    """What is wrong with an interval, if anything."""
    interval = interval_at(limits, confidence_level, alternative)
    if np.isnan(interval.low):
        yield f"no interval, {_reason(sample)}"
    elif alternative == "two-sided" and not np.isfinite(interval.half_width):
        yield f"an infinite end: {sample.n} queries are too few for {limits.method} at this level"


def _reason(sample: Sample) -> str:
    if sample.n < 2:
        return "one query alone has no spread"
    if sample.is_constant:
        return f"all {sample.n} scores are {sample.scores[0]:g}"
    return "all bootstrap means lie on one side of the mean or at a bound"


def _check_bounds(row: Labelled) -> None:
    if not METHODS[row.method].needs_bounds:
        return
    if row.bounds is None:
        raise ParameterError(
            f"method {row.method!r} needs bounds, the lowest and highest value of a score, such as "
            f"bounds=(0, 1); they are not known for {row.measure!r}"
        )
    low, high = row.bounds
    for value in (row.scores.min(), row.scores.max()):
        if not low <= value <= high:
            raise ParameterError(
                f"bounds {low:g} to {high:g} must hold every score; {row.label} has {value:g}"
            )


def _sigma_of(system: str, sigma: Any) -> float:
    if sigma is None:
        raise ParameterError(
            "method 'normal' needs sigma, the known standard deviation of scores; where it is not "
            "known, 'student-t' estimates it"
        )
    value = sigma.get(system) if isinstance(sigma, Mapping) else sigma
    if value is None:
        raise ParameterError(f"sigma has no value for system {system!r}")
    if not (isinstance(value, int | float) and np.isfinite(value) and value > 0):
        raise ParameterError(f"sigma must be a number greater than 0; got {value!r}")
    return float(value)
