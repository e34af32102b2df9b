"""``difference_interval``: systems compared on the same queries, with intervals and tests.

Every comparison is a result with its interval. A bootstrap interval stores its sorted bootstrap
means too, so that another level needs no new draws. Where these are few, they are also stored in
the order drawn.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..intervals.means import IntervalPlan, ScoredRow, estimate_means
from ..intervals.methods import METHODS
from ..intervals.power import detectable_difference
from ..measurement.parser import bounds_of
from ..presentation.rounding import error_level
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
    check_level,
)
from .adjustments import ADJUSTMENTS
from .pairs import AT_ONCE, CHUNK, Pairs, Plan, PValues, check_pairs_fit, pair_systems
from .sign_flip import is_grid_affordable
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
DRAWS = 9_999  # by default
MAX_DRAWS = 10_000_000  # by default: seconds for some systems
MAX_SIGNS = 1 << 26  # random signs of all systems by default, 512 MiB
MAX_COPIED = 1 << 24  # numbers that are also stored in the order drawn, 128 MiB
MIN_NONZERO = 4  # differences other than 0; with fewer, intervals miss too often
TESTS_OF_SIGNS = ("sign-flip", "wilcoxon")  # p is at least that of differences with the same sign


def difference_interval(
    scores: Any,
    *,
    baseline: str | None = None,
    method: str = "student-t",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: SeedLike = 0,
    alternative: Alternative = "two-sided",
    test: str = "t",
    adjustment: str = "holm",
    power: float = 0.8,
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
        ``"studentised"``, ``"bca"``, ``"percentile"`` and ``"basic"``.
    confidence_level
        A fraction between 0 and 1.
    n_resamples
        The number of random draws. By default 9,999 for bootstrap methods and the bootstrap test.
        The sign-flip test draws nothing unless a number is given or the table is very large.
    rng
        Seed or generator, as in scipy. The same seed gives the same bits on any number of threads.
        None draws a new seed, which the result names.
    alternative
        Of interval and test: ``"two-sided"``, or with a baseline ``"greater"`` (than it) or
        ``"less"``.
    test
        ``"t"``, ``"sign-flip"`` (exact up to 30 differences other than 0, else within limits),
        ``"wilcoxon"`` or ``"bootstrap"``.
    adjustment
        ``"holm"``, ``"benjamini-hochberg"`` or ``"none"``.
    power
        The power of ``detectable_difference``, the smallest true difference that a single t test of
        this many queries detects with this probability.
    bounds
        The minimum and maximum of a score, for ``"studentised-logit"``; known for the usual
        measures.
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
    check_comparison(method, confidence_level, alternative, test, adjustment, power, baseline)
    table = as_score_table(scores)
    check_pairs_fit(len(table.systems), len(table.measures), baseline)
    families = [(pairs,) for pairs in pair_systems(table, baseline)]
    plan = plan_comparisons(
        families,
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
        alternative=alternative,
        test=test,
        adjustment=adjustment,
        power=power,
        bounds=bounds,
        inputs=table.inputs,
        progress=progress,
    )
    return Results(compare_families(families, plan))


def plan_comparisons(
    families: Sequence[Family],
    *,
    method: str,
    confidence_level: float,
    n_resamples: int | None,
    rng: SeedLike,
    alternative: Alternative,
    test: str,
    adjustment: str,
    power: float,
    bounds: tuple[float, float] | None,
    inputs: tuple[InputFile, ...],
    progress: Progress | None,
) -> Plan:
    """Return the options of the comparisons of some families."""
    draws = None if n_resamples is None else check_count("n_resamples", n_resamples)
    return Plan(
        method,
        check_bounds(bounds),
        float(confidence_level),
        check_alternative(alternative),
        test,
        adjustment,
        float(power),
        draws or DRAWS,
        draws or _count_signs(families[0], adjustment, float(confidence_level)),
        seed_number(rng),
        inputs,
        progress,
    )


def compare_families(families: Sequence[Family], plan: Plan) -> Iterator[Comparison]:
    """Return the comparisons of all families, each adjusted for its own number."""
    stores_distributions = _fit_distributions(families, plan)
    for family in families:
        yield from compare_family(family, plan, stores_distributions)


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


def check_comparison(
    method: Any,
    confidence_level: Any,
    alternative: Any,
    test: Any,
    adjustment: Any,
    power: Any,
    baseline: Any,
) -> None:
    """Raise ``ParameterError`` for options that are wrong whatever the scores are."""
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
    check_confidence_level(confidence_level)
    check_choice("test", test, TESTS)
    check_choice("adjustment", adjustment, ADJUSTMENTS)
    check_level("power", power)
    check_sides(check_alternative(alternative), baseline)


def check_sides(alternative: Alternative, baseline: str | None) -> None:
    """Raise ``ParameterError`` for a one-sided test of pairs whose order the scores decide."""
    if alternative != "two-sided" and baseline is None:
        raise ParameterError(
            f"alternative {alternative!r} needs a baseline: without one the scores decide which "
            "system of a pair comes first, and a one-sided test would not be valid"
        )


def _count_signs(family: Family, adjustment: str, confidence_level: float) -> int | None:
    """Return the number of random signs; None where the test draws none.

    There are enough that a p-value can survive the adjustment. Signs are cheap, since they are the
    same for all pairs.
    """
    if _is_on_grid(family):
        return None
    if adjustment not in ("holm", "benjamini-hochberg"):
        return DRAWS
    enough = min(ceil(_count_pairs(family) / error_level(confidence_level)), MAX_DRAWS)
    return min(max(DRAWS, enough), _max_signs(family))


def _is_on_grid(family: Family) -> bool:
    return is_grid_affordable(_count_pairs(family), max(pairs.n for pairs in family))


def _count_pairs(family: Family) -> int:
    return sum(map(len, family))


def _max_signs(family: Family) -> int:
    return MAX_SIGNS // len(family[0].systems)


def _fit_distributions(families: Sequence[Family], plan: Plan) -> bool:
    """Return whether bootstrap means are few enough to be stored in the order drawn too."""
    n = sum(map(_count_pairs, families)) * plan.n_resamples
    return n <= MAX_COPIED


class _Outcome(NamedTuple):
    """The outcome of the test of a pair."""

    p_value: float
    drawn: bool
    adjusted_p_value: float
    adjusted_p_low: float
    adjusted_p_high: float
    n_comparisons: int


def compare_family(family: Family, plan: Plan, stores_distributions: bool) -> Iterator[Comparison]:
    """Return the comparison of every pair of a family: interval, test, adjustment."""
    _warn_of_few_differences(family, plan)
    estimates = [
        estimate
        for pairs in family
        for estimate in _estimate_differences(pairs, plan, stores_distributions)
    ]
    p = PValues.join([TESTS[plan.test](pairs, plan) for pairs in family])
    adjust = ADJUSTMENTS[plan.adjustment]
    adjusted = PValues(adjust(p.values), p.drawn, adjust(p.low), adjust(p.high))
    _warn_of_too_few_draws(family, p, adjusted.values, plan)
    n = _count_pairs(family)
    n_tests = int(np.count_nonzero(~np.isnan(p.values)))  # a pair without p-value is not tested
    places = ((pairs, place) for pairs in family for place in range(len(pairs)))
    for k, ((pairs, place), estimate) in enumerate(zip(places, estimates, strict=True)):
        if plan.progress and k and not k % AT_ONCE:
            plan.progress(k, n)
        outcome = _Outcome(
            float(p.values[k]),
            bool(p.drawn[k]),
            float(adjusted.values[k]),
            float(adjusted.low[k]),
            float(adjusted.high[k]),
            n_tests,
        )
        yield _make_comparison(pairs, place, estimate, outcome, plan)


def _make_comparison(
    pairs: Pairs, place: int, estimate: Estimate, outcome: _Outcome, plan: Plan
) -> Comparison:
    system, baseline = int(pairs.first[place]), int(pairs.second[place])
    spread = estimate.standard_error * sqrt(estimate.n)
    resampled = estimate.seed is not None or (outcome.drawn and plan.test == "bootstrap")
    n_draws = plan.n_signs if plan.test == "sign-flip" else plan.n_resamples
    make = Comparison if pairs.group is None else partial(GroupComparison, group=pairs.group)
    return make(
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
        p_value=outcome.p_value,
        adjustment=plan.adjustment,
        adjusted_p_value=outcome.adjusted_p_value,
        adjusted_p_low=outcome.adjusted_p_low,
        adjusted_p_high=outcome.adjusted_p_high,
        n_comparisons=outcome.n_comparisons,
        detectable_difference=detectable_difference(
            spread, estimate.n, plan.confidence_level, plan.power, plan.alternative
        ),
        power=plan.power,
        limits=estimate.limits,
        distribution=estimate.distribution,
        n_draws=n_draws if outcome.drawn else None,
        n_resamples=plan.n_resamples if resampled else None,
        seed=plan.seed if resampled or outcome.drawn else None,
        inputs=plan.inputs,
        queries=pairs.queries,
        scores=(pairs.scores[system], pairs.scores[baseline]),
    )


def _estimate_differences(pairs: Pairs, plan: Plan, stores_distributions: bool) -> list[Estimate]:
    """Return the mean difference of every pair with its interval, computed in chunks."""
    method = METHODS[plan.method]
    # means, their standard errors, and both sorted
    width = 4 * plan.n_resamples if method.needs_bootstrap else CHUNK // AT_ONCE
    chunks = pairs.chunks(width)
    estimates: list[Estimate] = []
    for k, part in enumerate(chunks):
        interval_plan = IntervalPlan(
            plan.confidence_level,
            plan.alternative,
            plan.n_resamples,
            plan.seed,
            inputs=plan.inputs,
            progress=_scale_progress(plan.progress, k, len(chunks)),
        )
        for estimate in estimate_means(_difference_rows(pairs, part, plan), interval_plan):
            distribution = None
            if stores_distributions and estimate.distribution is not None:
                distribution = np.array(estimate.distribution)  # a copy frees the chunk's arrays
            estimates.append(replace(estimate, distribution=distribution))
        if plan.progress and not method.needs_bootstrap and len(chunks) > 1:
            plan.progress(len(estimates), len(pairs))
    return estimates


def _difference_rows(pairs: Pairs, part: slice, plan: Plan) -> list[ScoredRow]:
    low, high = plan.bounds or bounds_of(pairs.measure) or (np.nan, np.nan)
    bounds = None if np.isnan(low) else (low - high, high - low)
    in_group = "" if pairs.group in (None, ALL) else f" in {pairs.group}"
    return [
        ScoredRow(
            f"{system} minus {baseline}{in_group}",
            pairs.measure,
            plan.method,
            bounds,
            content="differences",
            scores=row,
        )
        for (system, baseline), row in zip(pairs.names(part), pairs.differences(part), strict=True)
    ]


def _scale_progress(progress: Progress | None, part: int, n_parts: int) -> Progress | None:
    """Return the progress function of one of several equal parts of the work."""
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, n_parts * total)


def _warn_of_too_few_draws(family: Family, p: PValues, adjusted: Floats, plan: Plan) -> None:
    """Warn where more draws could detect differences that these cannot."""
    draws = plan.n_signs if plan.test == "sign-flip" else plan.n_resamples
    if draws is None:
        return
    smallest = 1 / (1 + draws)
    level = plan.level
    undecided = p.drawn & (p.values <= smallest) & (adjusted > level)
    if plan.adjustment == "none" or not undecided.any():
        return
    n = _count_pairs(family)
    enough = ceil(n / level)
    more = f"n_resamples of {enough:,}, " if enough <= _max_signs(family) else ""
    if plan.test == "sign-flip" and _is_on_grid(family):
        more = f"the default n_resamples, which draws nothing, {more}"
    warnings.warn(
        f"{family[0].measure}: {draws:,} draws are too few for {int(undecided.sum()):,} of "
        f"{n:,} comparisons: their p-values are the smallest possible, and above "
        f"{level:.3g} when adjusted; use {more}test 't'",
        DegenerateSampleWarning,
        stacklevel=5,
    )


def _warn_of_few_differences(family: Family, plan: Plan) -> None:
    """Warn of pairs with so few differences other than 0 that interval or test cannot be right."""
    parts = [
        np.count_nonzero(pairs.differences(part), axis=1)
        for pairs in family
        for part in pairs.chunks()
    ]
    nonzero = np.concatenate(parts)
    sizes = np.repeat([pairs.n for pairs in family], [len(pairs) for pairs in family])
    few = (nonzero > 0) & (nonzero < np.minimum(MIN_NONZERO, sizes))
    if few.any():
        _warn_of_family(
            family,
            f"{int(few.sum()):,} of {len(few):,} comparisons have fewer than {MIN_NONZERO} "
            "differences other than 0, and their intervals miss the true difference too often; use "
            "more queries, or a measure with fewer equal scores",
        )
    if plan.test in TESTS_OF_SIGNS:
        _warn_of_impossible_findings(family, nonzero, plan)


def _warn_of_impossible_findings(family: Family, nonzero: NDArray[np.intp], plan: Plan) -> None:
    """Warn where p would be above the level even if all differences had the same sign."""
    adjust = ADJUSTMENTS[plan.adjustment]
    n_sides = 2 if plan.alternative == "two-sided" else 1
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
    warnings.warn(f"{family[0].measure}: {message}", DegenerateSampleWarning, stacklevel=7)
