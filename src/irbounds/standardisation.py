"""Standardised scores: the distance of a system from the reference systems, query by query.

Queries differ far more than systems do. On an easy query all systems have high scores that differ
widely, on a hard one all scores are near 0. Standardisation removes both differences. With the mean
and the standard deviation s (divisor n - 1) of the reference systems' scores on a query,

    z = (score - mean) / s                       (Park 2010, section 5)

so that every query has the same weight, and the scores of one system are near enough to normal for
Student's t to have its nominal coverage with only five of them. The z of a query on which the
reference systems nearly agree can be huge. The second transform, the standard normal distribution
function Phi(z), keeps every score between 0 and 1 (Webber, Moffat and Zobel, SIGIR 2008).

A query on which all reference systems have the same score has s = 0. It is left out and counted.
Standardised scores can be compared only if the reference systems are the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .errors import DataError, ParameterError, quote, quote_several
from .scores.score_table import ScoreTable
from .validation import Transform

Floats = NDArray[np.float64]

MAX_NAMED = 5  # queries in a warning


def standardise_scores(
    table: ScoreTable, reference: Sequence[str] | None = None, transform: Transform = "z"
) -> ScoreTable:
    """Return the scores of a table, standardised by reference systems, by default all of them.

    Measures are named ``z(AP)`` or ``normal-cdf(AP)``. Queries on which the reference systems have
    equal scores by any of the measures are left out; a warning of the result counts them.
    """
    standardised = tuple(f"{name}(" for name in get_args(Transform))
    if done := [name for name in table.measures if name.startswith(standardised)]:
        raise ParameterError(f"scores must not be standardised already; got {', '.join(done)}")
    names = table.systems if reference is None else tuple(reference)
    if unknown := [name for name in names if name not in table.systems]:
        known = quote_several(table.systems)
        raise ParameterError(f"reference: no system {quote(unknown[0])} here, only {known}")
    if len(names) < 2 or len({*names}) < len(names):
        raise ParameterError(
            f"reference must name at least two different systems; got {quote_several(names)}"
        )
    means, deviations = _compute_factors(table.values[:, [table.systems.index(n) for n in names]])
    differs = np.all(deviations > 0, axis=0)
    if not differs.any():
        raise DataError(
            "nothing to standardise by: on every query all reference systems have the same score"
        )
    kept = tuple(np.array(table.queries, dtype=object)[differs])
    dropped = np.array(table.queries, dtype=object)[~differs].tolist()
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        z: Floats = ((table.values - means[:, None]) / deviations[:, None])[:, :, differs]
    warnings = table.warnings
    if dropped:
        more = ["..."] if dropped[MAX_NAMED:] else []
        warnings += (
            "queries on which all reference systems have the same score; left out: "
            f"{len(dropped):,} ({', '.join([*dropped[:MAX_NAMED], *more])})",
        )
    return replace(
        table,
        measures=tuple(f"{transform}({measure})" for measure in table.measures),
        queries=kept,
        values=special.ndtr(z) if transform == "normal-cdf" else z,
        warnings=warnings,
    )


def _compute_factors(scores: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation over systems: measure x query.

    Sums are rounded once, so that the factors do not depend on the order of the systems.
    """

    def add(values: Floats) -> Floats:
        return np.array([[math.fsum(column) for column in part.T.tolist()] for part in values])

    n = scores.shape[1]
    agree = scores.max(axis=1) == scores.min(axis=1)  # rounding would make these differ
    means = np.where(agree, scores[:, 0], add(scores) / n) + 0.0  # -0.0 becomes 0.0
    distances = np.abs(scores - means[:, None])
    # scaled by a power of two, which is exact, since squares of tiny distances would underflow
    scale = np.ldexp(1.0, np.frexp(distances.max(axis=1))[1])
    return means, scale * np.sqrt(add((distances / scale[:, None]) ** 2) / (n - 1))
