"""The first pass over a stream: numbers of queries, ranges of scores, repeated queries."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from irbounds.errors import InputError
from irbounds.reading import score_stream, stream_survey
from irbounds.reading.score_stream import open_stream, read_stretch
from score_streams import GOOD, read_all, write


def test_survey(directory):
    write("s/a.parquet")
    write("s/b.parquet", GOOD.with_columns(qid=pl.Series(["d", "e", "all"]), one=pl.col("one") - 1))
    stream, known = read_all("s")
    assert stream.systems == ("one", "two")
    assert known.n == 5  # summary rows are passed over
    assert known.minima.tolist() == [-0.9, 0]
    assert known.maxima.tolist() == [0.3, 1]


def test_repeated_query_in_two_files(directory):
    write("s/a.parquet")
    write("s/b.parquet", GOOD.with_columns(qid=pl.Series(["d", "e", "b"])))
    message = "s/b.parquet: row 3: query 'b' is already in s/a.parquet, row 2"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_all("s")


def test_repeated_queries_are_counted(directory):
    write("s/a.parquet")
    write("s/b.parquet")
    with pytest.raises(InputError, match=r"b.parquet: row 1: .*, row 1; and 2 more$"):
        read_all("s")


def test_repeated_queries_are_found_in_any_number_of_parts(directory, monkeypatch):
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


def test_equal_hashes_of_different_ids_are_not_repeats(directory, monkeypatch):
    monkeypatch.setattr(score_stream, "_hash", lambda ids: np.zeros(len(ids), np.uint64))
    write("s/a.parquet")
    read_all("s")
