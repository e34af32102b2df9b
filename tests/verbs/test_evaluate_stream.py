"""``irbounds evaluate`` on scores that are read as a stream."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import irbounds as package


@pytest.fixture
def scores(tmp_path):
    """The folder ``scores``, of two files."""
    generator = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "query_id": [f"q{k}" for k in range(200)],
            "bm25": generator.beta(1, 2, 200),
            "dense": generator.beta(2, 2, 200),
        }
    )
    folder = tmp_path / "scores"
    folder.mkdir()
    frame[:50].write_parquet(folder / "a.parquet")
    frame[50:].write_parquet(folder / "b.parquet")
    frame.write_parquet(tmp_path / "whole.parquet")
    return folder


QUICK = ("--n-resamples", "99")


def test_a_table_with_what_was_read_above_it(irbounds, scores):
    done = irbounds("evaluate", "--scores", "AP=scores/*.parquet", *QUICK)
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[:4] + lines[6:7] == [
        "scores: 2 files, 200 queries, 2 systems; read as a stream",
        "",
        "AP: mean over 200 queries with its 95 % studentised logit bootstrap interval",
        "system   mean    low   high",
        "99 resamples of the queries by Poisson weights, seed 0",
    ]
    frame = pl.read_parquet(scores / "*.parquet")
    for line, system in zip(lines[4:6], ("dense", "bm25"), strict=True):
        name, mean, low, high = line.split()
        assert name == system
        assert float(mean) == pytest.approx(frame[system].mean(), abs=0.0005)
        reach = 2 * frame[system].std() / 200**0.5
        assert float(low) == pytest.approx(float(mean) - reach, abs=reach / 2)
        assert float(high) == pytest.approx(float(mean) + reach, abs=reach / 2)


def test_json_says_how_queries_were_drawn(irbounds, scores):
    done = irbounds("evaluate", "--scores", "scores", "-m", "AP", *QUICK, "--format", "json")
    found = json.loads(done.stdout)
    assert found["weights"] == "poisson"
    assert [one["name"] for one in found["inputs"]] == ["scores/a.parquet", "scores/b.parquet"]
    assert {one["n_resamples"] for one in found["results"]} == {99}
    plain = irbounds("evaluate", "--scores", "scores", "--format", "json")
    assert json.loads(plain.stdout)["weights"] is None  # Student t draws nothing
    assert b"the bounds of score are not known" in plain.stderr


def test_the_same_on_any_threads_and_from_a_checkpoint(irbounds, scores):
    command = ("evaluate", "--scores", "AP=scores/*.parquet", *QUICK, "--format", "json")
    expected = irbounds(*command).stdout
    assert irbounds(*command, "--threads", "1").stdout == expected
    for _ in range(2):
        assert irbounds(*command, "--checkpoint", "kept").stdout == expected


def test_one_small_file_is_a_table_as_before(irbounds, scores):
    done = irbounds("evaluate", "--scores", "AP=whole.parquet", *QUICK)
    assert "99 resamples of the queries, seed 0" in done.stdout.decode().splitlines()


@pytest.mark.slow
def test_a_page_explains_the_weights(irbounds, scores, tmp_path):
    options = ("-m", "AP", *QUICK, "--report", "page.html")
    assert irbounds("evaluate", "--scores", "scores", *options).returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert "weight from the Poisson distribution with mean 1" in " ".join(page.split())
    assert "Hanley" in page


REFUSED = {
    "--per-query": ("--per-query",),
    "--queries": ("--queries", "common"),
    "--ties": ("--ties", "expected"),
    "--depth": ("--depth", "5"),
    "--order": ("--order", "rank"),
    "--duplicates": ("--duplicates", "first"),
    "--float32": ("--float32",),
    "QRELS": ("qrels.txt",),
}


@pytest.mark.parametrize("option", REFUSED)
def test_what_no_stream_has_an_answer_to(irbounds, scores, option):
    done = irbounds("evaluate", "--scores", "scores/*.parquet", *REFUSED[option])
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith("irbounds: error: ")
    assert option in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_chance_and_measures_that_are_not_there(irbounds, scores):
    done = irbounds("evaluate", "--scores", "scores", "--chance", "--corpus-size", "9")
    assert b"--chance is about means of runs" in done.stderr
    done = irbounds("evaluate", "--scores", "AP=scores", "-m", "P@5")
    assert done.stderr == b"irbounds: error: no measure 'P@5' here, only 'AP'\n"


def test_a_measure_of_a_stream_is_found_by_any_of_its_names(irbounds, scores):
    command = ("evaluate", *QUICK, "--format", "json", "--scores")
    expected = irbounds(*command, "AP=scores/*.parquet").stdout
    assert b"studentised-logit" in expected
    for given in (("map=scores/*.parquet",), ("map=scores/*.parquet", "-m", "AP")):
        assert irbounds(*command, *given).stdout == expected
    assert irbounds(*command, "AP=scores/*.parquet", "-m", "map").stdout == expected
    assert irbounds(*command, "scores", "-m", "map").stdout == expected
    twice = irbounds(*command, "map=scores/a.parquet*", "--scores", "AP=scores/*.parquet")
    assert twice.returncode == 2
    assert b"'map' and 'AP' are both AP" in twice.stderr


@pytest.mark.parametrize("command", [["compare"], ["rank"], ["report", "-o", "page.html"]])
def test_other_commands_say_that_they_need_tables(irbounds, scores, command):
    done = irbounds(*command, "--scores", "scores/*.parquet")
    assert done.returncode == 2
    assert b"a pattern or a directory is read as a stream, which only mean_interval" in done.stderr


def test_errors_are_one_line(irbounds, scores):
    for given, said in (
        ("none/*.parquet", "none/*.parquet: no file matches this pattern"),
        (
            "scores/*.parquet",
            "scores/c.parquet: row 1: query 'q3' is already in scores/a.parquet, row",
        ),
    ):
        frame = pl.DataFrame({"query_id": ["q3"], "bm25": [0.1], "dense": [0.2]})
        frame.write_parquet(scores / "c.parquet")
        done = irbounds("evaluate", "--scores", given)
        assert done.returncode == 2
        assert done.stderr.decode().count("\n") == 1
        assert done.stderr.decode().startswith(f"irbounds: error: {said}")


def test_python_takes_a_mapping_of_measures_to_patterns(irbounds, scores, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    options = ("--n-resamples", "99", "--format", "json")
    done = irbounds("evaluate", "--scores", "AP=scores/*.parquet", *options)
    found = package.evaluate(scores={"AP": "scores/*.parquet"}, n_resamples=99)
    assert json.loads(done.stdout)["results"] == json.loads(json.dumps(found.records()))
    alone = package.evaluate("scores/*.parquet", measures="AP", n_resamples=99)
    assert alone.records() == found.records()
