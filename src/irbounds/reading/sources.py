"""Files and standard input as plain bytes: unpacked, checked to be text, fingerprinted.

Compression is told by a file's first bytes, not by its name, so a misnamed file and standard input
work too. The fingerprint is the SHA-256 of the bytes as stored: what ``sha256sum FILE`` prints.
"""

from __future__ import annotations

import bz2
import hashlib
import io
import lzma
import os
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np

from ..errors import InputError, quote, show_name
from ..parallel.memory import format_bytes
from .fitting import CELL, SMALLER, TEXT, check_more_fits, check_size, finish_reading

PARQUET = b"PAR1"
NEWLINE = 10
BLANKS = " \t\n\v\f\r"  # C's white space, as in TREC text; str.strip also takes \x1c to \x1f
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CHUNK = 1 << 18
MAX_NAME = 1000  # characters of a file's name in a message
PIECE = 1 << 24  # bytes read at once where all are kept
LONG_LINE = 12  # bytes that each byte of a line takes while it is cut into fields
#: what ends a cell of some format or other, and what ends one even where it is empty
SEPARATES = np.isin(np.arange(256), np.frombuffer(b" \t\r\n,;:", np.uint8))
ENDS = (b"\n", b",", b";", b"\t")
ENDINGS = {".gz", ".zst", ".bz2", ".xz"}
TEXT_ENDINGS = {
    *(".run", ".txt", ".trec", ".res", ".qrels", ".out"),
    *(".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson"),
}


def _zstd_decompressor() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdDecompressor()


class _GzipDecompressor:
    """zlib's decompressor with the manners of bz2's and lzma's."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        piece = self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
        # where the piece is full, more of it may be waiting inside
        self.needs_input = not self._inner.unconsumed_tail and len(piece) < max_length
        return piece


class _Unpacking(io.RawIOBase):
    """Stream after stream until the input ends.

    ``bz2.BZ2File`` and ``lzma.LZMAFile`` take whatever follows a stream and is no stream itself for
    rubbish, and drop it: half a file, if the second of two streams is damaged. Here it is an error.
    """

    def __init__(self, raw: io.BufferedReader, decompressor: Callable[[], Any]) -> None:
        self._raw = raw
        self._new = decompressor
        self._current = decompressor()

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """Fill ``target``; less of it only at the end, so that ``peek`` sees across streams."""
        n_filled = 0
        while n_filled < len(target):
            if self._current.eof:
                packed = self._next_stream()
                if not packed:
                    break
                self._current = self._new()
            else:
                packed = self._raw.read(CHUNK) if self._current.needs_input else b""
                if not packed and self._current.needs_input:
                    raise EOFError("the file ends in the middle of its data")
            piece: bytes = self._current.decompress(packed, len(target) - n_filled)
            target[n_filled : n_filled + len(piece)] = piece
            n_filled += len(piece)
        return n_filled

    def _next_stream(self) -> bytes:
        """Return the bytes behind a stream, from the first that is not zero; none at the end."""
        packed: bytes = self._current.unused_data or self._raw.read(CHUNK)
        while packed and not packed.strip(b"\0"):  # padding, as tapes and some tools write it
            packed = self._raw.read(CHUNK)
        return packed.lstrip(b"\0")


DECOMPRESSORS: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": _GzipDecompressor,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": lzma.LZMADecompressor,
    b"\x28\xb5\x2f\xfd": _zstd_decompressor,
}


def _buffered(raw: io.RawIOBase) -> io.BufferedReader:
    return io.BufferedReader(raw, CHUNK)


class _Hashing(io.RawIOBase):
    """Passes bytes on and hashes them on the way."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self.digest = hashlib.sha256()
        self.n_bytes = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        piece = self._raw.read(len(target))
        target[: len(piece)] = piece
        self.digest.update(piece)
        self.n_bytes += len(piece)
        return len(piece)


