"""Groups of queries: one group per query, from a sheet of two columns, a frame or a mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError, quote, quote_several
from ..results import InputFile
from ..results.group_comparisons import ALL
from .columns import integer_text
from .error_list import ErrorList
from .frames import TASK_COLUMNS, column_values, find_column, name_columns
from .sheets import read_sheet
from .sources import WHITE_SPACE


def read_groups(source: Any) -> tuple[dict[str, str], InputFile | None]:
    """Return the group of every query, and the file that they were read from.

    The columns of a sheet or a frame are those of queries, or of tasks, and of groups.
    """
    name, unit, file = "the groups", "record", None
    rows: list[tuple[int, Any, Any]]
    if isinstance(source, str | Path):
        sheet = read_sheet(source)
        name, unit, file = sheet.source, sheet.unit, InputFile(sheet.source, sheet.fingerprint)
        query, group = _find_columns(sheet.headings, name)
        places = sheet.headings.index(query), sheet.headings.index(group)
        rows = [(line, cells[places[0]], cells[places[1]]) for line, cells in sheet.lines]
    elif isinstance(source, Mapping):
        rows = [(number, *pair) for number, pair in enumerate(source.items(), start=1)]
    elif hasattr(source, "columns"):
        frame = name_columns(source, name)
        columns = [column_values(frame, column) for column in _find_columns(frame.columns, name)]
        pairs = enumerate(zip(*columns, strict=True), start=1)
        rows = [(number, query_id, group) for number, (query_id, group) in pairs]
    else:
        raise ParameterError(
            f"groups must be a file, a frame, or a dict of queries to groups; got {quote(source)}"
        )
    errors = ErrorList(name, unit)
    groups: dict[str, str] = {}
    for number, *values in rows:
        texts = [
            value.strip(WHITE_SPACE) if isinstance(value, str) else integer_text(value)
            for value in values
        ]
        for what, value, text in zip(("query id", "group"), values, texts, strict=True):
            if not text or any("\ud800" <= character <= "\udfff" for character in text):
                errors.add(f"{what} must be text or an integer; got {quote(value)}", number)
        query_id, group = texts
        if group == ALL:
            errors.add(f"the group {ALL!r} is that of all queries; choose another name", number)
        if groups.setdefault(query_id, group) != group:
            both = quote_several([groups[query_id], group])
            errors.add(f"query {quote(query_id)} is in two groups, {both}", number)
    errors.raise_if_any()
    return groups, file


def _find_columns(headings: Sequence[str], source: str) -> tuple[str, str]:
    """Return the names of the columns of queries and of groups."""
    headings = list(headings)
    if len(headings) != 2 or headings[0] == headings[1]:
        raise InputError(
            f"{source}: a column of queries and one of groups are needed; got "
            f"{quote_several(headings)}"
        )
    tasks = [heading for heading in headings if heading.lower() in TASK_COLUMNS]
    query = tasks[0] if len(tasks) == 1 else find_column(headings, "query_id", source)
    return query, next(heading for heading in headings if heading != query)
