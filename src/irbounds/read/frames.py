"""Records with named columns: CSV, TSV, Parquet, polars and pandas frames, records of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any

from ..errors import InputError
from .columns import Columns, columns_from_values
from .sources import Source

__all__ = [
    "column_values",
    "columns_from_frame",
    "columns_from_records",
    "find_column",
    "find_optional_column",
    "read_frame",
]

#: what the field's tools call each column, ours first
NAMES = {
    "query_id": ("query_id", "qid", "q_id", "query", "topic", "topic_id"),
    "doc_id": ("doc_id", "docid", "docno", "doc", "document", "document_id"),
    "relevance": ("relevance", "rel", "label", "judgment"),
    "score": ("score", "sim"),
    "rank": ("rank",),
    "system": ("system", "run", "run_id", "runid", "name"),
    "measure": ("measure", "metric"),
    "value": ("value",),
}


def find_column(names: Iterable[str], meaning: str, source: str) -> str:
    """The column that holds ``meaning``."""
    names = list(names)
    found = find_optional_column(names, meaning, source)
    if found is None:
        raise InputError(
            f"{source}: no column {meaning!r} (or {', '.join(map(repr, NAMES[meaning][1:]))}); "
            f"found {', '.join(map(repr, names))}"
        )
    return found


def find_optional_column(names: Iterable[str], meaning: str, source: str) -> str | None:
    """The column that holds ``meaning``, if there is one."""
    found = [name for name in names if name.lower() in NAMES[meaning]]
    if len(found) > 1:
        raise InputError(
            f"{source}: columns {' and '.join(map(repr, found))} could both be {meaning!r}"
        )
    return found[0] if found else None


def read_frame(source: Source, ending: str) -> Any:
    """A polars frame; the columns of text formats stay text, so that nothing is guessed."""
    import polars as pl

    if ending == ".parquet":
        data = source.read()
        if not data:
            raise InputError(f"{source.name}: empty")
    else:
        data = source.text().encode()
        if not data.strip():
            raise InputError(f"{source.name}: empty")
    try:
        if ending == ".parquet":
            return pl.read_parquet(BytesIO(data))
        separator = "\t" if ending == ".tsv" else ","
        return pl.read_csv(BytesIO(data), separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{source.name}: cannot be read as {ending[1:]}: {reason}") from None


def columns_from_frame(
    frame: Any, source: str, *, is_run: bool, fingerprint: str | None = None
) -> Columns:
    """Columns from a polars or pandas frame."""
    names = [str(name) for name in frame.columns]
    rank = find_optional_column(names, "rank", source) if is_run else None
    return columns_from_values(
        source,
        column_values(frame, find_column(names, "query_id", source)),
        column_values(frame, find_column(names, "doc_id", source)),
        column_values(frame, find_column(names, "score" if is_run else "relevance", source)),
        is_run=is_run,
        ranks=column_values(frame, rank) if rank else None,
        fingerprint=fingerprint,
    )


def columns_from_records(
    records: Iterable[Any], source: str, *, is_run: bool, fingerprint: str | None = None
) -> Columns:
    """Columns from records with named fields (ir_measures, ir_datasets) or from dicts."""
    records = list(records)
    if not records:
        raise InputError(f"{source}: empty: no records")
    first = records[0]
    if isinstance(first, Mapping):
        names = list(first)
    elif hasattr(first, "_fields"):
        names = list(first._fields)
    else:
        raise InputError(
            f"{source}: records need named fields (such as ir_measures.ScoredDoc); "
            f"got {type(first).__name__}"
        )
    meanings = ("query_id", "doc_id", "score" if is_run else "relevance")
    fields = [find_column(names, meaning, source) for meaning in meanings]
    try:
        if isinstance(first, Mapping):
            rows = [tuple(record[name] for name in fields) for record in records]
        else:
            rows = [tuple(getattr(record, name) for name in fields) for record in records]
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{source}: a record lacks a field of the first: {error}") from None
    query_ids, doc_ids, values = zip(*rows, strict=True)
    return columns_from_values(
        source, query_ids, doc_ids, values, is_run=is_run, fingerprint=fingerprint
    )


def column_values(frame: Any, column: str) -> Sequence[object]:
    """One column of a polars or pandas frame, as Python values."""
    series = frame[column]
    values: list[object] = series.to_list() if hasattr(series, "to_list") else list(series)
    return values
