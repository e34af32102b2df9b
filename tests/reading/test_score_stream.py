"""Streams of scores: which they are, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet
import pytest

import irbounds
from irbounds.errors import InputError, IrboundsError, ParameterError
from irbounds.reading import score_stream, stream_survey
from irbounds.reading.parquet import LayoutError, read_layout, read_parquet
from irbounds.reading.score_stream import is_stream, open_stream, read_stretch
from irbounds.reading.sources import Source
from irbounds.reading.stream_survey import check_distinct, survey

GOOD = pl.DataFrame({"qid": ["a", "b", "c"], "one": [0.1, 0.2, 0.3], "two": [1, 0, 1]})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder, which names of files are seen from."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    return tmp_path


def write(name: str, frame: pl.DataFrame = GOOD) -> str:
    frame.write_parquet(name)
    return name


def read_all(sources):
    stream = open_stream(sources)
    known = survey(stream)
    check_distinct(stream)
    return stream, known


# which scores are a stream


def test_patterns_and_folders_are_streams(folder):
    write("s/a.parquet")
    for scores in ("s/*.parquet", "s", folder / "s", ["s/a.parquet", "t/*"], {"AP": "s/*"}):
        assert is_stream(scores)


def test_everything_else_is_a_table(folder):
    write("s/a.parquet")
    write("odd[1].parquet")
    tables = ("s/a.parquet", "odd[1].parquet", ["s/a.parquet"], {"AP": "s/a.parquet"}, GOOD)
    for scores in (*tables, [0.1, 0.2], np.ones(3), "missing.csv", "-", "a\0b", None, [], {}):
        assert not is_stream(scores)


def test_one_file_of_many_rows_is_a_stream_if_it_can_be_one(folder, monkeypatch):
    monkeypatch.setattr(score_stream, "MAX_TABLE_ROWS", 2)
    assert is_stream(write("wide.parquet"))
    assert is_stream(["wide.parquet"])
    assert not is_stream(write("long.parquet", GOOD.rename({"one": "value"})))
    assert not is_stream(write("without.parquet", GOOD.drop("qid")))
    monkeypatch.setattr(score_stream, "MAX_TABLE_ROWS", 3)
    assert not is_stream("wide.parquet")


def test_streams_and_tables_do_not_mix(folder):
    write("s/a.parquet")
    with pytest.raises(ParameterError, match=r"some are a stream .* and some a table"):
        is_stream({"AP": "s/*.parquet", "P@5": "s/a.parquet"})


# what is read


def test_files_in_the_order_of_their_names(folder):
    for name in ("b.parquet", "a.parquet", "_meta.parquet", ".hidden.parquet"):
        write(f"s/{name}")
    (folder / "s" / "deep").mkdir()
    write("s/deep/c.parquet")
    (folder / "s" / "_SUCCESS").touch()
    found = [file.path for file in open_stream("s").files]
    assert found == ["s/a.parquet", "s/b.parquet", "s/deep/c.parquet"]
    assert [f.path for f in open_stream("s/[ab].*").files] == found[:2]
    assert [f.path for f in open_stream("s/**/[c].parquet").files] == found[2:]


def test_ids_are_texts_whatever_they_were(folder):
    ids = [pl.Series("qid", ["1", "2", "30"])]
    ids += [ids[0].cast(kind) for kind in (pl.Categorical, pl.Int8, pl.UInt64, pl.Float64)]
    names = []
    for k, column in enumerate(ids):
        write(f"s/{k}.parquet", GOOD.with_columns(column))
        names.append(read_stretch(open_stream(f"s/{k}.parquet"), 0).hashes.tolist())
    assert all(one == names[0] for one in names)


def test_a_survey(folder):
    write("s/a.parquet")
    write("s/b.parquet", GOOD.with_columns(qid=pl.Series(["d", "e", "all"]), one=pl.col("one") - 1))
    stream, known = read_all("s")
    assert stream.systems == ("one", "two")
    assert known.n == 5  # summary rows are passed over
    assert known.minima.tolist() == [-0.9, 0]
    assert known.maxima.tolist() == [0.3, 1]


def test_columns_may_stand_in_another_order_and_be_of_another_kind(folder):
    write("s/a.parquet")
    write("s/b.parquet", pl.DataFrame({"two": [0.5], "qid": ["d"], "one": [1]}))
    write("s/c.parquet", GOOD[:0])
    _, known = read_all("s")
    assert (known.n, known.maxima.tolist()) == (4, [1, 1])


def test_an_empty_file_may_have_columns_of_no_kind(folder):
    """As some tools write a part without rows."""
    empty = pl.DataFrame({name: pl.Series([], dtype=pl.Null) for name in GOOD.columns})
    write("s/a.parquet", empty)
    write("s/b.parquet")
    _, known = read_all("s")
    assert (known.n, known.maxima.tolist()) == (3, [0.3, 1])


def test_files_are_found_from_another_folder(folder, monkeypatch):
    write("s/a.parquet")
    stream = open_stream("s")
    monkeypatch.chdir("s")
    assert survey(stream).n == 3
    assert [file.path for file in stream.files] == ["s/a.parquet"]


@pytest.mark.parametrize("rows", [1, 7, 100, 1000])
def test_the_largest_group_of_rows(folder, rows):
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


def test_a_page_that_is_larger_than_its_group_counts(folder):
    """Equal texts of 1,000 characters, compressed to a few bytes each."""
    texts = ["x" * 1000 + str(k) for k in range(1000)]
    write("a.parquet", pl.DataFrame({"qid": texts, "one": 0.0}))
    assert (folder / "a.parquet").stat().st_size < 100_000
    assert layout("a.parquet").at_once > 1_000_000


def layout(name):
    with Path(name).open("rb") as opened:
        return read_layout(opened)


def test_a_file_without_rows_has_a_layout(folder):
    write("b.parquet", GOOD[:0])
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
def test_columns_of_all_kinds_have_a_layout(folder, writer):
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
def test_a_file_without_a_layout(folder, data):
    (folder / "a.parquet").write_bytes(data)
    with pytest.raises(LayoutError, match="damaged"):
        layout("a.parquet")
    with pytest.raises(InputError, match=r"^a\.parquet: cannot be read as parquet: damaged"):
        irbounds.read_run("a.parquet")


def test_stretches_cover_all_rows(folder, monkeypatch):
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
    "empty folder": ("s", "s: no Parquet file in this directory"),
    "missing": (["s/*.parquet", "gone.parquet"], "gone.parquet: no such file"),
    "not a name": (["s/*.parquet", 7], "patterns, directories or names; got int"),
}


@pytest.mark.parametrize("case", WRONG)
def test_files_that_are_not_there(folder, case):
    if case in ("missing", "not a name"):
        write("s/a.parquet")
    with pytest.raises(IrboundsError, match=re.escape(WRONG[case][1])):
        open_stream(WRONG[case][0])


def test_a_file_that_is_no_parquet(folder):
    write("s/a.parquet")
    (folder / "s" / "b.parquet").write_text("qid,one,two\na,1,2\n")
    with pytest.raises(InputError, match=r"^s/b.parquet: not a Parquet file; "):
        open_stream("s")


def test_a_file_cut_short(folder):
    whole = (folder / write("s/a.parquet")).read_bytes()
    (folder / "s" / "a.parquet").write_bytes(whole[:-20])
    with pytest.raises(InputError, match=r"^s/a.parquet: cannot be read as parquet: "):
        open_stream("s")


def test_a_file_that_is_named_twice(folder):
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
def test_columns_that_are_no_scores(folder, case):
    frame, message = COLUMNS[case]
    write("s/b.parquet", frame)
    with pytest.raises(InputError, match=re.escape(message)):
        open_stream("s")


def test_columns_that_differ(folder):
    write("s/a.parquet")
    write("s/b.parquet", GOOD.rename({"two": "three"}))
    message = "s/b.parquet: column 'three' is in s/b.parquet and not in s/a.parquet"
    with pytest.raises(InputError, match=re.escape(message)):
        open_stream("s")


def test_no_row_at_all(folder):
    write("s/a.parquet", GOOD[:0])
    with pytest.raises(InputError, match=r"^s/a.parquet: empty: no scores"):
        open_stream("s")
    write("s/a.parquet", GOOD[:1].with_columns(qid=pl.lit("all")))
    with pytest.raises(InputError, match=r"^s/a.parquet: only summary rows"):
        read_all("s")


@pytest.mark.parametrize("value", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
def test_scores_that_are_none(folder, value, monkeypatch):
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
def test_ids_that_are_none(folder, case):
    ids, message = IDS[case]
    write("s/a.parquet", GOOD.with_columns(qid=pl.Series(ids)))
    with pytest.raises(InputError, match=f"^s/a.parquet: {re.escape(message)}$"):
        read_all("s")


@pytest.mark.slow
def test_ids_too_long_to_be_held(folder):
    """Ten thousand rows that share an id of a million characters: 9 GiB as one text."""
    write("s/a.parquet", pl.DataFrame({"qid": "x" * 1_000_000, "one": np.zeros(10_000)}))
    with pytest.raises(InputError, match=r"^s/a.parquet: an id of 977 KiB; 10,000 ids may have"):
        read_all("s")


def test_a_query_twice_in_two_files(folder):
    write("s/a.parquet")
    write("s/b.parquet", GOOD.with_columns(qid=pl.Series(["d", "e", "b"])))
    message = "s/b.parquet: row 3: query 'b' is already in s/a.parquet, row 2"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_all("s")


def test_many_queries_twice_are_counted(folder):
    write("s/a.parquet")
    write("s/b.parquet")
    with pytest.raises(InputError, match=r"b.parquet: row 1: .*, row 1; and 2 more$"):
        read_all("s")


def test_parts_find_what_the_whole_finds(folder, monkeypatch):
    """Every id is looked at once: among 3,000 ids in 7 parts, the one that stands twice."""
    monkeypatch.setattr(stream_survey, "count_parts", lambda _: 7)
    ids = pl.Series("qid", [str(k) for k in range(3000)])
    frame = pl.DataFrame({"qid": ids, "one": np.zeros(3000)})
    write("s/a.parquet", frame)
    read_all("s")
    stream = open_stream("s")
    parts = [
        stream_survey.hashes_unit(0, stream=stream, part=part, n_parts=7)[0] for part in range(7)
    ]
    whole = read_stretch(stream, 0).hashes
    assert sorted(np.concatenate(parts).tolist()) == sorted(whole.tolist())
    assert min(map(len, parts)) > 300  # of 429
    for twice in (0, 1234, 2999):
        write("s/b.parquet", frame[twice : twice + 1])
        with pytest.raises(InputError, match=f"query '{twice}' is already in s/a.parquet"):
            read_all("s")


def test_queries_that_share_a_number_by_chance_are_not_the_same(folder, monkeypatch):
    monkeypatch.setattr(score_stream, "_hash", lambda ids: np.zeros(len(ids), np.uint64))
    write("s/a.parquet")
    read_all("s")


def test_a_file_that_changes_meanwhile(folder):
    write("s/a.parquet")
    stream = open_stream("s")
    write("s/a.parquet", GOOD[:2])
    with pytest.raises(InputError, match=r"s/a.parquet: the file changed while it was read"):
        survey(stream)
