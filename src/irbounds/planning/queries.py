"""The number of queries that a comparison needs, from the scores of the user's own systems.

It depends on the standard deviation of the differences of two systems over queries. That cannot be
guessed: it depends on the measure, the collection and the similarity of the systems. So a plan
starts from existing scores, of a pilot or of last year's systems. With a baseline there is a plan
for each other system. Without one, there is a plan for the typical pair (median standard deviation
of all pairs) and one for the hardest pair (largest standard deviation). A single system gives a
plan for its mean.

For several systems at once, a plan is for the F test of an analysis of variance, and the difference
is that of the best and the worst system. Such a plan may also start from a given variance.

Systems whose difference is the same on every query have a standard deviation of 0. They are left
out with a warning.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparisons.pairs import check_pairs_fit
from ..errors import DataError, DegenerateSampleWarning, ParameterError
from ..intervals.power import (
    detectable_difference,
    detectable_range,
    expected_half_width,
    queries_for_difference,
    queries_for_half_width,
    queries_for_range,
)
from ..intervals.sample import deviation_of, scale_of
from ..kernels.weighted_sums import multiply_rows
from ..measurement.names import UNNAMED
from ..results import InputFile, QueryPlan, RangePoint, Results, SystemsPlan, WidthPoint
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import (
    Alternative,
    Anova,
    as_float,
    check_alternative,
    check_confidence_level,
    check_count,
    check_level,
    check_positive,
)
from .reliability import compute_mean_squares

Floats = NDArray[np.float64]

CANCELLED = 1e-4  # a variance that is smaller than its terms by this factor has lost digits
VANISHING = 1e-280  # so has a variance below this, of scores scaled to 1
MAX_NAMED = 5  # pairs that a warning names
POINTS = 33  # of a curve over numbers of queries
MIN_QUERIES = 5  # where a curve begins, unless there are fewer queries
BEYOND = 4  # a curve ends at this multiple of the number of queries, or at a target beyond it
RANGE_POINTS = 17  # of a curve for several systems
MAX_SYSTEMS = 10**6  # of a plan for several systems


def plan_queries(
    scores: Any,
    *,
    baseline: str | None = None,
    difference: float | None = None,
    half_width: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Results[QueryPlan]:
    """Return the number of queries that a difference or an interval's width requires.

    Numbers of queries take the standard deviation of the given scores as the true one. Half widths
    are the expected ones of the two-sided Student t interval.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), anything ``read_scores`` takes, or a
        plain sequence of one system's scores.
    baseline
        A system: each other one gets a plan for its difference from this one. By default there is
        one plan for the typical pair of systems and one for the hardest.
    difference
        A true difference of means to detect, greater than 0.
    half_width
        Half the width that an interval of the difference should have.
    power
        The probability of detecting a true difference, by a paired t test at the level.
    confidence_level
        A fraction between 0 and 1.
    alternative
        ``"two-sided"``, or ``"less"`` or ``"greater"`` where only that direction counts. The
        difference has no sign in either case.

    Returns
    -------
    Results of QueryPlan
        What the given queries can detect, ``queries_for_difference`` and
        ``queries_for_half_width``.

    Examples
    --------
    >>> plan, = plan_queries([0.1, 0.5, 0.4, 0.0, 0.2, 0.9], difference=0.1)
    >>> round(plan.detectable_difference, 2), plan.queries_for_difference
    (0.47, 86)
    """
    check_query_plan(difference, half_width, power, confidence_level)
    side = check_alternative(alternative)
    target = _Target(
        as_float(difference), as_float(half_width), float(power), float(confidence_level), side
    )
    table = as_score_table(scores)
    _check_table(table, baseline)
    check_pairs_fit(len(table.systems), 1, baseline)
    plans: list[QueryPlan] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        spreads = list(_find_spreads(table.systems, values, baseline))
        varying = [spread for spread in spreads if spread.deviation]
        plans += _add_curves([_make_plan(table, measure, spread, target) for spread in varying])
        _warn_about_equal(measure, [spread for spread in spreads if not spread.deviation])
    if not plans:
        raise DataError("no plan is possible: no difference or score varies from query to query")
    return Results(plans)


def plan_systems(
    scores: Any = None,
    *,
    n_systems: int,
    variance: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> Results[SystemsPlan]:
    """Return the number of queries that a difference among several systems requires.

    The F test of an analysis of variance is to find that not all systems are equal, where the best
    and the worst differ and all others are halfway between. No other case with this difference is
    harder to detect.

    Parameters
    ----------
    scores
        As for ``plan_queries``; none if there is a variance. The number of systems in them may be
        another one.
    n_systems
        The number of systems to compare, two or more.
    variance
        The variance of a system's scores over queries (one-way), or the residual variance
        (two-way), in place of scores.
    difference
        A true difference of the best and the worst mean to detect, greater than 0.
    power
        The probability of detecting it.
    confidence_level
        A fraction between 0 and 1.

    Returns
    -------
    Results of SystemsPlan
        One for the one-way and one for the two-way analysis, per measure. Scores of one system
        have no residual variance, and give a one-way plan only.

    Examples
    --------
    >>> [(plan.anova, plan.queries_for_difference)
    ...  for plan in plan_systems(n_systems=10, variance=0.0442, difference=0.1)]
    [('one-way', 140), ('two-way', 140)]
    """
    check_query_plan(difference, None, power, confidence_level)
    target = _Target(as_float(difference), None, float(power), float(confidence_level), "two-sided")
    m = _check_systems(n_systems)
    if variance is not None:
        known = check_positive("variance", variance)
        if difference is None:
            raise ParameterError("a plan from a variance needs a difference to detect")
        spreads: dict[Anova, tuple[float, float]] = {"one-way": (known, math.sqrt(known))}
        spreads["two-way"] = spreads["one-way"]
        return Results(_plan_ranges(UNNAMED, None, spreads, m, target, ()))
    table = as_score_table(scores)
    _check_table(table, None)
    plans: list[SystemsPlan] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        spreads = _find_system_spreads(measure, values)
        plans += _plan_ranges(measure, len(table.queries), spreads, m, target, table.inputs)
    if not plans:
        raise DataError("no plan is possible: no score varies from query to query")
    return Results(plans)


def _check_systems(n_systems: Any) -> int:
    m = check_count("n_systems", n_systems, minimum=2)
    if m > MAX_SYSTEMS:
        raise ParameterError(f"n_systems must be at most {MAX_SYSTEMS:,}; got {m:,}")
    return m


def _find_system_spreads(measure: str, values: Floats) -> dict[Anova, tuple[float, float]]:
    """Return variance and standard deviation of the scores of a system, and of the residuals.

    One system has no residuals. What does not vary is left out with a warning.
    """
    squares = compute_mean_squares(values)
    variances: dict[Anova, float] = {"one-way": squares.within_systems}
    if len(values) > 1:
        variances["two-way"] = squares.residual
    spreads: dict[Anova, tuple[float, float]] = {}
    for anova, scaled in variances.items():
        if scaled:
            deviation = math.sqrt(scaled) * squares.scale
            spreads[anova] = squares.restore(measure, scaled), deviation
            continue
        what = "scores" if anova == "one-way" else "differences of systems"
        warnings.warn(
            f"{measure}: the same {what} on every query, so there is no {anova} plan",
            DegenerateSampleWarning,
            stacklevel=3,
        )
    return spreads


def _plan_ranges(
    measure: str,
    n: int | None,
    spreads: Mapping[Anova, tuple[float, float]],
    n_systems: int,
    target: _Target,
    inputs: tuple[InputFile, ...],
) -> list[SystemsPlan]:
    """Return one plan per analysis, with a curve that includes n and every target."""
    level, power, needed = target.confidence_level, target.power, dict[Anova, int]()
    if target.difference is not None:
        needed = {
            anova: queries_for_range(deviation, target.difference, n_systems, level, power, anova)
            for anova, (_, deviation) in spreads.items()
        }
    centre = n or max(needed.values(), default=MIN_QUERIES)
    grid = np.geomspace(
        min(MIN_QUERIES, centre), max(BEYOND * centre, *needed.values(), 2), RANGE_POINTS
    )
    sizes = sorted({round(size) for size in grid.tolist()} | {centre, *needed.values()})
    plans = []
    for anova, (variance, deviation) in spreads.items():
        ranges = {
            size: detectable_range(deviation, size, n_systems, level, power, anova)
            for size in sizes
        }
        plans.append(
            SystemsPlan(
                measure=measure,
                anova=anova,
                n_systems=n_systems,
                n=n,
                variance=variance,
                confidence_level=level,
                power=power,
                detectable_difference=None if n is None else ranges[n],
                difference=target.difference,
                queries_for_difference=needed.get(anova),
                inputs=inputs,
                curve=tuple(RangePoint(size, range_) for size, range_ in ranges.items()),
            )
        )
    return plans


def check_query_plan(
    difference: float | None, half_width: float | None, power: float, confidence_level: float
) -> None:
    """Raise ``ParameterError`` unless each parameter is valid; None means that it is not set."""
    for name, value in (("difference", difference), ("half_width", half_width)):
        if value is not None:
            check_positive(name, value)
    check_level("power", power)
    check_confidence_level(confidence_level)


@dataclass(frozen=True)
class _Target:
    """The difference to detect or the width to reach, and the test or interval."""

    difference: float | None
    half_width: float | None
    power: float
    confidence_level: float
    alternative: Alternative


@dataclass(frozen=True)
class _Spread:
    """The standard deviation of a pair's differences, 0 for a pair that is left out."""

    kind: str
    pair: str
    deviation: float


