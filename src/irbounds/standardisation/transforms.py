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
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..errors import DataError, ParameterError, quote, quote_several
from ..results import Standardisation
from ..scores.score_input import as_score_table
from ..scores.score_table import ScoreTable
from ..validation import QueryRule, Transform, check_choice
from .factors import Factors, read_factors

Floats = NDArray[np.float64]

TRANSFORMS: dict[str, Callable[[Floats], Floats]] = {"z": np.asarray, "normal-cdf": special.ndtr}
MAX_IN_WARNING = 5  # queries that are named
MAX_IN_ERROR = 3  # queries of each input that are named


def standardise_scores(
    scores: Any,
    *,
    reference: Sequence[str] | str = "all",
    transform: Transform = "z",
    factors: Factors | str | Path | None = None,
    queries: QueryRule = "all",
) -> ScoreTable:
    """Return the scores of a table, standardised by reference systems or by published factors.

    Queries on which the reference systems have equal scores by any of the measures are left out;
    the warnings of the result count them.

    Parameters
    ----------
    scores
        A ``ScoreTable`` (from ``score`` or ``read_scores``), or anything ``read_scores`` takes.
    reference
        The names of at least two systems of the table, or ``"all"`` of them.
    transform
        ``"z"``: standard deviations from the mean. ``"normal-cdf"``: the standard normal
        distribution function of z, between 0 and 1.
    factors
        In place of ``reference``, the result of ``score_factors`` or ``read_factors``, or the path
        of such a file. The table need not contain the reference systems then.
    queries
        ``"all"`` refuses queries that are not in the factors, and tables with gaps; ``"common"``
        leaves such queries out.

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
    check_choice("queries", queries, get_args(QueryRule))
    table = _read_raw_table(scores, queries)
    chosen = score_factors(table, reference) if factors is None else _read(factors, reference)
    chosen = chosen.select(table.measures)
    table = _drop_unknown(table, chosen, queries)
    table = _drop_agreement(table, chosen)
    return replace(
        table,
        measures=tuple(f"{transform}({measure})" for measure in table.measures),
        values=TRANSFORMS[transform](_compute_z(table, chosen)),
        standardisation=Standardisation(transform, chosen.systems, chosen.fingerprint),
    )


def score_factors(scores: Any, reference: Sequence[str] | str = "all") -> Factors:
    """Return the mean and standard deviation of the reference systems per query and measure.

    Parameters
    ----------
    scores, reference
        As for ``standardise_scores``.

    Returns
    -------
    Factors
        For ``standardise_scores`` and ``write_factors``.

    Examples
    --------
    >>> import polars as pl
    >>> factors = score_factors(pl.DataFrame({"a": [0.1, 0.5], "b": [0.3, 0.5]}))
    >>> factors.means.tolist(), factors.standard_deviations.round(6).tolist()
    ([[0.2, 0.5]], [[0.141421, 0.0]])
    """
    table = _read_raw_table(scores)
    systems = _check_reference(table, reference)
    places = {system: place for place, system in enumerate(table.systems)}
    rows = [places[system] for system in systems]
    pairs = [_compute_factors(values[rows]) for values in table.values]
    means, deviations = (np.array(part) for part in zip(*pairs, strict=True))
    return Factors(systems, table.measures, table.queries, means, deviations, table.inputs)


def _read_raw_table(scores: Any, queries: QueryRule = "all") -> ScoreTable:
    """Return scores as a table; raise ``ParameterError`` if they are standardised already."""
    table = as_score_table(scores, queries=queries)
    stems = {measure: measure.partition("(")[0] for measure in table.measures}
    done = [measure for measure, stem in stems.items() if stem in TRANSFORMS and stem != measure]
    if done or table.standardisation is not None:
        names = ", ".join(done or table.measures)
        raise ParameterError(f"scores must not be standardised already; got {names}")
    return table


def _check_reference(table: ScoreTable, reference: Any) -> tuple[str, ...]:
    """Return the reference systems; raise unless they are known, distinct and at least two."""
    if isinstance(reference, str) and reference == "all":
        if len(table.systems) < 2:
            raise ParameterError(
                f"needs at least two reference systems; got {quote(table.systems[0])}"
            )
        return table.systems
    try:
        names = None if isinstance(reference, str) else tuple(reference)
    except TypeError:
        names = None
    if names is None:
        raise ParameterError(
            f"reference must be 'all' or the names of at least two systems; got {quote(reference)}"
        )
    for place, name in enumerate(names):
        if not isinstance(name, str) or name not in table.systems:
            known = quote_several(table.systems)
            raise ParameterError(f"reference: no system {quote(name)} here, only {known}")
        if name in names[:place]:
            raise ParameterError(f"reference names {quote(name)} twice")
    if len(names) < 2:
        raise ParameterError(f"reference must name at least two systems; got {list(names)}")
    return names


def _compute_factors(scores: Floats) -> tuple[Floats, Floats]:
    """Return the mean and standard deviation of each query; ``scores`` is system x query.

    Sums are rounded once, so that the factors and their fingerprint depend neither on the order of
    the systems nor on the machine.
    """
    n = len(scores)
    agree = scores.max(axis=0) == scores.min(axis=0)  # rounding would make these differ
    means = np.where(agree, scores[0], _sum_exactly(scores) / n) + 0.0  # -0.0 becomes 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # Factors refuse what is not finite
        distances = np.abs(scores - means)
        # scaled by a power of two, which is exact, since squares of tiny distances would underflow
        scale = np.ldexp(1.0, np.frexp(distances.max(axis=0))[1])
        deviations = scale * np.sqrt(_sum_exactly((distances / scale) ** 2) / (n - 1))
    return means, deviations


def _sum_exactly(values: Floats) -> Floats:
    """Return the sum of each column, rounded once at the end."""
    return np.array([_sum_column(column) for column in values.T.tolist()])


def _sum_column(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def _read(factors: Any, reference: Any) -> Factors:
    """Return factors, read from a file if a path is given."""
    if not (isinstance(reference, str) and reference == "all"):
        raise ParameterError(
            "reference must not be given with factors, which have their own reference systems; "
            f"got {quote(reference)}"
        )
    if isinstance(factors, Factors):
        return factors
    if not isinstance(factors, str | Path):
        raise ParameterError(
            f"factors must be Factors or the path of a file of them; got {type(factors).__name__}"
        )
    return read_factors(factors)


def _drop_unknown(table: ScoreTable, factors: Factors, queries: QueryRule) -> ScoreTable:
    """Return the table without queries that the factors lack; raise unless ``"common"``."""
    with_factors = set(factors.queries)
    known = np.array([query in with_factors for query in table.queries])
    if not known.any():
        ours, theirs = (_first(ids, MAX_IN_ERROR) for ids in (table.queries, factors.queries))
        raise DataError(f"no query in common: the scores have {ours} and the factors have {theirs}")
    if queries == "all" and not known.all():
        missing = [
            query for query, is_known in zip(table.queries, known, strict=True) if not is_known
        ]
        raise DataError(
            f"the factors lack queries: {len(missing):,} ({_first(missing, MAX_IN_ERROR)}); "
            "queries='common' leaves such queries out"
        )
    return _select_queries(table, known, "queries that the factors lack")


def _drop_agreement(table: ScoreTable, factors: Factors) -> ScoreTable:
    """Return the table without queries whose standard deviation is 0 by any of its measures."""
    _, deviations = _select_factors(table, factors)
    differs = np.asarray((deviations > 0).all(axis=0))
    if not differs.any():
        raise DataError(
            f"nothing to standardise by: on each of {len(table.queries):,} queries all "
            f"{len(factors.systems):,} reference systems have the same score"
        )
    equal = [m for m, row in zip(table.measures, deviations, strict=True) if not row.all()]
    by = f" by {', '.join(equal)}" if len(table.measures) > 1 else ""
    return _select_queries(
        table, differs, f"queries on which all reference systems have the same score{by}"
    )


def _select_queries(table: ScoreTable, keep: NDArray[np.bool_], others: str) -> ScoreTable:
    """Return the table with some of its queries; its warnings count the others."""
    if keep.all():
        return table
    labelled = list(zip(table.queries, keep.tolist(), strict=True))
    dropped = [query for query, is_kept in labelled if not is_kept]
    sentence = f"{others}; left out: {len(dropped):,} ({_first(dropped, MAX_IN_WARNING)})"
    return replace(
        table,
        queries=tuple(query for query, is_kept in labelled if is_kept),
        values=table.values[:, :, keep],
        warnings=(*table.warnings, sentence),
    )


def _compute_z(table: ScoreTable, factors: Factors) -> Floats:
    means, deviations = _select_factors(table, factors)
    with np.errstate(over="ignore"):
        z: Floats = (table.values - means[:, None]) / deviations[:, None]
    if not np.isfinite(z).all():
        m, s, q = np.argwhere(~np.isfinite(z))[0]
        raise DataError(
            f"{table.measures[m]}, system {quote(table.systems[s])}, query "
            f"{quote(table.queries[q])}: the "
            "standardised score is too large for a double; the reference systems nearly agree there"
        )
    return z


def _select_factors(table: ScoreTable, factors: Factors) -> tuple[Floats, Floats]:
    """Return means and standard deviations as measure x query of the table."""
    place_of = {query: q for q, query in enumerate(factors.queries)}
    places = [place_of[query] for query in table.queries]
    return factors.means[:, places], factors.standard_deviations[:, places]


def _first(ids: Sequence[str], count: int) -> str:
    return ", ".join(ids[:count]) + (", ..." if len(ids) > count else "")
