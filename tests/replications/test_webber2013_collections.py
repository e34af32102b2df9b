"""Webber (2013) on real collections: Table XII and the topics of CLEF TAR 2017."""

from __future__ import annotations

import numpy as np
import pytest

import irbounds
from irbounds.errors import DataError, InputError
from irbounds.replications import webber2013_collections as collections
from irbounds.replications.webber2013_collections import RENAMED, THEIRS, legal09_table
from irbounds.results import RecallRealisation

#: sums down the columns and along the rows of Table XII, added up from the paper's text
COLUMN_SUMS = (9.932, 7.724, 11.058, 8.303, 11.553, 7.224, 11.114)


# fmt: off
ROW_SUMS = (
    4.980, 3.165, 1.321, 1.086, 4.581, 3.947, 5.592, 3.853, 1.122, 0.189, 5.153, 2.077,
    1.361, 4.674, 3.205, 2.030, 0.550, 0.309, 0.076, 0.064, 5.291, 5.230, 3.722, 3.330,
)
# fmt: on


@pytest.fixture(scope="module")
def legal(data_directory):
    """Table XII and its input, and the steps that were reported."""
    steps = []
    table, inputs = legal09_table(data_directory, lambda done, total: steps.append((done, total)))
    return table, inputs, steps


def test_sums_of_table_xii_are_the_papers():
    """One wrong digit changes the sum of its row and that of its column."""
    table = np.array(list(THEIRS.values()))
    assert table.shape == (24, 7)
    assert table.sum(axis=0) == pytest.approx(COLUMN_SUMS)
    assert table.sum(axis=1) == pytest.approx(ROW_SUMS)


def test_table_xii_is_met(legal):
    table, inputs, steps = legal
    ours, theirs = np.array(table.ours), np.array(table.theirs)
    closed = [0, 3, 4, 5, 6]  # recall, normal, Laplace
    assert [[f"{x:.3f}" for x in row] for row in ours[:, closed]] == [
        [f"{x:.3f}" for x in row] for row in theirs[:, closed]
    ]
    assert np.abs(ours - theirs)[:, 1:3].max() < 0.0015
    assert [one.name.endswith("legal09_strata.csv") for one in inputs] == [True]
    assert steps == [(k, 24) for k in range(1, 25)]


def test_wrong_team_would_be_detected(data_directory, monkeypatch):
    """Negative control: the numbers tell teams of a topic apart."""
    monkeypatch.setitem(RENAMED, ("204", "UD"), "CB")
    table, _ = legal09_table(data_directory)
    assert np.abs(np.array(table.ours) - np.array(table.theirs)).max() > 0.05


def test_legal09_directory_itself_is_accepted_and_a_wrong_one_named(data_directory, tmp_path):
    own, whole = (legal09_table(one)[1] for one in (data_directory / "legal09", data_directory))
    assert own == whole
    with pytest.raises(
        InputError, match=r"no legal09_strata\.csv here, nor in a directory legal09"
    ):
        legal09_table(tmp_path)
    sheet = "teams,pattern,N,n,r2\nA B,RN,9,3,1\nA B,NR,9,3,1\n"
    (tmp_path / "legal09_strata.csv").write_text(sheet)
    with pytest.raises(DataError, match="no team UW in topic 201, which Table XII has"):
        legal09_table(tmp_path)


def test_retrieved_sets_of_a_run():
    judged = {f"d{k}": int(k in (1, 4, 7)) for k in range(10)}
    qrels = irbounds.read_qrels({"q": judged, "whole": {"a": 1, "b": 0}, "absent": {"a": 1}})
    run = irbounds.read_run(
        {"q": {"d4": 9.0, "d5": 8.0, "d1": 7.0, "x": 6.0}, "whole": {"a": 2.0, "b": 1.0}}, name="r"
    )
    # a document without a judgment is in no segment; a set that leaves nothing is left out
    assert collections.list_retrieved_sets(qrels, run) == [RecallRealisation(3, 7, 2, 1, 3, 7)]
    cut = collections.list_retrieved_sets(qrels, run, cut=0.2)
    assert cut == [RecallRealisation(2, 8, 1, 2, 2, 8)]


def test_clef_topics(data_directory):
    tables, inputs = collections.clef_tables(data_directory, n_samples=100, rng=0)
    (table,) = tables
    assert table.title.endswith("retrieved sets: all found 13, thresh 9, cut 30")
    assert [one.name for one in inputs] == [
        "qrel_abs_test",
        "waterloo-A-thresh-normal",
        "waterloo-B-thresh-normal",
        "waterloo-A-rank-normal",
    ]
    rows = dict(zip(table.rows, table.ours, strict=True))
    # 100 samples of 9 and more sets: a standard error of at most 0.02 for coverages near 0.95
    for column in (0, 2, 4):
        assert rows["beta-binomial 0.5"][column] > 0.9
    assert rows["normal"][2] < 0.6  # the negative control
    assert rows["beta-jeffreys"][0] < 0.1  # a beta's limit is never 1


def test_directory_without_clef_topics_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no waterloo-\S+\.run here, nor in a directory clef-tar"):
        collections.clef_tables(tmp_path)
