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
    """A wide table of AP: 4 systems on 40 queries."""
    rng = np.random.default_rng(3)
    values = rng.beta(1, 3, size=(40, 4)) * [1, 0.9, 0.5, 0.2]
    rows = [f"q{k}," + ",".join(f"{x:.4f}" for x in row) for k, row in enumerate(values)]
    (tmp_path / "ap.csv").write_text("query_id,a,b,c,d\n" + "\n".join(rows) + "\n")
    return "AP=ap.csv"


def test_calibrate_says_which_method_to_use(irbounds, scores):
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
    done = irbounds(*command)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "AP, 20 queries, 95 %: use student" in text
    assert "AP: fraction of 95 % intervals that miss the true mean, nominally 0.05" in text
    assert "studentised-logit" in text
    assert irbounds(*command).stdout == done.stdout


def test_calibrate_as_json(irbounds, scores):
    done = irbounds(
        *("calibrate", scores, "--n-queries", "5", "--method", "student-t", "--n-samples", "50"),
        *("--confidence-level", "0.9", "--confidence-level", "0.8", "--format", "json"),
        "--no-replacement",
    )
    whole = json.loads(done.stdout)
    assert [row["confidence_level"] for row in whole["results"]] == [0.9, 0.8]
    assert (whole["replacement"], whole["n_samples"], whole["seed"]) == (False, 50, 0)
    assert whole["inputs"][0]["name"].endswith("ap.csv")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--n-queries", "five"], "--n-queries must be an integer; got 'five'"),
        (["--bounds", "0"], "--bounds needs 2 values: LOW,HIGH; got '0'"),
        (["--method", "magic"], "method must be one of"),
    ],
)
def test_calibrate_refuses(irbounds, scores, arguments, text):
    done = irbounds("calibrate", scores, *arguments)
    assert done.returncode == 2
    assert text in done.stderr.decode()
    assert done.stderr.decode().count("\n") == 1


def test_calibrate_can_be_interrupted(tmp_path, scores):
    """Work for many minutes ends soon after Ctrl-C, in one line."""
    command = [sys.executable, "-m", "irbounds", "calibrate", scores, "--n-samples", "1000000"]
    command += ["--threads", "1"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=30)
    assert (process.returncode, shown) == (130, b"")
    assert said.splitlines()[-1] == b"irbounds: interrupted"


def test_rank_shows_groups(irbounds, scores):
    done = irbounds("rank", "--scores", scores)
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "of 4 systems may be the best" in text
    assert "from, to and letters hold together at 95 % (means over" in text
    done = irbounds("rank", "--scores", scores, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [record["system"] for record in records][-1] == "d"
    assert sum(float(record["best_probability"]) for record in records) == pytest.approx(1)


def test_rank_says_where_draws_are_too_few(irbounds, scores):
    done = irbounds("rank", "--scores", scores, "--n-resamples", "10")
    assert done.stdout.startswith(b"AP: 4 of 4 systems may be the best")
    assert b"10 draws cannot detect any difference at this level; --n-resamples must" in done.stdout
    assert done.stderr == b""


def test_rank_from_judgments_and_runs(irbounds, files):
    done = irbounds("rank", "qrels.txt", "one.run", "two.run", "-m", "AP", "--n-resamples", "99")
    assert done.returncode == 0, done.stderr
    assert "2 of 2 systems may be the best; the two do not differ" in done.stdout.decode()
    done = irbounds("rank", "qrels.txt", "one.run")
    assert done.returncode == 2
    assert b"ranks need at least two systems and two queries; got 1 and 6" in done.stderr
