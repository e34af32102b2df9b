"""Parquet files: layouts, damaged and encrypted files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pyarrow.parquet
import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.reading import parquet
from irbounds.reading.parquet import LayoutError, read_layout, read_parquet
from irbounds.reading.sources import Source


def test_truncated_parquet(tmp_path):
    path = tmp_path / "r.parquet"
    pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "score": [1.0]}).to_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cannot be read as parquet"):
        irbounds.read_run(path)


def plain_parquet(path, **options):
    """Write 40 rows with pyarrow, in one page per column."""
    columns = {"query_id": ["q"] * 40, "doc_id": [f"d{k}" for k in range(40)], "score": [1.0] * 40}
    plain = {"compression": "none", "use_dictionary": False, "data_page_version": "1.0"}
    pyarrow.parquet.write_table(pyarrow.table(columns), path, **(plain | options))
    return path.read_bytes()


READ_ALL_DAMAGED = """
import random, sys
from pathlib import Path
import irbounds
random = random.Random(1)
paths = [Path(name) for name in sys.argv[1:]]
contents = [path.read_bytes() for path in paths]
for case in range(600):
    path, whole = paths[case % len(paths)], contents[case % len(paths)]
    length = int.from_bytes(whole[-8:-4], "little")
    data = bytearray(whole)
    for _ in range(random.choice((1, 2, 8))):
        place = random.randrange(4, len(data) - 8 - length * random.randrange(2))
        data[place] = random.choice((0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1, data[place] ^ 0x80))
    path.write_bytes(data[: random.choice((len(data), len(data), random.randrange(len(data))))])
    try:
        irbounds.read_run(path)
    except irbounds.errors.InputError as error:
        assert len(str(error).splitlines()) == 1
