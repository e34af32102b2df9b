"""``irbounds evaluate`` on scores that are read as a stream."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import irbounds as package


@pytest.fixture
def scores(tmp_path):
    """Write the directory ``scores`` with two files and return it."""
    generator = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "query_id": [f"q{k}" for k in range(200)],
            "bm25": generator.beta(1, 2, 200),
            "dense": generator.beta(2, 2, 200),
        }
    )
    directory = tmp_path / "scores"
    directory.mkdir()
    frame[:50].write_parquet(directory / "a.parquet")
    frame[50:].write_parquet(directory / "b.parquet")
    frame.write_parquet(tmp_path / "whole.parquet")
    return directory


QUICK = ("--n-resamples", "99")
BOOTSTRAP = ("--method", "studentised-logit", *QUICK)


def test_evaluate_stream_prints_inputs_and_table(irbounds, scores):
    result = irbounds("evaluate", "--scores", "AP=scores/*.parquet", *BOOTSTRAP)
    assert result.returncode == 0
    lines = result.stdout.decode().splitlines()
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
        half_width = 2 * frame[system].std() / 200**0.5
        assert float(low) == pytest.approx(float(mean) - half_width, abs=half_width / 2)
        assert float(high) == pytest.approx(float(mean) + half_width, abs=half_width / 2)


def test_evaluate_stream_json_has_weights_and_inputs(irbounds, scores):
    evaluate = ("evaluate", "--scores", "scores", "-m", "AP", "--format", "json")
    result = irbounds(*evaluate, *BOOTSTRAP)
    document = json.loads(result.stdout)
    assert document["weights"] == "poisson"
    assert [entry["name"] for entry in document["inputs"]] == [
        "scores/a.parquet",
        "scores/b.parquet",
    ]
    assert {entry["n_resamples"] for entry in document["results"]} == {99}
    by_default = json.loads(irbounds(*evaluate).stdout)
    assert by_default["weights"] is None  # moderated Wilson uses no resamples
    assert {entry["method"] for entry in by_default["results"]} == {"moderated-wilson"}
    without_measure = irbounds("evaluate", "--scores", "scores", "--format", "json")
    assert json.loads(without_measure.stdout)["weights"] is None  # Student t uses no resamples
    assert b"the bounds of score are not known" in without_measure.stderr


def test_evaluate_stream_is_independent_of_threads_and_checkpoint(irbounds, scores):
    command = ("evaluate", "--scores", "AP=scores/*.parquet", *BOOTSTRAP, "--format", "json")
    expected = irbounds(*command).stdout
    assert irbounds(*command, "--threads", "1").stdout == expected
    for _ in range(2):
        assert irbounds(*command, "--checkpoint", "kept").stdout == expected


def test_evaluate_reads_one_small_file_as_a_table(irbounds, scores):
    result = irbounds("evaluate", "--scores", "AP=whole.parquet", *BOOTSTRAP)
    assert "99 resamples of the queries, seed 0" in result.stdout.decode().splitlines()


@pytest.mark.slow
def test_evaluate_stream_report_explains_the_weights(irbounds, scores, tmp_path):
    options = ("-m", "AP", *BOOTSTRAP, "--report", "page.html")
    assert irbounds("evaluate", "--scores", "scores", *options).returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert "weight from the Poisson distribution with mean 1" in " ".join(page.split())
    assert "Hanley" in page


UNSUPPORTED_OPTIONS = {
    "--per-query": ("--per-query",),
    "--queries": ("--queries", "common"),
    "--ties": ("--ties", "expected"),
    "--depth": ("--depth", "5"),
    "--order": ("--order", "rank"),
    "--duplicates": ("--duplicates", "first"),
    "--float32": ("--float32",),
    "QRELS": ("qrels.txt",),
}


@pytest.mark.parametrize("option", UNSUPPORTED_OPTIONS)
def test_evaluate_stream_rejects_unsupported_options(irbounds, scores, option):
    result = irbounds("evaluate", "--scores", "scores/*.parquet", *UNSUPPORTED_OPTIONS[option])
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode().startswith("irbounds: error: ")
    assert option in result.stderr.decode()
    assert result.stderr.count(b"\n") == 1


def test_evaluate_stream_rejects_chance_and_unknown_measures(irbounds, scores):
    result = irbounds("evaluate", "--scores", "scores", "--chance", "--corpus-size", "9")
    assert b"--chance is about means of runs" in result.stderr
    result = irbounds("evaluate", "--scores", "AP=scores", "-m", "P@5")
    assert result.stderr == b"irbounds: error: no measure 'P@5' here, only 'AP'\n"


def test_evaluate_stream_accepts_measure_aliases(irbounds, scores):
    command = ("evaluate", *QUICK, "--format", "json", "--scores")
    expected = irbounds(*command, "AP=scores/*.parquet").stdout
    assert b"moderated-wilson" in expected
    for arguments in (("map=scores/*.parquet",), ("map=scores/*.parquet", "-m", "AP")):
        assert irbounds(*command, *arguments).stdout == expected
    assert irbounds(*command, "AP=scores/*.parquet", "-m", "map").stdout == expected
    assert irbounds(*command, "scores", "-m", "map").stdout == expected
    with_duplicate = irbounds(*command, "map=scores/a.parquet*", "--scores", "AP=scores/*.parquet")
    assert with_duplicate.returncode == 2
    assert b"'map' and 'AP' are both AP" in with_duplicate.stderr


@pytest.mark.parametrize("command", [["compare"], ["rank"], ["report", "-o", "page.html"]])
def test_other_commands_reject_streams_of_scores(irbounds, scores, command):
    result = irbounds(*command, "--scores", "scores/*.parquet")
    assert result.returncode == 2
    assert (
        b"a pattern or a directory is read as a stream, which only mean_interval" in result.stderr
    )


def test_evaluate_stream_errors_are_one_line(irbounds, scores):
    for pattern, expected_message in (
        ("none/*.parquet", "none/*.parquet: no file matches this pattern"),
        (
            "scores/*.parquet",
            "scores/c.parquet: row 1: query 'q3' is already in scores/a.parquet, row",
        ),
    ):
        frame = pl.DataFrame({"query_id": ["q3"], "bm25": [0.1], "dense": [0.2]})
        frame.write_parquet(scores / "c.parquet")
        result = irbounds("evaluate", "--scores", pattern)
        assert result.returncode == 2
        assert result.stderr.decode().count("\n") == 1
        assert result.stderr.decode().startswith(f"irbounds: error: {expected_message}")


def test_evaluate_function_accepts_a_mapping_of_measures_to_patterns(
    irbounds, scores, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    options = (*BOOTSTRAP, "--format", "json")
    result = irbounds("evaluate", "--scores", "AP=scores/*.parquet", *options)
    bootstrap = {"method": "studentised-logit", "n_resamples": 99}
    from_mapping = package.evaluate(scores={"AP": "scores/*.parquet"}, **bootstrap)
    assert json.loads(result.stdout)["results"] == json.loads(json.dumps(from_mapping.records()))
    from_pattern = package.evaluate("scores/*.parquet", measures="AP", **bootstrap)
    assert from_pattern.records() == from_mapping.records()
