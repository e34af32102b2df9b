"""Files and standard input as plain bytes: decompressed, checked to be text, fingerprinted.

Compression is recognised by a file's first bytes and not by its name, so that misnamed files and
standard input work too. The fingerprint is the SHA-256 of the bytes as stored, which is what
``sha256sum FILE`` prints.

Memory is estimated while a file is read. The number of lines is known only at the end of a file,
but the fraction that has been read is known, and so is the memory that its lines took. The estimate
assumes that the rest is like the beginning. Distinct ids become rarer as reading goes on. They are
left out of the estimate, while the memory that they have taken counts.

Formats other than TREC text become Python values cell by cell, once all of the text is there. The
memory for that follows from the bytes and cells that have been read (``TEXT``, ``CELL``).
Decompressed bytes count, so a small file that decompresses to a large one is refused on the way.
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
from ..parallel.memory import ALLOW_MORE, NEGLIGIBLE, format_bytes, remaining_memory
from .encodings import describe_wrong_byte, describe_zero_byte

PARQUET = b"PAR1"
LZ4 = b"\x04\x22\x4d\x18"
NEWLINE = 10
WHITE_SPACE = " \t\n\v\f\r"  # C's, as in TREC text; str.strip also takes \x1c to \x1f
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CHUNK = 1 << 18
PIECE = 1 << 24  # bytes per read where the whole file is kept
MAX_NAME = 1000  # characters of a file's name in a message
#: what ends a cell in any of the formats, and what ends one even if it is empty
SEPARATES = np.isin(np.arange(256), np.frombuffer(b" \t\r\n,;:", np.uint8))
ENDS = (b"\n", b",", b";", b"\t")
COMPRESSION_EXTENSIONS = {".gz", ".zst", ".bz2", ".xz"}
FORMAT_EXTENSIONS = {
    *(".run", ".txt", ".trec", ".res", ".qrels", ".out"),
    *(".csv", ".tsv", ".parquet", ".parq", ".json", ".jsonl", ".ndjson"),
}
SMALLER = "read fewer or smaller files"  # advice where memory is short

# Bytes of memory per unit of input
TREC_LINE = 16  # at least, for a line of TREC text while it is read, without its ids
LONG_LINE = 12  # per byte of a line while it is cut into fields
#: per byte and per cell of other text while it becomes Python values; with cells of 5 to 10
#: characters 15 to 66 bytes per byte were measured, most in sheets of assessments
TEXT, CELL = 3, 128


def _zstd_decompressor() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdDecompressor()


class _GzipDecompressor:
    """zlib's decompressor with the interface of those of bz2 and lzma."""

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
        # if the piece is full, zlib may hold back more output
        self.needs_input = not self._inner.unconsumed_tail and len(piece) < max_length
        return piece


class _Decompression(io.RawIOBase):
    """The decompressed bytes of all streams of a file.

    ``bz2.BZ2File`` and ``lzma.LZMAFile`` ignore bytes behind a stream that are not a stream. If the
    second of two streams is damaged, half of the file is lost. Here it is an error.
    """

    def __init__(self, raw: io.BufferedReader[Any], decompressor: Callable[[], Any]) -> None:
        self._raw = raw
        self._new = decompressor
        self._current = decompressor()

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """Fill ``target``, and less of it only at the end, so that ``peek`` sees across streams."""
        n_filled = 0
        while n_filled < len(target):
            if self._current.eof:
                compressed = self._next_stream()
                if not compressed:
                    break
                self._current = self._new()
            else:
                compressed = self._raw.read(CHUNK) if self._current.needs_input else b""
                if not compressed and self._current.needs_input:
                    raise EOFError("the file ends in the middle of its data")
            piece: bytes = self._current.decompress(compressed, len(target) - n_filled)
            target[n_filled : n_filled + len(piece)] = piece
            n_filled += len(piece)
        return n_filled

    def _next_stream(self) -> bytes:
        """Return the bytes behind a stream, from the first that is not zero; none at the end."""
        compressed: bytes = self._current.unused_data or self._raw.read(CHUNK)
        while compressed and not compressed.strip(b"\0"):  # padding, as some tools write it
            compressed = self._raw.read(CHUNK)
        return compressed.lstrip(b"\0")


