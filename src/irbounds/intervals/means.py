"""``mean_interval``: the mean of every system and measure with its interval.

An estimate stores its bootstrap means, and most methods store them sorted too, so that another
level needs no new draws.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..measurement.parser import bounds_of, is_binary
from ..parallel import count_progress
from ..resampling.query_bootstrap import bootstrap_queries, unit_of
from ..resampling.seeds import SeedLike, seed_number
from ..results import Estimate, InputFile, Interval, Results
from ..results.interval import Limits, compute_interval
from ..scores.score_input import as_score_table
from ..scores.score_table import find_outside
from ..validation import (
    Alternative,
    Progress,
    check_alternative,
    check_bounds,
    check_confidence_level,
    check_count,
    check_positive,
)
from .binary_scores import are_binary
from .methods import METHODS, check_methods, refuse_unused_prior
from .sample import Sample, is_at_bound
from .variance_prior import VariancePrior, choose_prior, parse_prior_variance

Floats = NDArray[np.float64]
Bounds = tuple[float, float]

MANY_DROPPED = 0.01  # fraction of bootstrap means without a logit above which a warning is given
#: methods that store the bootstrap means in rising order, one array for all of them
SORTING = ("percentile", "bca")


def mean_interval(
    scores: Any,
    *,
    method: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
    alternative: Alternative = "two-sided",
    bounds: tuple[float, float] | None = None,
    sigma: float | Mapping[str, float] | None = None,
    prior_variance: Any = None,
    progress: Progress | None = None,
) -> Results[Estimate]:
    """Return the mean over queries of every measure and system, with its interval.

    Where the scores allow no interval, its ends are NaN and a ``DegenerateSampleWarning`` gives the
    reason.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), anything ``read_scores`` takes, or a
        plain sequence of one system's scores. A mapping names the measures: ``{"AP": "ap.csv"}``.
    method
        ``"moderated-wilson"``, ``"logit-t"``, ``"student-t"``, ``"clopper-pearson"``,
        ``"studentised-logit"``, ``"bca"``, ``"percentile"`` or ``"normal"``. By default
        ``"moderated-wilson"`` where the bounds of the measure are known or given, since its error
        rate is nominal or less with few queries too (docs/validation/calibration.md),
        ``"clopper-pearson"`` for measures that are 0 or 1 by definition (Success@k, P@1), else
        ``"student-t"``. A list gives an estimate per method, all from the same resamples.
    confidence_level
        A fraction between 0 and 1.
    n_resamples
        The number of bootstrap resamples, for the methods that draw them.
    rng
        Seed or generator, as in scipy. The same seed gives the same bits on any number of threads.
        None draws a new seed, which the result names.
    alternative
        ``"two-sided"``, or a one-sided interval: ``"less"`` bounds the mean from above,
        ``"greater"`` from below.
    bounds
        The minimum and maximum of the measure, for methods that stay between them; known for the
        usual measures.
    sigma
        The known standard deviation of scores, for ``"normal"``: a number, or one per system.
    prior_variance
        For moderated methods: the variance of scores relative to the largest possible one,
        m (1 - m), as a number above 0 and at most 1; or reference scores to take it from, as
        ``read_scores`` takes them. By default that of the measure in public collections.
    progress
        Called with the number of resamples that are done and of all.

    Returns
    -------
    Results of Estimate
        One per measure, method and system: ``value`` is the mean, ``interval`` its interval,
        ``seed`` the seed of its resamples.

    Examples
    --------
    >>> estimate, = mean_interval([0.1, 0.5, 0.4, 0.0, 0.2, 0.9], method="student-t")
    >>> round(estimate.value, 3), round(estimate.interval.low, 3), round(estimate.interval.high, 3)
    (0.35, 0.007, 0.693)
    >>> round(estimate.at(0.5).interval.low, 3)
    0.253
    """
    table = as_score_table(scores)
    confidence_level = check_confidence_level(confidence_level)
    plan = IntervalPlan(
        confidence_level,
        check_alternative(alternative),
        check_count("n_resamples", n_resamples),
        seed_number(rng),
        sigma,
        table.inputs,
        progress,
    )
    methods = check_methods(method)
    if sigma is not None and "normal" not in methods:
        raise ParameterError("sigma is for method 'normal' only; any other estimates it")
    fixed_bounds = check_bounds(bounds)
    find_prior = cache(choose_prior(parse_prior_variance("prior_variance", prior_variance)))

    def choose_methods(measure: str, own_scores: Floats) -> list[MethodChoice]:
        measure_bounds = fixed_bounds or bounds_of(measure)
        # the prior variances are of scores of single queries
        default = (
            "student-t" if table.are_tasks else default_method(measure, measure_bounds, own_scores)
        )
        names = methods or [default]
        return [
            MethodChoice(
                name,
                measure_bounds,
                find_prior(measure, measure_bounds)
                if measure_bounds and METHODS[name].needs_prior
                else None,
            )
            for name in names
        ]

    rows = [
        ScoredRow(system, measure, *choice, scores=values)
        for measure, by_system in zip(table.measures, table.values, strict=True)
        for place in range(len(methods) or 1)
        for system, values in zip(table.systems, by_system, strict=True)
        for choice in choose_methods(measure, values)[place : place + 1]
    ]
    refuse_unused_prior(prior_variance, [row.method for row in rows])
    return estimate_means(rows, plan)


def default_method(measure: str, bounds: Bounds | None, scores: Floats) -> str:
    """Return the method whose error rate is nominal on the scores of real systems.

    A measure of 0 and 1 has other scores in a table of averages; those of one system decide.
    """
    if is_binary(measure) and are_binary(scores, bounds):
        return "clopper-pearson"
    return "student-t" if bounds is None else "moderated-wilson"


class MethodChoice(NamedTuple):
    """A method for a measure, with the bounds and the prior that it uses."""

    method: str
    bounds: Bounds | None
    prior: VariancePrior | None


@dataclass(frozen=True)
class IntervalPlan:
    """The options of an interval, checked."""

    confidence_level: float
    alternative: Alternative
    n_resamples: int
    seed: int
    #: one standard deviation for all systems, or one per system
    sigma: float | Mapping[str, float] | None = None
    inputs: tuple[InputFile, ...] = ()
    progress: Progress | None = None


@dataclass(frozen=True)
class Row:
    """A row of the result: a system, a measure, and the method of the interval."""

    system: str
    measure: str
    method: str
    bounds: Bounds | None = None
    prior: VariancePrior | None = None
    #: the word for the numbers in warnings
    content: str = "scores"

    @property
    def label(self) -> str:
        """Label in warnings."""
        return f"{self.system}, {self.measure}"


@dataclass(frozen=True, kw_only=True)
class ScoredRow(Row):
    """A row with its scores."""

    scores: Floats


def estimate_means(rows: Sequence[ScoredRow], plan: IntervalPlan) -> Results[Estimate]:
    """Return an estimate for each row, all from the same resampled queries.

    Rows of one system and measure are the same scores with several methods.
    """
    for row in rows:
        check_row_bounds(row, row.scores)
    groups: dict[tuple[str, str], list[ScoredRow]] = {}
    for row in rows:
        groups.setdefault((row.system, row.measure), []).append(row)
    bootstrap = _bootstrap_groups(list(groups.values()), plan)
    samples = {
        key: _make_sample(group, place, bootstrap, plan)
        for place, (key, group) in enumerate(groups.items())
    }
    return Results(make_estimate(row, samples[row.system, row.measure], plan) for row in rows)


def _bootstrap_groups(groups: Sequence[Sequence[ScoredRow]], plan: IntervalPlan) -> Floats | None:
    methods = [METHODS[row.method] for group in groups for row in group]
    if not any(method.needs_bootstrap for method in methods):
        return None
    scores = [group[0].scores for group in groups]
    unit = unit_of(len(scores[0]))
    return bootstrap_queries(
        scores,
        plan.n_resamples,
        plan.seed,
        progress=count_progress(plan.progress, plan.n_resamples, step=unit),
    )


def _make_sample(
    group: Sequence[ScoredRow], place: int, bootstrap: Floats | None, plan: IntervalPlan
) -> Sample:
    first = group[0]
    needs_sigma = any(METHODS[row.method].needs_sigma for row in group)
    return Sample(
        first.scores,
        bootstrap_means=None if bootstrap is None else bootstrap[place],
        sigma=find_sigma(first.system, plan.sigma) if needs_sigma else None,
        bounds=first.bounds,
        prior=next((row.prior for row in group if row.prior), None),
    )


def make_estimate(row: Row, sample: Sample, plan: IntervalPlan) -> Estimate:
    """Return the mean and interval of a row; warn where the interval is missing or doubtful."""
    method = METHODS[row.method]
    limits = method.fit(sample)
    interval = compute_interval(limits, plan.confidence_level, plan.alternative)
    problem = _describe_problem(sample, interval, limits, row.content)
    if problem:
        warnings.warn(f"{row.label}: {problem}", DegenerateSampleWarning, stacklevel=5)
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
        n_dropped=int(getattr(limits, "n_dropped", 0)),
        inputs=plan.inputs,
    )


def _describe_problem(sample: Sample, interval: Interval, limits: Limits, content: str) -> str:
    """Return the problem with an interval; empty if there is none."""
    if np.isnan(interval.low):
        return f"no interval, {_reason(sample, content, limits.method)}"
    if sample.n > 1 and np.isnan(sample.standard_error) and not sample.is_constant:
        return f"no standard error, {_reason(sample, content, limits.method)}"
    if METHODS[limits.method].needs_prior and sample.is_constant:
        return f"{_reason(sample, content, limits.method)}: {_describe_source(sample)}"
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


def _describe_source(sample: Sample) -> str:
    """Return where the interval of equal scores comes from."""
    if is_at_bound(sample):
        return "the limit holds for scores of any distribution between the bounds"
    return "the interval comes from the prior variance of the measure, not from these scores"


def _reason(sample: Sample, content: str, method: str) -> str:
    if sample.n < 2:
        return "a single query has no spread"
    if sample.is_constant:
        return f"all {sample.n} {content} are {float(sample.mean):g}"
    if np.isnan(sample.standard_error):
        return f"the {sample.n} {content} differ by less than the resolution of double precision"
    if not METHODS[method].needs_bootstrap:
        return "the mean is at a bound"
    return (
        "the bootstrap means are all equal, on one side of the mean, at a bound or without spread"
    )


def check_row_bounds(row: Row, scores: Floats) -> None:
    """Raise ``ParameterError`` unless a method that needs bounds has them, around every score.

    Methods for proportions need scores that are all at a bound.
    """
    if METHODS[row.method].needs_binary and not are_binary(scores, row.bounds):
        low, high = row.bounds or (0.0, 1.0)
        other = float(scores[(scores != low) & (scores != high)][0])
        raise ParameterError(
            f"method {row.method!r} is for scores that are all {low:g} or {high:g}; {row.label} "
            f"has {other:g}"
        )
    if not METHODS[row.method].needs_bounds:
        return
    if row.bounds is None:
        raise ParameterError(
            f"method {row.method!r} needs bounds, the minimum and maximum of a score, such as "
            f"bounds=(0, 1); they are not known for {row.measure!r}"
        )
    outside = find_outside(scores, row.bounds)
    if outside.any():
        low, high = row.bounds
        raise ParameterError(
            f"bounds {low:g} to {high:g} must include every score; {row.label} has "
            f"{scores[outside][0]:g}"
        )


def find_sigma(system: str, sigma: Any) -> float:
    """Return the known standard deviation of a system's scores."""
    if sigma is None:
        raise ParameterError(
            "method 'normal' needs sigma, the known standard deviation of scores; if it is not "
            "known, use 'student-t', which estimates it"
        )
    value = sigma.get(system) if isinstance(sigma, Mapping) else sigma
    if value is None:
        raise ParameterError(f"sigma has no value for system {system!r}")
    return check_positive("sigma", value)
