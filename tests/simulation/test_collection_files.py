"""Files of a simulated collection."""

from __future__ import annotations

import gzip
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
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    columns = {}
    for line in text.decode().splitlines():
        fields = line.split()
        columns.setdefault(fields[0], {})[fields[2]] = kind(fields[value_column])
    return columns


def list_in_order(nested):
    return [(query, list(entries.items())) for query, entries in nested.items()]


@pytest.mark.parametrize("compress", [False, True])
def test_files_match_the_collection(small, tmp_path, compress):
    paths = write_collection(small, tmp_path / "new" / "directory", compress=compress)
    extension = ".gz" if compress else ""
    names = [
        "qrels.txt",
        "complete-qrels.txt",
        *(f"{run.name}.run" for run in small.runs),
    ]
    assert [p.name for p in paths] == [*(f"{name}{extension}" for name in names), "truth.json"]
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
    assert [q["n_relevant"] for q in truth["queries"]] == small.n_relevant.tolist()
    assert truth["interactions"] == small.interactions.tolist()


def test_compressed_files_are_reproducible(small, tmp_path):
    first = write_collection(small, tmp_path / "a", compress=True)
    second = write_collection(small, tmp_path / "b", compress=True)
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    compressed = [p.read_bytes() for p in first[:-1]]
    assert all(raw[3:8] == bytes(5) for raw in compressed)  # gzip's flags and time of writing


def test_existing_files_are_not_overwritten(small, tmp_path):
    (tmp_path / "qrels.txt").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ParameterError) as caught:
        write_collection(small, tmp_path)
    for fact in (
        f"directory {str(tmp_path)!r}",
        " 1 of the files ",
        "(qrels.txt)",
        "overwrite=True",
    ):
        assert fact in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["notes.txt", "qrels.txt"]
    write_collection(small, tmp_path, overwrite=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert list_in_order(parse(tmp_path / "qrels.txt", 3, int)) == list_in_order(
        small.qrels.to_dict()
    )


def test_file_in_place_of_a_directory_is_an_error(small, tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ParameterError, match=r"directory must not be a file; got '.*taken'"):
        write_collection(small, tmp_path / "taken")


@pytest.mark.parametrize("compress", [False, True])
def test_files_are_written_atomically(small, tmp_path, monkeypatch, compress):
    """The disk fills in the middle of the second run."""
    real = simulation._write_lines

    def fail_midway(record, names):
        pieces = real(record, names)
        yield next(pieces)
        if record.name == "system-002":
            raise OSError("no space left on device")
        yield from pieces

    old = simulate_collection(**SMALL, rng=99)
    write_collection(old, tmp_path, compress=compress)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    monkeypatch.setattr(simulation, "_write_lines", fail_midway)
    with pytest.raises(OSError, match="no space left"):
        write_collection(small, tmp_path, compress=compress, overwrite=True)
    after = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    extension = ".gz" if compress else ""
    assert before.keys() - after.keys() == {"truth.json"}
    assert not after.keys() - before.keys()
    for name in (f"system-00{n}.run{extension}" for n in (2, 3, 4, 5)):
        assert after[name] == before[name]
    first = tmp_path / f"system-001.run{extension}"
    assert list_in_order(parse(first, 4, float)) == list_in_order(small.runs[0].to_dict())
