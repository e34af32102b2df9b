"""Parquet files of several writers; damaged and truncated files."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow
import pyarrow.parquet
import pytest

import irbounds
from irbounds.errors import InputError

N = 100
#: columns of a run, and others of any type
FRAME = pl.DataFrame(
    {
        "query_id": ["q"] * N,
        "doc_id": [f"d{k}" for k in range(N)],
        "score": [float(k) for k in range(N)],
        "long": [None if k % 3 else "x" * 3000 + str(k) for k in range(N)],
        "lists": [[], [1], [2, None, 3], None] * 25,
        "structs": [{"a": k, "b": [str(k)] * (k % 3)} for k in range(N)],
        "true": [True, None] * 50,
        "kind": pl.Series(["a", "b"] * 50, dtype=pl.Categorical),
        "day": pl.Series(range(N)).cast(pl.Date),
        "nothing": [None] * N,
    }
)
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
def test_parquet_of_every_writer(tmp_path, writer):
    WRITERS[writer](FRAME, tmp_path / "r.parquet")
    run = irbounds.read_run(tmp_path / "r.parquet")
    assert run.to_dict() == {"q": {f"d{k}": float(k) for k in reversed(range(N))}}


def test_several_parquet_files_of_scores_are_one_table(tmp_path):
    for name, score in (("bm25", 0.25), ("dense", 0.5)):
        pl.DataFrame({"query_id": ["1", "2"], name: [score, 1.0]}).write_parquet(
            tmp_path / f"{name}.parquet"
        )
    table = irbounds.read_scores([tmp_path / "bm25.parquet", tmp_path / "dense.parquet"])
    assert table.values.tolist() == [[[0.25, 1.0], [0.5, 1.0]]]


def test_truncated_parquet(tmp_path):
    path = tmp_path / "r.parquet"
    pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "score": [1.0]}).to_parquet(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"r\.parquet: cannot be read as parquet"):
        irbounds.read_run(path)


@pytest.mark.parametrize(
    "data",
    [
        b"PAR1",
        b"PAR1" + b"\x19" * 50 + (50).to_bytes(4, "little") + b"PAR1",
        b"PAR1" + b"\x19" * 50 + b"\xff" * 4 + b"PAR1",
        b"PAR1" + b"x" * 50 + b"PARE",
    ],
    ids=["nothing", "footer of noise", "footer longer than the file", "encrypted"],
)
def test_damaged_parquet_is_one_line(write, data):
    with pytest.raises(InputError, match=r"r\.parquet: cannot be read as parquet") as caught:
        irbounds.read_run(write("r.parquet", data))
    assert len(str(caught.value).splitlines()) == 1


def test_panic_of_polars_is_one_line(write, monkeypatch):
    class PanicException(BaseException):
        """The exception of polars' Rust code, which is no Exception."""

    def fail(_):
        raise PanicException("two\nlines")

    monkeypatch.setattr(pl, "read_parquet", fail)
    with pytest.raises(InputError, match=r"r\.parquet: cannot be read as parquet: damaged$"):
        irbounds.read_run(write("r.parquet", b"PAR1"))


def test_parquet_without_a_column_of_a_run(tmp_path):
    FRAME.drop("score").write_parquet(tmp_path / "r.parquet")
    with pytest.raises(InputError, match=r"r\.parquet: no column 'score'"):
        irbounds.read_run(tmp_path / "r.parquet")
