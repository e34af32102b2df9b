"""``read_scores``: per-query scores from files, frames and objects of any tool, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, check_names, quote, quote_several, show_name
from ..measurement.names import (
    UNNAMED,
    names_of_source,
    note_readings,
    our_name,
    same_names,
    split_names,
)
from ..measurement.parser import bounds_of
from ..reading.columns import fingerprint_of
from ..reading.error_list import raise_together
from ..reading.mteb import ResultPaths, is_result_source, read_results
from ..reading.score_files import read_score_records
from ..reading.score_mappings import as_real, holds_scores, is_list_of_numbers
from ..reading.score_records import ScoreRecords
from ..reading.sources import distinct_names
from ..results import InputFile
from ..validation import MAX_SCORE, QueryRule
from .score_table import ScoreTable, check_magnitude, describe_cell, find_outside

MAX_SOURCES = 3  # sources of a system in a message


def read_scores(
    sources: Any,
    *,
    measure: str = UNNAMED,
    queries: QueryRule = "all",
    measures: str | Sequence[str] | None = None,
    task_split: str | None = None,
) -> ScoreTable:
    """Read per-query scores that were computed already.

    Parameters
    ----------
    sources
        A file, or a pandas or polars frame (LazyFrames are collected), or a list of them:

        - wide: one row per query (or task), one column per system (or model). The id column is
          found by its name (``query_id``, ``qid``, ``topic``, ``query``, ``task``, ``dataset``,
          ``id``, ``name``, ...); else it is the only column of text, which a log record of level
          INFO names. Without one the queries are numbered.
        - long: columns ``query_id, system, measure, value``.
        - the output of ``trec_eval -q`` (of versions 7 to 10) or of ``ir_measures -q``, one system
          per file.

        Or results of MTEB: a directory of ``MODEL/REVISION/TASK.json``, or such files. The tasks
        are the queries and the models the systems. The score of a task is the mean over its splits
        and subsets, by default of ``main_score``.

        Or scores in memory, or a JSON file of such a mapping:

        - ``{system: scores}`` with lists, arrays or series of the same length, whose queries are
          numbered from 1, unless an index of pandas names them; ``{system: {query: score}}``.
        - ``{query: {measure: score}}``, as pytrec_eval returns it for one system; ``{measure:
          scores}``, as ``ranx.evaluate`` does with ``return_mean=False``; ``{measure: {query:
          score}}``, the ``scores`` of a ranx ``Run``; a ``Run`` itself. A mapping of systems to
          any of the mappings has several systems. Known names of measures tell which level holds
          the measures; where they do not, an error names the possible readings.
        - the records of ``ir_measures.iter_calc`` for one system, or a mapping of systems to them.
        - one system's scores as a list or an array.

        Or a mapping of measures to files and frames: what a wide table holds, and which measure of
        any other to take; None takes all that it names.
    measure
        The measure of scores that do not name theirs, such as those of a wide table.
    queries
        ``"all"`` refuses a table with gaps, ``"common"`` keeps the queries that have none.
    measures
        The measures to keep, in this order; all by default. What ``trec_eval`` prints may hold
        text in place of numbers, such as ``relstring``: measures of this kind that are not among
        ``measures`` are ignored, and the table's ``warnings`` name them.
    task_split
        The split of results of MTEB; all by default.

    Returns
    -------
    ScoreTable
        The scores by measure, system and query. Known measures have our names (``ndcg_cut_10`` and
        ``NDCG@10`` are ``nDCG@10``), and a log record of level INFO says so; all others keep the
        names that the source gives them. A file that names no system gives its own name; files that
        share one and hold scores of the same measure are named by the shortest paths that differ.

    Raises
    ------
    InputError
        If something cannot be read. Every file is read before the error is raised, which then
        names all that cannot be read.

    Examples
    --------
    >>> import irbounds
    >>> irbounds.read_scores({"bm25": [0.1, 0.4], "dense": [0.3, 0.2]}, measure="AP")
    <ScoreTable: 2 systems, 2 queries, AP>

    The results of pytrec_eval, for one system and for two:

    >>> bm25 = {"q1": {"map": 0.1, "P_10": 0.2}, "q2": {"map": 0.4, "P_10": 0.3}}
    >>> irbounds.read_scores(bm25)
    <ScoreTable: 1 systems, 2 queries, AP, P@10>
    >>> dense = {"q1": {"map": 0.3, "P_10": 0.1}, "q2": {"map": 0.2, "P_10": 0.2}}
    >>> irbounds.read_scores({"bm25": bm25, "dense": dense}, measures="AP").means()
    array([[0.25, 0.25]])

    A table of tasks and models:

    >>> import polars as pl
    >>> frame = pl.DataFrame({"task": ["NFCorpus", "SciFact"], "a": [0.3, 0.6], "b": [0.4, 0.7]})
    >>> irbounds.read_scores(frame, measure="nDCG@10").queries
    ('NFCorpus', 'SciFact')
    """
    if isinstance(measures, str):
        measures = [measures]
    our_names = _find_our_names(measures or ())
    requested = None if measures is None else set(our_names.values())
    readings = {measure: our_name(measure), **our_names}
    if isinstance(sources, tuple):  # PyTerrier's means and scores, of perquery="both"
        sources = getattr(sources, "perquery", sources)
    if isinstance(sources, Iterator):
        sources = list(sources)
    if is_list_of_numbers(sources):
        numbers = _parse_numbers(sources)
        if numbers is not None:
            note_readings(readings.items())
            table = _make_table(numbers, our_name(measure))
            return table if measures is None else table.select(measures)
    in_groups = isinstance(sources, Mapping) and not holds_scores(sources)
    by_measure = sources if in_groups else {None: [sources] if holds_scores(sources) else sources}
    named_sources = [
        (name, source)
        for name, value in by_measure.items()
        for source in (value if isinstance(value, list | tuple) else [value])
    ]
    named_sources = _group_results(named_sources)
    if task_split and not any(isinstance(source, ResultPaths) for _, source in named_sources):
        raise ParameterError("task_split is for results of MTEB; none is given")
    if in_groups:
        named = [str(name) for name in by_measure if name is not None]
        readings |= names_of_source(named, "the scores")
    records: list[ScoreRecords] = []
    errors: list[InputError] = []
    for name, source in named_sources:
        of_source = requested if name is None else {our_name(str(name))}
        try:
            if isinstance(source, ResultPaths):
                scores = read_results(source, of_source, task_split)
            else:
                scores = read_score_records(
                    source, measure=str(name or measure), requested=of_source
                )
            names = names_of_source(scores.measures, scores.source)
            records.append(_select_measure(scores.with_measures(names), name))
            readings |= names
        except InputError as error:
            errors.append(error)
    raise_together(errors, [scores.source for scores in records])
    if not records:
        raise ParameterError("no scores given")
    distinct = _distinguish_systems(records, [source for _, source in named_sources])
    if requested is not None:
        distinct = _select_requested(distinct, requested)
    table = table_from_records(distinct, queries)
    table = table if measures is None else table.select(measures)
    note_readings((name, ours) for name, ours in readings.items() if ours in table.measures)
    return table


def _select_requested(records: list[ScoreRecords], requested: Iterable[str]) -> list[ScoreRecords]:
    """Return the scores by the requested measures, so that gaps in others do not matter.

    All are returned if none is requested; the table then has the error.
    """
    known = {name for scores in records for name in scores.measures}
    selected = {
        name
        for measure in requested
        for name in ([measure] if measure in known else same_names(measure, known))
    }
    return [scores.select(selected) for scores in records] if selected else records


def _group_results(named_sources: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return sources with all results of MTEB of a measure as one source."""
    grouped: list[tuple[Any, Any]] = []
    groups: dict[Any, ResultPaths] = {}
    for name, source in named_sources:
        if not is_result_source(source):
            grouped.append((name, source))
        elif name in groups:
            groups[name].append(source)
        else:
            groups[name] = ResultPaths([source])
            grouped.append((name, groups[name]))
    return grouped


