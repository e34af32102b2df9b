"""``Measure.expected_over_ties``, worst and best orders, against every order of tied documents."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

import irbounds
import naive
from measure_cases import SCORES, TOP, collection_with_ties

TWINS = {name: partial(twin, top=TOP) for name, twin in SCORES.items()}
RULES = ("expected", "worst", "best")


@cache
def by_every_order():
    """Collections, and of each the mean, least and most of every measure over all orders."""
    rng = random.Random(20)
    collections = []
    for _ in range(10):
        qrels, run = collection_with_ties(rng)
        values = {
            name: [
                naive.over_ties(partial(twin, top=TOP), qrels[q], run[q])
                if q in run
                else (0.0, 0.0, 0.0)
                for q in qrels
            ]
            for name, twin in SCORES.items()
        }
        collections.append((qrels, run, values))
    return collections


@cache
def ours():
    return [
        {
            rule: irbounds.score(qrels, {"r": run}, list(SCORES), ties=rule)
            for rule in (*RULES, "trec")
        }
        for qrels, run, _ in by_every_order()
    ]


@pytest.mark.parametrize("name", SCORES)
def test_means_and_extremes_match_every_order(name):
    for (_, _, values), tables in zip(by_every_order(), ours(), strict=True):
        expected = np.array(values[name]).T
        scores = np.array([tables[rule].scores(name, "r") for rule in RULES])
        np.testing.assert_allclose(scores, expected, rtol=0, atol=2e-15)


@pytest.mark.parametrize("name", SCORES)
def test_worst_is_at_most_expected_and_trec_and_best_at_least(name):
    moved = 0
    for tables in ours():
        worst, expected, trec, best = (
            tables[rule].scores(name, "r") for rule in ("worst", "expected", "trec", "best")
        )
        for value in (expected, trec):
            assert (worst <= value + 1e-14).all()
            assert (value <= best + 1e-14).all()
        moved += int((best > worst).sum())
    assert (
        moved > 0 or name.startswith("Set") or name == "Judged"
    )  # otherwise the test has no power


@pytest.mark.parametrize("name", ["nDCG", "nDCG@10", "AP", "Rprec", "RR", "RBP", "Bpref"])
def test_equal_documents_score_the_same_bits_in_all_orders(name):
    """Nothing but relevant documents, all tied: every order has the same bits."""
    for n_documents in (*range(1, 40), 1000):
        qrels, runs = constant(n_documents, n_documents)
        worst, expected, best = (
            irbounds.score(qrels, runs, name, ties=rule).values.item()
            for rule in ("worst", "expected", "best")
        )
        assert worst == expected == best <= 1


def test_real_runs_lie_between_worst_and_best_to_the_last_digit(robust03):
    names = ["AP", "nDCG", "nDCG@10", "P@10", "RR", "RBP", "INSQ", "ERR@20", "Bpref"]
    runs = [robust03 / f"{name}.run.gz" for name in ("MU03rob01", "pircRBa1", "aplrob03a")]
    worst, expected, best = (
        irbounds.score(robust03 / "qrels.txt.gz", runs, names, ties=rule).values
        for rule in ("worst", "expected", "best")
    )
    assert (worst <= expected).all()
    assert (expected <= best).all()
    assert ((worst < expected) & (expected < best)).sum() > 100  # otherwise the test has no power


def test_the_order_of_trec_eval_is_not_the_mean():
    """trec_eval's order is not the mean over orders: taking one for the other must show."""
    differences = {
        name: max(
            np.abs(tables["trec"].scores(name, "r") - np.array(values[name])[:, 0]).max()
            for (_, _, values), tables in zip(by_every_order(), ours(), strict=True)
        )
        for name in SCORES
    }
    blind = {name for name, difference in differences.items() if difference < 1e-3}
    sets = {name for name in SCORES if name.startswith("Set")}
    assert blind == sets | {"Judged"}


def test_without_ties_all_rules_give_the_same_bits():
    rng = np.random.default_rng(5)
    documents = [f"d{k}" for k in range(60)]
    qrels = {
        f"q{k}": {d: int(rng.integers(-1, TOP + 1)) for d in rng.choice(documents, 30, False)}
        for k in range(30)
    }
    run = {q: {d: float(rng.normal()) for d in rng.choice(documents, 40, False)} for q in qrels}
    plain = irbounds.score(qrels, {"r": run}, list(SCORES)).values
    for rule in RULES:
        assert np.array_equal(
            irbounds.score(qrels, {"r": run}, list(SCORES), ties=rule).values, plain
        ), rule


@pytest.mark.parametrize("k", [1, 5, 10, None])
@pytest.mark.parametrize("n_scores", [1, 4, 12])
def test_ndcg_against_scikit_learn(k, n_scores):
    """Its ndcg_score averages the gains of ties, with our gains and discounts."""
    rng, other = np.random.default_rng(17), 0
    for _ in range(10):
        grades, scores = rng.integers(0, 4, size=30), rng.integers(0, n_scores, size=30)
        theirs = ndcg_score(grades[None], scores[None], k=k)
        qrels = {"q": {f"d{j}": int(grade) for j, grade in enumerate(grades)}}
        run = {"q": {f"d{j}": float(score) for j, score in enumerate(scores)}}
        name = "nDCG" if k is None else f"nDCG@{k}"
        ours = irbounds.score(qrels, {"r": run}, name, ties="expected").values[0, 0, 0]
        assert ours == pytest.approx(theirs, abs=1e-14)
        other += abs(ndcg_score(grades[None], scores[None], k=k, ignore_ties=True) - ours) > 1e-9
    assert other > 5  # negative control: their other way with ties is another number


