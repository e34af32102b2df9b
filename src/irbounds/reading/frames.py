"""Records with named columns: CSV, TSV, Parquet, polars and pandas frames, named tuples, dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from operator import attrgetter, itemgetter
from typing import Any

from ..errors import InputError, quote, quote_several
from ..validation import as_list
from .columns import Columns, columns_from_values
from .sheets import read_columns
from .sources import Source

FRAME_EXTENSIONS = {".csv", ".tsv", ".parquet"}

#: names of each column in common tools: the unambiguous names, then those that count only where
#: none of the first is there (PyTerrier's ``query`` is a text, its ``docid`` a number; judgments
#: of BEIR and ranx have a ``score``)
NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "query_id": (("query_id", "query-id", "qid", "q_id", "topic", "topic_id"), ("query",)),
    "doc_id": (
        ("doc_id", "docno", "document_id", "corpus-id", "corpus_id"),
        ("docid", "doc", "document"),
    ),
    "relevance": (("relevance", "rel", "label", "judgment"), ("score",)),
    "score": (("score", "sim"),),
    "rank": (("rank",),),
    "system": (("system", "run", "run_id", "runid", "name"), ("model", "model_name", "method")),
    "measure": (("measure", "metric"),),
    "value": (("value",),),
}

#: names of a column of queries that are tasks of models, where none means a query
TASK_COLUMNS = ("task", "task_name", "task_id")
KNOWN_NAMES = {name for tiers in NAMES.values() for tier in tiers for name in tier}


def find_column(names: Iterable[str], meaning: str, source: str) -> str:
    """Return the column that holds ``meaning``; raise ``InputError`` if there is none."""
    names = list(names)
    column = find_optional_column(names, meaning, source)
    if column is None:
        others = [name for tier in NAMES[meaning] for name in tier if name != meaning]
        also = f" (or {', '.join(map(repr, others))})" if others else ""
        raise InputError(f"{source}: no column {meaning!r}{also}; found {quote_several(names)}")
    return column


def find_optional_column(names: Iterable[str], meaning: str, source: str) -> str | None:
    """Return the column that holds ``meaning``, or None."""
    names = list(names)
    for tier in NAMES[meaning]:
        columns = [name for name in names if name.lower() in tier]
        if len(columns) > 1:
            both = " and ".join(map(quote, columns))
            raise InputError(f"{source}: columns {both} could both be {meaning!r}")
        if columns:
            return columns[0]
    return None


def name_columns(frame: Any, source: str, known: Collection[str] = KNOWN_NAMES) -> Any:
    """Return a frame whose columns have names; a pandas index with content becomes a column.

    The index is never a score. If its name is not ``known``, it holds the names of the rows and
    becomes a column without a name.
    """
    frame = _collect(frame, source)
    if not hasattr(frame, "__len__") or not hasattr(frame, "columns"):
        kind = type(frame).__name__
        raise InputError(f"{source}: a file or a pandas or polars frame is expected; got {kind}")
    index = getattr(frame, "index", None)
    if index is None:
        return frame
    for name in frame.columns:
        if isinstance(name, tuple):  # columns of several levels, as a pivot makes them
            raise InputError(f"{source}: a column must have one name; got {quote(name)}")
    frame = frame.rename(columns=str)
    levels = [name if str(name).lower() in known else "" for name in index.names]
    if type(index).__name__ == "RangeIndex" and index.name is None:
        levels = []  # only the numbers of the rows
    elif len(levels) > 1:
        unknown = [number for number, name in enumerate(levels) if not name]
        levels = [name for name in levels if name]
        frame = frame.reset_index(level=unknown, drop=True) if levels else frame
    twice = [name for name, times in Counter([*levels, *frame.columns]).items() if times > 1]
    if twice:
        raise InputError(f"{source}: column {quote(twice[0])} is in the frame twice")
    return frame.reset_index(names=levels) if levels else frame


def _collect(frame: Any, source: str) -> Any:
    """Return the rows of a LazyFrame of polars; anything else unchanged."""
    kind = type(frame)
    if kind.__name__ != "LazyFrame" or kind.__module__.partition(".")[0] != "polars":
        return frame
    from polars.exceptions import PolarsError

    try:
        return frame.collect()
    except (PolarsError, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{source}: polars cannot collect the LazyFrame: {reason}") from None


def read_frame(source: Source, extension: str) -> Any:
    """Read a frame; the columns of text formats remain text, so that no type is guessed."""
    if extension == ".parquet":
        return _read_parquet(source)
    data = source.text().encode()
    if not data.strip():
        raise InputError(f"{source.name}: empty")
    separator = "\t" if extension == ".tsv" else ","
    return _PlainFrame(read_columns(data, separator, source.name))


def _read_parquet(source: Source) -> Any:
    """Return the rows of a Parquet file as a polars frame."""
    import polars as pl

    data = source.read()
    try:
        return pl.read_parquet(BytesIO(data))
    except BaseException as error:
        # polars panics on some damaged files; a panic is not an Exception, its class is not public
        is_panic = type(error).__name__ == "PanicException"
        if not is_panic and not isinstance(error, pl.exceptions.PolarsError | OSError):
            raise
        reason = "damaged" if is_panic else (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"{source.name}: cannot be read as parquet: {reason}") from None


def make_frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return a frame of columns of the same length, without polars or pandas."""
    return _PlainFrame(columns)


@dataclass(frozen=True)
class _PlainFrame:
    """Columns with the part of the interface of frames that reading needs."""

    cells: Mapping[str, Sequence[Any]]

    @property
    def columns(self) -> list[str]:
        return list(self.cells)

    def __len__(self) -> int:
        return len(next(iter(self.cells.values())))

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.cells[name]


def columns_from_frame(
    frame: Any, source: str, *, is_run: bool, fingerprint: str | None = None
) -> Columns:
    """Return columns from a polars or pandas frame."""
    frame = name_columns(frame, source)
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
    """Return columns from records with named fields (ir_measures, ir_datasets) or from dicts."""
    records = as_list(records)
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
    getter = itemgetter if isinstance(first, Mapping) else attrgetter
    try:
        query_ids, doc_ids, values = (list(map(getter(field), records)) for field in fields)
        ranks = list(map(getter(rank), records)) if rank else None
    except (AttributeError, KeyError, TypeError):
        needed = fields if rank is None else [*fields, rank]
        raise InputError(f"{source}: {_describe_missing(records, needed)}") from None
    return columns_from_values(
        source,
        query_ids,
        doc_ids,
        values,
        is_run=is_run,
        ranks=ranks,
        fingerprint=fingerprint,
    )


def _describe_missing(records: Sequence[Any], fields: Sequence[str]) -> str:
    """Name the first record that lacks a field which the first record has."""
    for number, record in enumerate(records, start=1):
        for field in fields:
            has_field = field in record if isinstance(record, Mapping) else hasattr(record, field)
            if not has_field or isinstance(record, Mapping) != isinstance(records[0], Mapping):
                return f"record {number}: no {quote(field)}, which the first record has"
    return "records of different types"


def column_values(frame: Any, column: str) -> Sequence[object]:
    """Return one column of a polars or pandas frame as Python values."""
    series = frame[column]
    values: list[object] = series.to_list() if hasattr(series, "to_list") else list(series)
    return values
