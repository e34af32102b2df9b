"""Sources: compression, text and names of files."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys

import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.reading.sources import base_name

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

RUN = "1 Q0 a 1 2.0 tag\n1 Q0 b 2 1.0 tag\n2 Q0 b 1 9 tag\n2 Q0 a 2 3 tag\n"
THIRD = b"3 Q0 a 1 1 tag\n"
COMPRESS = [bz2.compress, lzma.compress, zstd.compress, gzip.compress]


def test_text_that_is_not_utf8(write):
    with pytest.raises(InputError, match=r"line 4: not UTF-8 \(byte 0xe9\)"):
        irbounds.read_qrels(write("q", b"1 0 a 1\n" * 3 + "1 0 é 1\n".encode("latin-1")))


def test_binary_file(write):
    with pytest.raises(InputError, match="binary"):
        irbounds.read_run(write("r", bytes(range(256)) * 10))


def test_lz4_is_refused_by_name(write):
    with pytest.raises(InputError, match=r"r\.lz4: LZ4 is not read; decompress the file"):
        irbounds.read_run(write("r.lz4", b"\x04\x22\x4d\x18\x64\x40\xa7"))


@pytest.mark.parametrize("compress", COMPRESS)
def test_several_streams_in_a_file_are_read(write, compress):
    first, second = compress(RUN.encode()), compress(THIRD)
    assert irbounds.read_run(write("r", first + second)).query_ids == ("1", "2", "3")
    with pytest.raises(InputError, match="r: cannot be read"):
        irbounds.read_run(write("r", first + second[:-3]))


@pytest.mark.parametrize("compress", COMPRESS)
def test_format_is_recognised_across_short_streams(write, compress):
    text = b"query_id,doc_id,score\n1,a,2\n"
    streams = b"".join(compress(text[k : k + 1]) for k in range(len(text)))
    assert irbounds.read_run(write("r", streams)).to_dict() == {"1": {"a": 2.0}}


@pytest.mark.parametrize("compress", COMPRESS)
def test_truncated_file(write, compress):
    compressed = compress(RUN.encode() * 500)
    with pytest.raises(InputError, match="r: cannot be read"):
        irbounds.read_run(write("r", compressed[: len(compressed) // 2]), duplicates="first")


def test_damaged_gzip_file(write):
    compressed = bytearray(gzip.compress(RUN.encode() * 500))
    compressed[len(compressed) // 2] ^= 0xFF
    with pytest.raises(InputError, match="cannot be read"):
        irbounds.read_run(write("r", bytes(compressed)), duplicates="first")


def test_directory_and_missing_file(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        irbounds.read_run(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        irbounds.read_run(tmp_path / "none.run")


@pytest.mark.parametrize("compress", [bytes, *COMPRESS])
def test_compressed_file_larger_than_a_buffer(write, compress):
    n = 40_000
    text = "".join(f"1 0 document-{k:09d} 0\n" for k in range(n))
    assert len(irbounds.read_qrels(write("q", compress(text.encode())))) == n


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.run.gz", "bm25"),
        ("x.RUN.GZ", "x"),
        ("input.ok8alx", "input.ok8alx"),
        ("bm25-k1=0.9", "bm25-k1=0.9"),
        ("a.b.txt", "a.b"),
        (".run", ".run"),
        ("plain", "plain"),
    ],
)
def test_base_name(path, name):
    assert base_name(path) == name
