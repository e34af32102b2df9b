"""Groups of queries from sheets, frames and mappings."""

from __future__ import annotations

import gzip
import hashlib

import numpy as np
import pandas as pd
import polars as pl
import pytest

from irbounds.errors import InputError, ParameterError
from irbounds.reading.query_groups import read_groups

EXPECTED = {"q1": "long", "q2": "short", "q3": "long"}
CSV = "query_id,group\nq1,long\nq2,short\nq3,long\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("g.csv", CSV),
        ("g.tsv", CSV.replace(",", "\t")),
        ("g.txt", CSV.replace(",", ";")),
        ("g.csv", "# from the log\n\nQID, length \nq1, long\nq2,short\n\nq3,long\nq3,long\n"),
        ("g.csv", "Category,topic\nlong,q1\nshort,q2\nlong,q3\n"),
        ("g.csv", CSV.replace("query_id", "task_name")),
        ("g.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
    ],
)
def test_files(write, name, content):
    path = write(name, content)
    groups, file = read_groups(path)
    assert groups == EXPECTED
    data = content.encode() if isinstance(content, str) else content
    assert (file.name, file.fingerprint) == (
        str(path),
        f"sha256:{hashlib.sha256(data).hexdigest()}",
    )


def test_frames_and_mappings():
    frame = pd.DataFrame({"query_id": ["q1", "q2", "q3"], "kind": ["long", "short", "long"]})
    columns = {"qid": list(EXPECTED), "group": list(EXPECTED.values())}
    for source in (frame, frame.set_index("query_id"), pl.DataFrame(columns), EXPECTED):
        assert read_groups(source) == (EXPECTED, None)
    numbers = {1: 2, 3: 4.0, np.int64(5): np.int64(4)}
    assert read_groups(numbers)[0] == {"1": "2", "3": "4", "5": "4"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        ("query_id,group\n", "a header and no rows"),
        ("query_id,group\nq1,a\nq2,\nq3,\n", "line 3: group must be text.*; line 4: group must"),
        ("query_id,group\n,a\n", "line 2: query id must be text or an integer; got ''"),
        ("query_id,group\nq1,a\nq1,b\n", "line 3: query 'q1' is in two groups, 'a', 'b'"),
        ("query_id,group\nq1,a,b\n", "line 2: 3 cells where the header has 2"),
        ("query_id,group\nq1,(all)\n", r"line 2: the group '\(all\)' is that of all queries"),
        ("query_id\nq1\n", "a column of queries and one of groups are needed; got 'query_id'"),
        ("query_id,a,b\nq1,x,y\n", "one of groups are needed; got 'query_id', 'a', 'b'"),
        ("id,group\nq1,a\n", "no column 'query_id'"),
        ("group,group\nq1,a\n", "got 'group', 'group'"),
    ],
)
def test_files_with_faults(write, content, message):
    with pytest.raises(InputError, match=message):
        read_groups(write("g.csv", content))


def test_other_faults(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_groups(tmp_path / "none.csv")
    for wrong in (["x"], None, float("nan"), pd.NA, np.zeros(2), "\ud800", True):
        with pytest.raises(InputError, match="record 1: group must be text or an integer; got"):
            read_groups({"q1": wrong})
    with pytest.raises(InputError, match="query id must be text or an integer; got True"):
        read_groups({True: "x"})
    with pytest.raises(InputError, match="'1' is in two groups"):
        read_groups({1: "x", "1": "y"})
    for wrong in (3, ["a"], None):
        with pytest.raises(ParameterError, match="groups must be a file, a frame, or a dict"):
            read_groups(wrong)
