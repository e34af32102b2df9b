"""How many queries a comparison needs, from the scores of one's own systems.

What decides is the standard deviation of the differences of two systems over queries, and nobody
can guess it: it depends on the measure, the collection and on how alike the systems are. So a plan
starts from scores that are there, of a pilot or of last year's systems. With a baseline there is a
plan for each other system; without one, for the typical pair (median standard deviation of all
pairs) and for the hardest (the largest). One system alone gives a plan for its mean.

Systems whose difference is the same on every query have no spread to plan by; they are left out
with a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparisons.pairs import check_pairs_fit
from ..errors import DataError, DegenerateSampleWarning, ParameterError
from ..intervals.power import (
    detectable_difference,
    expected_half_width,
    queries_for_difference,
    queries_for_half_width,
)
from ..intervals.sample import deviation_of, scale_of
from ..kernels.weighted_sums import multiply_rows
from ..results import QueryPlan, Results, WidthPoint
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import (
    Alternative,
    as_float,
    check_alternative,
    check_confidence_level,
    check_level,
    check_positive,
)

Floats = NDArray[np.float64]

CANCELLED = 1e-4  # a variance this much smaller than its terms has lost digits
VANISHING = 1e-280  # and one this small, of scores scaled to 1
PAIR = 100  # bytes of a pair, whose places, sums and deviation are in arrays
SHOWN = 5  # pairs that a warning names
POINTS = 33  # of a curve over numbers of queries
FEWEST = 5  # a curve begins here, or where the queries at hand are fewer, there
BEYOND = 4  # times as many queries as are at hand, where a curve ends unless a wish lies farther


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
    wish = _Wish(
        as_float(difference), as_float(half_width), float(power), float(confidence_level), side
    )
    table = as_score_table(scores)
    _check_table(table, baseline)
    check_pairs_fit(len(table.systems), 1, baseline, PAIR)
    plans: list[QueryPlan] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        spreads = list(_spreads(table.systems, values, baseline))
        planned = [_plan(table, measure, spread, wish) for spread in spreads if spread.deviation]
        plans += _with_curves(planned)
        _warn_of_equal(measure, [spread for spread in spreads if not spread.deviation])
    if not plans:
        raise DataError("nothing to plan by: no difference or score varies from query to query")
    return Results(plans)


def check_query_plan(
    difference: float | None, half_width: float | None, power: float, confidence_level: float
) -> None:
    """Raise ``ParameterError`` unless each is something to plan by; None is nothing wished for."""
    for name, value in (("difference", difference), ("half_width", half_width)):
        if value is not None:
            check_positive(name, value)
    check_level("power", power)
    check_confidence_level(confidence_level)


@dataclass(frozen=True)
class _Wish:
    """What was asked for."""

    difference: float | None
    half_width: float | None
    power: float
    confidence_level: float
    alternative: Alternative


@dataclass(frozen=True)
class _Spread:
    """The standard deviation of a pair's differences, 0 for a pair to be left out."""

    kind: str
    pair: str
    deviation: float


def _check_table(table: ScoreTable, baseline: str | None) -> None:
    if len(table.queries) < 2:
        raise DataError("a plan needs scores on at least two queries; got 1")
    if baseline is None:
        return
    table.scores(table.measures[0], baseline)  # which names the systems where there is none such
    if len(table.systems) < 2:
        raise ParameterError(f"baseline {baseline!r}: there is no other system to compare with it")


def _spreads(systems: Sequence[str], values: Floats, baseline: str | None) -> Iterator[_Spread]:
    """Standard deviations to plan by; pairs without any among them, each by itself."""
    if len(systems) == 1:
        yield _Spread("mean", systems[0], _deviation(values[0], np.zeros_like(values[0])))
    elif baseline is not None:
        base = values[systems.index(baseline)]
        for system, row in zip(systems, values, strict=True):
            if system != baseline:
                yield _Spread("pair", f"{system} against {baseline}", _deviation(row, base))
    else:
        yield from _all_pairs(systems, values)