def _find_our_names(names: Sequence[Any]) -> dict[str, str]:
    """Return names of measures in our spelling, by the names that were given."""
    texts = [text for name in names for text in split_names(str(name))]
    return {text: our_name(text) for text in texts}


def _distinguish_systems(
    records: Sequence[ScoreRecords], sources: Sequence[Any]
) -> list[ScoreRecords]:
    """Rename systems that are named by their files if files of one name have the same cells."""
    places = [
        place
        for place, (scores, source) in enumerate(zip(records, sources, strict=True))
        if scores.is_unnamed and isinstance(source, str | Path)
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
        scores.with_system(renamed[place]) if place in renamed else scores
        for place, scores in enumerate(records)
    ]


def _select_measure(records: ScoreRecords, name: Any) -> ScoreRecords:
    """Return the records of the measure that was given for a source; all if it is None."""
    if name is None:
        return records
    known = dict.fromkeys(records.measures)
    same = [str(name)] if str(name) in known else same_names(name, known)
    if len(same) != 1:
        raise InputError(
            f"{records.source}: no measure {quote(name)} here, only {quote_several(known)}"
        )
    return records.select(same)


def table_from_records(records: Sequence[ScoreRecords], queries: QueryRule = "all") -> ScoreTable:
    """Return the table of per-query scores that were read.

    ``queries="all"`` refuses a table with gaps; ``"common"`` keeps the queries without gaps.
    """
    if queries not in ("all", "common"):
        raise ParameterError(f"queries must be 'all' or 'common'; got {quote(queries)}")
    failed = [sentence for scores in records for sentence in scores.failed]
    if failed and queries == "all":
        raise InputError(
            f"{failed[0]}; a failed query is not a score of 0: evaluate it again, or leave such "
            "queries out by queries='common' or --queries common"
        )
    cells: dict[tuple[str, str, str], float] = {}
    for scores in records:
        check_names({*scores.measures, *scores.systems, *scores.queries}, scores.source)
        for key, value in scores.cells():
            if key in cells:
                measure, system, query = key
                raise InputError(
                    f"{scores.source}: two values of {show_name(measure)} for system "
                    f"{quote(system)}, query {quote(query)}"
                )
            if abs(value) > MAX_SCORE:
                check_magnitude(f"{scores.source}: {describe_cell(*key)}", abs(value))
            cells[key] = value
    if not cells:
        raise InputError(
            f"{records[0].source}: only summary rows; scores per query are needed (option -q)"
        )
    measures, systems, names = (tuple(dict.fromkeys(part)) for part in zip(*cells, strict=True))
    # only queries without gaps are in the table; with all it could be far larger than its input
    n_each = len(measures) * len(systems)
    n_cells = Counter(query for _, _, query in cells)
    complete = tuple(name for name in names if n_cells[name] == n_each)
    n_gaps = n_each * len(names) - len(cells)
    if n_gaps and queries == "all":
        keys = product(measures, systems, names)
        measure, system, query = next(key for key in keys if key not in cells)
        own = tuple(dict.fromkeys(key[0] for key in cells if key[1] == system))
        source = _name_sources(records, measure if measure in own else own[0], system)
        lacking = f"{source}: no value of {show_name(measure)} for system {quote(system)}"
        if measure not in own:
            raise InputError(
                f"{lacking}, only of {quote_several(own)}: the measures of systems differ; give "
                "scores of all systems by the same measures"
            )
        raise InputError(
            f"{lacking}, query {quote(query)} (gaps: {n_gaps:,}); queries='common' or "
            "--queries common leaves such queries out"
        )
    if not complete:
        raise InputError(f"{records[0].source}: no query has a value in every cell")
    ordered = [cells[key] for key in product(measures, systems, complete)]
    values = np.array(ordered).reshape(len(measures), len(systems), len(complete))
    n_left_out = len(names) - len(complete)
    warnings = (
        *_warn_of_scores(systems, values, n_left_out),
        *_warn_of_ranges(measures, systems, values),
        *(warning for scores in records for warning in scores.warnings),
        *(f"{sentence}; left out" for sentence in failed),
    )
    inputs = tuple(InputFile(scores.source, scores.fingerprint) for scores in records)
    return ScoreTable(
        *(measures, systems, complete, values),
        warnings=warnings,
        inputs=inputs,
        are_tasks=all(scores.are_tasks for scores in records),
        n_left_out=n_left_out,
    )


