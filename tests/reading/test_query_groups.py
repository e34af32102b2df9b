"""Groups of queries from files, frames and mappings."""

from __future__ import annotations

import gzip
import hashlib
import json

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
        ("g.csv", "text,Category,topic\na,long,q1\nb,short,q2\na,long,q3\n"),
        ("g.csv", CSV.replace("query_id", "task_name")),
        ("g.csv.gz", gzip.compress(CSV.encode(), mtime=0)),
        ("g.json", json.dumps(EXPECTED)),
    ],
)
def test_files(write, name, content):
    path = write(name, content)
    groups = read_groups(path)
    assert groups.by_query == EXPECTED
    assert groups.names == ("long", "short")
    assert groups.source == str(path)
    data = content.encode() if isinstance(content, str) else content
    assert groups.fingerprint == f"sha256:{hashlib.sha256(data).hexdigest()}"


def test_parquet_and_chosen_column(tmp_path, write):
    frame = pl.DataFrame({"query_id": [1, 2], "a": ["x", "y"], "b": [True, False]})
    frame.write_parquet(tmp_path / "g.parquet")
    assert read_groups(f"a={tmp_path / 'g.parquet'}").by_query == {"1": "x", "2": "y"}
    assert read_groups(f"b={tmp_path / 'g.parquet'}").by_query == {"1": "True", "2": "False"}
    path = write("a=b.csv", CSV)  # the name of a file
    assert read_groups(path).by_query == EXPECTED
    assert read_groups(f"group={path}").by_query == EXPECTED


def test_frames_and_mappings():
    frame = pd.DataFrame({"query_id": ["q1", "q2", "q3"], "kind": ["long", "short", "long"]})
    assert read_groups(frame).by_query == EXPECTED
    assert read_groups(frame.set_index("query_id")).by_query == EXPECTED
    assert read_groups(pl.DataFrame(EXPECTED_COLUMNS)).by_query == EXPECTED
    assert read_groups(pl.LazyFrame(EXPECTED_COLUMNS)).by_query == EXPECTED
    assert read_groups(EXPECTED).by_query == EXPECTED
    assert read_groups({1: 2, 3: 4.0, np.int64(5): np.int64(4)}).by_query == {
        **{"1": "2", "3": "4"},
        "5": "4",
    }
    assert read_groups(EXPECTED).fingerprint != read_groups({**EXPECTED, "q4": "x"}).fingerprint


EXPECTED_COLUMNS = {"qid": list(EXPECTED), "group": list(EXPECTED.values())}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        ("query_id,group\n", "a header and no rows"),
        ("query_id,group\nq1,a\nq2,\nq3,\n", "line 3: no group; line 4: no group"),
        ("query_id,group\n,a\n", "line 2: no query id"),
        ("query_id,group\nq1,a\nq1,b\n", "line 3: query 'q1' is in two groups, 'a', 'b'"),
        ("query_id,group\nq1,a,b\n", "line 2: 3 cells where the header has 2"),
        ("query_id,group\nq1,(all)\n", r"line 2: the group '\(all\)' is that of all queries"),
        ("query_id\nq1\n", "only one column; one column of queries and one of groups are needed"),
        ("query_id,a,b\nq1,x,y\n", "columns 'a', 'b' could be the groups.*COLUMN=FILE"),
        ("id,group\nq1,a\n", "no column 'query_id'"),
        ("query_id,group,group\nq1,a,a\n", "column 'group' is in the header twice"),
        ("q1 a\nq2 b\n", "no column 'query_id'"),
    ],
)
def test_files_with_faults(write, content, message):
    with pytest.raises(InputError, match=message):
        read_groups(write("g.csv", content))


def test_other_faults(write, tmp_path):
    with pytest.raises(InputError, match="no column 'kind', only 'group'"):
        read_groups(f"kind={write('g.csv', CSV)}")
    with pytest.raises(InputError, match="no such file"):
        read_groups(tmp_path / "none.csv")
    with pytest.raises(InputError, match="line 1: not JSON"):
        read_groups(write("g.json", "{"))
    with pytest.raises(InputError, match="twice"):
        read_groups(write("g.json", '{"a": "x", "a": "y"}'))
    with pytest.raises(InputError, match=r"record 1: group \['x'\] is neither text nor an integer"):
        read_groups({"q1": ["x"]})
    with pytest.raises(InputError, match="record 1: no group; record 2: no group; record 3: no gr"):
        read_groups({"q1": None, "q2": float("nan"), "q3": pd.NA})
    with pytest.raises(InputError, match="neither text nor an integer"):
        read_groups({"q1": np.zeros(2)})
    with pytest.raises(InputError, match="query id True is neither"):
        read_groups({True: "x"})
    with pytest.raises(InputError, match="'1' is in two groups"):
        read_groups({1: "x", "1": "y"})
    with pytest.raises(InputError, match="not valid Unicode"):
        read_groups({"q1": "\ud800"})
    with pytest.raises(InputError, match="empty: no groups"):
        read_groups({})
    for wrong in (3, ["a"], None):
        with pytest.raises(ParameterError, match="groups must be a file, a frame, or a mapping"):
            read_groups(wrong)


def test_line_about_groups_has_sizes_and_ignored_queries():
    groups = read_groups({**EXPECTED, "other": "long"})
    assert groups.describe(["q1", "q2", "q3"]) == (
        "groups the groups: 2 (long 2, short 1); queries without scores: 1, ignored"
    )
    assert read_groups(EXPECTED).describe(["q1", "q2", "q3"]).endswith("(long 2, short 1)")
    many = {f"q{k}": f"g{k % 12}" for k in range(30)}
    line = read_groups(many).describe(list(many))
    assert line == (
        "groups the groups: 12 (g0 3, g1 3, g2 3, g3 3, g4 3, g5 3, g6 2, g7 2, g8 2, g9 2, ...)"
    )
    assert groups.places(["q3", "q2", "q1"]) == {"long": [0, 2], "short": [1]}
