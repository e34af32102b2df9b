"""Parquet files: damaged and encrypted ones."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.reading import parquet


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
from irbounds.standard_streams import allow_holding_back
path, random = Path(sys.argv[1]), random.Random(1)
whole = path.read_bytes()
length = int.from_bytes(whole[-8:-4], "little")
for case in range(150):
    data = bytearray(whole)
    for _ in range(random.choice((1, 2, 8))):
        place = random.randrange(4, len(data) - 8 - length * random.randrange(2))
        data[place] = random.choice((0, 1, 0x7F, 0x80, 0xFF, data[place] ^ 1, data[place] ^ 0x80))
    path.write_bytes(data[: random.choice((len(data), len(data), random.randrange(len(data))))])
    with allow_holding_back():
        try:
            irbounds.read_run(path)
        except irbounds.errors.InputError as error:
            assert len(str(error).splitlines()) == 1
"""


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_damaged_parquet_never_ends_the_process(tmp_path, compression):
    plain_parquet(tmp_path / "r.parquet", compression=compression)
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL_DAMAGED, str(tmp_path / "r.parquet")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


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
