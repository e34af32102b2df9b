"""Parquet files: what they hold, all of their rows, or rows stretch by stretch.

The layout of every file is checked first, so that a damaged one cannot end the process, and one too
large is refused before it is read.

For a stretch, polars skips the groups of rows that it does not touch, so a stretch costs memory for
itself and for one group, compressed as it is. Written by the usual tools, a group has some hundred
thousand rows to a million.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..native_messages import hold_back_messages
from .fitting import CELL, check_more_fits
from .parquet_layout import Layout, LayoutError, read_layout

PANIC = "PanicException"
VALUE = 16  # bytes of a text in a column of polars, and at most of a number
#: programs that read a file on trial: its bytes, or stretches of the file that is named
READ_ALL = "import sys, polars; polars.read_parquet(sys.stdin.buffer.read())"
READ_STRETCHES = """
import sys, polars
rows = polars.scan_parquet(sys.stdin.buffer.read().decode(), glob=False, hive_partitioning=False)
for begin in range(0, rows.select(polars.len()).collect().item(), 1 << 18):
    rows.slice(begin, 1 << 18).collect()
"""
BEGINNINGS = (b"PAR1", b"PARE")  # the second where the footer is encrypted


def read_parquet(data: bytes, name: str, used: Collection[str] | None = None) -> Any:
    """Return a file's rows as a polars frame, if they and their Python values fit into memory.

    ``used`` are names, in small letters, of columns that become Python values; by default all do.
    """
    import polars as pl

    with _reading(name):
        layout = read_layout(BytesIO(data))
        columns = pl.read_parquet_schema(BytesIO(data))
        n_used = sum(_is_used(column, used) for column in columns)
        rows = f"{layout.n_rows:,} rows of Parquet"
        as_values = CELL * n_used * layout.n_rows
        check_more_fits(name, rows, 0, layout.n_bytes + VALUE * layout.n_values + as_values)
        if layout.has_deltas:
            _try_elsewhere(READ_ALL, data)
        frame = pl.read_parquet(BytesIO(data))
        # equal texts are stored once, and become one Python object per row
        texts = frame.select(pl.col(pl.String, pl.Categorical, pl.Enum).cast(pl.String))
        lengths = [int(text.str.len_bytes().sum()) for text in texts if _is_used(text.name, used)]
        check_more_fits(name, rows, 0, 2 * sum(lengths) + as_values)
    return frame


def _is_used(column: str, used: Collection[str] | None) -> bool:
    return used is None or column.lower() in used


def columns_and_layout(path: str) -> tuple[dict[str, Any], Layout]:
    """Return the columns of a file with their types, and how many rows it has in what pages."""
    with _reading(path):
        _check_beginning(path)
        with Path(path).open("rb") as opened:
            layout = read_layout(opened)
        return dict(_scanned(path).collect_schema()), layout


def rows_of(path: str, columns: Sequence[str], begin: int, end: int, name: str) -> Any:
    """A frame of some columns and the rows from ``begin`` up to ``end``.

    ``name`` is what the file is called in errors.
    """
    with _reading(name):
        frame = _scanned(path).select(columns).slice(begin, end - begin).collect()
    if len(frame) != end - begin:
        raise InputError(f"{name}: this changed while it was read")
    return frame


def check_stretches(path: str, layout: Layout) -> None:
    """Raise ``InputError`` where reading the file stretch by stretch would end the process."""
    if layout.has_deltas:
        with _reading(path):
            _try_elsewhere(READ_STRETCHES, str(Path(path).absolute()).encode())


def file_fingerprint(path: str) -> str:
    """SHA-256 of a file: what ``sha256sum FILE`` prints."""
    with _reading(path), Path(path).open("rb") as opened:
        return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"


def _try_elsewhere(script: str, given: bytes) -> None:
    """Raise ``LayoutError`` where a process of its own does not survive the reading of a file.

    Sizes that stand among the differences of numbers and texts are not in the layout, and polars
    asks for as much memory as they say. Such files are rare, and this takes half a second.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return
    with suppress(OSError):
        tried = subprocess.run(
            [sys.executable, "-c", script], input=given, capture_output=True, check=False
        )
        if tried.returncode not in (0, 1):  # 1 is an error that will be raised here as well
            raise LayoutError("damaged: a process that read it on trial was ended by it")


def _check_beginning(path: str) -> None:
    """Raise ``InputError`` where a file is not of this kind at all."""
    with Path(path).open("rb") as opened:
        if opened.read(4) not in BEGINNINGS:
            raise InputError(
                f"{path}: this is no Parquet file, and a stream's patterns and folders are of "
                "Parquet files alone"
            )


def _scanned(path: str) -> Any:
    """Names are taken as they are: neither a pattern nor folders have anything to say here."""
    import polars as pl

    return pl.scan_parquet(path, glob=False, hive_partitioning=False)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    import polars as pl

    try:
        with hold_back_messages():
            yield
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or str(error)).splitlines()[0]}") from None
    except BaseException as error:
        # polars panics on some damaged files; a panic is no Exception and has no public class
        known = (pl.exceptions.PolarsError, LayoutError)
        if not isinstance(error, known) and type(error).__name__ != PANIC:
            raise
        reason = "" if type(error).__name__ == PANIC else str(error)
        first = (reason.splitlines() or ["damaged"])[0]
        raise InputError(f"{name}: cannot be read as parquet: {first}") from None
