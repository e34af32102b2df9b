"""Files and standard input as plain bytes: decompressed, checked to be text, fingerprinted.

Compression is recognised by a file's first bytes and not by its name, so that misnamed files and
standard input work too. The fingerprint is the SHA-256 of the bytes as stored, which is what
``sha256sum FILE`` prints.
"""

from __future__ import annotations

import bz2
import gzip
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
from typing import Any, BinaryIO

import numpy as np

from ..errors import InputError, quote, show_name
from .encodings import describe_wrong_byte, describe_zero_byte

PARQUET = b"PAR1"
LZ4 = b"\x04\x22\x4d\x18"
NEWLINE = 10
WHITE_SPACE = " \t\n\v\f\r"  # C's, as in TREC text; str.strip also takes \x1c to \x1f
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CHUNK = 1 << 18
PIECE = 1 << 24  # bytes per read where the whole file is kept
MAX_NAME = 1000  # characters of a file's name in a message
COMPRESSION_EXTENSIONS = {".gz", ".zst", ".bz2", ".xz"}
FORMAT_EXTENSIONS = {
    *(".run", ".txt", ".trec", ".res", ".qrels", ".out"),
    *(".csv", ".tsv", ".parquet", ".parq", ".json", ".jsonl", ".ndjson"),
}


def _open_zstd(file: BinaryIO) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.open(file)


#: functions that open a compressed file, by its first bytes
OPENERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
    b"\x28\xb5\x2f\xfd": _open_zstd,
}


class _Hashing(io.RawIOBase):
    """The bytes of a file, hashed as they are read."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        piece = self._raw.read(len(target))
        target[: len(piece)] = piece
        self.digest.update(piece)
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
        for magic, open_compressed in OPENERS.items():
            if head.startswith(magic):
                self._plain = io.BufferedReader(open_compressed(self._raw), CHUNK)
        return self

    def __exit__(self, *error: object) -> None:
        if not self._is_standard_input:
            self._file.close()

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

    def read(self, size: int = -1) -> bytes:
        """Return at most ``size`` decompressed bytes, by default all; none at the end."""
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
        n_lines = 0
        first = True
        while piece := self.read(size):
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
                continue
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
        """Return the whole text."""
        return b"".join(self.lines(PIECE)).decode()

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
