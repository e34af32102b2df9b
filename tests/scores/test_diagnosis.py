"""What the diagnosis warns of: twins, short lists, ties and single precision."""

from __future__ import annotations

import gzip
import json
import re

import numpy as np
import pytest

import irbounds
from irbounds.measurement.judged_runs import Pool, judge_run
from irbounds.measurement.parser import parse_measures
from irbounds.reading.records import Run
from irbounds.scores.diagnosis import effect_of_single_precision

QRELS = {f"q{k}": {"a": 1, "b": 0, "z": 1} for k in range(4)}


def warnings_with(word, qrels, runs, measures="AP", **options):
    found = irbounds.check(qrels, runs, measures=measures, **options)
    return [w for w in found.warnings if word in w]


# --- twins --------------------------------------------------------------------------------------


def trec(nested, tag):
    return "".join(
        f"{query} Q0 {doc} {rank} {score} {tag}\n"
        for query, ranking in nested.items()
        for rank, (doc, score) in enumerate(ranking.items(), start=1)
    )


RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q0": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}}
TWINS = {
    "tag": trec(RUN, "other"),
    "compressed": gzip.compress(trec(RUN, "t").encode()),
    "json": json.dumps(RUN),
    "scores": trec({q: {d: 10 * s + 7 for d, s in r.items()} for q, r in RUN.items()}, "t"),
    "order of lines": "".join(sorted(trec(RUN, "t").splitlines(keepends=True))),
    "tied": trec({**RUN, "q0": {"a": 1, "b": 1}}, "t"),  # the greater id comes first
}
OTHERS = {
    "swapped": trec({**RUN, "q0": {"a": 2.0, "b": 1.0}}, "t"),
    "another document": trec({**RUN, "q2": {"b": 1.0}}, "t"),
    "another query": trec({"q1": RUN["q1"], "q0": RUN["q0"], "q3": RUN["q2"]}, "t"),
    "exchanged queries": trec({"q0": RUN["q1"], "q1": RUN["q0"], "q2": RUN["q2"]}, "t"),
    "divided otherwise": trec(
        {"q1": {"a": 3.0, "b": 2.0}, "q0": {"c": 3.0, "b": 2.0, "a": 1.0}, "q2": {"a": 1.0}}, "t"
    ),
}


@pytest.mark.parametrize("how", TWINS)
def test_equal_rankings_are_a_warning(write, how):
    runs = [write("one.run", trec(RUN, "t")), write("two.run", TWINS[how])]
    runs.append(write("other.run", OTHERS["swapped"]))
    (said,) = warnings_with("the same", QRELS, runs)
    assert said == "the same rankings in inputs that differ: one, two"
    assert said in irbounds.score(QREL_OF_ALL, runs, "AP").warnings


QREL_OF_ALL = {f"q{k}": {"a": 1, "b": 0} for k in range(3)}


@pytest.mark.parametrize("how", OTHERS)
def test_different_rankings_are_no_warning(write, how):
    runs = [write("one.run", trec(RUN, "t")), write("two.run", OTHERS[how])]
    assert warnings_with("the same", QRELS, runs) == []


def test_one_file_at_two_depths_is_no_warning(write):
    path = write("one.run", trec(RUN, "t"))
    runs = {"all": irbounds.read_run(path), "first": irbounds.read_run(path, depth=1)}
    assert warnings_with("the same", QRELS, runs) == []


# --- short lists --------------------------------------------------------------------------------


def lists(*depths, found=()):
    """A run with so many documents per query; none is relevant but those of ``found``."""
    return {
        f"q{k}": {doc: 1e6 - rank for rank, doc in enumerate([*found, *map(str, range(n))])}
        for k, n in enumerate(depths)
    }


