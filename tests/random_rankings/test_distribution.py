"""The doors to the null distribution: what they take, refuse and give; corrected scores."""

from __future__ import annotations

import re

import numpy as np
import pytest

from irbounds.errors import MeasureError, ParameterError
from irbounds.random_rankings import corrected_score, null_distribution, p_value


def test_labels_in_place_of_numbers():
    labels = [0, 1, 0, 0, 1]
    assert p_value(0.7, y_true=labels) == p_value(0.7, 5, 2) == 0.4
    assert null_distribution(y_true=np.array(labels)).mean == pytest.approx(0.5925)


def test_sides():
    # of the ten rankings of Bestgen's Table 1 four score 0.70 or more, seven 0.70 or less
    assert p_value(0.7, 5, 2, alternative="less") == 0.7
    assert p_value(0.7, 5, 2, alternative="two-sided") == 0.8
    assert p_value(1.0, 5, 2, alternative="two-sided") == 0.2
    assert p_value(0.5, 5, 2, alternative="two-sided") == 1.0


def test_the_same_seed_draws_the_same():
    ones = [null_distribution(300, 40, rng=rng) for rng in (7, 7, 8, np.random.default_rng(7))]
    assert ones[0].seed == 7
    assert (ones[0].simulated.means == ones[1].simulated.means).all()
    assert (ones[0].simulated.means != ones[2].simulated.means).any()
    again = null_distribution(300, 40, rng=ones[3].seed)
    assert (again.simulated.means == ones[3].simulated.means).all()
    assert p_value(0.2, 300, 40, rng=7) == ones[0].p_value(0.2)


def test_three_methods_agree():
    exact = null_distribution(40, 15)
    drawn = null_distribution(40, 15, method="monte-carlo", n_draws=20_000, rng=1)
    matched = null_distribution(40, 15, method="matched-moments")
    assert [one.method for one in (exact, drawn, matched)] == [
        "exact",
        "monte-carlo",
        "matched-moments",
    ]
    assert exact.mean == drawn.mean == matched.mean
    assert exact.standard_deviation == drawn.standard_deviation == matched.standard_deviation
    for score in (0.3, 0.4, 0.5, 0.6):
        # 5 standard errors of a share of 20,000 draws; what the documents say of the other
        assert drawn.cdf(score) == pytest.approx(exact.cdf(score), abs=0.018)
        assert matched.cdf(score) == pytest.approx(exact.cdf(score), abs=0.02)


def test_a_deviation_without_a_formula_is_that_of_the_draws():
    chance = null_distribution(30, {1: 3, 2: 2}, "ERR@10", n_draws=500, rng=1)
    assert chance.standard_deviation == np.std(chance.simulated.means) > 0


BAD = [
    ({"observed": 1.5}, r"observed must lie between 0 and 1; got 1.5"),
    ({"observed": 75}, r"observed must lie between 0 and 1; got 75, did you mean 0.75\?$"),
    ({"observed": 101}, r"observed must lie between 0 and 1; got 101$"),
    ({"observed": -0.1}, r"observed must lie between 0 and 1; got -0.1$"),
    ({"observed": float("nan")}, r"observed must be a number; got nan"),
    ({"observed": "0.5"}, r"observed must be a number; got '0.5'"),
    ({"observed": True}, r"observed must be a number; got True"),
    ({"observed": [0.5]}, r"observed must be a number; got \[0.5\]"),
    ({"method": "normal"}, r"method must be one of 'exact', 'monte-carlo', 'matched-moments'; got"),
    ({"alternative": "more"}, r"alternative must be one of 'two-sided', 'less', 'greater'; got"),
    ({"n_draws": 0}, r"n_draws must be an integer of at least 1; got 0"),
    ({"n_draws": 10**9}, r"n_draws must be at most 67,108,864; got 1,000,000,000"),
    ({"n_draws": 99.5}, r"n_draws must be an integer of at least 1; got 99.5"),
    ({"rng": -1}, r"rng must be an integer of at least 0, a SeedSequence, .* got -1"),
    ({"n_relevant": 11}, r"n_relevant must be at most n_documents; got 11 relevant of 10"),
    ({"n_documents": None}, r"needs n_documents and n_relevant, or y_true"),
    ({"y_true": [1, 0]}, r"y_true takes the place of n_documents and n_relevant"),
    ({"measure": "Bpref"}, r"Bpref has no formula for what chance scores; these have one: AP, P"),
    ({"measure": "AP(rel=0)"}, r"AP\(rel=0\): rel must be at least 1 in a random ranking"),
    (
        {"measure": "nDCG", "method": "exact"},
        r"method 'exact' is for AP only; got nDCG \(use 'monte-carlo'\)$",
    ),
    (
        {"n_documents": 10**6, "method": "exact"},
        r"method 'exact' counts rankings, and these are too many: it takes at most 44 documents "
        r"per query, or very few relevant ones, and few queries \(use 'monte-carlo'\)$",
    ),
    (
        {"measure": "ERR@5", "method": "matched-moments"},
        r"method 'matched-moments' needs the variance, and ERR@5 has no formula for it",
    ),
]


