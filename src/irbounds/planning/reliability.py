"""Reliability of a test collection by generalisability theory, and the queries that it requires.

The scores of a measure are a two-way table without replication: the score of system s on query q
is a mean plus an effect of the system, an effect of the query and a residual. The mean squares of
the table give the three variances. With n queries

    Erho2 = s2_systems / (s2_systems + s2_residual / n)
    Phi   = s2_systems / (s2_systems + (s2_queries + s2_residual) / n)

Erho2 is the reliability of differences of systems, which all answer the same queries. Phi is that
of their means as absolute numbers, to which the difficulty of the queries adds.

Both coefficients depend on one ratio of variances: n r / (1 + n r). An interval of the ratio gives
those of the coefficients for any n, and those of the number of queries for any reliability. The
interval of Feldt (1965) for Erho2 is exact, that of Arteaga, Jeyaratnam and Franklin (1982) for
Phi is approximate. Both assume that effects and residuals are normal and independent. Scores are
not (docs/validation/error-rates.md has coverage on real scores).

References: Brennan (2001), chapters 2 and 6; Urbano, Marrero and Martin (2013).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError, DegenerateSampleWarning
from ..intervals.sample import scale_of
from ..presentation.phrases import pluralise
from ..results import (
    Interval,
    Reliability,
    ReliabilityPlan,
    RequiredQueries,
    VarianceComponent,
)
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import as_list, check_confidence_level, check_count, check_level

Floats = NDArray[np.float64]

ROUNDING = 8 * float(np.finfo(np.float64).eps)  # of a mean, a residual or odds, relative
FENCE = 1.5  # quartile distances below the lower quartile, beyond which a mean is far off
MIN_PER_SYSTEM = 2  # queries, with fewer of which intervals were too short
POINTS = 33  # of a curve over numbers of queries
BEYOND = 4  # a curve ends at this multiple of the number of queries, or at a larger request
MAX_BEYOND = 100  # multiples of the number of queries that a curve shows at most


@dataclass(frozen=True)
class MeanSquares:
    """The mean squares of a table of systems and queries, of scores divided by ``scale``."""

    systems: float
    queries: float
    residual: float
    n_systems: int
    n_queries: int
    scale: float = 1.0

    @property
    def of_systems(self) -> float:
        """The variance of systems; negative where their means differ less than by chance."""
        return (self.systems - self.residual) / self.n_queries

    @property
    def of_queries(self) -> float:
        """The variance of queries; negative where their means differ less than by chance."""
        return (self.queries - self.residual) / self.n_systems

    @property
    def within_systems(self) -> float:
        """The variance of the scores of a system over queries, on average over systems."""
        return (self.queries + (self.n_systems - 1) * self.residual) / self.n_systems

    def restore(self, measure: str, variance: float) -> float:
        """Return a variance of the scores as they are given, without the scale."""
        restored = variance * self.scale * self.scale
        if math.isinf(restored):
            raise DataError(f"{measure}: the scores are too large to compute a variance")
        return restored


def compute_mean_squares(values: Floats) -> MeanSquares:
    """Return the mean squares of a table (system x query); 0 for what only rounding makes.

    The table has two queries or more. With one system only the scores within it vary.
    """
    n_systems, n_queries = values.shape
    scale = float(scale_of(values.ravel())[0])
    scaled = values / scale
    rounding = ROUNDING * float(np.abs(scaled).max())

    def square(deviations: Floats) -> float:
        if float(np.abs(deviations).max()) <= rounding:
            return 0.0
        return float(np.square(deviations).sum())

    mean = float(scaled.mean())
    of_systems, of_queries = scaled.mean(axis=1) - mean, scaled.mean(axis=0) - mean
    residuals = scaled - mean - of_systems[:, None] - of_queries
    df = max(n_systems - 1, 1)
    return MeanSquares(
        n_queries * square(of_systems) / df,
        n_systems * square(of_queries) / (n_queries - 1),
        square(residuals) / (df * (n_queries - 1)),
        n_systems,
        n_queries,
        scale,
    )


def plan_reliability(
    scores: Any,
    *,
    n_queries: Sequence[int] | int | None = None,
    reliability: Sequence[float] | float = 0.95,
    confidence_level: float = 0.95,
) -> ReliabilityPlan:
    """Return the reliability of queries, and how many of them a reliability requires.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), or anything ``read_scores`` takes,
        with two systems and two queries or more.
    n_queries
        Further numbers of queries whose reliability is computed.
    reliability
        Reliabilities to reach, between 0 and 1.
    confidence_level
        A fraction between 0 and 1.

    Returns
    -------
    ReliabilityPlan
        A tuple of the rows of ``coefficients``, ``required`` and ``variances``.

    Examples
    --------
    >>> scores = {"a": [0.1, 0.5, 0.4, 0.2, 0.3, 0.4], "b": [0.3, 0.9, 0.6, 0.4, 0.7, 0.5]}
    >>> plan = plan_reliability({**scores, "c": [0.4, 0.7, 0.9, 0.5, 0.8, 0.6]}, reliability=0.9)
    >>> [(row.coefficient, round(row.value, 2)) for row in plan.coefficients]
    [('Erho2', 0.95), ('Phi', 0.83)]
    >>> [(row.coefficient, row.value) for row in plan.required]
    [('Erho2', 4), ('Phi', 11)]
    """
    level = check_confidence_level(confidence_level)
    sizes = [] if n_queries is None else [check_count("n_queries", n) for n in as_list(n_queries)]
    targets = [check_level("reliability", target) for target in as_list(reliability)]
    table = as_score_table(scores)
    _check_table(table)
    sizes = list(dict.fromkeys((len(table.queries), *sizes)))
    coefficients: list[Reliability] = []
    variances: list[VarianceComponent] = []
    for measure, values in zip(table.measures, table.values, strict=True):
        squares = compute_mean_squares(values)
        if squares.systems == squares.residual == 0:
            _warn(f"{measure}: all systems have the same scores, so left out of the plan")
            continue
        _warn_about_negative(measure, squares)
        _warn_about_intervals(measure, values)
        variances += _list_components(measure, squares)
        for ratio in find_ratios(squares, level):
            coefficients += _list_coefficients(measure, table, ratio, sizes, targets)
    if not coefficients:
        raise DataError("no plan is possible: no system differs from another on any query")
    required = dict.fromkeys(row for coefficient in coefficients for row in coefficient.required)
    return ReliabilityPlan((*coefficients, *required, *variances))


def _check_table(table: ScoreTable) -> None:
    for what, n in (("systems", len(table.systems)), ("queries", len(table.queries))):
        if n < 2:
            raise DataError(f"a plan needs at least two {what}; got {n}")


def _warn_about_negative(measure: str, squares: MeanSquares) -> None:
    """Issue a warning for each variance whose estimate is negative."""
    for name, variance in (("systems", squares.of_systems), ("queries", squares.of_queries)):
        if variance < 0:
            _warn(
                f"{measure}: the estimated variance of {name} is negative and set to 0: their "
                "means differ less than the residuals explain"
            )


def _warn_about_intervals(measure: str, values: Floats) -> None:
    """Issue a warning where intervals were too short (docs/validation/error-rates.md)."""
    n_systems, n_queries = values.shape
    if n_queries < MIN_PER_SYSTEM * n_systems:
        _warn(
            f"{measure}: fewer than two queries per system ({n_systems:,} systems, {n_queries:,} "
            "queries): intervals may be too short, because similar systems err on the same queries"
        )
    means = values.mean(axis=1)
    lower, upper = np.quantile(means, (0.25, 0.75))
    n_low = int(np.count_nonzero(means < lower - FENCE * (upper - lower)))
    if n_low:
        _warn(
            f"{measure}: {pluralise(n_low, 'system')} far below the others: reliability is larger "
            "with them, and its intervals may be too short; compare with a plan without them"
        )


def _warn(text: str) -> None:
    warnings.warn(text, DegenerateSampleWarning, stacklevel=4)


@dataclass(frozen=True)
class Ratio:
    """A ratio of variances on which a coefficient depends, and its interval."""

    coefficient: str
    value: float
    low: float
    high: float
    confidence_level: float
    method: str

    def make_interval(self, low: float, high: float) -> Interval:
        """Return an interval of this level and method."""
        return Interval(low, high, self.confidence_level, self.method)


def _list_coefficients(
    measure: str, table: ScoreTable, ratio: Ratio, sizes: Sequence[int], targets: Sequence[float]
) -> list[Reliability]:
    """Return the coefficient with each number of queries, with its curve and required queries."""

    def compute_at(n: int) -> Reliability:
        low, high = compute_coefficient(ratio.low, n), compute_coefficient(ratio.high, n)
        return Reliability(
            measure=measure,
            coefficient=ratio.coefficient,
            n_systems=len(table.systems),
            n=n,
            value=compute_coefficient(ratio.value, n),
            interval=ratio.make_interval(low, high),
        )

    required = tuple(_count_required(measure, ratio, target) for target in targets)
    curve = tuple(map(compute_at, _choose_sizes(sizes, required)))
    return [
        replace(compute_at(n), inputs=table.inputs, curve=curve, required=required) for n in sizes
    ]


def _count_required(measure: str, ratio: Ratio, target: float) -> RequiredQueries:
    """Return the number of queries for a reliability; the lower the ratio, the larger it is."""
    return RequiredQueries(
        measure=measure,
        coefficient=ratio.coefficient,
        target=target,
        value=count_queries(ratio.value, target),
        interval=ratio.make_interval(
            float(count_queries(ratio.high, target)), float(count_queries(ratio.low, target))
        ),
    )


def _list_components(measure: str, squares: MeanSquares) -> list[VarianceComponent]:
    variances = [max(squares.of_systems, 0.0), max(squares.of_queries, 0.0), squares.residual]
    names = ("systems", "queries", "residual")
    mean_squares = (squares.systems, squares.queries, squares.residual)
    freedom = (squares.n_systems - 1, squares.n_queries - 1)
    return [
        VarianceComponent(
            measure,
            name,
            squares.restore(measure, variance),
            variance / sum(variances),
            squares.restore(measure, mean_square),
            df,
        )
        for name, variance, mean_square, df in zip(
            names, variances, mean_squares, (*freedom, math.prod(freedom)), strict=True
        )
    ]


def find_ratios(squares: MeanSquares, level: float) -> tuple[Ratio, Ratio]:
    """Return the ratios of variances of Erho2 and of Phi, with their intervals."""
    return _relative_ratio(squares, level), _absolute_ratio(squares, level)


def _relative_ratio(squares: MeanSquares, level: float) -> Ratio:
    """Return s2_systems / s2_residual, the ratio of Erho2, with Feldt's interval."""
    df, error_df = _degrees_of_freedom(squares)
    observed = _divide(squares.systems, squares.residual)
    low, high = (
        (observed / float(special.fdtri(df, error_df, p)) - 1) / squares.n_queries
        for p in _tails(level)
    )
    value = _divide(max(squares.of_systems, 0.0), squares.residual)
    return Ratio("Erho2", value, max(low, 0.0), max(high, 0.0), level, "feldt")


