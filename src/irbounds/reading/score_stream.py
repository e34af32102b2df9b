"""Streams: per-query scores in Parquet files that together are larger than memory.

A pattern such as ``scores/*.parquet`` and a directory are streams. So is one Parquet file of over a
million rows, if it has query ids and one column per system. Anything else is a table and is read as
a whole.

All files have the same columns: the id of the query, and one column of scores per system. They are
read in stretches of rows. A query is identified by a hash of its id, independently of its place.
Integers count as their text, as in all formats.
"""

from __future__ import annotations

import glob
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ParameterError, check_names, quote
from ..parallel.digests import NOT_IN_DIGESTS
from ..parallel.memory import format_bytes
from .error_list import ErrorList
from .frames import find_column, find_optional_column
from .mteb_results import is_result_source
from .parquet import Layout, check_stretches, columns_and_layout, file_fingerprint, read_rows_of
from .score_records import SUMMARY

ROWS = 1 << 18  # of a stretch at most: sums of as many integers of 39 bits fit in 64 bits
SCORES = 1 << 23  # about as many per stretch
MAX_TEXT = 1 << 30  # bytes of the ids of a stretch, if all are as long as the longest
MAX_INTEGER = 2.0**53  # doubles represent all integers up to this one
PIVOT = (
    "a stream has one column per system: pivot it first, with polars for instance "
    "frame.pivot(on='system', index='query_id', values='value')"
)
MAX_TABLE_ROWS = 1_000_000  # of one Parquet file that is read as a table
EXTENSION = ".parquet"


@dataclass(frozen=True)
class ScoreFile:
    """One Parquet file; its digest does not depend on its location."""

    #: as the user gave it
    path: str = field(metadata=NOT_IN_DIGESTS)
    #: the absolute path, for workers in another directory
    location: str = field(metadata=NOT_IN_DIGESTS)
    n_rows: int
    fingerprint: str
    #: bytes needed to read any row
    at_once: int


