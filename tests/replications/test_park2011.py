"""Park (2011): the paper's tables on its data, and the command."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from irbounds.errors import ParameterError
from irbounds.replications.commands import park2010, park2011
from irbounds.replications.park2011 import replicate_park2011
from irbounds.replications.park2011 import replicate_park2011 as study
from irbounds.replications.study_data import read_ap_scores


@pytest.fixture(scope="module")
def robust(data_directory):
    return read_ap_scores(data_directory, "robust2004_ap.csv")


def far(table, column=None):
    ours, theirs = np.array(table.ours), np.array(table.theirs)
    difference = np.abs(ours - theirs)
    return difference.max() if column is None else difference[:, column].max()


def check_park2011(tables, slack=0.0):
    for table in tables:
        assert far(table) < 0.015 + slack, table.number


@pytest.mark.slow
def test_park2011_with_fewer_samples(robust):
    tables = replicate_park2011(robust, n_samples=200, n_resamples=300, rng=1)
    check_park2011(tables, slack=0.006)
    percentile, bca, logit = (table.ours[0][0] for table in tables)
    assert percentile > 0.15  # nominally 0.05
    assert bca > 0.14
    assert logit < 0.065


@pytest.mark.slow
def test_park2011_at_full_scale(robust):
    check_park2011(replicate_park2011(robust, rng=0))


def test_csv_on_the_papers_data(irbounds, data_directory):
    done = irbounds(
        *("study", "park2011", "--data", str(data_directory)),
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


def test_error_names_the_wrong_directory(irbounds):
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


def test_python_and_command_line_give_the_same_numbers(irbounds, few_systems):
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
    population = read_ap_scores(few_systems, "robust2004_ap.csv")
    assert tables == study(population, n_samples=30, n_resamples=20, rng=4)
    assert tables != study(population, n_samples=30, n_resamples=20, rng=5)


def test_irbounds_data_names_the_directory(irbounds, data_directory):
    """A value of the option goes before the variable."""
    few = ("study", "park2011", "--n-samples", "2", "--n-resamples", "2", "--format", "json")
    done = irbounds(*few, IRBOUNDS_DATA=str(data_directory))
    assert json.loads(done.stdout)["inputs"][0]["name"].endswith("robust2004_ap.csv")
    done = irbounds(*few, "--data", "nowhere", IRBOUNDS_DATA=str(data_directory))
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
