"""Standardised scores: how far a system lies from the reference systems, query by query.

Queries differ far more than systems do: an easy query gives everyone a high score and spreads the
systems widely, a hard one gives everyone next to nothing. Standardising takes both out. With the
mean and the standard deviation s (n - 1 below) of the reference systems' scores on a query,

    z = (score - mean) / s                       (Park 2010, section 5)

so that every query has the same say, and the scores of one system are near enough to normal for
Student's t to keep its promise with as few as five of them. The z of a query on which the reference
systems nearly agree can be huge; the second transform, the standard normal distribution function
Phi(z), keeps every score between 0 and 1 (Webber, Moffat and Zobel, SIGIR 2008).

A query on which all reference systems have the very same score has no s. It is left out and
counted. Standardised scores can be compared only where the reference systems are the same.
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
SHOWN_QUERIES = 5  # in a warning
SHOWN_OF_EACH = 3  # in an error about two inputs that do not fit


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
    table = _raw_table(scores, queries)
    chosen = score_factors(table, reference) if factors is None else _given(factors, reference)
    chosen = chosen.select(table.measures)
    table = _without_unknown(table, chosen, queries)
    table = _without_agreement(table, chosen)
    return replace(
        table,
        measures=tuple(f"{transform}({measure})" for measure in table.measures),
        values=TRANSFORMS[transform](_z_scores(table, chosen)),
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
    table = _raw_table(scores)
    systems = _reference_systems(table, reference)
    places = {system: place for place, system in enumerate(table.systems)}
    rows = [places[system] for system in systems]
    pairs = [_means_and_deviations(values[rows]) for values in table.values]
    means, deviations = (np.array(part) for part in zip(*pairs, strict=True))
    return Factors(systems, table.measures, table.queries, means, deviations, table.inputs)


def _raw_table(scores: Any, queries: QueryRule = "all") -> ScoreTable:
    """A table that is not standardised yet."""
    table = as_score_table(scores, queries=queries)
    stems = {measure: measure.partition("(")[0] for measure in table.measures}
    done = [measure for measure, stem in stems.items() if stem in TRANSFORMS and stem != measure]
    if done or table.standardisation is not None:
        names = ", ".join(done or table.measures)
        raise ParameterError(f"scores must not be standardised already; got {names}")
    return table


def _reference_systems(table: ScoreTable, reference: Any) -> tuple[str, ...]:
    """The names, checked: known, different, at least two."""
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
            here = quote_several(table.systems)
            raise ParameterError(f"reference: no system {quote(name)} here, only {here}")
        if name in names[:place]:
            raise ParameterError(f"reference names {quote(name)} twice")
    if len(names) < 2:
        raise ParameterError(f"reference must name at least two systems; got {list(names)}")
    return names


def _means_and_deviations(scores: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each query; ``scores`` is system x query.

    Sums are rounded once, so that neither the order of the systems nor the machine changes a bit
    of the factors, and their fingerprint stays the same.
    """
    n = len(scores)
    agree = scores.max(axis=0) == scores.min(axis=0)  # rounding would give these a spread
    means = np.where(agree, scores[0], _exact_sums(scores) / n) + 0.0  # -0.0 becomes 0.0
    with np.errstate(over="ignore", invalid="ignore"):  # Factors refuse what is not finite
        apart = np.abs(scores - means)
        # by a power of two, which changes no digit: squares of tiny differences would vanish
        scale = np.ldexp(1.0, np.frexp(apart.max(axis=0))[1])
        deviations = scale * np.sqrt(_exact_sums((apart / scale) ** 2) / (n - 1))
    return means, deviations


def _exact_sums(values: Floats) -> Floats:
    """The sum of each column, as if added without rounding and rounded at the end."""
    return np.array([_exact_sum(column) for column in values.T.tolist()])


def _exact_sum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def _given(factors: Any, reference: Any) -> Factors:
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


def _without_unknown(table: ScoreTable, factors: Factors, queries: QueryRule) -> ScoreTable:
    """The table without the queries that the factors lack, if that was asked for."""
    have = set(factors.queries)
    known = np.array([query in have for query in table.queries])
    if not known.any():
        here, there = (_first(ids, SHOWN_OF_EACH) for ids in (table.queries, factors.queries))
        raise DataError(f"no query in common: the scores have {here} and the factors have {there}")
    if queries == "all" and not known.all():
        missing = [
            query for query, is_known in zip(table.queries, known, strict=True) if not is_known
        ]
        raise DataError(
            f"the factors lack queries: {len(missing):,} ({_first(missing, SHOWN_OF_EACH)}); "
            "queries='common' leaves such queries out"
        )
    return _kept(table, known, "queries that the factors lack")


def _without_agreement(table: ScoreTable, factors: Factors) -> ScoreTable:
    """The table without the queries that have no standard deviation, by any of its measures."""
    _, deviations = _numbers_for(table, factors)
    spread = np.asarray((deviations > 0).all(axis=0))
    if not spread.any():
        raise DataError(
            f"nothing to standardise by: on each of {len(table.queries):,} queries all "
            f"{len(factors.systems):,} reference systems have the same score"
        )
    guilty = [m for m, row in zip(table.measures, deviations, strict=True) if not row.all()]
    by = f" by {', '.join(guilty)}" if len(table.measures) > 1 else ""
    return _kept(table, spread, f"queries on which all reference systems have the same score{by}")


def _kept(table: ScoreTable, keep: NDArray[np.bool_], others: str) -> ScoreTable:
    """The table with some of its queries; its warnings count the others."""
    if keep.all():
        return table
    labelled = list(zip(table.queries, keep.tolist(), strict=True))
    gone = [query for query, is_kept in labelled if not is_kept]
    sentence = f"{others}; left out: {len(gone):,} ({_first(gone, SHOWN_QUERIES)})"
    return replace(
        table,
        queries=tuple(query for query, is_kept in labelled if is_kept),
        values=table.values[:, :, keep],
        warnings=(*table.warnings, sentence),
    )


def _z_scores(table: ScoreTable, factors: Factors) -> Floats:
    means, deviations = _numbers_for(table, factors)
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


def _numbers_for(table: ScoreTable, factors: Factors) -> tuple[Floats, Floats]:
    """Means and standard deviations as measure x query of the table, whose measures they have."""
    query_place = {query: q for q, query in enumerate(factors.queries)}
    places = [query_place[query] for query in table.queries]
    return factors.means[:, places], factors.standard_deviations[:, places]


def _first(ids: Sequence[str], count: int) -> str:
    return ", ".join(ids[:count]) + (", ..." if len(ids) > count else "")
