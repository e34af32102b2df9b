"""The inputs of the studies: files of a data directory, and collections of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from compressions import COMPRESS
from irbounds.datasets.downloads import COMPRESSIONS
from irbounds.errors import InputError
from irbounds.reading.sources import COMPRESSION_EXTENSIONS
from irbounds.reading.strata_sheet import read_systems_sheet
from irbounds.replications.study_data import (
    binary_qrels,
    data_file,
    list_robust03_files,
    read_ap_scores,
    read_robust03,
    simulate_robust03,
)
from irbounds.simulation import simulate_collection


def test_short_runs_are_left_out_and_named(robust03):
    steps = []
    collection = read_robust03(robust03.parent, lambda: steps.append(1))
    assert len(steps) == 14
    assert len(collection.runs) == 12
    assert collection.left_out == ("NLPR03vb10", "humR03dc")
    assert collection.corpus_size == 528_155


def test_simulated_collection_has_the_size_of_robust03():
    collection = simulate_robust03(1, n_queries=2)
    assert (len(collection.runs), collection.corpus_size) == (12, 528_155)
    assert collection.runs[0].depths.tolist() == [1000, 1000]
    assert collection.left_out == ()


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no qrels\.txt here, nor in a directory robust03"):
        read_robust03(tmp_path)
    (tmp_path / "robust03").mkdir()
    (tmp_path / "robust03" / "qrels.txt.gz").write_bytes(b"")  # judgments without runs
    with pytest.raises(
        InputError, match=r"no runs \(\*\.run, plain or compressed\) in its directory"
    ):
        read_robust03(tmp_path)


@pytest.mark.parametrize("place", ["", "robust03"])
def test_robust03_files_may_be_plain_or_compressed(tmp_path, place):
    """As docs/how-to/data-sets.md lays the directory out, and as some keep it."""
    directory = tmp_path / place
    directory.mkdir(exist_ok=True)
    for name in ("qrels.txt", "b.run.xz", "a.run.gz", "c.run", "c.run.gz", "e.run.txt"):
        (directory / name).write_text("")
    (directory / "d.run").mkdir()
    qrels, runs = list_robust03_files(tmp_path)
    assert qrels == directory / "qrels.txt"
    assert [run.name for run in runs] == ["a.run.gz", "b.run.xz", "c.run"]
    (directory / "qrels.txt").rename(directory / "qrels.txt.gz")
    assert list_robust03_files(tmp_path) == (directory / "qrels.txt.gz", runs)
    for run in directory.glob("*.run*"):
        run.rename(run.with_suffix(".txt"))
    with pytest.raises(InputError, match=r"qrels\.txt\.gz: no runs"):
        list_robust03_files(tmp_path)
    with pytest.raises(InputError, match=r"nowhere: no qrels\.txt"):
        list_robust03_files(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("scores", "robust2004_ap.csv"),
        ("legal09", "legal09_strata.csv"),
        ("clef-tar2017", "qrel_abs_test.txt"),
    ],
)
def test_data_files_may_be_plain_or_compressed(tmp_path, part, name):
    for directory in (tmp_path, tmp_path / part):
        directory.mkdir(exist_ok=True)
        for extension in (*reversed(COMPRESSIONS), ""):  # what comes later goes before
            file = directory / f"{name}{extension}"
            file.write_text("")
            assert data_file(tmp_path, part, name) == file
    with pytest.raises(InputError, match=rf"nowhere: no {name}"):
        data_file(tmp_path / "nowhere", part, name)


def test_binary_judgments():
    collection = simulate_collection(2, 3, 500, 20, max_grade=3, rng=1)
    grades = collection.qrels.relevance.copy()
    grades[:2] = (-2, -1)
    qrels = type(collection.qrels)(**{**vars(collection.qrels), "relevance": grades})
    ours = binary_qrels(qrels)
    assert ours.relevance.tolist() == [int(grade > 0) for grade in grades]
    assert ours.relevance.dtype == grades.dtype
    assert qrels.relevance is grades
    assert grades.max() > 1


def test_compressions_are_those_of_the_readers():
    assert set(COMPRESSIONS) == COMPRESSION_EXTENSIONS


def test_a_data_directory_may_begin_with_a_tilde(tmp_path, monkeypatch):
    """IRBOUNDS_DATA=~/collections is not expanded where no shell has read it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "collections" / "scores" / "robust2004_ap.csv"
    file.parent.mkdir(parents=True)
    file.write_text("a,b\n0.5,0.25\n0.25,0.5\n")
    assert data_file(Path("~/collections"), "scores", file.name) == file
    table = read_ap_scores(Path("~/collections"), file.name)
    assert table.values[0].tolist() == [[0.5, 0.25], [0.25, 0.5]]


@pytest.mark.parametrize("extension", COMPRESS)
def test_score_tables_are_read_in_every_compression(tmp_path, extension):
    text = b"topic,a,b\n1,0.5,0.25\n2,0.25,0.5\n"
    (tmp_path / f"adhoc3_ap.csv{extension}").write_bytes(COMPRESS[extension](text))
    table = read_ap_scores(tmp_path, "adhoc3_ap.csv")
    assert table.values[0].tolist() == [[0.5, 0.25], [0.25, 0.5]]


@pytest.mark.parametrize("extension", COMPRESS)
def test_the_legal_sheet_is_read_in_every_compression(data_directory, tmp_path, extension):
    sheet = (data_directory / "legal09" / "legal09_strata.csv").read_bytes()
    (tmp_path / "legal09").mkdir()
    file = tmp_path / "legal09" / f"legal09_strata.csv{extension}"
    file.write_bytes(COMPRESS[extension](sheet))
    assert read_systems_sheet(data_file(tmp_path, "legal09", "legal09_strata.csv")) != ()
