"""Streams of scores: which they are, and what is wrong with them."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from irbounds.errors import InputError, IrboundsError, ParameterError
from irbounds.reading import score_stream
from irbounds.reading.score_stream import is_stream, open_stream, read_stretch
from irbounds.reading.stream_survey import survey
from score_streams import GOOD, read_all, write

# which scores are a stream


def test_patterns_and_directories_are_streams(directory):
    write("s/a.parquet")
    for scores in ("s/*.parquet", "s", directory / "s", ["s/a.parquet", "t/*"], {"AP": "s/*"}):
        assert is_stream(scores)


def test_other_sources_are_tables(directory):
    write("s/a.parquet")
    write("odd[1].parquet")
    tables = ("s/a.parquet", "odd[1].parquet", ["s/a.parquet"], {"AP": "s/a.parquet"}, GOOD)
    for scores in (*tables, [0.1, 0.2], np.ones(3), "missing.csv", "-", "a\0b", None, [], {}):
        assert not is_stream(scores)


def test_large_file_is_a_stream(directory, monkeypatch):
    monkeypatch.setattr(score_stream, "MAX_TABLE_ROWS", 2)
    assert is_stream(write("wide.parquet"))
    assert is_stream(["wide.parquet"])
    assert not is_stream(write("long.parquet", GOOD.rename({"one": "value"})))
    assert not is_stream(write("without.parquet", GOOD.drop("qid")))
    monkeypatch.setattr(score_stream, "MAX_TABLE_ROWS", 3)
    assert not is_stream("wide.parquet")


def test_streams_and_tables_do_not_mix(directory):
    write("s/a.parquet")
    with pytest.raises(ParameterError, match=r"some are a stream .* and some a table"):
        is_stream({"AP": "s/*.parquet", "P@5": "s/a.parquet"})


# what is read


def test_files_are_in_the_order_of_their_names(directory):
    for name in ("b.parquet", "a.parquet", "_meta.parquet", ".hidden.parquet"):
        write(f"s/{name}")
    (directory / "s" / "deep").mkdir()
    write("s/deep/c.parquet")
    (directory / "s" / "_SUCCESS").touch()
    found = [file.path for file in open_stream("s").files]
    assert found == ["s/a.parquet", "s/b.parquet", "s/deep/c.parquet"]
    assert [f.path for f in open_stream("s/[ab].*").files] == found[:2]
    assert [f.path for f in open_stream("s/**/[c].parquet").files] == found[2:]


def test_ids_of_any_type_become_text(directory):
    ids = [pl.Series("qid", ["1", "2", "30"])]
    ids += [ids[0].cast(kind) for kind in (pl.Categorical, pl.Int8, pl.UInt64, pl.Float64)]
    names = []
    for k, column in enumerate(ids):
        write(f"s/{k}.parquet", GOOD.with_columns(column))
        names.append(read_stretch(open_stream(f"s/{k}.parquet"), 0).hashes.tolist())
    assert all(one == names[0] for one in names)


def test_columns_in_another_order_and_of_another_type(directory):
    write("s/a.parquet")
    write("s/b.parquet", pl.DataFrame({"two": [0.5], "qid": ["d"], "one": [1]}))
    write("s/c.parquet", GOOD[:0])
    _, known = read_all("s")
    assert (known.n, known.maxima.tolist()) == (4, [1, 1])


def test_empty_file_may_have_columns_of_no_type(directory):
    """As some tools write a part without rows."""
    empty = pl.DataFrame({name: pl.Series([], dtype=pl.Null) for name in GOOD.columns})
    write("s/a.parquet", empty)
    write("s/b.parquet")
    _, known = read_all("s")
    assert (known.n, known.maxima.tolist()) == (3, [0.3, 1])


def test_files_are_found_from_another_directory(directory, monkeypatch):
    write("s/a.parquet")
    stream = open_stream("s")
    monkeypatch.chdir("s")
    assert survey(stream).n == 3
    assert [file.path for file in stream.files] == ["s/a.parquet"]


def test_stretches_cover_all_rows(directory, monkeypatch):
    monkeypatch.setattr(score_stream, "ROWS", 2)
    for k in range(3):
        write(f"s/{k}.parquet", GOOD.with_columns(qid=pl.col("qid") + str(k))[: k + 1])
    stream = open_stream("s")
    assert stream.n_stretches == 4
    found = [list(read_stretch(stream, k).ids) for k in range(4)]
    assert found == [["a0"], ["a1", "b1"], ["a2", "b2"], ["c2"]]


# what is wrong

NOT_NUMBERS = {"null": None, "nan": float("nan"), "inf": float("-inf")}
WRONG = {
    "no match": ("none/*.parquet", "none/*.parquet: no file matches this pattern"),
    "empty directory": ("s", "s: no Parquet file in this directory, and no result of MTEB"),
    "missing": (["s/*.parquet", "gone.parquet"], "gone.parquet: no such file"),
    "not a name": (["s/*.parquet", 7], "patterns, directories or names; got int"),
}


@pytest.mark.parametrize("case", WRONG)
def test_missing_files(directory, case):
    if case in ("missing", "not a name"):
        write("s/a.parquet")
    with pytest.raises(IrboundsError, match=re.escape(WRONG[case][1])):
        open_stream(WRONG[case][0])


def test_file_that_is_not_parquet(directory):
    write("s/a.parquet")
    (directory / "s" / "b.parquet").write_text("qid,one,two\na,1,2\n")
    with pytest.raises(InputError, match=r"^s/b.parquet: not a Parquet file; "):
        open_stream("s")


def test_truncated_file(directory):
    whole = (directory / write("s/a.parquet")).read_bytes()
    (directory / "s" / "a.parquet").write_bytes(whole[:-20])
    with pytest.raises(InputError, match=r"^s/a.parquet: cannot be read as parquet: "):
        open_stream("s")


def test_file_that_is_named_twice(directory):
    write("s/a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: this file is named twice"):
        open_stream(["s", "s/../s/a.parquet"])


COLUMNS = {
    "no ids": (GOOD.drop("qid"), "s/b.parquet: no column 'query_id'"),
    "ids alone": (GOOD.select("qid"), "s/b.parquet: empty: no scores"),
    "long": (
        GOOD.rename({"one": "value", "two": "system"}),
        "s/b.parquet: one score per row; a stream has one column per system: pivot it first",
    ),
    "text": (
        GOOD.with_columns(two=pl.Series(["x", "y", "z"])),
        "s/b.parquet: two: scores must be numbers; got String; a stream has one column per system",
    ),
    "truth": (GOOD.with_columns(two=pl.lit(value=True)), "two: scores must be numbers; got Bool"),
    "dates": (
        GOOD.with_columns(qid=pl.lit("2020-01-01").str.to_date()),
        "s/b.parquet: qid: Date is neither text nor an integer",
    ),
}


@pytest.mark.parametrize("case", COLUMNS)
def test_columns_that_are_not_scores(directory, case):
    frame, message = COLUMNS[case]
    write("s/b.parquet", frame)
    with pytest.raises(InputError, match=re.escape(message)):
        open_stream("s")


def test_columns_that_differ(directory):
    write("s/a.parquet")
    write("s/b.parquet", GOOD.rename({"two": "three"}))
    message = "s/b.parquet: column 'three' is in s/b.parquet and not in s/a.parquet"
    with pytest.raises(InputError, match=re.escape(message)):
        open_stream("s")


def test_files_without_rows(directory):
    write("s/a.parquet", GOOD[:0])
    with pytest.raises(InputError, match=r"^s/a.parquet: empty: no scores"):
        open_stream("s")
    write("s/a.parquet", GOOD[:1].with_columns(qid=pl.lit("all")))
    with pytest.raises(InputError, match=r"^s/a.parquet: only summary rows"):
        read_all("s")


@pytest.mark.parametrize("value", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
def test_invalid_scores(directory, value, monkeypatch):
    monkeypatch.setattr(score_stream, "ROWS", 2)
    write("s/a.parquet")
    ids = pl.Series(["d", "e", "f"])
    write("s/b.parquet", GOOD.with_columns(qid=ids, one=pl.Series([0.5, 0.5, value])))
    message = f"s/b.parquet: row 3: one: {value!r} is not a finite number"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_all("s")


IDS = {
    "null": (["a", None, "c"], "row 2: qid None is neither text nor an integer"),
    "empty": (["a", "b", ""], "row 3: qid '' is neither text nor an integer"),
    "fraction": ([1.0, 2.5, 3.0], "row 2: qid 2.5 is neither text nor an integer"),
    "nan": ([1.0, 2.0, float("nan")], "row 3: qid nan is neither text nor an integer"),
}


@pytest.mark.parametrize("case", IDS)
def test_invalid_ids(directory, case):
    ids, message = IDS[case]
    write("s/a.parquet", GOOD.with_columns(qid=pl.Series(ids)))
    with pytest.raises(InputError, match=f"^s/a.parquet: {re.escape(message)}$"):
        read_all("s")


@pytest.mark.slow
def test_ids_too_long_for_memory(directory):
    """Ten thousand rows that share an id of a million characters: 9 GiB as one text."""
    write("s/a.parquet", pl.DataFrame({"qid": "x" * 1_000_000, "one": np.zeros(10_000)}))
    with pytest.raises(InputError, match=r"^s/a.parquet: an id of 977 KiB; 10,000 ids may have"):
        read_all("s")


def test_file_that_changes_while_it_is_read(directory):
    write("s/a.parquet")
    stream = open_stream("s")
    write("s/a.parquet", GOOD[:2])
    with pytest.raises(InputError, match=r"s/a.parquet: the file changed while it was read"):
        survey(stream)
