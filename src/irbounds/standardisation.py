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
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .errors import DataError, ParameterError, quote, quote_several
from .scores.score_input import as_score_table
from .scores.score_table import ScoreTable
from .validation import QueryRule, Transform, check_choice

__all__ = ["score_factors", "standardise_scores"]

Floats = NDArray[np.float64]

TRANSFORMS: dict[str, Callable[[Floats], Floats]] = {"z": np.asarray, "normal-cdf": special.ndtr}
MAX_NAMED = 5  # queries in a warning


def standardise_scores(
    scores: Any,
    *,
    reference: Sequence[str] | None = None,
    transform: Transform = "z",
    queries: QueryRule = "all",
) -> ScoreTable:
    """Return the scores of a table, standardised by reference systems.

    Queries on which the reference systems have equal scores by any of the measures are left out;
    the warnings of the result count them.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), or anything ``read_scores`` takes.
    reference
        The names of at least two systems of the table; by default all of them.
    transform
        ``"z"``: standard deviations from the mean. ``"normal-cdf"``: the standard normal
        distribution function of z, between 0 and 1.
    queries
        ``"all"`` refuses tables with gaps; ``"common"`` leaves such queries out.

    Returns
    -------
    ScoreTable
        The standardised scores; measures are named ``z(AP)`` or ``normal-cdf(AP)``.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"a": [0.1, 0.4], "b": [0.2, 0.6], "c": [0.3, 0.8]})
    >>> standardise_scores(table).values.round(6).tolist()
    [[[-1.0, -1.0], [0.0, 0.0], [1.0, 1.0]]]
    """
    check_choice("transform", transform, TRANSFORMS)
    table = as_score_table(scores, queries=queries)
    done = [name for name in table.measures if name.startswith(tuple(f"{t}(" for t in TRANSFORMS))]
    if done:
        raise ParameterError(f"scores must not be standardised already; got {', '.join(done)}")
    means, deviations = score_factors(table, reference)
    differs = np.all(deviations > 0, axis=0)
    if not differs.any():
        raise DataError(
            "nothing to standardise by: on every query all reference systems have the same score"
        )
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        z: Floats = ((table.values - means[:, None]) / deviations[:, None])[:, :, differs]
    kept = [
        query for query, is_kept in zip(table.queries, differs.tolist(), strict=True) if is_kept
    ]
    if not np.isfinite(z).all():
        m, s, q = np.argwhere(~np.isfinite(z))[0]
        raise DataError(
            f"{table.measures[m]}, system {quote(table.systems[s])}, query {quote(kept[q])}: the "
            "standardised score is too large for a double; the reference systems nearly agree there"
        )
    warnings = table.warnings
    if dropped := [query for query in table.queries if query not in set(kept)]:
        names = ", ".join([*dropped[:MAX_NAMED], *(["..."] if dropped[MAX_NAMED:] else [])])
        warnings = (
            *warnings,
            "queries on which all reference systems have the same score; left out: "
            f"{len(dropped):,} ({names})",
        )
    return replace(
        table,
        measures=tuple(f"{transform}({measure})" for measure in table.measures),
        queries=tuple(kept),
        values=TRANSFORMS[transform](z),
        warnings=warnings,
    )


def score_factors(
    table: ScoreTable, reference: Sequence[str] | None = None
) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of the reference systems' scores: measure x query.

    Sums are rounded once, so that the factors do not depend on the order of the systems.

    Parameters
    ----------
    table, reference
        As for ``standardise_scores``.

    Returns
    -------
    tuple of two arrays
        The means, and the standard deviations with the divisor n - 1.

    Examples
    --------
    >>> from irbounds import ScoreTable
    >>> table = ScoreTable(("AP",), ("a", "b"), ("q1", "q2"), [[[0.1, 0.5], [0.3, 0.5]]])
    >>> means, deviations = score_factors(table)
    >>> means.tolist(), deviations.round(6).tolist()
    ([[0.2, 0.5]], [[0.141421, 0.0]])
    """
    names = table.systems if reference is None else tuple(reference)
    if unknown := [name for name in names if name not in table.systems]:
        known = quote_several(table.systems)
        raise ParameterError(f"reference: no system {quote(unknown[0])} here, only {known}")
    if len(names) < 2 or len({*names}) < len(names):
        raise ParameterError(
            f"reference must name at least two different systems; got {quote_several(names)}"
        )
    scores = table.values[:, [table.systems.index(name) for name in names]]
    n = len(names)
    agree = scores.max(axis=1) == scores.min(axis=1)  # rounding would make these differ
    means = np.where(agree, scores[:, 0], _sum_exactly(scores) / n) + 0.0  # -0.0 becomes 0.0
    distances = np.abs(scores - means[:, None])
    # scaled by a power of two, which is exact, since squares of tiny distances would underflow
    scale = np.ldexp(1.0, np.frexp(distances.max(axis=1))[1])
    deviations = scale * np.sqrt(_sum_exactly((distances / scale[:, None]) ** 2) / (n - 1))
    return means, deviations


def _sum_exactly(values: Floats) -> Floats:
    """Return the sums over systems of measure x system x query, each rounded once at the end."""
    return np.array([[math.fsum(column) for column in part.T.tolist()] for part in values])
