"""Files of a simulated collection."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

import irbounds
from irbounds import simulation
from irbounds.errors import ParameterError
from irbounds.simulation import simulate_collection, write_collection

SMALL = {"n_systems": 5, "n_queries": 6, "corpus_size": 3000, "depth": 40}


@pytest.fixture(scope="module")
def small():
    return simulate_collection(**SMALL, max_grade=3, tie_rate=0.2, rng=11)


def parse(path, value_column, kind):
    """Return the columns of a TREC file as {query: {document: value}}, in the file's order."""
    columns = {}
    for line in path.read_text().splitlines():
        fields = line.split()
        columns.setdefault(fields[0], {})[fields[2]] = kind(fields[value_column])
    return columns


def list_in_order(nested):
    return [(query, list(entries.items())) for query, entries in nested.items()]


def test_files_match_the_collection(small, tmp_path):
    paths = write_collection(small, tmp_path / "new" / "directory")
    names = [
        "qrels.txt",
        "complete-qrels.txt",
        *(f"{run.name}.run" for run in small.runs),
    ]
    assert [p.name for p in paths] == [*names, "truth.json"]
    assert sorted(paths) == sorted((tmp_path / "new" / "directory").iterdir())
    assert list_in_order(parse(paths[0], 3, int)) == list_in_order(small.qrels.to_dict())
    assert list_in_order(parse(paths[1], 3, int)) == list_in_order(small.complete.to_dict())
    for path, run in zip(paths[2:], small.runs, strict=False):
        assert list_in_order(parse(path, 4, float)) == list_in_order(run.to_dict())


def test_run_lines_have_ranks_and_a_tag(small, tmp_path):
    write_collection(small, tmp_path)
    lines = (tmp_path / "system-002.run").read_text().splitlines()
    ranks = [int(line.split()[3]) for line in lines]
    assert ranks == list(range(1, 41)) * 6
    assert {(f[1], f[5], len(f)) for f in map(str.split, lines)} == {("Q0", "system-002", 6)}


def test_read_files_give_the_same_records(small, tmp_path):
    paths = write_collection(small, tmp_path)
    for collection, path in ((small.qrels, paths[0]), (small.complete, paths[1])):
        read = irbounds.read_qrels(path)
        assert (read.query_ids, read.doc_ids()) == (collection.query_ids, collection.doc_ids())
        np.testing.assert_array_equal(read.relevance, collection.relevance)
        np.testing.assert_array_equal(read.bounds, collection.bounds)
    for collection, path in zip(small.runs, paths[2:], strict=False):
        read = irbounds.read_run(path)
        assert (read.name, read.n_rank_contradictions) == (collection.name, 0)
        assert (read.query_ids, read.doc_ids()) == (collection.query_ids, collection.doc_ids())
        assert read.scores.tobytes() == collection.scores.tobytes()
        np.testing.assert_array_equal(read.bounds, collection.bounds)


def test_truth_file_has_the_simulation_parameters(small, tmp_path):
    write_collection(small, tmp_path)
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert truth["plan"]["corpus_size"] == 3000
    assert truth["plan"]["tie_rate"] == 0.2
    assert truth["entropy"] == "11"
    assert [s["strength"] for s in truth["systems"]] == small.strengths.tolist()
    assert [q["easiness"] for q in truth["queries"]] == small.easiness.tolist()
    assert [q["n_relevant"] for q in truth["queries"]] == small.complete.depths.tolist()
    assert truth["interactions"] == small.interactions.tolist()


def test_bytes_of_files(tmp_path):
    """Pages show numbers of the collection of seed 2026; its bytes must not change."""
    irbounds.simulate(tmp_path, seed=2026)
    digests = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in sorted(tmp_path.iterdir())
    }
    assert digests["qrels.txt"] == "daaea5a3921fb355"
    assert digests["complete-qrels.txt"] == "5dbabcf97a29c203"
    assert digests["system-001.run"] == "57d818a45dd11632"
    irbounds.simulate(
        tmp_path / "graded",
        n_systems=2,
        n_queries=3,
        max_grade=3,
        tie_rate=0.2,
        unjudged_rate=0.1,
        pool_depth=20,
        seed=5,
    )
    graded = b"".join(path.read_bytes() for path in sorted((tmp_path / "graded").glob("*.run")))
    assert hashlib.sha256(graded).hexdigest()[:16] == "058a81b34e097ceb"


def test_existing_files_are_not_overwritten(small, tmp_path):
    (tmp_path / "qrels.txt").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ParameterError) as caught:
        write_collection(small, tmp_path)
    for fact in (
        f"directory {str(tmp_path)!r}",
        " 1 of the files ",
        "(qrels.txt)",
        "delete them",
    ):
        assert fact in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["notes.txt", "qrels.txt"]


def test_file_in_place_of_a_directory_is_an_error(small, tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ParameterError, match=r"directory must not be a file; got '.*taken'"):
        write_collection(small, tmp_path / "taken")


def test_files_are_written_atomically(small, tmp_path, monkeypatch):
    """The disk fills in the middle of the second run."""
    real = simulation._write_lines

    def fail_midway(record, names):
        pieces = real(record, names)
        yield next(pieces)
        if record.name == "system-002":
            raise OSError("no space left on device")
        yield from pieces

    monkeypatch.setattr(simulation, "_write_lines", fail_midway)
    with pytest.raises(OSError, match="no space left"):
        write_collection(small, tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["complete-qrels.txt", "qrels.txt", "system-001.run"]