def _name_sources(records: Sequence[ScoreRecords], measure: str, system: str) -> str:
    """Return the names of the sources with scores of a system by a measure, the first of many."""
    sources = [
        scores.source
        for scores in records
        if (measure, system) in zip(scores.measures, scores.systems, strict=True)
    ]
    more = f" and {len(sources) - MAX_SOURCES:,} more" if len(sources) > MAX_SOURCES else ""
    return f"{', '.join(dict.fromkeys(sources[:MAX_SOURCES]))}{more}"


def _warn_of_scores(
    systems: Sequence[str], values: NDArray[np.float64], n_left_out: int
) -> Iterator[str]:
    zero = [
        system for system, row in zip(systems, (values == 0).all(axis=(0, 2)), strict=True) if row
    ]
    if zero:
        yield f"0 on every query: {', '.join(zero)}"
    if n_left_out:
        yield f"queries without a value in every cell; left out: {n_left_out:,}"


def _warn_of_ranges(
    measures: Sequence[str], systems: Sequence[str], values: NDArray[np.float64]
) -> Iterator[str]:
    """Yield a warning per measure with a score that the measure cannot have."""
    for measure, scores in zip(measures, values, strict=True):
        bounds = bounds_of(measure)
        if bounds is None:
            continue
        outside = find_outside(scores, bounds)
        if outside.any():
            system, query = np.argwhere(outside)[0]
            yield (
                f"{show_name(measure)} is between {bounds[0]:g} and {bounds[1]:g}; scores outside: "
                f"{int(outside.sum()):,}, such as {scores[system, query]:g} of "
                f"{show_name(systems[system])}"
            )


