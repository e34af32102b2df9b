"""``irbounds study webber2013`` as a person meets it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from irbounds.errors import ParameterError
from irbounds.replications.commands import webber2013

OWN = (
    "--scenario", "own", "--corpus-size", "5000", "--n-relevant", "300", "--recall", "0.6",
    "--retrieved-sample", "60", "--unretrieved-sample", "90",
)  # fmt: skip


@pytest.mark.slow
def test_figures_and_the_legal_track(irbounds, data_folder):
    done = irbounds("study", "webber2013", "--data", str(data_folder), "--part", "figures,legal09")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert "normal 48 of 48, laplace 48 of 48" in text
    assert "farthest apart 0.0052 (wald, mean)" in text
    assert "203 UW          0.865    0.624-0.881  0.625-0.881  0.832-0.897      =" in text
    tables = text.split("\n\n")[1:]
    assert [table.split(":")[0] for table in tables] == [
        "Figure 2", "Figure 3", "Figures 4 to 7", "Figure 8",
        "Figure 15", "Figure 16", "Figure 17", "Table XII",
    ]  # fmt: skip


def test_csv_and_json(irbounds, data_folder, tmp_path):
    command = ("study", "webber2013", "--data", str(data_folder), "--part", "legal09")
    done = irbounds(*command, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert len(records) == 24 * 7
    assert {(r["study"], r["table"]) for r in records} == {("webber2013", "Table XII")}
    assert b"Table XII, numbers met to every printed digit" in done.stderr
    assert irbounds(*command, "--output", "study.json").returncode == 0
    written = json.loads((tmp_path / "study.json").read_text())
    assert len(written["inputs"]) == 1
    assert written["seed"] == 0
    one = next(r for r in written["results"] if r["row"] == "201 UW" and r["column"] == "recall")
    assert (one["theirs"], round(one["ours"], 3)) == (0.778, 0.778)


def test_coverage_of_a_scenario(irbounds):
    command = (
        "study",
        "webber2013",
        "--scenario",
        "small",
        "--n-realisations",
        "3",
        "--n-samples",
        "20",
    )
    done = irbounds(*command, IRBOUNDS_DATA="")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "3 corpora and 20 samples of each: the paper has 1,000 of both" in text
    assert "Table IX, koopman and the posteriors: " in text
    tables = text.split("\n\n")[1:]
    assert [table.split(":")[0] for table in tables] == [
        "Table IX", "Table X", "Figure 13", "Figure 14",
    ]  # fmt: skip
    assert irbounds(*command, IRBOUNDS_DATA="").stdout == done.stdout
    assert irbounds(*command, "--seed", "1", IRBOUNDS_DATA="").stdout != done.stdout


def test_sizes_of_one_s_own(irbounds):
    done = irbounds("study", "webber2013", *OWN, "--retrieved-size", "400", "--n-samples", "50")
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert text.startswith(
        "Own sizes: 60 of 400 retrieved and 90 of 4,600 other documents sampled, recall 0.6\n"
    )
    assert len(text.splitlines()) == 11
    done = irbounds("study", "webber2013", *OWN, "--precision", "0.5", "--format", "json")
    about = json.loads(done.stdout)
    assert (about["n_samples"], about["seed"]) == (1000, 0)
    assert {one["table"] for one in about["results"]} == {"Own sizes"}


def test_coverage_on_real_topics(irbounds, data_folder):
    done = irbounds(
        "study", "webber2013", "--data", str(data_folder), "--part", "clef", "--n-samples", "10"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"CLEF TAR 2017: samples of 100 and 300 documents")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--part", "legal09"), "--part legal09 needs --data"),
        (("--part", "coverage", "--part", "clef"), "--part clef needs --data"),
        (("--part", "figures", "--scenario", "small"), "--scenario is for --part coverage"),
        (("--corpus-size", "9"), "--corpus-size is for --scenario own"),
        (("--scenario", "own"), "--scenario own needs --precision or --retrieved-size"),
        (
            ("--scenario", "own", "--precision", "0.5", "--recall", "0.5"),
            "own needs --corpus-size, --n-relevant, --retrieved-sample and --unretrieved-sample",
        ),
        (("--part", "nothing"), "got 'nothing'"),
        (("--scenario", "small,large"), "got 'large'"),
        (
            (*OWN, "--retrieved-size", "400", "--precision", "0.5"),
            "give either --retrieved-size or --precision; got 400 and 0.5",
        ),
        (("--n-samples", "1"), "--n-samples must be an integer of at least 2; got 1"),
        (
            (*OWN, "--retrieved-size", "100"),
            "the retrieved segment has 100 documents, but would contain",
        ),
        (("--part", "legal09", "--data", "nowhere"), "nowhere: no legal09_strata.csv here"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(irbounds, options, said):
    done = irbounds("study", "webber2013", *options, IRBOUNDS_DATA="")
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert done.stdout == b""


def test_without_data_real_topics_are_left_out_and_that_is_said(irbounds):
    sizes = ("--n-realisations", "2", "--n-samples", "2")
    done = irbounds("study", "webber2013", *sizes, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    assert b"no data, so Table XII and the coverage on real topics are left out" in done.stdout
    assert b"Figure 17" in done.stdout
    assert b"Table XII:" not in done.stdout


def test_parts_without_a_figure_say_so_before_any_work(irbounds, tmp_path):
    """The data are not there, which nothing has looked for yet."""
    for part in (("--part", "legal09", "--data", "nowhere"), (*OWN, "--retrieved-size", "400")):
        done = irbounds("study", "webber2013", *part, "--figures", "drawn")
        assert done.returncode == 2
        assert done.stderr.startswith(b"irbounds: error: --figures drawn: there are figures of ")
        assert (done.stdout, (tmp_path / "drawn").exists()) == (b"", False)


def test_python_gives_the_same_digits(irbounds, monkeypatch):
    monkeypatch.delenv("IRBOUNDS_DATA", raising=False)
    done = irbounds(
        *("study", "webber2013", "--scenario", "small,own", *OWN[2:], "--precision", "0.5"),
        *("--n-realisations", "2", "--n-samples", "20", "--seed", "3", "--format", "json"),
    )
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    sizes = {"corpus_size": 5000, "n_relevant": 300, "recall": 0.6, "precision": 0.5}
    samples = {"retrieved_sample": 60, "unretrieved_sample": 90}
    tables = webber2013(
        scenario=["small", "own"], **sizes, **samples, n_realisations=2, n_samples=20, seed=3
    )
    found = json.loads(json.dumps(tables.records()).replace("NaN", "null"))
    assert found == written["results"]
    assert written["found"][0] in " ".join(str(tables).split())
    assert tables.plot().name.startswith("webber2013-figure-1")


def test_python_names_its_parameters():
    with pytest.raises(ParameterError, match="corpus_size and recall are for scenario='own'"):
        webber2013(corpus_size=9, recall=0.5)
