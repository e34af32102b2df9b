"""Ranks from the command line."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest


@pytest.fixture
def scores(tmp_path):
    """Write a wide table of AP, 4 systems on 40 queries, and return its argument."""
    rng = np.random.default_rng(3)
    values = rng.beta(1, 3, size=(40, 4)) * [1, 0.9, 0.5, 0.2]
    rows = [f"q{k}," + ",".join(f"{x:.4f}" for x in row) for k, row in enumerate(values)]
    (tmp_path / "ap.csv").write_text("query_id,a,b,c,d\n" + "\n".join(rows) + "\n")
    return "AP=ap.csv"


def test_rank_prints_ranks_and_groups(irbounds, scores):
    result = irbounds("rank", "--scores", scores)
    assert result.returncode == 0, result.stderr
    assert "of 4 systems may be the best" in result.stdout.decode()
    result = irbounds("rank", "--scores", scores, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    assert [record["system"] for record in records][-1] == "d"
    assert {"rank", "rank_low", "rank_high", "letters"} <= records[0].keys()


def test_rank_reads_judgments_and_runs(irbounds, files):
    result = irbounds("rank", "qrels.txt", "one.run", "two.run", "-m", "AP")
    assert result.returncode == 0, result.stderr
    assert "2 of 2 systems may be the best; the two do not differ" in result.stdout.decode()
    result = irbounds("rank", "qrels.txt", "one.run")
    assert result.returncode == 2
    assert b"ranks need at least two systems and two queries; got 1 and 6" in result.stderr


@pytest.mark.parametrize("heading", ["", "name", "Model"])
def test_rank_refuses_a_table_whose_rows_may_be_systems(irbounds, tmp_path, heading):
    (tmp_path / "s.csv").write_text(f"{heading},task-1,task-2\nbm25,0.1,0.2\ndense,0.3,0.4\n")
    result = irbounds("rank", "--scores", "s.csv")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: s.csv: column ")
    (tmp_path / "s.csv").write_text("task,bm25,dense\ntask-1,0.1,0.3\ntask-2,0.2,0.4\n")
    assert b"dense" in irbounds("rank", "--scores", "s.csv").stdout
