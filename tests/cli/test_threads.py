"""``--threads``, and memory that runs out."""

from __future__ import annotations

import json

import pytest

EVALUATE = ("evaluate", "qrels.txt", "one.run", "two.run", "-m", "AP", "--method", "percentile")
CORPUS = ("corpus", "qrels.txt", "one.run", "two.run", "--corpus-size", "90", "--n-images", "200")


@pytest.mark.parametrize("command", [EVALUATE, CORPUS], ids=["evaluate", "corpus"])
def test_threads_change_no_number(irbounds, files, command):
    expected = irbounds(*command, "--format", "json", "--threads", "1").stdout
    assert json.loads(expected)
    assert irbounds(*command, "--format", "json", "--threads", "3").stdout == expected
    assert irbounds(*command, "--format", "json", "--seed", "9").stdout != expected


def test_memory_that_runs_out_is_an_error_in_one_line(irbounds, files, monkeypatch):
    def fail(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr("irbounds.resampling.query_bootstrap.sum_unit", fail)
    result = irbounds(*EVALUATE, "-o", "means.csv")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"irbounds: error: not enough memory")
    assert result.stderr.count(b"\n") == 1
    assert not (files / "means.csv").exists()