def as_score_table(
    scores: Any,
    *,
    queries: QueryRule = "all",
    measures: Sequence[str] | None = None,
    task_split: str | None = None,
) -> ScoreTable:
    """Return scores as a table: a table itself, numbers, or anything that ``read_scores`` takes.

    ``measures`` are those to keep; the first is that of a wide table or of numbers.
    """
    if isinstance(scores, ScoreTable):
        return scores if measures is None else scores.select(measures)
    numbers = _parse_numbers(scores)
    measure = measures[0] if measures else UNNAMED
    if numbers is None:
        return read_scores(
            scores, measure=measure, queries=queries, measures=measures, task_split=task_split
        )
    note_readings([(measure, our_name(measure))])
    return _make_table(numbers, our_name(measure))


def _parse_numbers(scores: Any) -> NDArray[np.float64] | None:
    """Return one system's scores (an array, a series, a list or tuple of numbers); else None."""
    if isinstance(scores, list | tuple | range):
        if not len(scores) or not isinstance(scores[0], Real):
            return None
        for score in scores:
            if not isinstance(score, Real):
                raise ParameterError(f"scores must be numbers; got {quote(score)}")
        values = np.array([*map(as_real, scores)])
    elif isinstance(scores, np.ndarray) or is_list_of_numbers(scores):
        values = scores if isinstance(scores, np.ndarray) else scores.to_numpy()
        if np.ma.isMaskedArray(values) or values.dtype.kind not in "fiub":
            raise ParameterError(f"scores must be numbers without gaps; got {values.dtype} values")
    else:
        return None
    if not np.isfinite(values).all():
        raise ParameterError("scores must be finite numbers")
    return values.astype(np.float64)


def _make_table(scores: NDArray[np.float64], measure: str) -> ScoreTable:
    """Return the table of one system's scores."""
    if scores.ndim != 1 or not scores.size:
        raise ParameterError(
            "scores must be a ScoreTable (score, read_scores) or one system's scores, one per "
            f"query; got an array of shape {scores.shape}"
        )
    queries = tuple(str(k + 1) for k in range(scores.size))
    inputs = (InputFile("the scores", fingerprint_of(scores)),)
    return ScoreTable((measure,), ("system",), queries, scores[None, None], inputs=inputs)