class Source:
    """One input, opened with ``with``; ``-`` is standard input."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self._is_standard_input = str(path) == "-"
        self.name = "standard input" if self._is_standard_input else str(path)

    def __enter__(self) -> Source:
        self._file = self._open()
        self._hashing = _Hashing(self._file)
        self._raw = _buffered(self._hashing)
        with self._unpacking():
            head = self._raw.peek(8)
        packed = [new for magic, new in DECOMPRESSORS.items() if head.startswith(magic)]
        self._plain = _buffered(_Unpacking(self._raw, packed[0])) if packed else self._raw
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        finish_reading()
        if not self._is_standard_input:
            self._file.close()
        if kind is not None and issubclass(kind, MemoryError):
            raise InputError(
                f"{self.name}: the system has no more memory to read this with; {SMALLER}"
            ) from None

    def _open(self) -> BinaryIO:
        if self._is_standard_input:
            if sys.stdin is None:
                raise InputError("standard input: it is closed")
            return sys.stdin.buffer
        try:
            return Path(self.path).open("rb")
        except OSError as error:
            # the content of a file that is given in place of its name stays on one line
            raise InputError(f"{show_name(self.name, MAX_NAME)}: {_reason(error)}") from None
        except TypeError:
            raise InputError(f"{quote(self.path)}: the name of a file is expected") from None
        except ValueError as error:  # a zero byte in the name
            raise InputError(f"{quote(self.name)}: {error}") from None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes as stored; complete once everything has been read."""
        while self._raw.read(1 << 20):  # what the unpacker left behind its end
            pass
        return f"sha256:{self._hashing.digest.hexdigest()}"

    @property
    def share_read(self) -> float | None:
        """How much of the file has been read so far; None where nobody knows how long it is."""
        try:
            size = 0 if self._is_standard_input else Path(self.path).stat().st_size
        except OSError:
            return None
        return min(self._hashing.n_bytes / size, 1.0) if size else None

    def read(self, size: int = -1) -> bytes:
        """Unpacked bytes, at most ``size``; empty at the end."""
        with self._unpacking():
            piece: bytes = self._plain.read(size)
        return piece

    def peek(self) -> bytes:
        """The first unpacked bytes, without taking them."""
        with self._unpacking():
            head: bytes = self._plain.peek(64)
        return head.removeprefix(BYTE_ORDER_MARK)

    @contextmanager
    def _unpacking(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            # zstd's error has no home that every Python version shares, so it goes by its name
            known = (EOFError, OSError, zlib.error, lzma.LZMAError)
            if not isinstance(error, known) and type(error).__name__ != "ZstdError":
                raise
            raise InputError(f"{self.name}: cannot be read: {_reason(error)}") from None

    def lines(self, size: int) -> Iterator[bytes]:
        """Pieces of about ``size`` bytes of text, each of whole lines."""
        waiting: list[bytes] = []  # the beginning of a line whose end has not come yet
        n_lines = n_bytes = n_cells = 0
        first = True
        while piece := self.read(size):
            n_bytes += len(piece)
            check_size(self.name, f"{format_bytes(n_bytes)}{self._unpacked}", n_bytes)
            if first:
                piece = piece.removeprefix(BYTE_ORDER_MARK)
                first = False
            if b"\0" in piece:
                line = n_lines + piece[: piece.index(b"\0")].count(b"\n") + 1
                raise InputError(f"{self.name}: line {line}: a zero byte: binary, not text")
            end = piece.rfind(b"\n") + 1
            if not end:
                waiting.append(piece)
                n_cells += _count_cells(piece)
                self._check_line_fits(sum(map(len, waiting)), n_cells)
                continue
            n_cells = 0
            whole = b"".join((*waiting, piece[:end]))
            waiting = [piece[end:]]
            self._check_text(whole, n_lines)
            n_lines += int(np.count_nonzero(np.frombuffer(whole, np.uint8) == NEWLINE))
            yield whole
        rest = b"".join(waiting)
        if rest:
            self._check_text(rest, n_lines)
            yield rest

    def fields(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line number and the fields of each record, cut at blanks as TREC text is."""
        for number, line in enumerate(self.text().split("\n"), start=1):
            fields = [field.decode() for field in line.encode().split()]  # bytes split at BLANKS
            if fields and not line.startswith("#"):
                yield number, fields

    def text(self) -> str:
        """Everything, as text; refused where it does not fit into memory cell by cell."""
        pieces: list[bytes] = []
        n_bytes = n_cells = 0
        for piece in self.lines(PIECE):
            pieces.append(piece)
            n_bytes, n_cells = n_bytes + len(piece), n_cells + _count_cells(piece)
            what = f"{format_bytes(n_bytes)} of text in {n_cells:,} cells"
            self._check_fits(what, n_bytes, TEXT * n_bytes + CELL * n_cells)
        return b"".join(pieces).decode()

    def all_bytes(self) -> bytes:
        """Everything, as it is; refused where it does not fit into memory."""
        pieces: list[bytes] = []
        n_bytes = 0
        while piece := self.read(PIECE):
            pieces.append(piece)
            n_bytes += len(piece)
            self._check_fits(format_bytes(n_bytes), n_bytes, 2 * n_bytes)
        return b"".join(pieces)

    def _check_line_fits(self, n_bytes: int, n_cells: int) -> None:
        """Raise ``InputError`` where a line whose end has not come yet does not fit."""
        needed = max(LONG_LINE * n_bytes, TEXT * n_bytes + CELL * n_cells)
        self._check_fits(f"one line of {format_bytes(n_bytes)}", n_bytes, needed)

    def _check_fits(self, what: str, n_held: int, needed: int) -> None:
        """Raise ``InputError`` where what was read needs more memory than there is."""
        check_more_fits(self.name, f"{what}{self._unpacked}", n_held, needed - n_held)

    @property
    def _unpacked(self) -> str:
        return "" if self._plain is self._raw else " unpacked"

    def _check_text(self, piece: bytes, n_lines: int) -> None:
        if piece.isascii():
            return
        try:
            piece.decode()
        except UnicodeDecodeError as error:
            line = n_lines + piece[: error.start].count(b"\n") + 1
            raise InputError(
                f"{self.name}: line {line}: not UTF-8 (byte 0x{piece[error.start]:02x})"
            ) from None


def _count_cells(piece: bytes) -> int:
    """Return how many cells a text has, in whatever format, those that are empty included."""
    separates = SEPARATES[np.frombuffer(piece, np.uint8)]
    n_words = int(np.count_nonzero(separates[:-1] & ~separates[1:])) + 1
    return max(n_words, sum(map(piece.count, ENDS)))


def base_name(path: str | Path) -> str:
    """The file's name without folder and known endings: ``runs/bm25.run.gz`` is ``bm25``.

    Any other dot belongs to the name: ``input.ok8alx`` and ``input.Flab8at`` are two systems.
    """
    return _without_endings(Path(path)).name


def distinct_names(paths: Sequence[str | Path]) -> list[str]:
    """Name files by their ``base_name``; those that share one, by the shortest paths that differ.

    ``a/bm25.run`` and ``b/bm25.run`` are ``a/bm25`` and ``b/bm25``; ``bm25.run`` and ``bm25.txt``
    keep their extensions. Only a file that is given twice has one name twice.
    """
    names = [base_name(path) for path in paths]
    for name, count in Counter(names).items():
        if count > 1:
            places = [place for place, one in enumerate(names) if one == name]
            longer = _distinguishing_paths([paths[place] for place in places])
            for place, path in zip(places, longer, strict=False):
                names[place] = path
    return names


def _distinguishing_paths(paths: Sequence[str | Path]) -> list[str]:
    """The ends of paths that differ: as few directories as possible, extensions where needed."""
    if len({os.path.normpath(Path(path).absolute()) for path in paths}) < len(paths):
        return []
    parts = [Path(os.path.normpath(path)).parts for path in paths]
    for n in range(1, max(map(len, parts)) + 1):
        ends = [Path(*of_one[-n:]) for of_one in parts]
        for shown in ([_without_endings(end) for end in ends], ends):
            if len(set(shown)) == len(paths):
                return [path.as_posix() for path in shown]
    return []


def _without_endings(path: Path) -> Path:
    for known in (ENDINGS, TEXT_ENDINGS):
        if path.suffix.lower() in known and path.stem:
            path = path.with_suffix("")
    return path


def file_ending(path: str | Path, source: Source) -> str:
    """The format: by the first bytes where they tell, else by the name."""
    head = source.peek()
    if head.startswith(PARQUET):
        return ".parquet"
    if head.lstrip().startswith(b"{"):
        return ".json"
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in ENDINGS:
        suffixes.pop()
    if suffixes and suffixes[-1] in TEXT_ENDINGS:
        return suffixes[-1]
    # a first line without a blank but with commas is no TREC text
    first_line = head.partition(b"\n")[0].strip()
    return ".csv" if b"," in first_line and len(first_line.split()) == 1 else ""


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:] if text else type(error).__name__
