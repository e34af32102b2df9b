"""Which scores are a stream, and of which files.

A pattern such as ``scores/*.parquet`` and a folder are streams: Parquet files with the same
columns, read stretch by stretch. So is one Parquet file of over a million rows, if it has ids of
queries and a column a system. Anything else is a table and is read whole.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, ParameterError
from .frames import find_column, find_optional_column
from .parquet import columns_and_layout

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


def stream_files(sources: Any) -> list[str]:
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
