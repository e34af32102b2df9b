"""``difference_interval``: systems compared on the same queries, with intervals and tests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..intervals.means import IntervalPlan, ScoredRow, estimate_means
from ..intervals.methods import METHODS
from ..measurement.parser import bounds_of
from ..resampling.seeds import SeedLike, seed_number
from ..results import Comparison, Estimate, GroupComparison, InputFile, Results
from ..results.evaluation import best_first
from ..results.group_comparisons import ALL
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import (
    Alternative,
    Progress,
    check_alternative,
    check_bounds,
    check_choice,
    check_confidence_level,
    check_count,
)
from .adjustments import ADJUSTMENTS
from .pairs import AT_ONCE, CHUNK, Pairs, Plan, check_pairs_fit, pair_systems
from .tests_of_difference import TESTS, adjust_all_pairs

Floats = NDArray[np.float64]
#: comparisons that are adjusted together: those of one measure, in each group of queries
Family = Sequence[Pairs]

#: methods whose inputs differences have: not a known sigma, a prior variance, or scores of 0 and 1
DIFFERENCE_METHODS = [
    name
    for name, method in METHODS.items()
    if not (method.needs_sigma or method.needs_prior or method.needs_binary)
]
MIN_NONZERO = 4  # differences other than 0; with fewer, intervals miss too often
TESTS_OF_SIGNS = ("sign-flip", "wilcoxon")  # p is at least that of differences with the same sign


def difference_interval(
    scores: Any,
    *,
    baseline: str | None = None,
    method: str = "student-t",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: SeedLike = 0,
    alternative: Alternative = "two-sided",
    test: str = "t",
    adjustment: str = "holm",
    bounds: tuple[float, float] | None = None,
    progress: Progress | None = None,
) -> Results[Comparison]:
    """Return mean differences between systems on the same queries, with intervals and tests.

    Where the differences allow no interval, its ends are NaN and a ``DegenerateSampleWarning``
    gives the reason. The interval and ``p_value`` are those of one pair; ``adjusted_p_value``
    allows for all comparisons of the measure.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), or anything ``read_scores`` takes;
        at least two systems.
    baseline
        The system that all others are compared with, as system - baseline. By default all pairs
        are compared, the better system first.
    method
        Of those of ``mean_interval`` ``"student-t"``, ``"logit-t"``, ``"studentised-logit"``,
        ``"bca"`` and ``"percentile"``.
    confidence_level
        A fraction between 0 and 1.
    n_resamples
        The number of bootstrap resamples, for the methods that draw them.
    rng
        Seed or generator, as in scipy. The same seed gives the same bits on any number of threads.
        None draws a new seed, which the result names.
    alternative
        Of interval and test: ``"two-sided"``, or with a baseline ``"greater"`` (than it) or
        ``"less"``.
    test
        ``"t"``, ``"sign-flip"`` (exact up to 30 differences other than 0, else within limits) or
        ``"wilcoxon"``.
    adjustment
        ``"holm"``, ``"benjamini-hochberg"`` or ``"none"``.
    bounds
        The minimum and maximum of a score, for ``"logit-t"`` and ``"studentised-logit"``; known for
        the usual measures.
    progress
        Called with the amount of work done and the amount of the present step.

    Returns
    -------
    Results of Comparison
        One per measure and pair.

    Examples
    --------
    >>> import pandas as pd
    >>> old, new = [0.1, 0.4, 0.3, 0.0, 0.2], [0.3, 0.5, 0.3, 0.2, 0.5]
    >>> table = {"AP": pd.DataFrame({"old": old, "new": new})}
    >>> comparison, = difference_interval(table, baseline="old")
    >>> round(comparison.value, 3), [round(end, 3) for end in comparison.interval]
    (0.16, [0.018, 0.302])
    >>> round(comparison.p_value, 3)
    0.035
    """
    check_sides(check_alternative(alternative), baseline)
    table = as_score_table(scores)
    plan = make_plan(
        table.inputs,
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
        alternative=alternative,
        test=test,
        adjustment=adjustment,
        bounds=bounds,
        progress=progress,
    )
    check_pairs_fit(len(table.systems), len(table.measures), baseline)
    families = pair_systems(table, baseline)
    return Results(row for pairs in families for row in compare_family([pairs], plan))


def make_plan(
    inputs: tuple[InputFile, ...],
    *,
    method: Any,
    confidence_level: Any,
    n_resamples: Any,
    rng: SeedLike,
    alternative: Any,
    test: Any,
    adjustment: Any,
    bounds: Any,
    progress: Progress | None,
) -> Plan:
    """Return the options of comparisons, checked."""
    if isinstance(method, str) and method == "normal":
        raise ParameterError(
            "method 'normal' needs a known standard deviation, and that of differences is never "
            "known; 'student-t' estimates it"
        )
    if isinstance(method, str) and method in METHODS.keys() - DIFFERENCE_METHODS:
        raise ParameterError(
            f"method {method!r} is for means of scores, not for their differences; use 'student-t'"
        )
    check_choice("method", method, DIFFERENCE_METHODS)
    check_choice("test", test, TESTS)
    check_choice("adjustment", adjustment, ADJUSTMENTS)
    return Plan(
        method,
        check_bounds(bounds),
        check_confidence_level(confidence_level),
        check_alternative(alternative),
        test,
        adjustment,
        check_count("n_resamples", n_resamples),
        seed_number(rng),
        inputs,
        progress,
    )


def check_sides(alternative: Alternative, baseline: str | None) -> None:
    """Raise ``ParameterError`` for a one-sided test of pairs whose order the scores decide."""
    if alternative != "two-sided" and baseline is None:
        raise ParameterError(
            f"alternative {alternative!r} needs a baseline: without one the scores decide which "
            "system of a pair comes first, and a one-sided test would not be valid"
        )


def compare_with_best(
    table: ScoreTable, estimates: Sequence[Estimate], baseline: str | None = None, **options: Any
) -> Results[Comparison]:
    """Return the differences of all systems from the baseline, or by each measure from the best.

    The scores decide which system is the best, so that p-values are adjusted for all pairs.
    """
    if len(table.systems) < 2:
        return Results()
    if baseline is not None:
        return difference_interval(table, baseline=baseline, **options)
    comparisons: list[Comparison] = []
    for pairs in pair_systems(table, None):
        measure = pairs.measure
        best = min((row for row in estimates if row.measure == measure), key=best_first).system
        adjusted = adjust_all_pairs(pairs, options.get("progress"))
        n_tests = int(np.count_nonzero(~np.isnan(adjusted[pairs.first, pairs.second])))
        for_best = dict(
            zip(table.systems, adjusted[table.systems.index(best)].tolist(), strict=True)
        )
        for row in difference_interval(table.select([measure]), baseline=best, **options):
            p = for_best[row.system]
            limits = {"adjusted_p_low": p, "adjusted_p_high": p}
            comparisons.append(replace(row, adjusted_p_value=p, n_comparisons=n_tests, **limits))
    return Results(comparisons)


def compare_family(family: Family, plan: Plan) -> Iterator[Comparison]:
    """Return the comparison of every pair of a family: interval, test, adjustment."""
    _warn_of_few_differences(family, plan)
    estimates = [row for pairs in family for row in _estimate_differences(pairs, plan)]
    low, p, high = np.concatenate([TESTS[plan.test](pairs, plan) for pairs in family], axis=1)
    adjust = ADJUSTMENTS[plan.adjustment]
    # adjustments rise with every p-value, so that adjusted limits are limits of the adjusted
    adjusted, adjusted_low, adjusted_high = adjust(p), adjust(low), adjust(high)
    n = len(estimates)
    n_tests = int(np.count_nonzero(~np.isnan(p)))  # a pair without p-value is not tested
    places = ((pairs, place) for pairs in family for place in range(len(pairs)))
    for k, ((pairs, place), estimate) in enumerate(zip(places, estimates, strict=True)):
        if plan.progress and k and not k % AT_ONCE:
            plan.progress(k, n)
        system, baseline = int(pairs.first[place]), int(pairs.second[place])
        spread = estimate.standard_error * sqrt(estimate.n)
        make = Comparison if pairs.group is None else partial(GroupComparison, group=pairs.group)
        yield make(
            measure=estimate.measure,
            system=pairs.systems[system],
            baseline=pairs.systems[baseline],
            value=estimate.value,
            interval=estimate.interval,
            standard_error=estimate.standard_error,
            n=estimate.n,
            effect_size=float(np.float64(estimate.value) / spread),  # NaN where there is no spread
            test=plan.test,
            alternative=plan.alternative,
            p_value=float(p[k]),
            adjustment=plan.adjustment,
            adjusted_p_value=float(adjusted[k]),
            adjusted_p_low=float(adjusted_low[k]),
            adjusted_p_high=float(adjusted_high[k]),
            n_comparisons=n_tests,
            limits=estimate.limits,
            n_resamples=plan.n_resamples if METHODS[plan.method].needs_bootstrap else None,
            seed=estimate.seed,
            inputs=plan.inputs,
            queries=pairs.queries,
            scores=(pairs.scores[system], pairs.scores[baseline]),
        )


def _estimate_differences(pairs: Pairs, plan: Plan) -> Iterator[Estimate]:
    """Return the mean difference of every pair with its interval, computed in chunks."""
    needs_bootstrap = METHODS[plan.method].needs_bootstrap
    chunks = pairs.chunks(2 * plan.n_resamples if needs_bootstrap else CHUNK // AT_ONCE)
    low, high = plan.bounds or bounds_of(pairs.measure) or (np.nan, np.nan)
    bounds = None if np.isnan(low) else (low - high, high - low)
    in_group = "" if pairs.group in (None, ALL) else f" in {pairs.group}"
    for k, part in enumerate(chunks):
        rows = [
            ScoredRow(
                f"{system} minus {baseline}{in_group}",
                pairs.measure,
                plan.method,
                bounds,
                content="differences",
                scores=differences,
            )
            for (system, baseline), differences in zip(
                pairs.names(part), pairs.differences(part), strict=True
            )
        ]
        progress = _scale_progress(plan.progress, k, len(chunks))
        level, side = plan.confidence_level, plan.alternative
        interval_plan = IntervalPlan(
            level, side, plan.n_resamples, plan.seed, inputs=plan.inputs, progress=progress
        )
        for estimate in estimate_means(rows, interval_plan):
            yield replace(estimate, distribution=None)  # that of all pairs takes much memory
        if progress and not needs_bootstrap:
            progress(1, 1)


def _scale_progress(progress: Progress | None, part: int, n_parts: int) -> Progress | None:
    """Return the progress function of one of several equal parts of the work."""
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, n_parts * total)


def _warn_of_few_differences(family: Family, plan: Plan) -> None:
    """Warn of pairs with so few differences other than 0 that interval or test cannot be right."""
    nonzero = np.concatenate(
        [
            np.count_nonzero(pairs.differences(part), axis=1)
            for pairs in family
            for part in pairs.chunks()
        ]
    )
    sizes = np.repeat([pairs.n for pairs in family], [len(pairs) for pairs in family])
    few = int(np.count_nonzero((nonzero > 0) & (nonzero < np.minimum(MIN_NONZERO, sizes))))
    if few:
        _warn_of_family(
            family,
            f"{few:,} of {len(nonzero):,} comparisons have fewer than {MIN_NONZERO} "
            "differences other than 0, and their intervals miss the true difference too often; use "
            "more queries, or a measure with fewer equal scores",
        )
    if plan.test not in TESTS_OF_SIGNS:
        return
    # p where all differences have the same sign
    adjust, n_sides = ADJUSTMENTS[plan.adjustment], 2 if plan.alternative == "two-sided" else 1
    smallest = adjust(np.minimum(n_sides * 0.5**nonzero, 1.0))
    impossible = int(np.count_nonzero((smallest > plan.level) & (nonzero > 0)))
    if impossible:
        every = np.ones(len(nonzero))
        needed = next(
            k for k in range(1, 1100) if adjust(every * n_sides * 0.5**k)[0] <= plan.level
        )
        _warn_of_family(
            family,
            f"the {plan.test} test cannot find a difference at {plan.level:.3g} in {impossible:,} "
            f"of {len(nonzero):,} comparisons: it takes {needed} differences other than 0; use "
            "test 't' or more queries",
        )


def _warn_of_family(family: Family, message: str) -> None:
    warnings.warn(f"{family[0].measure}: {message}", DegenerateSampleWarning, stacklevel=5)