@pytest.mark.parametrize(
    ("runs", "measures", "said"),
    [
        # half of the deepest list's 1,000 documents, of this run or of another
        (
            {"x": lists(1000, 499, 500, 3)},
            "AP",
            "fewer than 500 documents .* AP .*: x \\(2 of 4 queries, .* 3\\)",
        ),
        (
            {"x": lists(400, 9), "y": lists(2000)},
            "AP",
            " 500 .*: x \\(2 of 4 queries, the shortest 9\\)$",
        ),
        # and never fewer than 100
        (
            {"x": lists(10, 10, 10, 10)},
            "AP",
            "fewer than 100 .*: x \\(4 of 4 queries, the shortest 10\\)",
        ),
        (
            {"x": lists(120, 99)},
            "nDCG",
            "fewer than 100 .* nDCG .*: x \\(1 of 4 queries, the shortest 99\\)",
        ),
        # a cutoff says itself how many count
        (
            {"x": lists(10, 9)},
            "nDCG@10",
            "fewer than 10 .* nDCG@10 .*: x \\(1 of 4 queries, the shortest 9\\)",
        ),
        (
            {"x": lists(400)},
            "R@1000",
            "fewer than 1,000 .* R@1000 .*: x \\(1 of 4 queries, the shortest 400\\)",
        ),
        ({"x": lists(400)}, ["P@5", "R@1000"], "fewer than 1,000 .* R@1000 .*: x"),
        ({"x": lists(7)}, ["P@5", "AP"], "fewer than 100 .* AP .*: x"),
    ],
)
def test_short_lists_are_counted(runs, measures, said):
    (warning,) = warnings_with("fewer than", QRELS, runs, measures)
    assert re.search(said, warning), warning


@pytest.mark.parametrize(
    ("run", "measures"),
    [
        (lists(1000, 500, 700), "AP"),
        (lists(100, 100), "AP"),
        (lists(20, 10), "nDCG@10"),
        (lists(20, 20), ["RR", "RBP(rel=1)", "SetP", "P@20"]),
        (lists(3, 0, 3, found=("a", "z")), "AP"),  # nothing relevant is missing
    ],
)
def test_long_lists_are_no_warning(run, measures):
    assert warnings_with("fewer than", QRELS, {"x": run}, measures) == []


def test_requested_depth_is_no_warning(write):
    path = write("x.json", json.dumps(lists(1000, 40)))
    (cut,) = irbounds.read_runs([path], depth=50)
    (warning,) = warnings_with("fewer than", QRELS, [cut])
    assert warning.endswith(": x (1 of 4 queries, the shortest 40)")
    (cut,) = irbounds.read_runs([path], depth=40)
    assert warnings_with("fewer than", QRELS, [cut]) == []


# --- ties ---------------------------------------------------------------------------------------


def test_ties_that_change_ap_are_a_warning():
    untied = {f"q{k}": {"a": 9.0, "z": 8.0, "b": 7.0} for k in range(4)}
    constant = {query: dict.fromkeys(ranking, 1.0) for query, ranking in untied.items()}
    half = {**untied, "q0": constant["q0"], "q1": {"a": 1.0, "z": 1.0, "b": 0.0}}
    deep = {**untied, "q0": {"a": 9.0, "z": 8.0, "b": 7.0, "c": 7.0}}
    runs = {"constant": constant, "half": half, "deep": deep, "untied": untied}
    (warning,) = warnings_with("tied entries", QRELS, runs)
    worst = (1 / 2 + 2 / 3) / 2
    assert f"constant (100.0 % tied, AP {worst:.4f} to 1.0000)" in warning
    assert f"half (41.7 % tied, AP {(worst + 3) / 4:.4f} to 1.0000)" in warning
    assert "deep" not in warning
    assert "untied" not in warning
    assert any("tied entries" in said for said in irbounds.score(QRELS, runs, "P@1").warnings)
    for rule in ("expected", "worst", "best"):  # there ids do not decide
        scored = irbounds.score(QRELS, runs, "AP", ties=rule)
        assert not any("tied entries" in said for said in scored.warnings)


def test_mostly_tied_run_is_a_warning():
    run = {"q0": {"a": 9.0, "z": 8.0, "b": 1.0, "c": 1.0}}
    (warning,) = warnings_with("tied entries", {"q0": QRELS["q0"]}, {"x": run})
    assert "x (50.0 % tied, AP 1.0000 to 1.0000)" in warning


# --- single precision ---------------------------------------------------------------------------


