"""Blocks of equal scores, the rules for ties, and their effects on real runs."""

from __future__ import annotations

import doctest
import math
import random
from pathlib import Path

import numpy as np
import pytest

import irbounds
import naive
from irbounds.errors import MeasureError, ParameterError
from irbounds.measurement.judged_runs import Pool, find_ties, judge_run
from irbounds.scores.ties import best_order, worst_order

QRELS = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"d": 1}}


def tied_run(qrels, run):
    qrels, run = irbounds.read_qrels(qrels), irbounds.read_run(run)
    return find_ties(run, judge_run(run, Pool(qrels)))


def test_every_judged_document_knows_its_block():
    """Against a plain count, on random runs with ties, unjudged documents and missing queries."""
    rng = random.Random(4)
    documents = [f"d{k}" for k in range(12)]
    for _ in range(40):
        queries = [f"q{k}" for k in range(5)]
        qrels = {q: dict.fromkeys(rng.sample(documents, 6), 1) for q in queries}
        run = {
            q: {d: float(rng.randrange(4)) for d in rng.sample(documents, rng.randint(1, 12))}
            for q in rng.sample(queries, 4)  # the run has its own order of queries
        }
        tied = tied_run(qrels, run)
        expected = [
            (
                k,
                sum(score > run[q][doc] for score in run[q].values()),
                list(run[q].values()).count(run[q][doc]),
            )
            for k, q in enumerate(queries)
            for doc in naive.ranking(run.get(q, {}))
            if doc in qrels[q]
        ]
        blocks = zip(tied.query, tied.before, tied.size, strict=True)
        assert [tuple(map(int, block)) for block in blocks] == expected


def test_equal_scores_of_different_queries_are_not_ties():
    tied = tied_run(QRELS, {"1": {"a": 2.0, "b": 1.0}, "2": {"d": 1.0, "e": 0.5}})
    assert tied.size.tolist() == [1, 1, 1]
    assert tied.before.tolist() == [0, 1, 0]


def test_best_and_worst_by_hand():
    """Five tied documents, of which three are judged: first in the best order, last in the worst.

    The query before and the untied document behind them stay where they are.
    """
    run = {"2": {"d": 1.0}, "1": {"a": 5.0, "b": 5.0, "c": 5.0, "x": 5.0, "y": 5.0, "e": 1.0}}
    qrels = {**QRELS, "1": {**QRELS["1"], "e": 1}}
    tied = tied_run(qrels, run)
    best, worst = best_order(tied), worst_order(tied)
    assert best.ranks.tolist() == [1, 2, 3, 6, 1]
    assert best.grades.tolist() == [2, 1, 0, 1, 1]
    assert worst.ranks.tolist() == [3, 4, 5, 6, 1]
    assert worst.grades.tolist() == [0, 1, 2, 1, 1]


def test_nothing_judged_is_retrieved():
    tied = tied_run(QRELS, {"1": {"x": 1.0, "y": 1.0}})
    assert len(best_order(tied).ranks) == len(worst_order(tied).ranks) == 0
    names = ["AP", "RR", "Success@1", "ERR", "Bpref", "nDCG", "P@1", "Judged@1"]
    for ties in ("expected", "worst", "best"):
        table = irbounds.score(QRELS, {"r": {"1": {"x": 1.0, "y": 1.0}}}, names, ties=ties)
        assert not table.values.any()


def ranked(write, *options):
    rows = ["1 Q0 a 3 7 t", "1 Q0 b 2 7 t", "1 Q0 c 1 7 t", "2 Q0 d 1 7 t", "2 Q0 e 2 6 t"]
    return irbounds.read_run(write("t.run", "\n".join(rows) + "\n"), **dict(options))


def test_a_run_in_the_order_of_its_rank_column_has_no_ties(write):
    by_score, by_rank = ranked(write), ranked(write, ("order", "rank"))
    assert (by_score.n_tied, by_rank.n_tied) == (3, 0)
    assert by_score.begins_block.tolist() == [True, False, False, True, True]
    assert by_rank.begins_block.all()
    tables = [irbounds.score(QRELS, [by_rank], "AP", ties=ties) for ties in ("trec", "expected")]
    assert (tables[0].values == tables[1].values).all()
    of_score, of_rank = (irbounds.check(QRELS, run).runs[0] for run in (by_score, by_rank))
    assert (of_score.n_constant, of_rank.n_constant) == (1, 0)
    assert (of_score.n_tied, of_rank.n_tied) == (3, 0)
    assert of_rank.tie_low == of_rank.tie_high == tables[0].means()[0, 0]


def test_single_precision_makes_ties():
    run = {"1": {"a": 1.0, "b": 1.0 + 1e-12}}
    assert irbounds.read_run(run).n_tied == 0
    assert irbounds.read_run(run, float32=True).n_tied == 2


def test_the_rule_is_checked_and_remembered():
    run = {"1": {"a": 3.0, "b": 3.0}}
    with pytest.raises(
        ParameterError,
        match="ties must be one of 'trec', 'expected', 'worst', 'best'; got 'average'",
    ):
        irbounds.score(QRELS, {"r": run}, "AP", ties="average")
    notes = {
        "trec": (),
        "expected": ("on request: means over all orders of ties",),
        "worst": ("on request: ties in their worst order",),
        "best": ("on request: ties in their best order",),
    }
    for ties, expected in notes.items():
        table = irbounds.score(QRELS, {"r": run}, ["AP", "P@1"], ties=ties)
        assert table.ties == table.select(["P@1"]).ties == ties
        assert table.diagnosis.notes == expected
        of_trec = irbounds.score(QRELS, {"r": run}, "AP").warnings
        assert table.warnings == tuple(
            warning
            for warning in of_trec
            if ties == "trec" or not warning.startswith("tied entries")
        )
    assert irbounds.score(QRELS, {"r": run}, "AP").ties == "trec"


