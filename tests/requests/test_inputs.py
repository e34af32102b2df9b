"""Inputs of verbs: directories, patterns, tables of tasks and models, names of other tools."""

from __future__ import annotations

import logging
from pathlib import Path

import pandas as pd
import pytest

import irbounds
from irbounds.errors import InputError, ParameterError


@pytest.fixture(scope="module")
def collection(tmp_path_factory) -> Path:
    """A directory with judgments, runs, and files that are neither."""
    directory = tmp_path_factory.mktemp("collection")
    irbounds.simulate(directory, n_systems=3, n_queries=8, corpus_size=500, depth=20, seed=4)
    (directory / "notes.txt").write_text("not a run\n")
    return directory


def test_directory_or_pattern_is_expanded_to_its_runs(collection):
    qrels = collection / "qrels.txt"
    expected = irbounds.evaluate(qrels, sorted(collection.glob("*.run")), n_resamples=99)
    for runs in (collection, str(collection), collection / "system-*.run"):
        assert irbounds.evaluate(qrels, runs, n_resamples=99).records() == expected.records()


def test_directory_without_run_extension_has_all_files_except_qrels(collection, tmp_path):
    for number in (1, 2):
        run = (collection / f"system-00{number}.run").read_bytes()
        (tmp_path / f"team{number}").write_bytes(run)
    (tmp_path / "qrels").write_bytes((collection / "qrels.txt").read_bytes())
    (tmp_path / ".hidden").write_text("no run\n")
    diagnosis = irbounds.check(tmp_path / "qrels", tmp_path)
    assert [run.name for run in diagnosis.runs] == ["team1", "team2"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: no runs in this directory"):
        irbounds.check(tmp_path / "qrels", tmp_path / "empty")
    with pytest.raises(InputError, match=r"nothing\*: no file matches"):
        irbounds.check(tmp_path / "qrels", str(tmp_path / "nothing*"))


def test_pandas_frames_match_files(collection):
    qrels = pd.read_csv(
        collection / "qrels.txt",
        sep=" ",
        names=["query_id", "iteration", "doc_id", "relevance"],
        dtype={"query_id": str, "doc_id": str},
    )
    runs = {
        name: pd.read_csv(
            collection / f"{name}.run",
            sep=" ",
            names=["query_id", "q0", "doc_id", "rank", "score", "tag"],
            dtype={"query_id": str, "doc_id": str},
        )[["query_id", "doc_id", "score"]]
        for name in ("system-001", "system-002")
    }
    files = [collection / f"{name}.run" for name in runs]
    from_frames = irbounds.compare(qrels.drop(columns="iteration"), runs, measures="AP")
    from_files = irbounds.compare(collection / "qrels.txt", files, measures="AP")
    assert from_frames.records() == from_files.records()


TASKS = pd.DataFrame(
    {"task": ["NFCorpus", "SciFact", "FiQA"], "small": [0.3, 0.6, 0.2], "large": [0.4, 0.7, 0.3]}
)


def test_table_of_tasks_and_models(tmp_path):
    TASKS.to_csv(tmp_path / "leaderboard.csv", index=False)
    expected = irbounds.rank(scores={"small": [0.3, 0.6, 0.2], "large": [0.4, 0.7, 0.3]})
    for scores in (TASKS, tmp_path / "leaderboard.csv", TASKS.set_index("task")):
        assert irbounds.rank(scores=scores).records() == expected.records()
    assert irbounds.rank(TASKS).records() == expected.records()


def test_single_argument_with_judgments_is_an_error(collection):
    with pytest.raises(InputError, match=r"qrels.txt: .*judgments need runs"):
        irbounds.evaluate(collection / "qrels.txt")
    with pytest.raises(ParameterError, match="needs qrels and runs, or scores"):
        irbounds.evaluate()
    with pytest.raises(ParameterError, match="scores takes the place of qrels and runs"):
        irbounds.evaluate(collection / "qrels.txt", collection, scores=TASKS)
    with pytest.raises(ParameterError, match="depth is for runs"):
        irbounds.evaluate(scores=TASKS, depth=5)


def test_names_of_other_tools_are_logged_once(collection, caplog):
    with caplog.at_level(logging.INFO, logger="irbounds"):
        estimates = irbounds.evaluate(
            collection / "qrels.txt", collection, measures="map,ndcg_cut_10", n_resamples=99
        )
    assert {item.measure for item in estimates} == {"AP", "nDCG@10"}
    notes = [item.getMessage() for item in caplog.records if "is read as" in item.getMessage()]
    assert notes == ["measure 'map' is read as AP, 'ndcg_cut_10' is read as nDCG@10"]


def test_several_measures_share_a_frame(collection):
    estimates = irbounds.evaluate(collection / "qrels.txt", collection, n_resamples=99)
    frame = estimates.to_pandas()
    assert set(frame["measure"]) == {"AP", "nDCG@10"}
    assert {"compared_with", "verdict"} <= set(frame)
    assert len(estimates.comparisons) == 4
    assert estimates.scores is not None
    per_query = irbounds.evaluate(collection / "qrels.txt", collection, per_query=True)
    assert len(per_query.to_pandas()) == 2 * 3 * len(estimates.scores.queries)