def _absolute_ratio(squares: MeanSquares, level: float) -> Ratio:
    """Return s2_systems / (s2_queries + s2_residual), the ratio of Phi, with Arteaga's interval."""
    df, error_df = _degrees_of_freedom(squares)
    s, q, e = squares.systems, squares.queries, squares.residual

    def limit(p: float) -> float:
        # quantiles of F with infinite, residual and query degrees of freedom in the denominator
        f_infinite = float(special.chdtri(df, 1 - p)) / df
        f_residual = float(special.fdtri(df, error_df, p))
        f_queries = float(special.fdtri(df, squares.n_queries - 1, p))
        excess = s * s - f_infinite * s * e + (f_infinite - f_residual) * f_residual * e * e
        whole = s * (df * f_infinite * e + f_queries * q)
        ratio = squares.n_systems * _divide(excess, whole) / squares.n_queries
        return max(ratio, 0.0) if s else 0.0

    low, high = map(limit, _tails(level))
    rest = max(squares.of_queries, 0.0) + e
    value = _divide(max(squares.of_systems, 0.0), rest)
    return Ratio("Phi", value, low, high, level, "arteaga")


def _degrees_of_freedom(squares: MeanSquares) -> tuple[int, int]:
    df = squares.n_systems - 1
    return df, df * (squares.n_queries - 1)


