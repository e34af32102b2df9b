"""Standard deviations and reliability of scores over queries, from which plans are made.

Systems whose difference is the same on every query but for rounding have the standard deviation 0.

By generalisability theory (Brennan 2001; Urbano, Marrero and Martin 2013), the variances of systems
and of residuals follow from the mean squares of the table, and Erho2 = s2_systems / (s2_systems +
s2_residual / n) is the reliability of differences of systems. With the present queries it is
Cronbach's alpha.
"""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..comparisons.pairs import check_systems
from ..errors import DataError, DegenerateSampleWarning
from ..intervals.sample import deviation_of, scale_of
from ..kernels.weighted_sums import multiply_rows
from ..results.query_plans import RELIABILITY
from ..validation import Anova

Floats = NDArray[np.float64]

CANCELLED = 1e-4  # a variance that is smaller than its terms by this factor has lost digits
VANISHING = 1e-280  # so has a variance below this, of scores scaled to 1
EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = 8 * EPSILON  # of a mean, a residual or odds, relative


class Spread(NamedTuple):
    """The standard deviation of a pair's differences or of one system's scores."""

    kind: str
    pair: str
    deviation: float


def find_spreads(
    systems: tuple[str, ...], values: Floats, baseline: str | None
) -> tuple[list[Spread], list[str]]:
    """Return the standard deviations to plan with, and the names of pairs that have none."""
    if baseline is not None:
        check_systems(systems, baseline)
        base = values[systems.index(baseline)]
        spreads = [
            Spread("pair", f"{system} against {baseline}", _deviation(row, base))
            for system, row in zip(systems, values, strict=True)
            if system != baseline
        ]
    elif len(systems) == 1:
        spreads = [Spread("mean", systems[0], _deviation(values[0], np.zeros_like(values[0])))]
    else:
        first, second, deviations = pair_deviations(values)
        spreads = [
            Spread("pair", f"{systems[a]} and {systems[b]}", deviation)
            for a, b, deviation in zip(first, second, deviations.tolist(), strict=True)
        ]
    equal = [spread.pair for spread in spreads if not spread.deviation]
    spreads = [spread for spread in spreads if spread.deviation]
    if baseline is None and len(spreads) > 1:
        hardest = max(spreads, key=lambda spread: spread.deviation)
        typical = float(np.median([spread.deviation for spread in spreads]))
        spreads = [
            Spread("typical", f"typical of {len(spreads):,} pairs", typical),
            Spread("hardest", f"hardest: {hardest.pair}", hardest.deviation),
        ]
    return spreads, equal


def pair_deviations(values: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
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
    rounding = 4 * EPSILON * max(np.abs(scores).max(), np.abs(others).max())
    if np.ptp(differences) <= rounding:
        return 0.0
    return float(deviation_of(differences))


def compute_mean_squares(values: Floats) -> tuple[float, float, float, float]:
    """Return the mean squares of systems, queries and residuals of a table (system x query).

    They are of scores divided by a scale, which is returned too, and 0 for what only rounding
    makes.
    """
    n_systems, n_queries = values.shape
    scale = float(scale_of(values.ravel())[0])
    scaled = values / scale
    mean = float(scaled.mean())
    of_systems, of_queries = scaled.mean(axis=1) - mean, scaled.mean(axis=0) - mean
    residuals = scaled - mean - of_systems[:, None] - of_queries
    rounding = ROUNDING * float(np.abs(scaled).max())
    systems, queries, residual = (
        float(np.square(part).sum()) if float(np.abs(part).max()) > rounding else 0.0
        for part in (of_systems, of_queries, residuals)
    )
    df = max(n_systems - 1, 1)
    return (
        n_queries * systems / df,
        n_systems * queries / (n_queries - 1),
        residual / (df * (n_queries - 1)),
        scale,
    )


def find_variances(measure: str, values: Floats) -> dict[Anova, float]:
    """Return the variance of the scores of a system, and that of the residuals.

    One system has no residuals. What does not vary is left out with a warning.
    """
    n_systems = len(values)
    _, queries, residual, scale = compute_mean_squares(values)
    of_scores = (queries + (n_systems - 1) * residual) / n_systems
    variances: dict[Anova, float] = {"one-way": of_scores * scale * scale}
    if n_systems > 1:
        variances["two-way"] = residual * scale * scale
    if math.isinf(max(variances.values())):
        raise DataError(f"{measure}: the scores are too large to compute a variance")
    for anova in [anova for anova, variance in variances.items() if not variance]:
        warnings.warn(
            f"{measure}: nothing varies from query to query, so there is no {anova} plan",
            DegenerateSampleWarning,
            stacklevel=3,
        )
        del variances[anova]
    return variances


def compute_reliability(values: Floats) -> tuple[float | None, int | None]:
    """Return Erho2 of the queries, and the smallest number of queries for ``RELIABILITY``.

    An estimated variance of systems below 0 counts as 0, for which no number is enough: None. One
    system has no reliability.
    """
    n_systems, n = values.shape
    if n_systems < 2:
        return None, None
    systems, _, residual, _ = compute_mean_squares(values)
    of_systems = max((systems - residual) / n, 0.0)
    if not of_systems:
        return 0.0, None
    if not residual:
        return 1.0, 1
    ratio = of_systems / residual
    needed = RELIABILITY / (1 - RELIABILITY) / ratio
    # 0.95 / (1 - 0.95) may be above 19 by rounding only
    return ratio * n / (1 + ratio * n), max(math.ceil(needed * (1 - ROUNDING)), 1)