DECOMPRESSORS: dict[bytes, Callable[[], Any]] = {
    b"\x1f\x8b": _GzipDecompressor,
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\x00": lzma.LZMADecompressor,
    b"\x28\xb5\x2f\xfd": _zstd_decompressor,
}


class _Hashing(io.RawIOBase):
    """The bytes of a file, hashed as they are read."""

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


class MemoryForecast:
    """The bytes that files which are read at the same time are still going to take.

    Threads that read files share one, so that their files have to fit into memory together.
    """

    def __init__(self) -> None:
        self._to_come: dict[Source, float] = {}

    def update(self, source: Source, to_come: float) -> float:
        """Set the bytes that one file is going to take, and return those of all others."""
        self._to_come[source] = to_come
        return sum(list(self._to_come.values())) - to_come

    def remove(self, source: Source) -> None:
        """Remove a file that has been read."""
        self._to_come.pop(source, None)


class Source:
    """One input, opened with ``with``; ``-`` is standard input.

    Files that are read at the same time share a ``forecast``.
    """

    def __init__(self, path: str | Path, forecast: MemoryForecast | None = None) -> None:
        self.path = path
        self._is_standard_input = str(path) == "-"
        self.name = "standard input" if self._is_standard_input else str(path)
        self._forecast = forecast or MemoryForecast()

    def __enter__(self) -> Source:
        self._file = self._open()
        self._hashing = _Hashing(self._file)
        self._raw: io.BufferedReader[Any] = io.BufferedReader(self._hashing, CHUNK)
        self._plain: io.BufferedReader[Any] = self._raw
        with self._read_errors():
            head = self._raw.peek(8)
        if head.startswith(LZ4):
            if not self._is_standard_input:
                self._file.close()
            raise InputError(
                f"{self.name}: LZ4 is not read; decompress the file, or save a Run of ranx as JSON "
                "or Parquet"
            )
        for magic, decompressor in DECOMPRESSORS.items():
            if head.startswith(magic):
                self._plain = io.BufferedReader(_Decompression(self._raw, decompressor), CHUNK)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._forecast.remove(self)
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
            # if the content of a file is given in place of its name, the message stays on one line
            raise InputError(f"{show_name(self.name, MAX_NAME)}: {_reason(error)}") from None
        except TypeError:
            raise InputError(f"{quote(self.path)}: the name of a file is expected") from None
        except ValueError as error:  # a zero byte in the name
            raise InputError(f"{quote(self.name)}: {error}") from None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes as stored; complete once everything has been read."""
        while self._raw.read(1 << 20):  # what the decompressor left behind its end
            pass
        return f"sha256:{self._hashing.digest.hexdigest()}"

    @property
    def fraction_read(self) -> float | None:
        """The fraction of the file that has been read; None if its length is unknown."""
        try:
            size = 0 if self._is_standard_input else Path(self.path).stat().st_size
        except OSError:
            return None
        return min(self._hashing.n_bytes / size, 1.0) if size else None

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` decompressed bytes; none at the end."""
        with self._read_errors():
            piece: bytes = self._plain.read(size)
        return piece

    def peek(self) -> bytes:
        """Return the first decompressed bytes without consuming them."""
        with self._read_errors():
            head: bytes = self._plain.peek(64)
        return head.removeprefix(BYTE_ORDER_MARK)

    @contextmanager
    def _read_errors(self) -> Iterator[None]:
        """Raise ``InputError`` for errors of reading and decompression."""
        try:
            yield
        except Exception as error:
            # the class of zstd's error is not at the same place in all Python versions
            known = (EOFError, OSError, zlib.error, lzma.LZMAError)
            if not isinstance(error, known) and type(error).__name__ != "ZstdError":
                raise
            raise InputError(f"{self.name}: cannot be read: {_reason(error)}") from None

    def lines(self, size: int) -> Iterator[bytes]:
        """Yield pieces of about ``size`` bytes of text, each of complete lines."""
        waiting: list[bytes] = []  # the beginning of a line whose end has not been read yet
        n_lines = n_bytes = n_cells = 0
        first = True
        while piece := self.read(size):
            n_bytes += len(piece)
            self._check_process_size(n_bytes)
            if first:
                piece = piece.removeprefix(BYTE_ORDER_MARK)
                first = False
            if b"\0" in piece:
                line = n_lines + piece[: piece.index(b"\0")].count(b"\n") + 1
                fault = describe_zero_byte(b"" if n_lines or waiting else piece)
                raise InputError(f"{self.name}: line {line}: {fault}")
            end = piece.rfind(b"\n") + 1
            if not end:
                waiting.append(piece)
                n_cells += _count_cells(piece)
                self._check_line_fits(sum(map(len, waiting)), n_cells)
                continue
            n_cells = 0
            complete = b"".join((*waiting, piece[:end]))
            waiting = [piece[end:]]
            self._check_text(complete, n_lines)
            n_lines += int(np.count_nonzero(np.frombuffer(complete, np.uint8) == NEWLINE))
            yield complete
        rest = b"".join(waiting)
        if rest:
            self._check_text(rest, n_lines)
            yield rest

    def fields(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line number and the fields of each record, cut as TREC text is."""
        for number, line in enumerate(self.text().split("\n"), start=1):
            fields = [field.decode() for field in line.encode().split()]  # at WHITE_SPACE
            if fields and not line.startswith("#"):
                yield number, fields

    def text(self) -> str:
        """Return the whole text; raise ``InputError`` if it does not fit as Python values."""
        pieces: list[bytes] = []
        n_bytes = n_cells = 0
        for piece in self.lines(PIECE):
            pieces.append(piece)
            n_bytes, n_cells = n_bytes + len(piece), n_cells + _count_cells(piece)
            what = f"{format_bytes(n_bytes)} of text in {n_cells:,} cells{self._decompressed}"
            self.check_memory(what, n_bytes, TEXT * n_bytes + CELL * n_cells - n_bytes)
        return b"".join(pieces).decode()

    def all_bytes(self) -> bytes:
        """Return all bytes; raise ``InputError`` if they do not fit into memory."""
        pieces: list[bytes] = []
        n_bytes = 0
        while piece := self.read(PIECE):
            pieces.append(piece)
            n_bytes += len(piece)
            self.check_memory(f"{format_bytes(n_bytes)}{self._decompressed}", n_bytes, n_bytes)
        return b"".join(pieces)

    def check_memory(
        self, what: str, n_taken: float, more: float, *, is_read: bool = False
    ) -> None:
        """Raise ``InputError`` if the input needs more bytes than are available.

        ``more`` bytes are needed in addition to ``n_taken``. ``is_read`` says that all of the input
        has been read, so that it takes no more once this piece is done.
        """
        of_others = self._forecast.update(self, 0 if is_read else more)
        if n_taken + more < NEGLIGIBLE:
            return
        left = remaining_memory() - of_others
        if more > left:
            raise InputError(
                f"{self.name}: {what}: needs at least {format_bytes(n_taken + more)} of memory, "
                f"and {format_bytes(n_taken + max(left, 0))} is available; "
                f"{SMALLER}, or {ALLOW_MORE}"
            )

    def check_lines_fit(self, n_lines: int, n_taken: int) -> None:
        """Raise ``InputError`` if all lines of TREC text are going to need too much memory.

        ``n_lines`` have been read so far and have taken ``n_taken`` bytes.
        """
        fraction = self.fraction_read
        expected = n_lines / fraction if fraction else n_lines
        more = TREC_LINE * (expected - n_lines) + n_taken / 8  # arrays grow by an eighth
        what = f"about {expected:,.0f} lines" if fraction else f"over {n_lines:,} lines"
        self.check_memory(what, n_taken, more, is_read=fraction == 1)

    def _check_line_fits(self, n_bytes: int, n_cells: int) -> None:
        """Raise ``InputError`` if a line whose end has not been read yet does not fit."""
        needed = max(LONG_LINE * n_bytes, TEXT * n_bytes + CELL * n_cells)
        what = f"one line of {format_bytes(n_bytes)}{self._decompressed}"
        self.check_memory(what, n_bytes, needed - n_bytes)

    def _check_process_size(self, n_bytes: int) -> None:
        """Raise ``InputError`` if the process has grown to its limit; ``n_bytes`` were read."""
        if n_bytes > NEGLIGIBLE and not remaining_memory():
            raise InputError(
                f"{self.name}: after {format_bytes(n_bytes)}{self._decompressed} there is no "
                f"memory left to read on; {SMALLER}, or {ALLOW_MORE}"
            )

    @property
    def _decompressed(self) -> str:
        return "" if self._plain is self._raw else " decompressed"

    def _check_text(self, piece: bytes, n_lines: int) -> None:
        """Raise ``InputError`` unless a piece behind ``n_lines`` lines is UTF-8."""
        if piece.isascii():
            return
        try:
            piece.decode()
        except UnicodeDecodeError as error:
            line = n_lines + piece[: error.start].count(b"\n") + 1
            fault = describe_wrong_byte(piece[error.start])
            raise InputError(f"{self.name}: line {line}: {fault}") from None


def _count_cells(piece: bytes) -> int:
    """Return the number of cells in a text of any format, empty cells included."""
    separates = SEPARATES[np.frombuffer(piece, np.uint8)]
    n_words = int(np.count_nonzero(separates[:-1] & ~separates[1:])) + 1
    return max(n_words, sum(map(piece.count, ENDS)))


def base_name(path: str | Path) -> str:
    """Return a file's name without directory and known extensions, ``bm25`` of ``bm25.run.gz``.

    Any other dot belongs to the name: ``input.ok8alx`` and ``input.Flab8at`` are two systems.
    """
    return _remove_extensions(Path(path)).name


def distinct_names(paths: Sequence[str | Path]) -> list[str]:
    """Name files by their ``base_name``; those that share one, by the shortest paths that differ.

    ``a/bm25.run`` and ``b/bm25.run`` are ``a/bm25`` and ``b/bm25``; ``bm25.run`` and ``bm25.txt``
    keep their extensions. Only a file that is given twice has one name twice.
    """
    names = [base_name(path) for path in paths]
    for name, count in Counter(names).items():
        if count > 1:
            places = [place for place, other in enumerate(names) if other == name]
            longer = _distinguish_paths([paths[place] for place in places])
            for place, path in zip(places, longer, strict=False):
                names[place] = path
    return names


def _distinguish_paths(paths: Sequence[str | Path]) -> list[str]:
    """Return the ends of paths that differ, with extensions where needed; none for equal paths."""
    if len({os.path.normpath(Path(path).absolute()) for path in paths}) < len(paths):
        return []
    parts = [Path(os.path.normpath(path)).parts for path in paths]
    for n in range(1, max(map(len, parts)) + 1):
        ends = [Path(*of_path[-n:]) for of_path in parts]
        for names in ([_remove_extensions(end) for end in ends], ends):
            if len(set(names)) == len(paths):
                return [path.as_posix() for path in names]
    return []


def _remove_extensions(path: Path) -> Path:
    for known in (COMPRESSION_EXTENSIONS, FORMAT_EXTENSIONS):
        if path.suffix.lower() in known and path.stem:
            path = path.with_suffix("")
    return path


def detect_format(path: str | Path, source: Source) -> str:
    """Return the extension of a file's format, by its first bytes if they decide, else by its name.

    Empty for text of an unknown kind.
    """
    head = source.peek()
    if head.startswith(PARQUET):
        return ".parquet"
    if head.lstrip().startswith(b"{"):
        return ".json"
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in COMPRESSION_EXTENSIONS:
        suffixes.pop()
    if suffixes and suffixes[-1] in FORMAT_EXTENSIONS:
        return suffixes[-1]
    # a first line without spaces but with commas is not TREC text
    first_line = head.partition(b"\n")[0].strip()
    return ".csv" if b"," in first_line and len(first_line.split()) == 1 else ""


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:] if text else type(error).__name__
