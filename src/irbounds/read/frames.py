"""Records with named columns: CSV, TSV, Parquet, polars and pandas frames, records of any kind."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from io import BytesIO
from operator import attrgetter, itemgetter
from typing import Any

from ..errors import InputError
from .columns import Columns, columns_from_values
from .parquet import read_parquet
from .sources import Source

__all__ = [
    "FRAME_ENDINGS",
    "RECORD_NAMES",
    "column_values",
    "columns_from_frame",
    "columns_from_records",
    "find_column",
    "find_optional_column",
    "named_frame",
    "read_frame",
]

FRAME_ENDINGS = {".csv", ".tsv", ".parquet"}

#: what the field's tools call each column: the names that mean nothing else, then those that
#: count where none of the first is there (PyTerrier's ``query`` is a text, its ``docid`` a number)
NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "query_id": (("query_id", "qid", "q_id", "topic", "topic_id"), ("query",)),
    "doc_id": (("doc_id", "docno", "document_id"), ("docid", "doc", "document")),
    "relevance": (("relevance", "rel", "label", "judgment"),),
    "score": (("score", "sim"),),
    "rank": (("rank",),),
    "system": (("system", "run", "run_id", "runid", "name"),),
    "measure": (("measure", "metric"),),
    "value": (("value",),),
}


#: all names of the columns of judgments and runs
RECORD_NAMES = frozenset(
    name
    for meaning in ("query_id", "doc_id", "relevance", "score", "rank")
    for tier in NAMES[meaning]
    for name in tier
)


def find_column(names: Iterable[str], meaning: str, source: str) -> str:
    """The column that holds ``meaning``."""
    names = list(names)
    found = find_optional_column(names, meaning, source)
    if found is None:
        others = [name for tier in NAMES[meaning] for name in tier if name != meaning]
        also = f" (or {', '.join(map(repr, others))})" if others else ""
        raise InputError(
            f"{source}: no column {meaning!r}{also}; found {', '.join(map(repr, names))}"
        )
    return found


def find_optional_column(names: Iterable[str], meaning: str, source: str) -> str | None:
    """The column that holds ``meaning``, if there is one."""
    names = list(names)
    for tier in NAMES[meaning]:
        found = [name for name in names if name.lower() in tier]
        if len(found) > 1:
            both = " and ".join(map(repr, found))
            raise InputError(f"{source}: columns {both} could both be {meaning!r}")
        if found:
            return found[0]
    return None


def named_frame(frame: Any, source: str) -> Any:
    """A frame whose columns have names; an index of pandas that says something is a column too."""
    if not hasattr(frame, "columns"):
        kind = type(frame).__name__
        raise InputError(f"{source}: a file or a pandas or polars frame is expected; got {kind}")
    index = getattr(frame, "index", None)
    if index is None:
        return frame
    if any(name is not None for name in index.names):
        frame = frame.reset_index()
    elif type(index).__name__ != "RangeIndex":
        frame = frame.reset_index(names="")
    return frame.rename(columns=str)


def read_frame(source: Source, ending: str, *, used: Collection[str] | None = None) -> Any:
    """A polars frame; the columns of text formats stay text, so that nothing is guessed.

    ``used`` are names of columns that become Python values (``RECORD_NAMES``); by default all do.
    """
    import polars as pl

    data = source.all_bytes() if ending == ".parquet" else source.text().encode()
    if not data.strip():
        raise InputError(f"{source.name}: empty")
    if ending == ".parquet":
        return read_parquet(data, source.name, used)
    try:
        return _read_delimited(data, "\t" if ending == ".tsv" else ",", source.name)
    except pl.exceptions.PolarsError as error:
        reason = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"{source.name}: cannot be read as {ending[1:]}: {reason}") from None


def _read_delimited(data: bytes, separator: str, source: str) -> Any:
    import polars as pl

    numbered = [*enumerate(data.rstrip().splitlines(), start=1)]
    lines = [line for _, line in numbered if line.strip()]
    header = next(csv.reader([lines[0].decode()], delimiter=separator))
    blank = [number for number, line in numbered if not line.strip()]
    if blank and len(header) == 1:  # a value that is missing, for all that can be told
        raise InputError(f"{source}: line {blank[-1]}: blank, in a table of one column")
    repeated = {name for name in header if header.count(name) > 1}
    if repeated:
        raise InputError(f"{source}: column {min(repeated)!r} stands twice in the header")
    return pl.read_csv(BytesIO(b"\n".join(lines)), separator=separator, infer_schema=False)


def columns_from_frame(
    frame: Any, source: str, *, is_run: bool, fingerprint: str | None = None
) -> Columns:
    """Columns from a polars or pandas frame."""
    frame = named_frame(frame, source)
    names = list(frame.columns)
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
    rank = find_optional_column(names, "rank", source) if is_run else None
    take = itemgetter if isinstance(first, Mapping) else attrgetter
    try:
        query_ids, doc_ids, values = (list(map(take(field), records)) for field in fields)
        ranks = list(map(take(rank), records)) if rank else None
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{source}: a record lacks a field of the first: {error}") from None
    return columns_from_values(
        source,
        query_ids,
        doc_ids,
        values,
        is_run=is_run,
        ranks=ranks,
        fingerprint=fingerprint,
    )


def column_values(frame: Any, column: str) -> Sequence[object]:
    """One column of a polars or pandas frame, as Python values."""
    series = frame[column]
    values: list[object] = series.to_list() if hasattr(series, "to_list") else list(series)
    return values
