"""Per-query scores from wherever a person has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, quote, quote_several
from ..read.columns import fingerprint_of
from ..read.problems import raise_together
from ..read.sources import distinct_names
from ..read.stream_files import check_no_stream
from ..read.tables import ScoreRecords, read_score_records
from ..results import InputFile
from .score_table import ScoreTable, table_from_records


def read_scores(
    sources: Any,
    *,
    measure: str = "score",
    queries: Literal["all", "common"] = "all",
    measures: str | Sequence[str] | None = None,
) -> ScoreTable:
    """Read scores per query that were computed elsewhere.

    A system without a name is named after its file. Files that share a name and have scores of the
    same measure are named by the shortest paths that differ. Every file is read before an error is
    raised. The error names all files that cannot be read.

    Parameters
    ----------
    sources
        A file, a frame, or a list of them: wide (queries by systems, with or without a column of
        query ids), long (``query_id, system, measure, value``), the output of ``trec_eval -q``
        or of ``ir_measures -q`` (one system per file). Or a mapping of measures to these, which
        names the measure of a wide table and selects one measure of any other; None selects all.
    measure
        The measure of a wide table; the other formats name theirs.
    queries
        ``"all"`` refuses a table with gaps, ``"common"`` keeps the queries that have none.
    measures
        The measures to keep, in this order; all by default. ``trec_eval`` prints text in place of
        numbers for some measures, such as ``relstring``. Those that are not in ``measures`` are
        dropped, and the table's ``warnings`` name them.

    Returns
    -------
    ScoreTable
        ``values`` is measure x system x query.

    Examples
    --------
    >>> import pandas as pd
    >>> table = read_scores({"AP": pd.DataFrame({"old": [0.1, 0.4], "new": [0.3, 0.5]})})
    >>> table
    <ScoreTable: 2 systems, 2 queries, AP>
    """
    if isinstance(measures, str):
        measures = [measures]
    by_measure = sources if isinstance(sources, Mapping) else {None: sources}
    given = [
        (name, source)
        for name, one in by_measure.items()
        for source in (one if isinstance(one, list | tuple) else [one])
    ]
    for _, source in given:
        check_no_stream(source)
    records: list[ScoreRecords] = []
    errors: list[InputError] = []
    for name, source in given:
        wanted = measures if name is None else [str(name)]
        try:
            found = read_score_records(source, measure=str(name or measure), wanted=wanted)
            records.append(_named(found, name))
        except InputError as error:
            errors.append(error)
    raise_together(errors, [one.source for one in records])
    if not records:
        raise ParameterError("no scores given")
    table = table_from_records(_told_apart(records, [source for _, source in given]), queries)
    return table if measures is None else table.select(measures)


def _told_apart(records: Sequence[ScoreRecords], sources: Sequence[Any]) -> list[ScoreRecords]:
    """Rename systems that are named by their files, where files of one name hold the same cells."""
    places = [
        place
        for place, (one, source) in enumerate(zip(records, sources, strict=True))
        if one.is_unnamed and isinstance(source, str | Path)
    ]
    holders: dict[tuple[str, str, str], int] = {}
    shared = {
        cell[1]
        for place in places
        for cell, _ in records[place].cells()
        if holders.setdefault(cell, place) != place
    }
    named = [place for place in places if records[place].systems[0] in shared]
    names = distinct_names([sources[place] for place in named])
    renamed = dict(zip(named, names, strict=True))
    return [
        one.called(renamed[place]) if place in renamed else one for place, one in enumerate(records)
    ]


def _named(records: ScoreRecords, name: Any) -> ScoreRecords:
    """The records of the measure that a source was said to hold; all where nothing was said."""
    if name is None:
        return records
    if str(name) not in records.measures:
        held = quote_several(dict.fromkeys(records.measures))
        raise InputError(f"{records.source}: no measure {quote(name)} here, only {held}")
    return records.of(str(name))


def as_score_table(scores: Any, *, queries: Literal["all", "common"] = "all") -> ScoreTable:
    """A table as it is, one system's scores as a plain sequence, or what ``read_scores`` takes."""
    if isinstance(scores, ScoreTable):
        return scores
    plain = _plain_scores(scores)
    return read_scores(scores, queries=queries) if plain is None else _table_of_one(plain)


def _plain_scores(scores: Any) -> NDArray[np.float64] | None:
    """One system's scores: an array, a series, or a list or tuple of numbers; None for others."""
    if isinstance(scores, list | tuple | range):
        if not len(scores) or not isinstance(scores[0], Real):
            return None
        for score in scores:
            if not isinstance(score, Real):
                raise ParameterError(f"scores must be numbers; got {quote(score)}")
        values = np.array([_as_float(score) for score in scores])
    elif isinstance(scores, np.ndarray) or _is_series(scores):
        values = scores if isinstance(scores, np.ndarray) else scores.to_numpy()
        if np.ma.isMaskedArray(values) or values.dtype.kind not in "fiub":
            raise ParameterError(f"scores must be numbers without gaps; got {values.dtype} values")
    else:
        return None
    if not np.isfinite(values).all():
        raise ParameterError("scores must be finite numbers")
    return values.astype(np.float64)


def _as_float(score: Any) -> float:
    try:
        return float(score)
    except OverflowError:
        return np.inf


def _is_series(scores: Any) -> bool:
    """A column of pandas or polars."""
    return hasattr(scores, "to_numpy") and not hasattr(scores, "columns")


def _table_of_one(scores: NDArray[np.float64]) -> ScoreTable:
    if scores.ndim != 1 or not scores.size:
        raise ParameterError(
            "scores must be a ScoreTable (score, read_scores) or one system's scores, one a query; "
            f"got an array of shape {scores.shape}"
        )
    queries = tuple(str(k + 1) for k in range(scores.size))
    inputs = (InputFile("the scores", fingerprint_of(scores)),)
    return ScoreTable(("score",), ("system",), queries, scores[None, None], inputs=inputs)