def _check_table(table: ScoreTable, baseline: str | None) -> None:
    if len(table.queries) < 2:
        raise DataError("a plan needs scores on at least two queries; got 1")
    if baseline is None:
        return
    table.scores(table.measures[0], baseline)  # raises an error that names the systems
    if len(table.systems) < 2:
        raise ParameterError(f"baseline {baseline!r}: there is no other system to compare with it")


def _find_spreads(
    systems: Sequence[str], values: Floats, baseline: str | None
) -> Iterator[_Spread]:
    """Yield the standard deviations to plan with, and one of 0 per pair to leave out."""
    if len(systems) == 1:
        yield _Spread("mean", systems[0], _deviation(values[0], np.zeros_like(values[0])))
    elif baseline is not None:
        base = values[systems.index(baseline)]
        for system, row in zip(systems, values, strict=True):
            if system != baseline:
                yield _Spread("pair", f"{system} against {baseline}", _deviation(row, base))
    else:
        yield from _find_pair_spreads(systems, values)


def _find_pair_spreads(systems: Sequence[str], values: Floats) -> Iterator[_Spread]:
    first, second, deviations = _pair_deviations(values)
    varied = deviations > 0

    def name(place: Any) -> str:
        return f"{systems[first[place]]} and {systems[second[place]]}"

    for place in np.flatnonzero(~varied).tolist():
        yield _Spread("pair", name(place), 0.0)
    n_pairs = np.count_nonzero(varied)
    hardest = int(deviations.argmax())
    if n_pairs == 1:
        yield _Spread("pair", name(hardest), float(deviations[hardest]))
    elif n_pairs:
        middle = float(np.median(deviations[varied]))
        yield _Spread("typical", f"typical of {n_pairs:,} pairs", middle)
        yield _Spread("hardest", f"hardest: {name(hardest)}", float(deviations[hardest]))