def _tails(level: float) -> tuple[float, float]:
    """Return the probabilities of the quantiles that give the lower and the upper limit."""
    outside = (1 - level) / 2
    return 1 - outside, outside


def _divide(numerator: float, denominator: float) -> float:
    """Return a quotient; infinity where only the denominator is 0."""
    if denominator:
        return numerator / denominator
    return math.inf if numerator > 0 else 0.0


def compute_coefficient(ratio: float, n: int) -> float:
    """Return the coefficient n r / (1 + n r)."""
    return 1.0 if math.isinf(ratio * n) else ratio * n / (1 + ratio * n)


def count_queries(ratio: float, reliability: float) -> float:
    """Return the smallest number of queries with this reliability; infinite if there is none."""
    odds = reliability / (1 - reliability)
    if not ratio or math.isinf(odds / ratio):
        return math.inf
    # 0.9 / (1 - 0.9) is above 9 by rounding only
    return max(math.ceil(odds / ratio * (1 - ROUNDING)), 1)


def _choose_sizes(sizes: Sequence[int], required: Sequence[RequiredQueries]) -> list[int]:
    """Return numbers of queries for a curve, evenly spaced in ratio, with those of interest.

    The first of ``sizes`` is the present one. The curve ends at a multiple of it, or at a larger
    number that is requested or required.
    """
    n = sizes[0]
    known = (row.value for row in required if row.value <= MAX_BEYOND * n)
    grid = np.geomspace(1, max(BEYOND * n, *sizes, *known), POINTS).tolist()
    return sorted({round(size) for size in grid} | set(sizes))
