"""All comparisons of one measure: intervals, tests, adjustment."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning
from ..intervals.estimates import IntervalPlan, Labelled, estimate_means
from ..intervals.methods import METHODS
from ..intervals.power import detectable_difference
from ..measurement.parser import bounds_of
from ..results import Comparison, Estimate
from ..validation import Progress
from .adjustments import ADJUSTMENTS
from .max_statistic import max_statistic
from .memory import most_signs
from .pairs import AT_ONCE, CHUNK, Pairs
from .plan import Plan, PValues
from .tests_of_difference import TESTS

Floats = NDArray[np.float64]


class Tested(NamedTuple):
    """What is known of a pair besides its interval."""

    p_value: float
    drawn: bool
    adjusted_p_value: float
    n_comparisons: int


def compare_family(
    pairs: Pairs, plan: Plan, *, keep_distributions: bool = True
) -> Iterator[Comparison]:
    """Every pair's comparison."""
    estimates = _estimates(pairs, plan, keep_distributions)
    p = TESTS[plan.test](pairs, plan)
    adjusted = _adjusted(pairs, p, plan)
    counted = len(pairs)
    if plan.adjustment != "max-statistic":
        counted = int(np.count_nonzero(~np.isnan(p.values)))  # what has no p-value is no test
    for k, (names, estimate) in enumerate(zip(pairs.names(), estimates, strict=True)):
        if plan.progress and k and not k % AT_ONCE:
            plan.progress(k, len(pairs))
        tested = Tested(float(p.values[k]), bool(p.drawn[k]), float(adjusted[k]), counted)
        scores = pairs.scores[pairs.first[k]], pairs.scores[pairs.second[k]]
        yield _comparison(names, estimate, tested, plan, pairs.queries, scores)


def _adjusted(pairs: Pairs, p: PValues, plan: Plan) -> Floats:
    if plan.adjustment == "max-statistic":
        return max_statistic(pairs, plan)
    adjusted = ADJUSTMENTS[plan.adjustment](p.values)
    _warn_of_too_few_draws(pairs, p, adjusted, plan)
    return adjusted


def _comparison(
    names: tuple[str, str],
    estimate: Estimate,
    tested: Tested,
    plan: Plan,
    queries: tuple[str, ...],
    scores: tuple[Floats, Floats],
) -> Comparison:
    spread = estimate.standard_error * sqrt(estimate.n)
    resampled = (
        estimate.seed is not None
        or plan.adjustment == "max-statistic"
        or (tested.drawn and plan.test == "bootstrap")
    )
    n_draws = plan.n_signs if plan.test == "sign-flip" else plan.n_resamples
    return Comparison(
        measure=estimate.measure,
        system=names[0],
        baseline=names[1],
        value=estimate.value,
        interval=estimate.interval,
        standard_error=estimate.standard_error,
        n=estimate.n,
        effect_size=float(np.float64(estimate.value) / spread),  # NaN where there is no spread
        test=plan.test,
        alternative=plan.alternative,
        p_value=tested.p_value,
        adjustment=plan.adjustment,
        adjusted_p_value=tested.adjusted_p_value,
        n_comparisons=tested.n_comparisons,
        detectable_difference=detectable_difference(
            spread, estimate.n, plan.confidence_level, plan.power, plan.alternative
        ),
        power=plan.power,
        limits=estimate.limits,
        distribution=estimate.distribution,
        n_draws=n_draws if tested.drawn else None,
        n_resamples=plan.n_resamples if resampled else None,
        seed=plan.seed if resampled or tested.drawn else None,
        inputs=plan.inputs,
        queries=queries,
        scores=scores,
    )


def _estimates(pairs: Pairs, plan: Plan, keep_distributions: bool) -> list[Estimate]:
    """The mean difference of every pair with its interval, chunk by chunk."""
    method = METHODS[plan.method]
    # means, their standard errors, and both sorted
    wide = 4 * plan.n_resamples if method.needs_bootstrap else CHUNK // AT_ONCE
    chunks = pairs.chunks(wide)
    estimates: list[Estimate] = []
    for k, part in enumerate(chunks):
        wanted = IntervalPlan(
            plan.confidence_level,
            plan.alternative,
            plan.n_resamples,
            plan.seed,
            inputs=plan.inputs,
            progress=_part_of(plan.progress, k, len(chunks)),
        )
        for estimate in estimate_means(_rows(pairs, part, plan), wanted):
            # a copy, so that the chunk's other arrays can go
            kept = np.array(estimate.distribution) if estimate.distribution is not None else None
            estimates.append(replace(estimate, distribution=kept if keep_distributions else None))
        if plan.progress and not method.needs_bootstrap and len(chunks) > 1:
            plan.progress(len(estimates), len(pairs))
    return estimates


def _rows(pairs: Pairs, part: slice, plan: Plan) -> list[Labelled]:
    low, high = plan.bounds or bounds_of(pairs.measure) or (np.nan, np.nan)
    bounds = None if np.isnan(low) else (low - high, high - low)
    return [
        Labelled(
            f"{system} minus {baseline}",
            pairs.measure,
            plan.method,
            bounds,
            "differences",
            scores=row,
        )
        for (system, baseline), row in zip(pairs.names(part), pairs.differences(part), strict=True)
    ]


def _part_of(progress: Progress | None, part: int, n_parts: int) -> Progress | None:
    """Progress of one of several equal parts, told as progress of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, n_parts * total)


def _warn_of_too_few_draws(pairs: Pairs, p: PValues, adjusted: Floats, plan: Plan) -> None:
    """Say where more draws could find what these cannot."""
    draws = plan.n_signs if plan.test == "sign-flip" else plan.n_resamples
    least = 1 / (1 + draws)
    level = round(1 - plan.confidence_level, 12)
    stuck = p.drawn & (p.values <= least) & (adjusted > level)
    if plan.adjustment == "none" or not stuck.any():
        return
    enough = ceil(len(pairs) / level)
    more = f"n_resamples of {enough:,}, " if enough <= most_signs([pairs]) else ""
    warnings.warn(
        f"{pairs.measure}: p-values that are the least that {draws:,} draws can give, "
        f"and yet above {level:.3g} when adjusted for {len(pairs):,} comparisons: "
        f"{int(stuck.sum()):,}; {more}test 't' or adjustment 'max-statistic' can tell more",
        DegenerateSampleWarning,
        stacklevel=6,
    )