def constant(n_documents, n_relevant):
    """Judgments, and a run that gives every document one score."""
    qrels = {"q": {f"d{k:04}": int(k < n_relevant) for k in range(n_documents)}}
    return qrels, {"constant": {"q": dict.fromkeys(qrels["q"], 0.5)}}


WITH_CHANCE_LEVELS = (
    *("AP", "AP@10", "P@10", "R@10", "Rprec", "RR", "RR@10", "Success@10"),
    *("nDCG", "nDCG@10", "RBP(rel=1)", "INSQ", "ERR@20", "nERR@20"),
)


@pytest.mark.parametrize("name", WITH_CHANCE_LEVELS)
@pytest.mark.parametrize(("n_documents", "n_relevant"), [(7, 3), (100, 4), (1000, 120)])
def test_a_constant_score_has_the_chance_level(name, n_documents, n_relevant):
    """Two pieces of code for one number: the chance level, and ties expected."""
    table = irbounds.score(*constant(n_documents, n_relevant), name, ties="expected")
    chance = irbounds.expected_score(n_documents, n_relevant, name)
    assert table.values[0, 0, 0] == pytest.approx(chance, rel=1e-13)


def test_a_constant_score_has_the_mean_reciprocal_rank():
    """One relevant document of ten, and one score for all of them.

    A sort that keeps the order of the list gives the relevant document, which stands first in it,
    a reciprocal rank of 1; by document id it is 0.1 (mteb, issue 5092, reported 1.0 so). On average
    it is H(10) / 10, and neither the list nor the names matter.
    """
    names = dict(zip((f"d{k:04}" for k in range(10)), "jihgfedcba", strict=True))
    qrels, runs = constant(10, 1)
    renamed = {"q": {names[doc]: grade for doc, grade in qrels["q"].items()}}
    run = {"r": {"q": dict.fromkeys(sorted(names.values()), 0.5)}}

    def mean(rule, qrels=qrels, runs=runs):
        return irbounds.score(qrels, runs, "RR", ties=rule).values.item()

    assert (mean("trec"), mean("trec", renamed, run)) == (0.1, 1.0)
    assert (mean("worst"), mean("best")) == (0.1, 1.0)
    assert mean("expected") == pytest.approx(sum(1 / k for k in range(1, 11)) / 10, abs=1e-15)
    assert mean("expected", renamed, run) == mean("expected")


def block_after(n_before, n_hits, size, n_relevant):
    """Untied documents, every so many of them relevant, and a tied block behind them."""
    every = n_before // max(n_hits, 1) or 1
    before = {f"a{k}": int(k % every == 0 and k < every * n_hits) for k in range(n_before)}
    block = {f"b{k}": int(k < n_relevant) for k in range(size)}
    scores = {doc: 2.0 + n_before - k for k, doc in enumerate(before)}
    return {"q": {**before, **block}}, {"r": {"q": {**scores, **dict.fromkeys(block, 1.0)}}}


@pytest.mark.parametrize(
    ("n_before", "n_hits", "size", "n_relevant"),
    [(0, 0, 900, 30), (998, 0, 2, 2), (998, 0, 2, 1), (700, 20, 300, 250), (3, 1, 17, 4)],
)
def test_large_blocks_match_fractions(n_before, n_hits, size, n_relevant):
    """AP and RR rank by rank in fractions; deep blocks are where harmonic numbers would cancel."""
    qrels, runs = block_after(n_before, n_hits, size, n_relevant)
    names = ["AP", f"AP@{n_before + size // 2 + 1}", "RR"]
    ap, ap_cut, rr = irbounds.score(qrels, runs, names, ties="expected").values[:, 0, 0]
    untied = list(qrels["q"].values())[:n_before]
    hits, exact = 0, Fraction(0)
    for rank, relevant in enumerate(untied, start=1):
        hits += relevant
        exact += Fraction(relevant * hits, rank)
    share, cut = Fraction(n_relevant, size), Fraction(0)
    for i in range(1, size + 1):
        others = Fraction((i - 1) * (n_relevant - 1), size - 1)
        exact += share * (hits + 1 + others) / (n_before + i)
        if i == size // 2 + 1:
            cut = exact
    assert hits == n_hits
    assert ap == pytest.approx(float(exact / (n_hits + n_relevant)), rel=1e-13)
    assert ap_cut == pytest.approx(float(cut / (n_hits + n_relevant)), rel=1e-13)
    first, ways = Fraction(0), math.comb(size, n_relevant)
    for i in range(1, size - n_relevant + 2):
        first += Fraction(math.comb(size - i, n_relevant - 1), ways) / (n_before + i)
    assert rr == pytest.approx(float(first) if not n_hits else 1.0, rel=1e-13)
