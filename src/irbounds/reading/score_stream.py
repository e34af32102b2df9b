"""Per-query scores in Parquet files that together are larger than memory.

All files have the same columns: the query's id, and one of scores for each system. They are read in
stretches of rows. A query is known by a number that is made from the bytes of its id, wherever it
stands; whole numbers count as their text, as everywhere.
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

from ..errors import InputError, ParameterError, quote
from ..parallel.digests import NOT_IN_DIGESTS
from ..parallel.memory import format_bytes
from ._kernels import name_ids
from .error_list import Problems
from .frames import find_column, find_optional_column
from .parquet import Layout, check_stretches, columns_and_layout, file_fingerprint, rows_of
from .score_mappings import SUMMARY

ROWS = 1 << 18  # of a stretch at most: sums of as many whole numbers of 39 bits fit in 64
SCORES = 1 << 23  # of a stretch, about
MAX_TEXT = 1 << 30  # bytes that the ids of a stretch may have, if all are as long as the longest
LARGEST = 2.0**53  # up to here, doubles tell all whole numbers apart
PIVOT = (
    "a stream has one column a system: pivot it first, with polars for instance "
    "frame.pivot(on='system', index='query_id', values='value')"
)


@dataclass(frozen=True)
class ScoreFile:
    """One Parquet file; for a digest the same wherever it stands."""

    #: as it was given
    path: str = field(metadata=NOT_IN_DIGESTS)
    #: from the root, for a worker in another folder
    location: str = field(metadata=NOT_IN_DIGESTS)
    n_rows: int
    fingerprint: str
    #: bytes that are held while any row is read
    at_once: int


@dataclass(frozen=True)
class ScoreStream:
    """Files of scores, opened: what they hold is known, and none of it is read."""

    files: tuple[ScoreFile, ...]
    query_column: str
    systems: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        """Of all files."""
        return sum(file.n_rows for file in self.files)

    @property
    def rows_each(self) -> int:
        """Rows of a stretch."""
        return min(ROWS, max(SCORES // len(self.systems), 1))

    @property
    def n_stretches(self) -> int:
        """Into how many stretches the files fall."""
        return self._ends[-1]

    @property
    def largest(self) -> ScoreFile:
        """The file of which most is held at once."""
        return max(self.files, key=lambda file: file.at_once)

    @property
    def bytes_each(self) -> int:
        """What a thread takes that reads: the rows of a stretch, and the group they stand in."""
        n_rows = min(self.rows_each, max(file.n_rows for file in self.files))
        return n_rows * (100 + 24 * len(self.systems)) + self.largest.at_once

    @cached_property
    def _ends(self) -> list[int]:
        """How many stretches there are up to the end of each file."""
        ends, so_far = [], 0
        for file in self.files:
            so_far += -(-file.n_rows // self.rows_each)
            ends.append(so_far)
        return ends

    def place(self, number: int) -> tuple[ScoreFile, int, int]:
        """The file of a stretch, and its rows there."""
        which = bisect_right(self._ends, number)
        file = self.files[which]
        begin = (number - (self._ends[which - 1] if which else 0)) * self.rows_each
        return file, begin, min(begin + self.rows_each, file.n_rows)


@dataclass(frozen=True, eq=False)
class Stretch:
    """Rows of one file; summary rows are passed over."""

    path: str
    #: the row of each query in its file, from 1
    rows: NDArray[np.intp]
    names: NDArray[np.uint64]
    #: system x query
    scores: Sequence[NDArray[np.float64]]
    #: the ids as a series of polars
    ids: Any


def open_stream(sources: Any) -> ScoreStream:
    """Find the files of a stream and look at their columns."""
    paths = list_stream_files(sources)
    opened = [(path, *columns_and_layout(path)) for path in paths]
    first, columns, _ = opened[0]
    query = _query_column(first, columns)
    for path, others, layout in opened:
        _check_names(path, others, first, columns)
        if layout.n_rows:  # of an empty file, no kind of number is known
            _check_kinds(path, others, query)
    files = [_file(path, layout) for path, _, layout in opened]
    if not sum(file.n_rows for file in files):
        raise InputError(f"{first}: empty: no scores")
    return ScoreStream(tuple(files), query, tuple(name for name in columns if name != query))


def _file(path: str, layout: Layout) -> ScoreFile:
    check_stretches(path, layout)
    location = str(Path(path).absolute())
    return ScoreFile(path, location, layout.n_rows, file_fingerprint(path), layout.at_once)


def read_stretch(stream: ScoreStream, number: int, *, scores: bool = True) -> Stretch:
    """The queries of a stretch, with their scores or alone.

    Raises ``InputError`` for what is no id or no score.
    """
    file, begin, end = stream.place(number)
    systems = stream.systems if scores else ()
    frame = rows_of(file.location, [stream.query_column, *systems], begin, end, file.path)
    problems = Problems(file.path, "row")
    ids = _id_texts(frame[stream.query_column], begin + 1, problems)
    columns = [_numbers(frame[system], begin + 1, problems) for system in systems]
    problems.raise_if_any()
    _check_lengths(file.path, ids)
    rows = np.arange(begin + 1, end + 1)
    kept = (ids != SUMMARY).to_numpy()
    if not kept.all():
        ids, rows = ids.filter(kept), rows[kept]
        columns = [column[kept] for column in columns]
    return Stretch(file.path, rows, _names(ids), columns, ids)


def _check_lengths(path: str, ids: Any) -> None:
    """Raise ``InputError`` for ids so long that those of a stretch do not fit; equal ones do."""
    longest = int(ids.str.len_bytes().max() or 0)
    if longest * len(ids) > MAX_TEXT:
        raise InputError(
            f"{path}: an id of {format_bytes(longest)}; {len(ids):,} ids may have "
            f"{format_bytes(MAX_TEXT)} together"
        )


def _names(ids: Any) -> NDArray[np.uint64]:
    text = np.frombuffer(ids.str.join("").item().encode(), np.uint8)
    ends = ids.str.len_bytes().to_numpy().cumsum(dtype=np.int64)
    names = np.empty(len(ends), np.uint64)
    name_ids(text, ends, names)
    return names


def _id_texts(ids: Any, first: int, problems: Problems) -> Any:
    """Ids as text; numbers become text here, and those that are not whole are none."""
    import polars as pl

    texts = ids
    if ids.dtype.is_float():
        whole = ids.is_finite() & (ids == ids.floor()) & (ids.abs() < LARGEST)
        texts = ids.set(~whole, None).cast(pl.Int64)
    texts = texts.cast(pl.String)
    wrong = texts.is_null() | (texts == "").fill_null(value=False)
    for place in wrong.arg_true().to_list():
        said = f"{ids.name} {quote(ids[place])} is neither text nor a whole number"
        problems.add(said, first + place)
    return texts


def _numbers(scores: Any, first: int, problems: Problems) -> NDArray[np.float64]:
    import polars as pl

    numbers: NDArray[np.float64] = scores.cast(pl.Float64).to_numpy()
    for place in np.flatnonzero(~np.isfinite(numbers)).tolist():
        problems.add(f"{scores.name}: {quote(scores[place])} is not a finite number", first + place)
    return numbers


def _query_column(path: str, columns: dict[str, Any]) -> str:
    names = list(columns)
    if find_optional_column(names, "value", path):
        raise InputError(f"{path}: one score a row; {PIVOT}")
    query = find_column(names, "query_id", path)
    if len(names) < 2:
        raise InputError(f"{path}: empty: no scores")
    return query


def _check_names(path: str, columns: dict[str, Any], first: str, expected: dict[str, Any]) -> None:
    """The same columns in every file, in any order."""
    for name in sorted(columns.keys() ^ expected.keys()):
        here, there = (first, path) if name in expected else (path, first)
        raise InputError(f"{path}: column {quote(name)} is in {here} and not in {there}")


def _check_kinds(path: str, columns: dict[str, Any], query: str) -> None:
    """Ids, and numbers."""
    import polars as pl

    text = (pl.String, pl.Categorical, pl.Enum)
    ids = columns[query]
    if not (ids in text or ids.is_integer() or ids.is_float()):
        raise InputError(f"{path}: {query}: {ids} is neither text nor a whole number")
    for name, kind in columns.items():
        if name != query and not kind.is_numeric():
            hint = f"; {PIVOT}" if kind in text else ""
            raise InputError(f"{path}: {name}: scores must be numbers; got {kind}{hint}")


# Which scores are a stream, and of which files.
#
# A pattern such as ``scores/*.parquet`` and a folder are streams: Parquet files with the same
# columns, read stretch by stretch. So is one Parquet file of over a million rows, if it has ids of
# queries and a column a system. Anything else is a table and is read whole.

TABLE_ROWS = 1_000_000  # of one Parquet file that is still read whole
ENDING = ".parquet"


def is_stream(scores: Any) -> bool:
    """Whether scores are to be read stretch by stretch: all of them, or none."""
    if isinstance(scores, Mapping):
        given = [not isinstance(one, Mapping) and is_stream(one) for one in scores.values()]
        if any(given) and not all(given):
            raise ParameterError(
                "scores: some are a stream (a pattern, a folder, a large Parquet file) and some a "
                "table; give the one or the other"
            )
        return any(given)
    if isinstance(scores, list | tuple):
        if len(scores) == 1:
            return is_stream(scores[0])
        return any(isinstance(one, str | Path) and is_many(one) for one in scores)
    return isinstance(scores, str | Path) and (is_many(scores) or _is_large(scores))


def is_many(path: str | Path) -> bool:
    """Whether this is a folder or a pattern and no file."""
    if _is_there(path):
        return Path(path).is_dir()
    return glob.has_magic(str(path))


def _is_large(path: str | Path) -> bool:
    """Whether this is a Parquet file of many rows that can be a stream: by query and system.

    One that is damaged is not, and the reader of tables will say so.
    """
    if Path(path).suffix.lower() != ENDING or not _is_there(path):
        return False
    try:
        columns, layout = columns_and_layout(str(path))
        wide = find_optional_column(columns, "value", str(path)) is None
        large = layout.n_rows > TABLE_ROWS
        return large and wide and bool(find_column(columns, "query_id", str(path)))
    except InputError:
        return False


def _is_there(path: str | Path) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or a zero byte in it
        return False


def check_no_stream(source: Any) -> None:
    """Raise ``InputError`` for a pattern or a folder where a table is needed."""
    if isinstance(source, str | Path) and is_many(source):
        raise InputError(
            f"{source}: a pattern or a folder is read as a stream, which is for mean_interval and "
            "irbounds evaluate alone; name each file of a table"
        )


def list_stream_files(sources: Any) -> list[str]:
    """The files of a stream, in the order of their names; none twice."""
    given = sources if isinstance(sources, list | tuple) else [sources]
    files = [file for source in given for file in _files_of(source)]
    seen: set[Path] = set()
    for file in files:
        if Path(file).resolve() in seen:
            raise InputError(f"{file}: this file is named twice")
        seen.add(Path(file).resolve())
    return files


def _files_of(source: Any) -> list[str]:
    if not isinstance(source, str | Path):
        raise ParameterError(
            "scores: a stream is of Parquet files, given as patterns, folders or names; got "
            f"{type(source).__name__}"
        )
    if _is_there(source):
        return sorted(_in_folder(Path(source))) if Path(source).is_dir() else [str(source)]
    if not glob.has_magic(str(source)):
        raise InputError(f"{source}: no such file or directory")
    matches = sorted(glob.glob(str(source), recursive=True))  # noqa: PTH207 (may be absolute)
    if not matches:
        raise InputError(f"{source}: no file matches this pattern")
    return [file for one in matches for file in _files_of(one)]


def _in_folder(folder: Path) -> Iterator[str]:
    """Parquet files below a folder; names that begin with a dot or a line are other tools' own."""
    found = [path for path in folder.rglob(f"*{ENDING}") if path.name[0] not in "._"]
    if not found:
        raise InputError(f"{folder}: no Parquet file in this folder")
    return map(str, found)
