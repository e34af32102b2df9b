"""nERR: variance against another recursion, scores against pyndeval, names and lists."""

from __future__ import annotations

import math
from functools import cache

import mpmath
import numpy as np
import pytest

import irbounds
from irbounds.corpora.bootstrap import corpus_bootstrap
from irbounds.errors import MeasureError
from irbounds.measurement import expected_reciprocal_rank, normalised_err
from irbounds.random_rankings import null_distribution, score_variance


def high_precision_moments(n_documents, relevant, cutoff):
    """Return mean and variance of nERR, from the last rank up.

    The state is the number of documents of each grade above a rank. With probability s of stopping
    at it, the score from rank r on is s / r + (1 - s) X, where X is the score from rank r + 1 on.
    """
    stops = [mpmath.mpf(2**grade - 1) / 16 for grade in relevant]
    counts = list(relevant.values())

    @cache
    def moments(above, rank):
        if rank > cutoff:
            return mpmath.mpf(0), mpmath.mpf(0)
        left = n_documents - rank + 1
        mean, square = moments(above, rank + 1)
        n_others = left - sum(counts) + sum(above)
        total = [mpmath.mpf(n_others) / left * moment for moment in (mean, square)]
        for place, (count, stop) in enumerate(zip(counts, stops, strict=True)):
            if count == above[place]:
                continue
            probability = mpmath.mpf(count - above[place]) / left
            state = (*above[:place], above[place] + 1, *above[place + 1 :])
            mean, square = moments(state, rank + 1)
            total[0] += probability * (stop / rank + (1 - stop) * mean)
            total[1] += probability * (
                (stop / rank) ** 2 + 2 * stop / rank * (1 - stop) * mean + (1 - stop) ** 2 * square
            )
        return tuple(total)

    ideal, reading = mpmath.mpf(0), mpmath.mpf(1)
    by_grade = sorted(zip(stops, counts, strict=True), reverse=True)
    ranked = [stop for stop, count in by_grade for _ in range(min(count, cutoff))]
    for rank, stop in enumerate(ranked[:cutoff], start=1):
        ideal += reading * stop / rank
        reading *= 1 - stop
    mean, square = moments((0,) * len(counts), 1)
    return mean / ideal, (square - mean**2) / ideal**2


@pytest.mark.parametrize(
    ("n_documents", "relevant"),
    [
        (10**7, {1: 30}),
        (10**7, {1: 3 * 10**6}),
        (10**7, {1: 20, 2: 15, 4: 4}),
        (10**7, {1: 20, 2: 10**6, 4: 10**5}),
        (500, {1: 499}),
        (60, {1: 30, 3: 30}),
    ],
)
def test_moments_match_a_recursion_from_the_last_rank(n_documents, relevant):
    """Few documents of a grade, many, and both: they are added one by one or at once."""
    cutoff = 12
    name = f"nERR@{cutoff}"
    with mpmath.workdps(40):
        mean, variance = high_precision_moments(n_documents, relevant, cutoff)
        assert abs(irbounds.expected_score(n_documents, relevant, name) / mean - 1) < 1e-14
        assert abs(score_variance(n_documents, relevant, name) / variance - 1) < 1e-10


def test_variance_is_not_computed_where_it_takes_long(monkeypatch):
    assert score_variance(1000, 30, "nERR@20") > 0
    assert math.isnan(score_variance(10**4, 500, "nERR"))
    # of each query by itself
    many = score_variance([10**4, 1000, 50], [500, 30, 0], "nERR@20")
    assert many[1] == score_variance(1000, 30, "nERR@20")
    assert many[2] == 0
    monkeypatch.setattr(normalised_err, "MAX_STEPS", 10**5)
    many = score_variance([10**4, 1000, 50], [500, 3, 0], "nERR@20")
    assert np.isnan(many).tolist() == [True, False, False]
    with pytest.raises(MeasureError, match="give it a cutoff, such as nERR@20"):
        irbounds.expected_score(10**8, 1, "nERR")


def test_moments_and_draws_agree():
    drawn = null_distribution(200, {1: 20, 3: 5}, "nERR@10", n_draws=20_000)
    assert np.std(drawn.scores) == pytest.approx(drawn.standard_deviation, rel=0.03)
    assert np.mean(drawn.scores) == pytest.approx(drawn.mean, rel=0.02)


#: relevance by rank, relevant documents in all, and nERR_IA@5 and @10 of pyndeval 0.0.8 with one
#: intent per query, by ir_measures.iter_calc
PYNDEVAL = [
    ("011010", 3, (0.5375000000000001, 0.5375000000000001)),
    ("100001", 3, (0.7500000000000001, 0.8125)),
    ("000111", 6, (0.25416036308623297, 0.2833458929917107)),
    ("110100", 3, (0.9843750000000001, 0.984375)),
]


@pytest.mark.parametrize(("ranked", "n_relevant", "expected"), PYNDEVAL)
def test_scores_match_pyndeval_with_its_probability_of_stopping(
    monkeypatch, ranked, n_relevant, expected
):
    """pyndeval stops at each relevant document with probability 1/2; all else is the same."""
    documents = [f"d{k}" for k in range(len(ranked))]
    judgments = {doc: int(mark) for doc, mark in zip(documents, ranked, strict=True)}
    judgments |= {f"missing{k}": 1 for k in range(n_relevant - ranked.count("1"))}
    run = {doc: -float(k) for k, doc in enumerate(documents)}
    arguments = ({"q": judgments}, {"r": {"q": run}}, "nERR@5,nERR@10")
    other = irbounds.score(*arguments).values.ravel()
    assert np.abs(other - expected).max() > 0.01  # gdeval's probabilities give other values
    monkeypatch.setattr(
        expected_reciprocal_rank, "stop_probabilities", lambda grades, top: 0.5 * (grades > 0)
    )
    assert irbounds.score(*arguments).values.ravel() == pytest.approx(expected, abs=1e-15)


def test_the_ideal_ranking_scores_exactly_1():
    judgments = {f"d{k}": grade for k, grade in enumerate([4, 3, 3, 2, 1, 1, 0, -1])}
    run = {doc: -float(k) for k, doc in enumerate(judgments)}
    for ties in ("trec", "expected"):
        table = irbounds.score({"q": judgments}, {"r": {"q": run}}, "nERR,nERR@3", ties=ties)
        assert table.values.ravel().tolist() == [1.0, 1.0]
    images = corpus_bootstrap(
        {"q": judgments}, {"r": {"q": run}}, "nERR,nERR@3", corpus_size=20, n_images=64
    )
    relevant = np.asarray(images.scores)
    assert set(relevant.ravel().tolist()) <= {0.0, 1.0}  # 0: an image without relevant documents
    assert (relevant == 1).any()


def test_names_and_list():
    table = irbounds.score({"q": {"a": 1}}, {"r": {"q": {"a": 1.0}}}, "nerr@10,NERR")
    assert table.measures == ("nERR@10", "nERR")
    (row,) = (row for row in irbounds.measures() if row.name == "nERR[@k]")
    assert row.provider == "irbounds"
    assert row.has_chance_level
    assert row.has_corpus_replicates
    assert row.has_expected_ties
    with pytest.raises(MeasureError, match=r"nERR: no parameter 'rel' \(it takes: cutoff\)"):
        irbounds.score({"q": {"a": 1}}, {"r": {"q": {"a": 1.0}}}, "nERR(rel=1)")
