"""Webber (2013): the command, the sentences and the tables of the whole study."""

from __future__ import annotations

import csv
import io
import json

import pytest

from irbounds.errors import ParameterError
from irbounds.replications import webber2013_curves
from irbounds.replications.commands import webber2013
from irbounds.replications.paper_tables import StudyTable
from irbounds.replications.webber2013 import finding_sentences, make_webber_tables
from irbounds.replications.webber2013_collections import legal09_table
from irbounds.replications.webber2013_curves import (
    figure_tables,
)

OWN = (
    "--scenario", "own", "--corpus-size", "5000", "--n-relevant", "300", "--recall", "0.6",
    "--retrieved-sample", "60", "--unretrieved-sample", "90",
)  # fmt: skip


@pytest.mark.slow
def test_figures_and_the_legal_track(irbounds, data_directory):
    done = irbounds(
        "study", "webber2013", "--data", str(data_directory), "--part", "figures,legal09"
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


def test_csv_and_json(irbounds, data_directory, tmp_path):
    command = ("study", "webber2013", "--data", str(data_directory), "--part", "legal09")
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


def test_corpus_of_own_sizes(irbounds):
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


def test_coverage_on_real_topics(irbounds, data_directory):
    done = irbounds(
        "study", "webber2013", "--data", str(data_directory), "--part", "clef", "--n-samples", "10"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"CLEF TAR 2017: samples of 100 and 300 documents")


@pytest.mark.parametrize(
    ("options", "message"),
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
def test_invalid_options_are_errors_of_one_line(irbounds, options, message):
    done = irbounds("study", "webber2013", *options, IRBOUNDS_DATA="")
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stdout == b""


@pytest.fixture
def few_widths(monkeypatch):
    """Figures 15 to 17 with a few points, which are computed in a fraction of the time."""
    sizes = {"SIZES": (5_000,), "SPLITS": (0.5,), "BUDGETS": (100,), "WIDTH_METHODS": ("normal",)}
    for name, few in sizes.items():
        monkeypatch.setattr(webber2013_curves, name, few)


def test_real_topics_are_left_out_without_data(irbounds, few_widths):
    sizes = ("--n-realisations", "2", "--n-samples", "2")
    done = irbounds("study", "webber2013", *sizes, IRBOUNDS_DATA="")
    assert done.returncode == 0, done.stderr
    assert b"no data, so Table XII and the coverage on real topics are left out" in done.stdout
    assert b"Figure 17" in done.stdout
    assert b"Table XII:" not in done.stdout


def test_parts_without_a_figure_fail_before_any_work(irbounds, tmp_path):
    """The data are not there, which nothing has looked for yet."""
    for part in (("--part", "legal09", "--data", "nowhere"), (*OWN, "--retrieved-size", "400")):
        done = irbounds("study", "webber2013", *part, "--figures", "drawn")
        assert done.returncode == 2
        assert done.stderr.startswith(b"irbounds: error: --figures drawn: there are figures of ")
        assert (done.stdout, (tmp_path / "drawn").exists()) == (b"", False)


def test_python_and_command_line_give_the_same_numbers(irbounds, monkeypatch):
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
    records = json.loads(json.dumps(tables.records()).replace("NaN", "null"))
    assert records == written["results"]
    assert written["found"][0] in " ".join(str(tables).split())
    assert tables.plot().name.startswith("webber2013-figure-1")


def test_python_error_names_the_parameters():
    with pytest.raises(ParameterError, match="corpus_size and recall are for scenario='own'"):
        webber2013(corpus_size=9, recall=0.5)


@pytest.fixture(scope="module")
def legal(data_directory):
    """Table XII and its input, and the steps that were reported."""
    steps = []
    table, inputs = legal09_table(data_directory, lambda done, total: steps.append((done, total)))
    return table, inputs, steps


def test_sentences_and_tables(legal):
    tables = [*figure_tables(), legal[0]]
    sentences = finding_sentences(tables)
    assert sentences == [
        "Figure 2: 2 of 2 numbers within half of the last printed digit; "
        "farthest apart 0.0042 (Table III, mean estimate)",
        "Figures 4 to 7: 4 of 5 numbers within half of the last printed digit; "
        "farthest apart 0.0052 (wald, mean)",
        "Table XII, numbers met to every printed digit: recall 24 of 24, "
        "beta-binomial 43 of 48, normal 48 of 48, laplace 48 of 48",
        "Table XII, beta-binomial: the paper's ends are quantiles of 10,000 draws, ours are "
        "computed; farthest apart 0.0010 (203 UW)",
    ]
    shown = {table.title.split(":")[0]: table for table in make_webber_tables(tables)}
    assert shown["Figure 8"].headings[:3] == ("documents", "10%", "20%")  # nothing printed
    assert shown["Figures 4 to 7"].cells[1] == ("wald", "0.846", "0.851", "-0.005", "0.005")
    row = next(cells for cells in shown["Table XII"].cells if cells[0] == "203 UW")
    assert row[1:4] == ("0.865", "0.624-0.881", "0.625-0.881")
    assert row[4:] == ("0.832-0.897", "=", "0.552-0.940", "=")
    assert len(shown["Table XII"].records) == 24 * 7
    assert shown["Table XII"].records[0]["table"] == "Table XII"


def _study(name, rows, columns, ours, theirs, decimals=3):
    return StudyTable(
        "webber2013", 9, "t", "method", rows, columns, ours, theirs, (), decimals, name
    )


def test_difference_of_half_a_digit_counts_as_met():
    table = _study("Figure 0", ("a",), ("x", "y", "z"), ((0.1004, 0.1006, 0.3),),
                   ((0.1, 0.1, float("nan")),))  # fmt: skip
    assert finding_sentences([table]) == [
        "Figure 0: 1 of 2 numbers within half of the last printed digit; "
        "farthest apart 0.0006 (a, y)"
    ]


def test_tables_ix_and_x_are_met_within_tolerances():
    rows = ("naive-binomial", "normal", "koopman")
    errors = _study(
        "Table IX", rows, ("small", "mean"), ((0.9, 0.9), (0.18, 0.9), (0.033, 0.9)),
        ((0.1, 0.1), (0.155, 0.1), (0.026, 0.1)),
    )  # fmt: skip
    widths = _study(
        "Table X", rows, ("small width", "small cvr"), ((0.9, 0.9), (0.229, 0.904), (0.259, 0.981)),
        ((0.1, 0.1), (0.21, 0.89), (0.24, 0.97)), 2,
    )  # fmt: skip
    assert finding_sentences([errors, widths]) == [
        "Table IX, the normal family: 1 of 1 within 0.03 (rmse) of the paper's",
        "Table IX, koopman and the posteriors: 0 of 1 within 0.006 (rmse) of the paper's; "
        "not: koopman, small (0.033, paper 0.026)",
        "Table X, the normal family: 2 of 2 within 0.02 (width) and 0.015 (cvr) of the paper's",
        "Table X, koopman and the posteriors: 1 of 2 within 0.02 (width) and 0.01 (cvr) of the "
        "paper's; not: koopman, small cvr (0.981, paper 0.97)",
    ]


def test_wide_table_is_split():
    columns = tuple(f"{s} {what}" for s in "abc" for what in ("width", "cvr"))
    table = _study("Table X", ("koopman",), columns, ((0.1,) * 6,), ((0.2,) * 6,))
    parts = make_webber_tables([table])
    assert [part.headings[1] for part in parts] == ["a width", "b width", "c width"]
    assert sum(len(part.records) for part in parts) == 6


def test_coverage_draws_the_figures_of_its_scenarios(irbounds, tmp_path, monkeypatch):
    monkeypatch.setattr("irbounds.cli.output.PAPER_EXTENSIONS", (".json",))  # quicker than images
    done = irbounds(
        "study", "webber2013", "--part", "coverage", "--scenario", "small", "--n-realisations", "4",
        "--n-samples", "10", "--figures", "figures",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    names = sorted(path.stem for path in (tmp_path / "figures").glob("*.json"))
    assert names == ["webber2013-figure-12", "webber2013-figure-14"]


@pytest.mark.slow
def test_the_figures_part_draws_figures_2_to_8_and_15_to_17(irbounds, tmp_path):
    done = irbounds("study", "webber2013", "--part", "figures", "--figures", "figures")
    assert done.returncode == 0, done.stderr
    names = {path.stem for path in (tmp_path / "figures").glob("*.png")}
    assert names == {f"webber2013-figure-{k:02d}" for k in (*range(2, 9), 15, 16, 17)}