def _pair_deviations(values: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Return both places of every pair of rows, and the standard deviation of their differences.

    All are computed from one matrix of products. Where two rows are so similar that the terms of
    the variance cancel, it is computed from the differences.
    """
    first, second = np.triu_indices(len(values), 1)
    scale = float(scale_of(values.ravel())[0])
    scaled = values / scale
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    products = multiply_rows(centred)
    squares = np.diagonal(products)
    terms = squares[first] + squares[second]
    sums = terms - 2 * products[first, second]
    is_cancelled = sums <= np.maximum(CANCELLED * terms, VANISHING)
    deviations = np.sqrt(np.where(is_cancelled, 0, sums) / (values.shape[1] - 1)) * scale
    for place in np.flatnonzero(is_cancelled).tolist():
        deviations[place] = _deviation(values[first[place]], values[second[place]])
    return first, second, deviations


def _deviation(scores: Floats, others: Floats) -> float:
    """Return the standard deviation of differences; 0 where they differ only by rounding."""
    differences = scores - others
    rounding = 4 * np.finfo(np.float64).eps * max(np.abs(scores).max(), np.abs(others).max())
    if np.ptp(differences) <= rounding:
        return 0.0
    return float(deviation_of(differences))


def _warn_about_equal(measure: str, constant: Sequence[_Spread]) -> None:
    """Issue one warning for all pairs with a standard deviation of 0."""
    if not constant:
        return
    kind = "score" if constant[0].kind == "mean" else "difference"
    names = ", ".join(spread.pair for spread in constant[:MAX_NAMED])
    more = f" and {len(constant) - MAX_NAMED:,} more" if len(constant) > MAX_NAMED else ""
    warnings.warn(
        f"{measure}: the same {kind} on every query, so left out of the plan: {names}{more}",
        DegenerateSampleWarning,
        stacklevel=3,
    )


def _make_plan(table: ScoreTable, measure: str, spread: _Spread, target: _Target) -> QueryPlan:
    n, deviation, level = len(table.queries), spread.deviation, target.confidence_level
    by_difference = by_width = None
    if target.difference is not None:
        by_difference = queries_for_difference(
            deviation, target.difference, level, target.power, target.alternative
        )
    if target.half_width is not None:
        by_width = queries_for_half_width(deviation, target.half_width, level)
    return QueryPlan(
        measure=measure,
        kind=spread.kind,
        pair=spread.pair,
        n=n,
        standard_deviation=deviation,
        confidence_level=level,
        alternative=target.alternative,
        power=target.power,
        detectable_difference=detectable_difference(
            deviation, n, level, target.power, target.alternative
        ),
        half_width=expected_half_width(deviation, n, level),
        difference=target.difference,
        queries_for_difference=by_difference,
        wanted_half_width=target.half_width,
        queries_for_half_width=by_width,
        inputs=table.inputs,
    )


def _add_curves(plans: Sequence[QueryPlan]) -> list[QueryPlan]:
    """Return the plans with curves over numbers of queries.

    The numbers are evenly spaced in ratio, include n, and reach every target.
    """
    if not plans:
        return []
    n = plans[0].n
    targets = [(plan.queries_for_difference, plan.queries_for_half_width) for plan in plans]
    maximum = max(BEYOND * n, *(count or 0 for counts in targets for count in counts))
    grid = np.geomspace(min(MIN_QUERIES, n), maximum, POINTS).tolist()
    sizes = {round(size) for size in grid} | {n}
    return [
        replace(plan, curve=tuple(_make_point(plan, size) for size in sorted(sizes)))
        for plan in plans
    ]


def _make_point(plan: QueryPlan, n: int) -> WidthPoint:
    deviation, level = plan.standard_deviation, plan.confidence_level
    difference = detectable_difference(deviation, n, level, plan.power, plan.alternative)
    return WidthPoint(n, difference, expected_half_width(deviation, n, level))