@pytest.mark.parametrize("ties", ["expected", "worst", "best"])
def test_external_measures_have_only_the_trec_rule(ties):
    message = (
        r"Compat is computed by ir_measures' providers, which take one order: only with "
        rf"ties='trec'; got '{ties}'"
    )
    with pytest.raises(MeasureError, match=message):
        irbounds.score(QRELS, {"r": {"1": {"a": 1.0}}}, ["AP", "Compat"], ties=ties)


def test_the_default_rule_is_trec_eval_order():
    """The rule for ties that nobody chose: the greater id first, in every measure."""
    run = {"1": {"a": 1.0, "b": 1.0, "c": 1.0}, "2": {"d": 1.0, "e": 1.0}}
    plain = {"1": {"c": 3.0, "b": 2.0, "a": 1.0}, "2": {"e": 2.0, "d": 1.0}}
    names = ["AP", "nDCG", "Compat"]
    tied, untied = (irbounds.score(QRELS, {"r": r}, names).values for r in (run, plain))
    assert np.array_equal(tied, untied)


RULES = ("trec", "expected", "worst", "best")


def test_effects_on_a_real_run(robust03):
    """Pinned, and MU03rob01 (97.5 % tied) against orders drawn at random."""
    qrels = irbounds.read_qrels(robust03 / "qrels.txt.gz")
    run = irbounds.read_run(robust03 / "MU03rob01.run.gz")
    assert run.n_tied == 97_500
    names = ["AP", "nDCG@10", "RR"]
    tables = [irbounds.score(qrels, run, names, ties=rule) for rule in RULES]
    means = np.array([table.means()[:, 0] for table in tables]).T
    assert means.round(6).tolist() == [
        [0.192908, 0.192723, 0.190528, 0.195072],
        [0.365658, 0.362892, 0.358697, 0.367461],
        [0.654874, 0.654661, 0.654253, 0.655077],
    ]
    assert (tables[3].values > tables[2].values + 1e-12).sum(axis=(1, 2)).tolist() == [100, 33, 11]
    few = qrels.query_ids[:8]
    judged = {q: documents for q, documents in qrels.to_dict().items() if q in few}
    ranked = {q: documents for q, documents in run.to_dict().items() if q in few}
    expected = irbounds.score(judged, {"r": ranked}, "AP", ties="expected").means()[0, 0]
    means = [
        irbounds.score(judged, {"r": broken}, "AP").means()[0, 0]
        for broken in _at_random(ranked, n=40)
    ]
    # a false alarm in 150,000 seeds; the seed is fixed
    error = np.std(means, ddof=1) / math.sqrt(len(means))
    assert abs(np.mean(means) - expected) < 4.5 * error


DOCS = Path(__file__).parents[2] / "docs"


def test_the_example_in_the_documentation():
    assert doctest.testfile(str(DOCS / "concepts" / "ties.md"), module_relative=False) == (0, 7)


def test_the_table_in_the_documentation(robust03):
    """Every row, and that no row is missing of what ties move."""
    qrels = irbounds.read_qrels(robust03 / "qrels.txt.gz")
    runs = irbounds.read_runs(sorted(robust03.glob("*.run.gz")))
    names = ["AP", "nDCG@10", "P@10", "RR"]
    tables = {rule: irbounds.score(qrels, runs, names, ties=rule) for rule in RULES}
    means = np.array([table.means() for table in tables.values()])
    n_affected = (tables["best"].values - tables["worst"].values > 1e-12).sum(axis=2)
    rows = [
        f"| {name} | {run.name} | {run.n_tied / len(run) * 100:.1f} % | {n_affected[m, s]} | "
        + " | ".join(f"{mean:.5f}" for mean in means[:, m, s])
        + " |"
        for m, name in enumerate(names)
        for s, run in enumerate(runs)
        if name == "AP" or n_affected[m, s]
    ]
    page = (DOCS / "validation" / "tie-effects.md").read_text()
    listed = [line for line in page.splitlines() if line.count("|") == 9][2:]
    assert rows == listed


def _at_random(ranked, n):
    """Runs whose ties are broken by drawing."""
    rng = np.random.default_rng(11)
    for _ in range(n):
        broken = {}
        for query, scores in ranked.items():
            documents = list(scores)
            order = sorted(
                rng.permutation(len(documents)).tolist(), key=lambda k: -scores[documents[k]]
            )
            broken[query] = {documents[k]: float(-place) for place, k in enumerate(order)}
        yield broken


def test_blocks_of_ties_are_numbered_along_the_run():
    """The arrays of a subset know their own blocks: numbers start anew."""
    qrels = irbounds.read_qrels({"1": {"a": 1, "b": 0, "c": 1}, "2": {"a": 0, "b": 1}})
    run = irbounds.read_run({"1": {"a": 1.0, "b": 1.0, "c": 0.0}, "2": {"a": 1.0, "b": 1.0}})
    tied = find_ties(run, judge_run(run, Pool(qrels)))
    assert tied.block.tolist() == [0, 0, 1, 2, 2]
    assert tied.firsts.tolist() == [0, 2, 3]
    relevant = tied.only(tied.grades > 0)
    assert relevant.block.tolist() == [0, 1, 2]
    assert relevant.size.tolist() == [2, 1, 2]
