"""Files and standard input as plain bytes: unpacked, checked to be text, fingerprinted.

Compression is told by a file's first bytes, not by its name, so a misnamed file and standard input
work too. The fingerprint is the SHA-256 of the bytes as stored: what ``sha256sum FILE`` prints.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

import numpy as np

from ..errors import InputError

__all__ = ["Source", "base_name", "file_ending"]

PARQUET = b"PAR1"
NEWLINE = 10
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ENDINGS = {".gz", ".zst", ".bz2", ".xz"}


def _open_zstd(raw: BinaryIO) -> BinaryIO:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return cast(BinaryIO, zstd.ZstdFile(raw))


UNPACKERS: dict[bytes, Callable[[BinaryIO], BinaryIO]] = {
    b"\x1f\x8b": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw)),
    b"BZh": lambda raw: cast(BinaryIO, bz2.BZ2File(raw)),
    b"\xfd7zXZ\x00": lambda raw: cast(BinaryIO, lzma.LZMAFile(raw)),  # noqa: SIM115
    b"\x28\xb5\x2f\xfd": _open_zstd,
}


class _Hashing(io.RawIOBase):
    """Passes bytes on and hashes them on the way."""

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
        self.name = "standard input" if str(path) == "-" else str(path)

    def __enter__(self) -> Source:
        try:
            self._file = sys.stdin.buffer if str(self.path) == "-" else Path(self.path).open("rb")
        except OSError as error:
            raise InputError(f"{self.name}: {_reason(error)}") from None
        self._hashing = _Hashing(self._file)
        raw = io.BufferedReader(self._hashing, 1 << 18)
        head = raw.peek(8)
        open_unpacked = next((u for magic, u in UNPACKERS.items() if head.startswith(magic)), None)
        self._raw = raw
        self._plain = open_unpacked(cast(BinaryIO, raw)) if open_unpacked else cast(BinaryIO, raw)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not sys.stdin.buffer:
            self._file.close()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes as stored; complete once everything has been read."""
        while self._raw.read(1 << 20):  # what the unpacker left behind its end
            pass
        return f"sha256:{self._hashing.digest.hexdigest()}"

    def read(self, size: int = -1) -> bytes:
        """Unpacked bytes, at most ``size``; empty at the end."""
        with self._unpacking():
            return self._plain.read(size)

    def peek(self) -> bytes:
        """The first unpacked bytes, without taking them."""
        with self._unpacking():
            head: bytes = cast(io.BufferedReader, self._plain).peek(64)
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
        rest = b""
        n_lines = 0
        first = True
        while piece := self.read(size):
            if first:
                piece = piece.removeprefix(BYTE_ORDER_MARK)
                first = False
            end = piece.rfind(b"\n") + 1
            if not end:
                rest += piece
                continue
            whole, rest = rest + piece[:end], piece[end:]
            self._check_text(whole, n_lines)
            n_lines += int(np.count_nonzero(np.frombuffer(whole, np.uint8) == NEWLINE))
            yield whole
        if rest:
            self._check_text(rest, n_lines)
            yield rest

    def text(self) -> str:
        """Everything, as text."""
        return b"".join(self.lines(1 << 24)).decode()

    def _check_text(self, piece: bytes, n_lines: int) -> None:
        if b"\0" in piece:
            line = n_lines + piece[: piece.index(b"\0")].count(b"\n") + 1
            raise InputError(f"{self.name}: line {line}: a zero byte: binary, not text")
        if piece.isascii():
            return
        try:
            piece.decode()
        except UnicodeDecodeError as error:
            line = n_lines + piece[: error.start].count(b"\n") + 1
            raise InputError(
                f"{self.name}: line {line}: not UTF-8 (byte 0x{piece[error.start]:02x})"
            ) from None


def base_name(path: str | Path) -> str:
    """The file's name without folder and endings: ``runs/bm25.run.gz`` is ``bm25``."""
    name = Path(path)
    if name.suffix in ENDINGS:
        name = name.with_suffix("")
    return name.stem


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
    return suffixes[-1] if suffixes else ""


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text[:1].lower() + text[1:] if text else type(error).__name__
