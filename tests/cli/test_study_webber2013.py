"""``irbounds study webber2013`` as a person meets it."""

from __future__ import annotations

import csv
import io
import json

import pytest

OWN = (
    "--scenario", "own", "--population", "5000", "--yield", "300", "--recall", "0.6",
    "--retrieved-sample", "60", "--unretrieved-sample", "90",
)  # fmt: skip


@pytest.mark.slow
def test_figures_and_the_legal_track(irbounds, data_folder):
    done = irbounds(
        "study", "webber2013", "--data", str(data_folder), "--part", "figures", "--part", "legal09"
    )
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
        "--realisations",
        "3",
        "--samples",
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
    done = irbounds("study", "webber2013", *OWN, "--retrieved", "400", "--samples", "50")
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
        "study", "webber2013", "--data", str(data_folder), "--part", "clef", "--samples", "10"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"CLEF TAR 2017: samples of 100 and 300 documents")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--part", "legal09"), "--part legal09 and --part clef need --data FOLDER"),
        (("--part", "figures", "--scenario", "small"), "--scenario is for --part coverage"),
        (("--population", "9"), "--population needs --scenario own"),
        (("--scenario", "own"), "--scenario own needs --precision or --retrieved"),
        (
            ("--scenario", "own", "--precision", "0.5", "--recall", "0.5"),
            "--scenario own needs --population, --yield, --retrieved-sample, --unretrieved-sample",
        ),
        (("--part", "nothing"), "got 'nothing'"),
        ((*OWN, "--retrieved", "100"), "the retrieved segment has 100 documents, but would hold"),
        (("--part", "legal09", "--data", "nowhere"), "nowhere: no legal09_strata.csv here"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(irbounds, options, said):
    done = irbounds("study", "webber2013", *options, IRBOUNDS_DATA="")
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert done.stdout == b""


def test_without_data_real_topics_are_left_out_and_that_is_said(irbounds):
    sizes = ("--realisations", "2", "--samples", "2")
    done = irbounds("study", "webber2013", *sizes, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    assert b"no --data, so Table XII and the coverage on real topics are left out" in done.stdout
    assert b"Figure 17" in done.stdout
    assert b"Table XII:" not in done.stdout


def test_parts_without_a_figure_say_so_before_any_work(irbounds, tmp_path):
    """The data are not there, which nothing has looked for yet."""
    for part in (("--part", "legal09", "--data", "nowhere"), (*OWN, "--retrieved", "400")):
        done = irbounds("study", "webber2013", *part, "--figures", "drawn")
        assert done.returncode == 2
        assert done.stderr.startswith(b"irbounds: error: --figures drawn: there are figures of ")
        assert (done.stdout, (tmp_path / "drawn").exists()) == (b"", False)