@pytest.mark.parametrize(("given", "said"), BAD, ids=[text[:40] for _, text in BAD])
def test_bad_input(given, said):
    with pytest.raises(ParameterError, match=f"^{said}"):
        p_value(**{"observed": 0.5, "n_documents": 10, "n_relevant": 4} | given)


LONG = r"monte-carlo would draw 99,990,000,000 ranks, in 9,999 draws, which takes long: choose "
LONG += r"method 'monte-carlo', fewer draws or a measure with a cutoff"


def test_what_takes_long_is_to_be_asked_for():
    ending = r", or use the approximation 'matched-moments'$"
    with pytest.raises(ParameterError, match=rf"^{LONG}{ending}"):
        null_distribution(10**8, 10**7)
    with pytest.raises(ParameterError, match=rf"^{LONG}{ending}"):
        p_value(0.1, [10**8] * 10, [10**6] * 10)
    # of ERR there is no variance to match
    with pytest.raises(ParameterError, match=rf"^{LONG}$"):
        null_distribution(10**8, 10**7, "ERR")
    assert null_distribution(10**8, 10**7, "P@10", n_draws=99, rng=1).method == "monte-carlo"


def test_what_was_asked_for_is_drawn(monkeypatch):
    monkeypatch.setattr("irbounds.random_rankings.distribution.MAX_RANKS", 1000)
    with pytest.raises(ParameterError, match=r"^monte-carlo would draw 1,010 ranks, in 101 "):
        null_distribution(500, 10, n_draws=101)
    assert null_distribution(500, 10, n_draws=100).n_draws == 100
    assert null_distribution(500, 10, n_draws=101, method="monte-carlo").n_draws == 101


def test_measures_without_a_formula_are_measure_errors():
    with pytest.raises(MeasureError):
        null_distribution(10, 4, "infAP")


@pytest.mark.parametrize("method", ["exact", "monte-carlo", "matched-moments"])
def test_bad_questions_to_a_distribution(method):
    chance = null_distribution(40, 15, method=method, n_draws=9, rng=1)
    with pytest.raises(ParameterError, match=r"^probability must lie between 0 and 1; got 95$"):
        chance.quantile(95)
    with pytest.raises(ParameterError, match=r"^score must be a number; got nan$"):
        chance.cdf(float("nan"))
    with pytest.raises(ParameterError, match=r"^observed must lie .* got 2, did you mean 0.02\?$"):
        chance.p_value(2)
    assert chance.cdf(-1) == 0.0
    assert chance.cdf(2) == 1.0


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({}, "<exact distribution of chance scores: mean 0.5286, standard deviation 0.1563>"),
        (
            {"method": "monte-carlo"},
            "<monte-carlo distribution of chance scores: mean 0.5286, standard deviation 0.1563, "
            "9,999 draws>",
        ),
        (
            {"method": "matched-moments"},
            "<matched-moments distribution of chance scores: mean 0.5286, "
            "standard deviation 0.1563>",
        ),
        (
            {"n_documents": 30, "n_relevant": 12},
            "<exact distribution of chance scores: mean 0.462, standard deviation 0.09262>",
        ),
    ],
)
def test_at_a_prompt(given, shown):
    found = null_distribution(**{"n_documents": 10, "n_relevant": 4, "rng": 1} | given)
    assert repr(found) == shown


def test_draws_at_a_prompt():
    drawn = null_distribution(10, 4, method="monte-carlo", rng=1).simulated
    assert re.fullmatch(
        r"<scores of 9,999 random rankings: mean 0.5\d+, standard deviation 0.1\d+>", repr(drawn)
    )


def test_corrected_scores():
    assert corrected_score(0.75, 0.5) == 0.5
    assert corrected_score(0.25, 0.5) == -0.5
    assert corrected_score(1, 0.3) == 1.0
    assert np.isnan(corrected_score(1.0, 1.0))
    many = corrected_score([0.75, 1.0, np.nan], np.array([0.5, 1.0, 0.2]))
    assert many == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)
    assert corrected_score(0.6, [0.2, 0.5]) == pytest.approx([0.5, 0.2])


@pytest.mark.parametrize("given", [1.2, -0.1, "0.5", True, None, [0.5, 2]])
def test_corrected_scores_of_nonsense(given):
    with pytest.raises(ParameterError, match=r"^observed must lie between 0 and 1; got "):
        corrected_score(given, 0.5)
    with pytest.raises(ParameterError, match=r"^expected must lie between 0 and 1; got "):
        corrected_score(0.5, given)


def test_corrected_scores_of_unequal_lengths():
    with pytest.raises(ParameterError, match=r"must be of one length; got \(2,\) and \(3,\)$"):
        corrected_score([0.1, 0.2], [0.1, 0.2, 0.3])