"""


@pytest.mark.slow
def test_damaged_parquet_never_ends_the_process(tmp_path):
    paths = [tmp_path / f"{compression}.parquet" for compression in ("none", "snappy", "zstd")]
    for path in paths:
        plain_parquet(path, compression=path.stem)
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL_DAMAGED, *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_negative_number_of_values_does_not_end_the_process(tmp_path):
    """polars would ask for 2,305,843,009,213,693,944 bytes, and abort."""
    path = tmp_path / "r.parquet"
    whole = plain_parquet(path)
    count = bytes([0x15, 2 * 40])  # the number of values of a page, as Thrift writes it
    place = whole.index(count)
    path.write_bytes(whole[:place] + bytes([0x15, 2 * 40 + 1]) + whole[place + 2 :])
    (tmp_path / "q.txt").write_text("q 0 d1 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "irbounds", "evaluate", tmp_path / "q.txt", path, "-m", "AP"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "r.parquet: cannot be read as parquet: damaged" in line


def test_delta_encodings_are_read_in_a_test_process_first(tmp_path, monkeypatch):
    """Their lengths are in the pages, and polars requests as much memory as they say."""
    path = tmp_path / "r.parquet"
    monkeypatch.setattr(parquet, "READ_ALL", "import os; os.abort()")
    monkeypatch.setattr(parquet, "READ_STRETCHES", "import os; os.abort()")
    plain_parquet(path)
    assert len(irbounds.read_run(path)) == 40  # which need no test process
    plain_parquet(path, column_encoding={"query_id": "DELTA_BYTE_ARRAY"})
    _, layout = parquet.columns_and_layout(str(path))
    for read in (irbounds.read_run, lambda path: parquet.check_stretches(str(path), layout)):
        with pytest.raises(InputError, match=r"r\.parquet: .*parquet: damaged: .* test process"):
            read(path)
    monkeypatch.undo()
    assert len(irbounds.read_run(path)) == 40


def test_encrypted_parquet(write):
    with pytest.raises(InputError, match=r"r\.parquet: .*encrypted"):
        irbounds.read_run(write("r.parquet", b"PAR1" + b"x" * 50 + b"PARE"))


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Change to an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("rows", [1, 7, 100, 1000])
def test_layout_has_the_largest_row_group(directory, rows):
    """As pyarrow finds it, in files by polars, by pyarrow, and with many columns."""
    generator = np.random.default_rng(rows)
    columns = {f"system {k}": generator.random(100) for k in range(20)}
    frame = pl.DataFrame({"qid": [f"q{k}" for k in range(100)], "nulls": [None, 1] * 50, **columns})
    frame.write_parquet("a.parquet", row_group_size=rows)
    pyarrow.parquet.write_table(frame.to_arrow(), "b.parquet", row_group_size=rows)
    for name in ("a.parquet", "b.parquet"):
        held = pyarrow.parquet.ParquetFile(name).metadata
        found = layout(name)
        assert (found.n_rows, found.n_values) == (100, 100 * held.num_columns)
        assert found.at_once == max(
            sum(group.column(k).total_compressed_size for k in range(held.num_columns))
            for group in map(held.row_group, range(held.num_row_groups))
        )


def test_layout_has_a_page_larger_than_its_row_group(directory):
    """Equal texts of 1,000 characters, compressed to a few bytes each."""
    texts = ["x" * 1000 + str(k) for k in range(1000)]
    pl.DataFrame({"qid": texts, "one": 0.0}).write_parquet("a.parquet")
    assert (directory / "a.parquet").stat().st_size < 100_000
    assert layout("a.parquet").at_once > 1_000_000


def layout(name):
    with Path(name).open("rb") as opened:
        return read_layout(opened)


def test_layout_of_a_file_without_rows(directory):
    pl.DataFrame({"qid": ["a"], "one": [0.1]})[:0].write_parquet("b.parquet")
    assert (layout("b.parquet").n_rows, layout("b.parquet").at_once) == (0, 0)


WRITERS = {
    "polars": lambda frame, to: frame.write_parquet(to),
    "polars, small pages": lambda frame, to: frame.write_parquet(
        to, data_page_size=64, row_group_size=30, compression="uncompressed"
    ),
    "pyarrow": lambda frame, to: pyarrow.parquet.write_table(frame.to_arrow(), to),
    "pyarrow, pages of version 2": lambda frame, to: pyarrow.parquet.write_table(
        frame.to_arrow(), to, data_page_version="2.0", data_page_size=64, write_page_index=True
    ),
    "pyarrow, no dictionaries": lambda frame, to: pyarrow.parquet.write_table(
        frame.to_arrow(), to, use_dictionary=False, compression="gzip", write_page_checksum=True
    ),
    "pandas": lambda frame, to: frame.to_pandas().to_parquet(to),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_layout_of_columns_of_all_types(directory, writer):
    """Beside ids and scores a file may hold anything; texts may be longer than a first read."""
    frame = pl.DataFrame(
        {
            "qid": [f"q{k}" for k in range(100)],
            "long": [None if k % 3 else "x" * 3000 + str(k) for k in range(100)],
            "lists": [[], [1], [2, None, 3], None] * 25,
            "structs": [{"a": k, "b": [str(k)] * (k % 3)} for k in range(100)],
            "true": [True, None] * 50,
            "kind": pl.Series(["a", "b"] * 50, dtype=pl.Categorical),
            "day": pl.Series(range(100)).cast(pl.Date),
            "nothing": [None] * 100,
            "one": [float(k) for k in range(100)],
        }
    )
    WRITERS[writer](frame, "a.parquet")
    assert layout("a.parquet").n_rows == 100
    assert layout("a.parquet").n_values >= 700
    assert read_parquet(Path("a.parquet").read_bytes(), Source("a")).height == 100


NO_LAYOUT = {
    "a footer of noise": b"PAR1" + b"\x19" * 50 + (50).to_bytes(4, "little") + b"PAR1",
    "a footer longer than the file": b"PAR1" + b"\x19" * 50 + b"\xff" * 4 + b"PAR1",
    "an endless number": b"PAR1" + b"\x15" + b"\xff" * 50 + (51).to_bytes(4, "little") + b"PAR1",
    "endless depth": b"PAR1" + b"\x1c" * 5000 + (5000).to_bytes(4, "little") + b"PAR1",
    "nothing": b"PAR1",
}


@pytest.mark.parametrize("data", NO_LAYOUT.values(), ids=NO_LAYOUT)
def test_file_without_a_layout(directory, data):
    (directory / "a.parquet").write_bytes(data)
    with pytest.raises(LayoutError, match="damaged"):
        layout("a.parquet")
    with pytest.raises(InputError, match=r"^a\.parquet: cannot be read as parquet: damaged"):
        irbounds.read_run("a.parquet")