def test_changes_by_single_precision_are_a_warning(write):
    near = 1 + 1e-9
    moved = {**lists(1000, 1000), "q0": {"a": near, "b": 1.0}, "q1": {"b": near, "z": 1.0}}
    small = {"q2": {str(k): 3.0 - k for k in range(900)} | {"a": -900 - 1e-9, "b": -900 - 2e-9}}
    path = write("x.json", json.dumps(moved | small))
    (warning,) = warnings_with("single precision", QRELS, [path])
    # q0: a relevant document falls from rank 1 to 2; q1: one rises; q2: 1/901 and 1/902, halved
    assert "--float32" in warning
    assert warning.endswith(": x (2; AP of q0 by 0.2500)")
    (warning,) = warnings_with("single precision", QRELS, [path], ["RR", "P@1"])
    assert warning.endswith(": x (2; P@1 of q0 by 1.0000)")
    for clean in (irbounds.read_run(path, float32=True), {"q0": {"z": near, "b": 1.0}}):
        assert warnings_with("single precision", QRELS, {"x": clean}) == []
    expected = irbounds.score(QRELS, [path], "AP", ties="expected")
    assert not any("single precision" in said for said in expected.warnings)


def run_with_near_ties(rng, n_queries, n_documents):
    steps = rng.integers(0, 6, (n_queries, n_documents)) + rng.integers(0, 4, n_documents) * 1e-9
    return {
        f"q{k}": {f"d{d}": float(score) for d, score in zip(rng.permutation(40), row, strict=False)}
        for k, row in enumerate(steps)
    }


def test_effect_of_single_precision_matches_reading_in_float32():
    rng = np.random.default_rng(5)
    names = ["AP", "nDCG@5", "RR", "Bpref"]
    measures = parse_measures(names)
    n_moved = 0
    for _ in range(30):
        qrels = irbounds.read_qrels(
            {f"q{k}": {f"d{d}": int(rng.integers(-1, 3)) for d in range(25)} for k in range(5)}
        )
        nested = run_with_near_ties(rng, 7, 20)  # two queries are not judged
        double = irbounds.read_run(nested)
        single = irbounds.read_run(nested, float32=True)
        changes = np.abs(
            irbounds.score(qrels, {"x": single}, names).values
            - irbounds.score(qrels, {"x": double}, names).values
        )[:, 0]
        judged = judge_run(double, Pool(qrels))
        effect = effect_of_single_precision(double, judged, measures)
        if not effect:
            assert not changes.any()
            continue
        assert effect["n_float32"] == (changes > 0.001).any(axis=0).sum()
        assert effect["float32_change"] == changes.max()
        if effect["float32_change"]:
            query = qrels.query_ids.index(effect["float32_query"])
            assert changes[names.index(effect["float32_measure"]), query] == changes.max()
        n_moved += effect["n_float32"]
    assert n_moved > 20


def test_single_precision_on_real_runs(data_directory):
    directory = data_directory / "dl21"
    if not directory.is_dir():
        pytest.skip(f"needs dl21, which {data_directory} does not hold")
    paths = sorted(directory.glob("*.run.gz"))
    qrels = irbounds.read_qrels(directory / "qrels.txt.gz")
    double, single = (irbounds.read_runs(paths, float32=float32) for float32 in (False, True))
    values = [irbounds.score(qrels, runs, "nDCG@10") for runs in (double, single)]
    changes = np.abs(values[1].values - values[0].values)[0]
    n_notable = (changes > 0.001).sum(axis=1).tolist()
    assert [run.n_float32 for run in values[0].diagnosis.runs] == n_notable
    assert sum(map(bool, n_notable)) == 3
    (warning,) = [said for said in values[0].warnings if "single precision" in said]
    assert "ielab-uniCOIL (6; nDCG@10 of 300986 by 0.0589)" in warning


# --- real runs ----------------------------------------------------------------------------------


def test_short_and_tied_runs_of_robust03(robust03):
    paths = sorted(robust03.glob("*.run.gz"))
    short, tied = irbounds.check(robust03 / "qrels.txt.gz", paths).warnings
    assert "NLPR03vb10 (100 of 100 queries, the shortest 10), humR03dc (96 of 100 " in short
    assert short.endswith("the shortest 100)")
    assert short.count("shortest") == 2
    assert tied.endswith(": MU03rob01 (97.5 % tied, AP 0.1905 to 0.1951)")


def test_run_keeps_the_requested_depth():
    assert irbounds.read_run(RUN).depth is None
    cut: Run = irbounds.read_run(RUN, depth=2)
    assert (cut.depth, cut.depths.tolist()) == (2, [2, 2, 1])