def _all_pairs(systems: Sequence[str], values: Floats) -> Iterator[_Spread]:
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
    """Both places of every pair of rows, and the standard deviation of their differences.

    All from one matrix of products. Where rows are so alike that the terms of a variance cancel, it
    is computed from the differences themselves.
    """
    first, second = np.triu_indices(len(values), 1)
    scale = float(scale_of(values.ravel())[0])
    scaled = values / scale
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    products = multiply_rows(centred)
    squares = np.diagonal(products)
    terms = squares[first] + squares[second]
    sums = terms - 2 * products[first, second]
    alike = sums <= np.maximum(CANCELLED * terms, VANISHING)
    deviations = np.sqrt(np.where(alike, 0, sums) / (values.shape[1] - 1)) * scale
    for place in np.flatnonzero(alike).tolist():
        deviations[place] = _deviation(values[first[place]], values[second[place]])
    return first, second, deviations


def _deviation(scores: Floats, others: Floats) -> float:
    """The standard deviation of differences; 0 where only rounding tells them from each other."""
    differences = scores - others
    rounding = 4 * np.finfo(np.float64).eps * max(np.abs(scores).max(), np.abs(others).max())
    if np.ptp(differences) <= rounding:
        return 0.0
    return float(deviation_of(differences))


def _warn_of_equal(measure: str, without: Sequence[_Spread]) -> None:
    """One warning for all that have no spread."""
    if not without:
        return
    what = "score" if without[0].kind == "mean" else "difference"
    named = ", ".join(spread.pair for spread in without[:SHOWN])
    more = f" and {len(without) - SHOWN:,} more" if len(without) > SHOWN else ""
    warnings.warn(
        f"{measure}: the same {what} on every query, so left out of the plan: {named}{more}",
        DegenerateSampleWarning,
        stacklevel=3,
    )


def _plan(table: ScoreTable, measure: str, spread: _Spread, wish: _Wish) -> QueryPlan:
    n, deviation, level = len(table.queries), spread.deviation, wish.confidence_level
    by_difference = by_width = None
    if wish.difference is not None:
        by_difference = queries_for_difference(
            deviation, wish.difference, level, wish.power, wish.alternative
        )
    if wish.half_width is not None:
        by_width = queries_for_half_width(deviation, wish.half_width, level)
    return QueryPlan(
        measure=measure,
        kind=spread.kind,
        pair=spread.pair,
        n=n,
        standard_deviation=deviation,
        confidence_level=level,
        alternative=wish.alternative,
        power=wish.power,
        detectable_difference=detectable_difference(
            deviation, n, level, wish.power, wish.alternative
        ),
        half_width=expected_half_width(deviation, n, level),
        difference=wish.difference,
        queries_for_difference=by_difference,
        wanted_half_width=wish.half_width,
        queries_for_half_width=by_width,
        inputs=table.inputs,
    )


def _with_curves(plans: Sequence[QueryPlan]) -> list[QueryPlan]:
    """From few queries to many, evenly in ratio, through n and to where every wish is met."""
    if not plans:
        return []
    n = plans[0].n
    wished = [(plan.queries_for_difference, plan.queries_for_half_width) for plan in plans]
    most = max(BEYOND * n, *(count or 0 for counts in wished for count in counts))
    sizes = {round(size) for size in np.geomspace(min(FEWEST, n), most, POINTS).tolist()} | {n}
    return [
        replace(plan, curve=tuple(_point(plan, size) for size in sorted(sizes))) for plan in plans
    ]


def _point(plan: QueryPlan, n: int) -> WidthPoint:
    deviation, level = plan.standard_deviation, plan.confidence_level
    shown = detectable_difference(deviation, n, level, plan.power, plan.alternative)
    return WidthPoint(n, shown, expected_half_width(deviation, n, level))
