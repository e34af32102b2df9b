"""``difference_interval``: systems compared on the same queries, with intervals and tests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import DegenerateSampleWarning, ParameterError
from ..intervals.means import IntervalPlan, ScoredRow, estimate_means
from ..intervals.methods import METHODS
from ..measurement.parser import bounds_of
from ..presentation.phrases import join_names
from ..reading.query_groups import read_groups
from ..resampling.seeds import SeedLike, seed_number
from ..results import Comparison, Estimate, GroupComparison, Results
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
from .group_differences import place_groups
from .pairs import CHUNK, Pairs, check_pairs_fit, pair_systems
from .tests_of_difference import TESTS, adjust_all_pairs

Floats = NDArray[np.float64]

#: methods whose inputs differences have: not a known sigma, a prior variance, or scores of 0 and 1
DIFFERENCE_METHODS = [
    name
    for name, method in METHODS.items()
    if not (method.needs_sigma or method.needs_prior or method.needs_binary)
]
MIN_NONZERO = 4  # differences other than 0; with fewer, intervals miss too often
PAIRS = 1 << 12  # between two reports of progress


@dataclass(frozen=True, kw_only=True)
class Plan(IntervalPlan):
    """The options of a comparison, checked."""

    method: str
    #: the minimum and maximum of a score, if given
    bounds: tuple[float, float] | None
    test: str
    adjustment: str


def difference_interval(
    scores: Any,
    *,
    baseline: str | None = None,
    groups: Any = None,
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
    groups
        The group of each query: a dict, or a frame or a file with a column of queries and one of
        groups. Pairs are then compared within each group too, in the order that they have on all
        queries; p-values are adjusted for all pairs and groups of a measure.
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
        One per measure and pair; with groups ``GroupComparison``, one per measure, pair and group.

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
    check_choice("method", method, DIFFERENCE_METHODS)
    check_choice("test", test, TESTS)
    check_choice("adjustment", adjustment, ADJUSTMENTS)
    table = as_score_table(scores)
    plan = Plan(
        confidence_level=check_confidence_level(confidence_level),
        alternative=alternative,
        n_resamples=check_count("n_resamples", n_resamples),
        seed=seed_number(rng),
        inputs=table.inputs,
        progress=progress,
        method=method,
        bounds=check_bounds(bounds),
        test=test,
        adjustment=adjustment,
    )
    places = {} if groups is None else place_groups(read_groups(groups)[0], table.queries)
    n_families = len(table.measures) * (1 + len(places))
    check_pairs_fit(len(table.systems), n_families, baseline)
    if single := [name for name, members in places.items() if len(members) == 1]:
        warnings.warn(
            f"groups of one query have no interval and no t test: {join_names(single)}",
            DegenerateSampleWarning,
            stacklevel=2,
        )
    comparisons: list[Comparison] = []
    for pairs in pair_systems(table, baseline):
        if not places:
            comparisons += _compare_family([pairs], plan)
            continue
        whole = list(_compare_family([pairs.select(range(pairs.n), ALL)], plan))
        within = [pairs.select(members, name) for name, members in places.items()]
        with warnings.catch_warnings():  # there is one warning for all of them
            warnings.filterwarnings("ignore", ".*: no interval, a single query")
            rows = list(_compare_family(within, plan))
        for k in sorted(range(len(whole)), key=lambda k: -whole[k].value):
            comparisons += [whole[k], *rows[k :: len(whole)]]
    return Results(comparisons)


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


def _compare_family(family: Sequence[Pairs], plan: Plan) -> Iterator[Comparison]:
    """Yield the comparison of every pair of a family: interval, test, adjustment.

    A family are the comparisons that are adjusted together: those of one measure, in each group.
    """
    _warn_of_few_differences(family)
    estimates = [row for pairs in family for row in _estimate_differences(pairs, plan)]
    test, adjust = TESTS[plan.test], ADJUSTMENTS[plan.adjustment]
    low, p, high = np.concatenate(
        [test(pairs, plan.alternative, plan.progress) for pairs in family], axis=1
    )
    # adjustments rise with every p-value, so that adjusted limits are limits of the adjusted
    adjusted, adjusted_low, adjusted_high = adjust(p), adjust(low), adjust(high)
    n_tests = int(np.count_nonzero(~np.isnan(p)))  # a pair without p-value is not tested
    places = ((pairs, place) for pairs in family for place in range(len(pairs)))
    for k, ((pairs, place), estimate) in enumerate(zip(places, estimates, strict=True)):
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
            scores=(pairs.scores[system], pairs.scores[baseline]),
        )


def _estimate_differences(pairs: Pairs, plan: Plan) -> Iterator[Estimate]:
    """Yield the mean difference of every pair with its interval, computed in chunks."""
    needs_bootstrap = METHODS[plan.method].needs_bootstrap
    chunks = pairs.chunks(2 * plan.n_resamples if needs_bootstrap else CHUNK // PAIRS)
    low, high = plan.bounds or bounds_of(pairs.measure) or (np.nan, np.nan)
    bounds = None if np.isnan(low) else (low - high, high - low)
    in_group = "" if pairs.group in (None, ALL) else f" in {pairs.group}"
    for k, part in enumerate(chunks):
        progress = _scale_progress(plan.progress, k, len(chunks))
        rows = [
            ScoredRow(
                f"{pairs.systems[system]} minus {pairs.systems[baseline]}{in_group}",
                pairs.measure,
                plan.method,
                bounds,
                content="differences",
                scores=differences,
            )
            for system, baseline, differences in zip(
                pairs.first[part], pairs.second[part], pairs.differences(part), strict=True
            )
        ]
        for estimate in estimate_means(rows, replace(plan, progress=progress)):
            yield replace(estimate, distribution=None)  # that of all pairs takes much memory
        if progress and not needs_bootstrap:
            progress(1, 1)


def _scale_progress(progress: Progress | None, part: int, n_parts: int) -> Progress | None:
    """Return the progress function of one of several equal parts of the work."""
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, n_parts * total)


def _warn_of_few_differences(family: Sequence[Pairs]) -> None:
    """Warn of pairs with so few differences other than 0 that the interval misses too often."""
    few = 0
    for pairs in family:
        for part in pairs.chunks():
            nonzero = np.count_nonzero(pairs.differences(part), axis=1)
            few += int(np.count_nonzero((nonzero > 0) & (nonzero < min(MIN_NONZERO, pairs.n))))
    if few:
        warnings.warn(
            f"{family[0].measure}: {few:,} of {sum(map(len, family)):,} comparisons have fewer "
            f"than {MIN_NONZERO} differences other than 0, and their intervals miss the true "
            "difference too often; use more queries, or a measure with fewer equal scores",
            DegenerateSampleWarning,
            stacklevel=4,
        )