@dataclass(frozen=True)
class ScoreStream:
    """The files of a stream, whose columns and sizes are known and whose rows are not read yet."""

    files: tuple[ScoreFile, ...]
    query_column: str
    systems: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """The number of rows in all files."""
        return sum(file.n_rows for file in self.files)

    @property
    def rows_each(self) -> int:
        """The number of rows per stretch."""
        return min(ROWS, max(SCORES // len(self.systems), 1))

    @property
    def n_stretches(self) -> int:
        """The number of stretches in all files."""
        return self._ends[-1]

    @property
    def largest(self) -> ScoreFile:
        """The file that needs most memory to read a row."""
        return max(self.files, key=lambda file: file.at_once)

    @property
    def bytes_each(self) -> int:
        """The bytes that a reading thread takes: the rows of a stretch and their row group."""
        n_rows = min(self.rows_each, max(file.n_rows for file in self.files))
        return n_rows * (100 + 24 * len(self.systems)) + self.largest.at_once

    @cached_property
    def _ends(self) -> list[int]:
        """The number of stretches up to the end of each file."""
        ends, so_far = [], 0
        for file in self.files:
            so_far += -(-file.n_rows // self.rows_each)
            ends.append(so_far)
        return ends

    def place(self, number: int) -> tuple[ScoreFile, int, int]:
        """Return the file of a stretch, and its first row and the row behind its last."""
        which = bisect_right(self._ends, number)
        file = self.files[which]
        begin = (number - (self._ends[which - 1] if which else 0)) * self.rows_each
        return file, begin, min(begin + self.rows_each, file.n_rows)


@dataclass(frozen=True, eq=False)
class Stretch:
    """Rows of one file, without summary rows."""

    path: str
    #: the row of each query in its file, from 1
    rows: NDArray[np.intp]
    #: the hash of each query's id
    hashes: NDArray[np.uint64]
    #: system x query
    scores: Sequence[NDArray[np.float64]]
    #: the ids as a polars series
    ids: Any


def is_stream(scores: Any) -> bool:
    """Return whether scores are a stream; raise ``ParameterError`` if only some of them are."""
    if isinstance(scores, Mapping):
        streams = [
            not isinstance(source, Mapping) and is_stream(source) for source in scores.values()
        ]
        if any(streams) and not all(streams):
            raise ParameterError(
                "scores: some are a stream (a pattern, a directory, a large Parquet file) and some "
                "a table; give only one of the two kinds"
            )
        return any(streams)
    if isinstance(scores, list | tuple):
        if len(scores) == 1:
            return is_stream(scores[0])
        return any(isinstance(source, str | Path) and is_many(source) for source in scores)
    return isinstance(scores, str | Path) and (is_many(scores) or _is_large(scores))


def is_many(path: str | Path) -> bool:
    """Return whether a path is a directory of Parquet files or a pattern, and not a file.

    A directory with results of MTEB is a table.
    """
    if _exists(path):
        return Path(path).is_dir() and not is_result_source(path)
    return glob.has_magic(str(path))


def _is_large(path: str | Path) -> bool:
    """Return whether a file is a large Parquet file with query ids and one column per system.

    A damaged one is not, and the reader of tables raises an error.
    """
    if Path(path).suffix.lower() != EXTENSION or not _exists(path):
        return False
    try:
        columns, layout = columns_and_layout(str(path))
        is_wide = find_optional_column(columns, "value", str(path)) is None
        is_large = layout.n_rows > MAX_TABLE_ROWS
        return is_large and is_wide and bool(find_column(columns, "query_id", str(path)))
    except InputError:
        return False


def _exists(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        return False


def check_no_stream(source: Any) -> None:
    """Raise ``InputError`` for a pattern or a directory where a table is needed."""
    if isinstance(source, str | Path) and is_many(source):
        raise InputError(
            f"{source}: a pattern or a directory is read as a stream, which only mean_interval "
            "and irbounds evaluate accept; name each file of a table, or give a directory with "
            "results of MTEB (MODEL/REVISION/TASK.json)"
        )


def list_stream_files(sources: Any) -> list[str]:
    """Return the files of a stream, in the order of their names; raise if one is named twice."""
    listed = sources if isinstance(sources, list | tuple) else [sources]
    files = [file for source in listed for file in _list_files(source)]
    known: set[Path] = set()
    for file in files:
        if Path(file).resolve() in known:
            raise InputError(f"{file}: this file is named twice")
        known.add(Path(file).resolve())
    return files


def _list_files(source: Any) -> list[str]:
    if not isinstance(source, str | Path):
        raise ParameterError(
            "scores: a stream has Parquet files, given as patterns, directories or names; got "
            f"{type(source).__name__}"
        )
    if _exists(source):
        return sorted(_list_directory(Path(source))) if Path(source).is_dir() else [str(source)]
    if not glob.has_magic(str(source)):
        raise InputError(f"{source}: no such file or directory")
    matches = sorted(glob.glob(str(source), recursive=True))  # noqa: PTH207 (may be absolute)
    if not matches:
        raise InputError(f"{source}: no file matches this pattern")
    return [file for match in matches for file in _list_files(match)]


def _list_directory(directory: Path) -> Iterator[str]:
    """Return the Parquet files below a directory; dots and underscores mark files of tools."""
    files = [path for path in directory.rglob(f"*{EXTENSION}") if path.name[0] not in "._"]
    if not files:
        raise InputError(
            f"{directory}: no Parquet file in this directory, and no result of MTEB "
            "(MODEL/REVISION/TASK.json)"
        )
    return map(str, files)


def open_stream(sources: Any) -> ScoreStream:
    """Find the files of a stream and check their columns."""
    paths = list_stream_files(sources)
    opened = [(path, *columns_and_layout(path)) for path in paths]
    first, columns, _ = opened[0]
    query = _find_query_column(first, columns)
    check_names(columns, first)
    for path, others, layout in opened:
        _check_names(path, others, first, columns)
        if layout.n_rows:  # the types of an empty file are unknown
            _check_types(path, others, query)
    files = [_check_file(path, layout) for path, _, layout in opened]
    if not sum(file.n_rows for file in files):
        raise InputError(f"{first}: empty: no scores")
    return ScoreStream(tuple(files), query, tuple(name for name in columns if name != query))


def _check_file(path: str, layout: Layout) -> ScoreFile:
    check_stretches(path, layout)
    location = str(Path(path).absolute())
    return ScoreFile(path, location, layout.n_rows, file_fingerprint(path), layout.at_once)


def read_stretch(stream: ScoreStream, number: int, *, scores: bool = True) -> Stretch:
    """Return the queries of a stretch, with their scores or without.

    Raises ``InputError`` for invalid ids and scores.
    """
    file, begin, end = stream.place(number)
    systems = stream.systems if scores else ()
    frame = read_rows_of(file.location, [stream.query_column, *systems], begin, end, file.path)
    errors = ErrorList(file.path, "row")
    ids = _id_texts(frame[stream.query_column], begin + 1, errors)
    columns = [_parse_scores(frame[system], begin + 1, errors) for system in systems]
    errors.raise_if_any()
    _check_lengths(file.path, ids)
    rows = np.arange(begin + 1, end + 1)
    is_query = (ids != SUMMARY).to_numpy()
    if not is_query.all():
        ids, rows = ids.filter(is_query), rows[is_query]
        columns = [column[is_query] for column in columns]
    return Stretch(file.path, rows, _hash(ids), columns, ids)


def _check_lengths(path: str, ids: Any) -> None:
    """Raise ``InputError`` for ids so long that those of a stretch may not fit into memory.

    polars stores equal ids once, so the length of each counts.
    """
    longest = int(ids.str.len_bytes().max() or 0)
    if longest * len(ids) > MAX_TEXT:
        raise InputError(
            f"{path}: an id of {format_bytes(longest)}; {len(ids):,} ids may have "
            f"{format_bytes(MAX_TEXT)} together"
        )


def _hash(ids: Any) -> NDArray[np.uint64]:
    """Return the hashes of a polars series of ids."""
    from ._kernels import hash_ids

    text = np.frombuffer(ids.str.join("").item().encode(), np.uint8)
    ends = ids.str.len_bytes().to_numpy().cumsum(dtype=np.int64)
    hashes = np.empty(len(ends), np.uint64)
    hash_ids(text, ends, hashes)
    return hashes


def _id_texts(ids: Any, first: int, errors: ErrorList) -> Any:
    """Return ids as text, with integers converted; others are added to the errors."""
    import polars as pl

    texts = ids
    if ids.dtype.is_float():
        is_integer = ids.is_finite() & (ids == ids.floor()) & (ids.abs() < MAX_INTEGER)
        texts = ids.set(~is_integer, None).cast(pl.Int64)
    texts = texts.cast(pl.String)
    wrong = texts.is_null() | (texts == "").fill_null(value=False)
    for place in wrong.arg_true().to_list():
        message = f"{ids.name} {quote(ids[place])} is neither text nor an integer"
        errors.add(message, first + place)
    return texts


def _parse_scores(scores: Any, first: int, errors: ErrorList) -> NDArray[np.float64]:
    import polars as pl

    numbers: NDArray[np.float64] = scores.cast(pl.Float64).to_numpy()
    for place in np.flatnonzero(~np.isfinite(numbers)).tolist():
        errors.add(f"{scores.name}: {quote(scores[place])} is not a finite number", first + place)
    return numbers


def _find_query_column(path: str, columns: dict[str, Any]) -> str:
    """Return the column of query ids; raise ``InputError`` unless the others can be systems."""
    names = list(columns)
    if find_optional_column(names, "value", path):
        raise InputError(f"{path}: one score per row; {PIVOT}")
    query = find_column(names, "query_id", path)
    if len(names) < 2:
        raise InputError(f"{path}: empty: no scores")
    return query


def _check_names(path: str, columns: dict[str, Any], first: str, expected: dict[str, Any]) -> None:
    """Raise ``InputError`` unless every file has the same columns, in any order."""
    for name in sorted(columns.keys() ^ expected.keys()):
        here, there = (first, path) if name in expected else (path, first)
        raise InputError(f"{path}: column {quote(name)} is in {here} and not in {there}")


def _check_types(path: str, columns: dict[str, Any], query: str) -> None:
    """Raise ``InputError`` unless the columns hold ids and numbers."""
    import polars as pl

    text = (pl.String, pl.Categorical, pl.Enum)
    ids = columns[query]
    if not (ids in text or ids.is_integer() or ids.is_float()):
        raise InputError(f"{path}: {query}: {ids} is neither text nor an integer")
    for name, dtype in columns.items():
        if name != query and not dtype.is_numeric():
            hint = f"; {PIVOT}" if dtype in text else ""
            raise InputError(f"{path}: {name}: scores must be numbers; got {dtype}{hint}")
