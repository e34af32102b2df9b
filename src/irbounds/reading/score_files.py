"""Per-query scores in files and frames.

These are wide tables (queries by systems), long tables (one score per row, or one query and system
per row with a column per measure), the output of ``trec_eval -q`` and ``ir_measures -q``, and
mappings in memory or as JSON. Each becomes one record per score. Summary rows (``all``) are
ignored, since they can be computed again.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, quote, quote_several, show_name
from ..measurement.names import OLD_TREC_NAME, is_measure_name, is_our_name, is_trec_name, our_name
from .columns import as_numbers, fingerprint_of, id_texts
from .error_list import ErrorList
from .frames import (
    FRAME_EXTENSIONS,
    KNOWN_NAMES,
    NAMES,
    TASK_COLUMNS,
    column_values,
    find_column,
    find_optional_column,
    make_frame,
    name_columns,
    read_frame,
)
from .mappings import parse_json
from .score_mappings import holds_scores, records_from_memory
from .score_records import ScoreRecords
from .sources import Source, base_name, detect_format

logger = logging.getLogger("irbounds")

#: names of the id column of a wide table, where none has a name that means a query
TASK_NAMES = (
    *(*TASK_COLUMNS, "dataset", "dataset_name", "question", "question_id", "query_name"),
    *("topic_name", "example", "example_id", "item", "id"),
)
UNNAMED = re.compile(r"|Unnamed: 0")  # a first column without a heading, and what pandas calls it
MAX_ROW = 1 << 16  # characters of a row in JSON lines
LONG_COLUMNS = "query_id, system, measure and value"


def read_score_records(
    source: Any, *, measure: str, requested: Collection[str] | None = None
) -> ScoreRecords:
    """Return scores from a file or a frame, with measures under the names that it gives them.

    ``measure`` is the measure of scores that do not name theirs. In the output of trec_eval,
    measures that are not ``requested`` (in our spelling) may have values that are not numbers.
    """
    if not isinstance(source, str | Path):
        name = "the scores"
        if holds_scores(source):
            records = records_from_memory(source, name, measure, "system")
        else:
            records = _from_frame(source, name, measure, "system")
        return replace(records, fingerprint=_compute_fingerprint(records))
    with Source(source) as opened:
        extension = detect_format(source, opened)
        label = base_name(source)
        if extension in FRAME_EXTENSIONS:
            records = _from_frame(read_frame(opened, extension), opened.name, measure, label)
        elif extension == ".json":
            records = _from_json(opened, measure, label)
        else:
            records = _from_output(opened, label, requested)
        return replace(records, fingerprint=opened.fingerprint)


def _compute_fingerprint(records: ScoreRecords) -> str:
    """Return the SHA-256 of scores that are not in a file."""
    labels = "\0".join([*records.measures, *records.systems, *records.queries])
    try:
        encoded = labels.encode()
    except UnicodeEncodeError as error:  # half of a pair of surrogates
        part = labels[error.start : error.end]
        raise InputError(
            f"{records.source}: names must be text; got {quote(part)} in one"
        ) from None
    return fingerprint_of(np.frombuffer(encoded, np.uint8), np.asarray(records.values))


def _from_frame(frame: Any, source: str, measure: str, system: str) -> ScoreRecords:
    """Return the scores of a wide or long table."""
    frame = name_columns(frame, source, {*KNOWN_NAMES, *TASK_NAMES})
    names = list(frame.columns)
    if find_optional_column(names, "value", source):
        return _from_long(frame, source, measure, system)
    if _has_row_per_system(frame, names, source):
        return _from_rows_per_system(frame, source, measure)
    query = _find_id_column(frame, names, source)
    systems = [name for name in names if name != query]
    if UNNAMED.fullmatch(names[0] if names else "-") and names[0] != query:
        systems = _drop_row_numbers(frame, systems, query, source)
    if "" in systems:
        raise InputError(f"{source}: column {names.index('') + 1} has no name in the header")
    n = len(frame)
    if not systems or not n:
        raise InputError(f"{source}: empty: no scores")
    errors = ErrorList(source, "row")
    numbers = [str(k + 1) for k in range(n)]
    queries = numbers if query is None else _read_labels(frame, query, errors)
    values: list[float] = []
    for system in systems:
        values += _parse_numbers(column_values(frame, system), system, errors, query)
    errors.raise_if_any()
    return ScoreRecords(
        source,
        [measure] * len(values),
        [name for name in systems for _ in range(n)],
        queries * len(systems),
        values,
        are_tasks=_are_tasks(query),
    )


def _has_row_per_system(frame: Any, names: Sequence[str], source: str) -> bool:
    """Return whether the rows of a table without a column ``value`` are queries of systems."""
    system = find_optional_column(names, "system", source)
    query = _find_query_column(names, source)
    if system is None or query is None or not _is_text(column_values(frame, system)):
        return False
    n_systems, n_queries = (len(set(column_values(frame, name))) for name in (system, query))
    return n_systems == 1 or n_queries < len(frame)  # else both may name the queries


def _find_query_column(names: Sequence[str], source: str) -> str | None:
    """Return the column that names queries or tasks by its own name, or None."""
    known = find_optional_column(names, "query_id", source)
    if known is not None:
        return known
    system = find_optional_column(names, "system", source)
    tasks = [name for name in names if name.lower() in TASK_NAMES and name != system]
    return tasks[0] if len(tasks) == 1 else None


def _from_rows_per_system(frame: Any, source: str, measure: str) -> ScoreRecords:
    """Return the scores of a table with one row per query and system, and a column per measure."""
    names = list(frame.columns)
    system = find_column(names, "system", source)
    query = _find_query_column(names, source) or ""
    named = find_optional_column(names, "measure", source)
    columns = [name for name in names if name not in (system, query, named)]
    if columns and UNNAMED.fullmatch(columns[0]) and columns[0] == names[0]:
        columns = _drop_row_numbers(frame, columns, query, source)
    are_measures = named is None and all(map(is_measure_name, columns))
    if not columns or (len(columns) > 1 and not are_measures):
        raise InputError(
            f"{source}: in a table with one row per query and system, the columns {LONG_COLUMNS} "
            f"are expected, or a column named by its measure; got {quote_several(names)}"
        )
    errors = ErrorList(source, "row")
    queries, systems = (_read_labels(frame, name, errors) for name in (query, system))
    own = [] if named is None else _read_labels(frame, named, errors)
    values: list[float] = []
    measures: list[str] = []
    for column in columns:
        values += _parse_numbers(column_values(frame, column), column, errors)
        is_default = column.lower() in NAMES["score"][0]
        measures += own or [measure if is_default else column] * len(queries)
    errors.raise_if_any()
    n = len(columns)
    return ScoreRecords(
        *(source, measures, systems * n, queries * n, values), are_tasks=_are_tasks(query)
    )


def _are_tasks(column: str | None) -> bool:
    """Return whether queries are tasks, by the name of their column."""
    return (column or "").lower() in TASK_COLUMNS


def _find_id_column(frame: Any, names: Sequence[str], source: str) -> str | None:
    """Return the column of a wide table that names the queries, or None.

    It is found by its name, or is a first column of numbers without a name.
    """
    known = find_optional_column(names, "query_id", source)
    if known is not None:
        return known
    # in a table of one row, text behind the first column may be an invalid score
    possible = names if len(frame) > 1 else names[:1]
    texts = [name for name in possible if _is_text(column_values(frame, name))]
    labels = {*TASK_NAMES, *chain(*NAMES["system"])}
    ids = [name for name in names if name.lower() in labels and _is_id(frame, name)]
    candidates = list(dict.fromkeys([*ids, *texts]))
    if len(candidates) > 1:
        both = " and ".join(map(_describe_column, candidates[:2]))
        raise InputError(
            f"{source}: columns {both} could both name the queries; drop one, since all others "
            "must hold scores"
        )
    if not candidates:
        return "" if "" in names[:1] else None  # numbers, as R and pandas write row names
    (name,) = candidates
    if name.lower() not in TASK_NAMES:
        raise InputError(
            f"{source}: column {_describe_column(name)} does not name queries or tasks; a row must "
            "be a query or task and a column a system: rename the column to query_id or task, "
            "name the index of a frame so, or transpose the table if its rows are systems"
        )
    return name


def _is_id(frame: Any, name: str) -> bool:
    """Return whether a column whose name may mean an id holds ids: text, or distinct integers."""
    values = column_values(frame, name)
    numbers = as_numbers(values)
    if np.isnan(numbers).any():
        return True  # not scores
    return bool((numbers == np.floor(numbers)).all()) and len(set(numbers.tolist())) == len(values)


def _is_text(values: Sequence[object]) -> bool:
    """Return whether a column holds names: texts that are not numbers of any kind."""
    return bool(values) and all(
        isinstance(value, str) and bool(value.strip()) and not _is_number(value) for value in values
    )


def _drop_row_numbers(
    frame: Any, systems: Sequence[str], query: str | None, source: str
) -> list[str]:
    """Return systems without a first column that has no name and holds the numbers of rows."""
    first = systems[0]
    numbers = as_numbers(column_values(frame, first))
    is_numbered = bool((numbers == np.arange(len(numbers))).all())
    if np.isnan(numbers).any() or (query is None and not is_numbered):
        return list(systems)
    if first:
        logger.info("%s: column %s holds the numbers of the rows; ignored", source, quote(first))
    return list(systems[1:])


def _describe_column(name: str) -> str:
    return quote(name) if name else "1 (without a name)"


def _from_json(source: Source, measure: str, system: str) -> ScoreRecords:
    text = source.text()
    try:
        columns = _read_json_rows(text)
        scores = {} if columns else parse_json(text)
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from None
    if columns:
        return _from_frame(make_frame(columns), source.name, measure, system)
    return records_from_memory(scores, source.name, measure, system)


def _read_json_rows(text: str) -> dict[str, list[Any]]:
    """Return the columns of JSON lines that are rows of a long table; none for other JSON."""
    if len(text.lstrip().partition("\n")[0]) > MAX_ROW:
        return {}
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        first = parse_json(lines[0][1]) if lines else {}
    except InputError:  # an object over several lines
        return {}
    if "value" not in first or any(isinstance(value, Mapping | list) for value in first.values()):
        return {}
    columns: dict[str, list[Any]] = {name: [] for name in first}
    for number, line in lines:
        try:
            row = parse_json(line)
        except InputError as error:
            reason = str(error).removeprefix("line 1: ")
            raise InputError(f"line {number}: {reason}") from None
        if row.keys() != first.keys():
            both = f"{quote_several(first)}; got {quote_several(row)}"
            raise InputError(f"line {number}: the columns of line {lines[0][0]} are {both}")
        for name, value in row.items():
            columns[name].append(value)
    return columns


def _from_long(frame: Any, source: str, measure: str, system: str) -> ScoreRecords:
    names = list(frame.columns)
    n = len(frame)
    if not n:
        raise InputError(f"{source}: empty: no scores")
    errors = ErrorList(source, "row")
    value = find_column(names, "value", source)
    values = _parse_numbers(column_values(frame, value), value, errors)

    def labels(meaning: str, default: str) -> list[str]:
        column = find_optional_column(names, meaning, source)
        return [default] * n if column is None else _read_labels(frame, column, errors)

    if {"name", "qid"} <= set(names) and any(map(_is_missing, column_values(frame, value))):
        errors.hint = "PyTerrier has no value for topics without judgments; drop their rows"
    query = _find_query_column(names, source) or find_column(names, "query_id", source)
    queries = _read_labels(frame, query, errors)
    measures, systems = labels("measure", measure), labels("system", system)
    errors.raise_if_any()
    is_unnamed = find_optional_column(names, "system", source) is None
    return ScoreRecords(
        *(source, measures, systems, queries, values),
        is_unnamed=is_unnamed,
        are_tasks=_are_tasks(query),
    )


def _from_output(source: Source, system: str, requested: Collection[str] | None) -> ScoreRecords:
    """Return scores of three columns: trec_eval has the measure first, ir_measures the query.

    Some of trec_eval's measures are text: ``runid`` names the system, others are ignored.
    """
    errors = ErrorList(source.name)
    rows: list[tuple[int, str, str, str]] = []
    for number, fields in source.fields():
        if fields[0] == "Queryid" and not rows:
            raise InputError(
                f"{source.name}: line {number}: blocks of trec_eval -o, which do not distinguish "
                "queries from the summary; run trec_eval -q without -o"
            )
        if len(fields) == 3:
            rows.append((number, fields[0], fields[1], fields[2]))
        else:
            errors.add(f"{len(fields)} columns where 3 are expected", number)
    errors.raise_if_any()
    if not rows:
        raise InputError(f"{source.name}: empty: no scores")
    measure_first = _is_measure_first(rows, source.name)
    by_measure: dict[str, list[tuple[int, str, str]]] = {}
    for number, first, second, text in rows:
        measure, query = (first, second) if measure_first else (second, first)
        by_measure.setdefault(measure, []).append((number, query, text))
    names = list(dict.fromkeys(text for _, _, text in by_measure.pop("runid", [])))
    if len(names) > 1:
        raise InputError(f"{source.name}: one system is expected; got runid {quote_several(names)}")
    records: list[tuple[int, str, str, float]] = []
    skipped: list[str] = []
    for measure, lines in by_measure.items():
        texts = [text for _, _, text in lines]
        numbers = as_numbers(texts)
        finite = np.isfinite(numbers)
        if not finite.all() and _is_skipped(measure, texts, requested):
            skipped.append(our_name(measure))
            continue
        for k in np.flatnonzero(~finite).tolist():
            value = f"{show_name(measure)}: {quote(texts[k])}"
            errors.add(f"{value} is not a finite number", lines[k][0])
        pairs = zip(lines, numbers.tolist(), strict=True)
        records += [(number, measure, query, score) for (number, query, _), score in pairs]
    errors.raise_if_any()
    ignored = f"measures whose values are not numbers; ignored: {quote_several(skipped)}"
    if not records:
        raise InputError(f"{source.name}: empty: no scores{f': {ignored}' if skipped else ''}")
    _, measures, queries, values = zip(*sorted(records), strict=True)
    systems = [names[0] if names else system] * len(records)
    return ScoreRecords(
        *(source.name, measures, systems, queries, values),
        warnings=(f"{source.name}: {ignored}",) if skipped and requested is None else (),
        is_unnamed=not names,
    )


def _is_skipped(measure: str, texts: Sequence[str], requested: Collection[str] | None) -> bool:
    """Return whether to skip a measure with values that are not numbers: not requested, or text."""
    if requested is None:
        return not any(map(_is_number, texts))
    return our_name(measure) not in requested


def _is_number(text: str) -> bool:
    """Return whether a text is a number of any kind, such as nan."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_missing(value: object) -> bool:
    """Return whether a cell is empty or NaN."""
    text = "" if value is None else str(value).strip().lower()
    return text in ("", "nan", "<na>")


