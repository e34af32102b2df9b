"""Groups of queries: one group per query, from a sheet, a Parquet file, JSON, a frame or a mapping.

A table has a column of query ids and a column of groups. ``COLUMN=FILE`` names the column of groups
where there are several. Every query has one group: an empty cell, and a query in two groups, are
errors.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError, quote, quote_several, show_name
from ..results.group_comparisons import ALL
from .columns import integer_text
from .error_list import ErrorList
from .frames import (
    TASK_COLUMNS,
    column_values,
    find_column,
    find_optional_column,
    name_columns,
    read_frame,
)
from .mappings import parse_json
from .sheets import parse_sheet
from .sources import WHITE_SPACE, Source, detect_format

MAX_NAMED = 10  # groups in a line
NAMES = ("group", "category")  # of the column of groups, where others are there too

#: the line of a record, its query and its group
Row = tuple[int, object, object]


@dataclass(frozen=True)
class QueryGroups:
    """The group of each query."""

    source: str
    #: by query, in the order of the input
    by_query: Mapping[str, str]
    #: SHA-256 of the file, or of the records if there is no file
    fingerprint: str

    @property
    def names(self) -> tuple[str, ...]:
        """The groups in the order in which they first occur."""
        return tuple(dict.fromkeys(self.by_query.values()))

    def describe(self, queries: Sequence[str]) -> str:
        """Return a line on the groups: their sizes, and the queries without scores."""
        sizes = Counter(self.by_query[query] for query in queries)
        parts = [f"{name} {sizes[name]:,}" for name in self.names if sizes[name]]
        named = ", ".join([*parts[:MAX_NAMED], *(["..."] if len(parts) > MAX_NAMED else [])])
        n_others = len(self.by_query) - len(queries)
        others = f"; queries without scores: {n_others:,}, ignored" if n_others else ""
        return f"groups {show_name(self.source)}: {len(sizes):,} ({named}){others}"

    def places(self, queries: Sequence[str]) -> dict[str, list[int]]:
        """Return the places of each group's queries; every query needs a group.

        Raises
        ------
        InputError
            When no query, or not every query, has a group, or all are in the same one.
        """
        missing = [query for query in queries if query not in self.by_query]
        if len(missing) == len(queries):
            raise InputError(
                f"{self.source}: no query with scores has a group; scores have "
                f"{_some(queries)}, groups {_some(list(self.by_query))}"
            )
        if missing:
            raise InputError(
                f"{self.source}: no group for {len(missing):,} of {len(queries):,} queries with "
                f"scores, such as {quote(missing[0])}; give every query a group, such as 'other'"
            )
        places: dict[str, list[int]] = {name: [] for name in self.names}
        for place, query in enumerate(queries):
            places[self.by_query[query]].append(place)
        places = {name: members for name, members in places.items() if members}
        if len(places) < 2:
            raise InputError(
                f"{self.source}: all {len(queries):,} queries with scores are in the group "
                f"{quote(next(iter(places)))}; two groups are needed"
            )
        if len(places) == len(queries):
            raise InputError(
                f"{self.source}: {len(queries):,} groups of one query each; a column of groups "
                "has the same group for several queries"
            )
        return places


def _some(ids: Sequence[str]) -> str:
    return quote_several(ids[:3]) + (", ..." if len(ids) > 3 else "")


def read_groups(source: Any) -> QueryGroups:
    """Read the group of every query from a file, a frame or a mapping of queries to groups."""
    if isinstance(source, QueryGroups):
        return source
    if isinstance(source, str | Path):
        return _read_file(*_split_column(str(source)))
    name = "the groups"
    if isinstance(source, Mapping):
        rows = [(k, query, group) for k, (query, group) in enumerate(source.items(), start=1)]
    elif type(source).__name__ == "LazyFrame" or hasattr(source, "columns"):
        rows = _rows_of_frame(name_columns(source, name), name, "")
    else:
        raise ParameterError(
            "groups must be a file, a frame, or a mapping of queries to groups; got "
            f"{quote(source)}"
        )
    by_query = _collect(rows, name, "record")
    texts = "\0".join(text for pair in by_query.items() for text in pair)
    digest = hashlib.sha256(texts.encode()).hexdigest()
    return QueryGroups(name, by_query, f"sha256:{digest}")


def _split_column(text: str) -> tuple[str, str]:
    """Return file and column of ``COLUMN=FILE``; an empty column where none is given."""
    column, equals, path = text.partition("=")
    return (path, column) if equals and not os.path.lexists(text) else (text, "")


def _read_file(path: str, column: str) -> QueryGroups:
    with Source(path) as source:
        form = detect_format(path, source)
        unit = "line"
        if form == ".parquet":
            frame = read_frame(source, form)
            rows, unit = (
                _rows_of_frame(name_columns(frame, source.name), source.name, column),
                "row",
            )
        elif form == ".json":
            rows, unit = _rows_of_json(source), "record"
        else:
            sheet = parse_sheet(source.name, source.text(), "")
            query, group = _find_columns(sheet.headings, source.name, column)
            q, g = sheet.headings.index(query), sheet.headings.index(group)
            rows = [(line, cells[q], cells[g]) for line, cells in sheet.lines]
        return QueryGroups(source.name, _collect(rows, source.name, unit), source.fingerprint)


def _rows_of_json(source: Source) -> list[Row]:
    try:
        whole = parse_json(source.text())
    except InputError as error:
        raise InputError(f"{source.name}: {error}") from None
    return [(number, query, group) for number, (query, group) in enumerate(whole.items(), start=1)]


def _rows_of_frame(frame: Any, name: str, column: str) -> list[Row]:
    query, group = _find_columns(list(frame.columns), name, column)
    pairs = zip(column_values(frame, query), column_values(frame, group), strict=True)
    return [(number, *pair) for number, pair in enumerate(pairs, start=1)]


def _find_columns(headings: Sequence[str], source: str, column: str) -> tuple[str, str]:
    """Return the names of the columns of queries and of groups."""
    for heading in headings:
        if headings.count(heading) > 1:
            raise InputError(f"{source}: column {quote(heading)} is in the header twice")
    tasks = [heading for heading in headings if heading.lower() in TASK_COLUMNS]
    query = find_optional_column(headings, "query_id", source)
    query = query or (tasks[0] if len(tasks) == 1 else find_column(headings, "query_id", source))
    others = [heading for heading in headings if heading != query]
    if column:
        if column not in others:
            raise InputError(f"{source}: no column {quote(column)}, only {quote_several(others)}")
        return query, column
    named = [heading for heading in others if heading.lower() in NAMES]
    candidates = named if len(named) == 1 else others
    if len(candidates) != 1:
        got = (
            f"columns {quote_several(others)} could be the groups" if others else "only one column"
        )
        raise InputError(
            f"{source}: {got}; one column of queries and one of groups are needed, or the name of "
            "the column as in COLUMN=FILE"
        )
    return query, candidates[0]


def _collect(rows: Iterable[Row], source: str, unit: str) -> dict[str, str]:
    """Return the group of each query; all faults are raised together."""
    errors = ErrorList(source, unit)
    by_query: dict[str, str] = {}
    for number, query, group in rows:
        texts = list(_texts_of(query, group, number, errors))
        if len(texts) < 2:
            continue
        id_text, name = texts
        if by_query.setdefault(id_text, name) != name:
            both = quote_several([by_query[id_text], name])
            errors.add(f"query {quote(id_text)} is in two groups, {both}", number)
    errors.raise_if_any()
    if not by_query:
        raise InputError(f"{source}: empty: no groups")
    return by_query


def _texts_of(query: object, group: object, number: int, errors: ErrorList) -> Iterator[str]:
    """Yield query and group as text; others are added to the errors."""
    for what, value in (("query id", query), ("group", group)):
        text = value.strip(WHITE_SPACE) if isinstance(value, str) else integer_text(value)
        if isinstance(value, bool):  # a column of yes and no
            text = str(value) if what == "group" else ""
        if not text and _is_missing(value):
            errors.add(f"no {what}", number)
        elif not text:
            errors.add(f"{what} {quote(value)} is neither text nor an integer", number)
        elif any("\ud800" <= letter <= "\udfff" for letter in text):
            errors.add(f"{what} {quote(value)} is not valid Unicode", number)
        elif what == "group" and text == ALL:
            errors.add(f"the group {ALL!r} is that of all queries; choose another name", number)
        else:
            yield text


def _is_missing(value: object) -> bool:
    """Return whether a value is that of an empty cell, in any library."""
    if isinstance(value, str):
        return not value.strip(WHITE_SPACE)
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")
