"""Weighted measures: sums of weights, gains and bases against the score."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.measurement.parser import parse_measure
from irbounds.measurement.populations import make_population
from irbounds.random_rankings.distribution import score_variance

NAMES = ["P@5", "R@5", "Rprec", "nDCG", "nDCG@5", "nDCG(dcg='exp-log2')@7", "RBP", "RBP(p=0.95)@9"]
NAMES += ["RBP(rel=2)", "INSQ", "INSQ(T=3)"]


@pytest.mark.parametrize("name", NAMES)
def test_sums_and_squares_match_the_weights(name):
    weights = parse_measure(name).weights
    sums = np.array([float(weights.sums(float(rank))) for rank in range(1500)])
    squares = np.array([float(weights.squares(float(rank))) for rank in range(1500)])
    np.testing.assert_allclose(np.diff(sums), weights.first(1499), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.diff(squares), np.diff(sums) ** 2, rtol=1e-9, atol=1e-12)
    assert (np.diff(sums) >= 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_gains_weights_and_base_give_the_score(name):
    """Gains in descending order against the measure's own formula, through a qrels and a run."""
    from irbounds import score
    from irbounds.reading.qrels_and_runs import read_qrels, read_run

    grades = [2] * 3 + [1] * 5 + [0] * 4
    qrels = read_qrels({"q": {f"d{k:02}": grade for k, grade in enumerate(grades)}})
    run = read_run({"q": {f"d{k:02}": -float(k) for k in range(len(grades))}})
    measure, population = parse_measure(name), make_population(len(grades), {1: 5, 2: 3})
    last = measure._last_rank(population)
    weights = measure.weights.first(len(grades)) * (np.arange(len(grades)) < last)
    gains = measure.gains(np.array(grades), 2)
    base = float(np.asarray(measure._base_of(population)))
    observed = float(score(qrels, {"run": run}, [name]).values[0, 0, 0])
    assert (weights * gains).sum() / base == pytest.approx(observed, rel=1e-12)


def test_variance_where_plain_squares_would_cancel():
    """P over nearly all documents, nearly all of them relevant: a hypergeometric count."""
    n, relevant, cutoff = 10**12, 10**12 - 2, 10**12 - 1
    exact = (cutoff * relevant * 2 / n / n / n) / (n - 1) * n / cutoff**2
    assert score_variance(n, relevant, f"P@{cutoff}") == pytest.approx(exact, rel=1e-12)
    assert score_variance(n, 5, f"P@{n}") == 0.0