def _is_measure_first(rows: Sequence[tuple[int, str, str, str]], source: str) -> bool:
    """Return whether rows are trec_eval's (measure query value), not ir_measures' (query first)."""
    trec = any(name == "runid" or is_trec_name(name) for name in {row[1] for row in rows})
    ours = any(map(is_our_name, {row[2] for row in rows}))
    if not trec and not ours:  # ``P10`` may also be the id of a query
        trec = all(OLD_TREC_NAME.fullmatch(row[1]) for row in rows)
    if trec == ours:
        raise InputError(
            f"{source}: neither trec_eval's nor ir_measures' output per query: no measure that "
            f"ir_measures knows in {quote(rows[0][1])} {quote(rows[0][2])} ... "
            "(score tables end in .csv)"
        )
    return trec


def _read_labels(frame: Any, column: str, errors: ErrorList) -> list[str]:
    return id_texts(column_values(frame, column), show_name(column) or "query id", errors)


def _parse_numbers(
    values: Sequence[object], column: str, errors: ErrorList, query: str | None = None
) -> list[float]:
    numbers = as_numbers(values)
    if len(values) > 1 and _is_text(values):
        advice = ""
        if query:
            advice = (
                f"; {show_name(query)} names the queries, so drop the column, or call it system "
                "if it names systems"
            )
        errors.add(f"{show_name(column)}: no value is a number{advice}", 1)
        return []
    for i in np.flatnonzero(~np.isfinite(numbers)).tolist():
        value = f"{show_name(column)}: {quote(values[i])}"
        errors.add(f"{value} is not a finite number", i + 1)
    return [float(number) for number in numbers]
