"""Calibration and ranks from the command line."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time

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


def test_calibrate_recommends_a_method(irbounds, scores):
    command = (
        "calibrate",
        scores,
        "--n-queries",
        "20",
        "--n-samples",
        "2500",
        "--n-resamples",
        "200",
    )
    result = irbounds(*command)
    text = result.stdout.decode()
    assert result.returncode == 0, result.stderr
    rows = json.loads(irbounds(*command, "--format", "json").stdout)["results"]
    (best,) = (row["method"] for row in rows if row["recommended"])
    assert f"AP, 20 queries, 95 %: use {best}, which misses " in text
    assert {"wilson", "clopper-pearson"}.isdisjoint(row["method"] for row in rows)  # not binary
    assert "AP: fraction of 95 % intervals that miss the true mean, nominally 0.05" in text
    assert "studentised-logit" in text
    assert irbounds(*command).stdout == result.stdout


def test_calibrate_writes_json(irbounds, scores):
    result = irbounds(
        *("calibrate", scores, "--n-queries", "5", "--method", "student-t", "--n-samples", "50"),
        *("--confidence-level", "0.9", "--confidence-level", "0.8", "--format", "json"),
        "--no-replacement",
    )
    document = json.loads(result.stdout)
    assert [row["confidence_level"] for row in document["results"]] == [0.9, 0.8]
    assert (document["replacement"], document["n_samples"], document["seed"]) == (False, 50, 0)
    assert document["inputs"][0]["name"].endswith("ap.csv")


def test_calibrate_takes_bounds_from_the_scores_of_an_unnamed_measure(irbounds, scores):
    few = ("--n-queries", "5", "--n-samples", "20", "--n-resamples", "20")
    line = "score: its bounds are not known; taken as 0 and 1"
    result = irbounds("calibrate", "--scores", "ap.csv", *few)
    assert line in result.stdout.decode()
    assert "--bounds LOW,HIGH" in result.stdout.decode()
    assert "studentised-logit" in result.stdout.decode()
    document = json.loads(irbounds("calibrate", "ap.csv", *few, "--format", "json").stdout)
    assert document["bounds_from_scores"] == ["score"]
    # nothing is taken where bounds are given or known, or no method needs them
    others = (["ap.csv", "--bounds", "0,1"], [scores], ["ap.csv", "--method", "student-t"])
    for arguments in others:
        result = irbounds("calibrate", *arguments, *few)
        assert result.returncode == 0, result.stderr
        assert line not in result.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "expected_message"),
    [
        (["--n-queries", "five"], "--n-queries must be an integer; got 'five'"),
        (["--bounds", "0"], "--bounds needs 2 values: LOW,HIGH; got '0'"),
        (["--method", "magic"], "method must be one of"),
    ],
)
def test_calibrate_rejects_invalid_options(irbounds, scores, arguments, expected_message):
    result = irbounds("calibrate", scores, *arguments)
    assert result.returncode == 2
    assert expected_message in result.stderr.decode()
    assert result.stderr.decode().count("\n") == 1


@pytest.mark.slow
def test_calibrate_stops_after_sigint(tmp_path, scores):
    """SIGINT ends a run of many minutes with a one-line message."""
    command = [sys.executable, "-m", "irbounds", "calibrate", scores, "--n-samples", "1000000"]
    command += ["--threads", "1"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, b"")
    assert stderr.splitlines()[-1] == b"irbounds: interrupted"


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
