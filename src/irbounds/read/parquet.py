"""Parquet files too large to be read at once: what they hold, and their rows stretch by stretch.

polars skips the groups of rows that a stretch does not touch, so a stretch costs memory for itself
and for one group, compressed as it is. Written by the usual tools, a group has some hundred
thousand rows to a million.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InputError
from .parquet_groups import largest_group

__all__ = ["bytes_at_once", "columns_and_length", "file_fingerprint", "rows_of"]

PANIC = "PanicException"
BEGINNINGS = (b"PAR1", b"PARE")  # the second where what stands at the end is encrypted


def columns_and_length(path: str) -> tuple[dict[str, Any], int]:
    """The columns of a file with their types, and how many rows it has, from its last bytes."""
    import polars as pl

    with _reading(path):
        _check_beginning(path)
        rows = _scanned(path)
        return dict(rows.collect_schema()), int(rows.select(pl.len()).collect().item())


def rows_of(path: str, columns: Sequence[str], begin: int, end: int, name: str) -> Any:
    """A frame of some columns and the rows from ``begin`` up to ``end``.

    ``name`` is what the file is called in errors.
    """
    with _reading(name):
        frame = _scanned(path).select(columns).slice(begin, end - begin).collect()
    if len(frame) != end - begin:
        raise InputError(f"{name}: this changed while it was read")
    return frame


def file_fingerprint(path: str) -> str:
    """SHA-256 of a file: what ``sha256sum FILE`` prints."""
    with _reading(path), Path(path).open("rb") as opened:
        return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"


def bytes_at_once(path: str) -> int:
    """What polars holds to read any row: the largest group of rows, as it stands in the file."""
    with _reading(path):
        return largest_group(path)


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
        yield
    except OSError as error:
        raise InputError(f"{name}: {(error.strerror or str(error)).splitlines()[0]}") from None
    except BaseException as error:
        # polars panics on some damaged files; a panic is no Exception and has no public class
        if not isinstance(error, pl.exceptions.PolarsError) and type(error).__name__ != PANIC:
            raise
        reason = (str(error).splitlines() or ["damaged"])[0]
        raise InputError(f"{name}: cannot be read as parquet: {reason}") from None
