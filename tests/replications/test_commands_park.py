"""``irbounds study park2010`` and ``park2011`` on the command line and in Python."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from irbounds.errors import ParameterError
from irbounds.replications.commands import park2010, park2011
from irbounds.replications.park2011 import replicate_park2011 as study
from irbounds.replications.study_data import real_scores


def test_the_papers_data(irbounds, data_folder):
    done = irbounds(
        *("study", "park2011", "--data", str(data_folder)),
        *("--n-samples", "30", "--n-resamples", "50", "--format", "csv"),
    )
    assert done.returncode == 0, done.stderr
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert len(records) == 90
    first = records[0]
    assert (first["table"], first["row"], first["column"], first["theirs"]) == (
        *("1", "0.05", "n = 5", "0.1814"),
    )
    assert float(first["difference"]) == pytest.approx(float(first["ours"]) - 0.1814)


def test_without_data_a_collection_is_simulated(irbounds):
    done = irbounds("study", "park2010", "--n-samples", "4", IRBOUNDS_DATA="")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "simulated collection: the paper's numbers are for comparison" in text
    assert "TREC-8" not in text
    for number in range(1, 9):
        assert f"Table {number}: " in text
    assert "  paper   20.217   3.456   2.172   1.518   0.981" in text


def test_a_wrong_directory_is_named(irbounds):
    done = irbounds("study", "park2011", "--data", "nowhere")
    assert done.returncode == 2
    assert b"nowhere: no robust2004_ap.csv here" in done.stderr


@pytest.fixture
def few_systems(tmp_path):
    """A data directory with the scores of three systems on 120 queries."""
    values = np.random.default_rng(7).beta(1, 3, size=(120, 3))
    rows = [f"q{k}," + ",".join(f"{x:.4f}" for x in row) for k, row in enumerate(values)]
    (tmp_path / "robust2004_ap.csv").write_text("query_id,a,b,c\n" + "\n".join(rows) + "\n")
    return tmp_path


def test_python_gives_the_same_digits(irbounds, few_systems):
    done = irbounds(
        *("study", "park2011", "--n-samples", "30", "--n-resamples", "20", "--seed", "4"),
        *("--data", ".", "--format", "json"),
    )
    written = json.loads(done.stdout)
    tables = park2011(data=few_systems, n_samples=30, n_resamples=20, seed=4)
    assert tables.records() == written["results"]
    assert (written["seed"], written["n_samples"], written["n_resamples"]) == (4, 30, 20)
    assert written["found"] == written["notes"]
    assert " ".join(str(tables).split()).startswith(written["found"][0])
    population = real_scores(few_systems, "robust2004_ap.csv")
    assert tables == study(population, n_samples=30, n_resamples=20, rng=4)
    assert tables != study(population, n_samples=30, n_resamples=20, rng=5)


def test_the_directory_of_the_variable_is_read(irbounds, data_folder):
    """A value of the option goes before the variable."""
    few = ("study", "park2011", "--n-samples", "2", "--n-resamples", "2", "--format", "json")
    done = irbounds(*few, IRBOUNDS_DATA=str(data_folder))
    assert json.loads(done.stdout)["inputs"][0]["name"].endswith("robust2004_ap.csv")
    done = irbounds(*few, "--data", "nowhere", IRBOUNDS_DATA=str(data_folder))
    assert b"nowhere: no robust2004_ap.csv here" in done.stderr


@pytest.mark.parametrize(
    ("verb", "options", "text"),
    [
        (park2010, {"n_samples": 1}, "n_samples must be .* at least 2; got 1"),
        (park2011, {"n_resamples": 1}, "n_resamples must be .* at least 2; got 1"),
        (park2011, {"seed": -1}, "seed must be .*; got -1"),
        (park2011, {"seed": None}, "seed needs a value; got None"),
        (park2011, {"data": 5}, "data must be a path; got 5"),
    ],
)
def test_values_are_checked_before_anything_is_read(verb, options, text):
    with pytest.raises(ParameterError, match=text):
        verb(**{"data": "nowhere", **options})


def test_decimals_are_those_of_the_paper(irbounds):
    done = irbounds("study", "park2010", "--digits", "2")
    assert done.returncode == 2
    assert b"--digits" in done.stderr
