"""null_distribution, p_value and score_range: arguments, methods, errors and warnings."""

from __future__ import annotations

import functools
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest

import naive
from irbounds.errors import DegenerateSampleWarning, MeasureError, ParameterError
from irbounds.measurement.parser import find_measure
from irbounds.measurement.populations import Population, make_population
from irbounds.random_rankings import null_distribution, p_value
from irbounds.random_rankings.distribution import check_reachable, compute_range


def test_labels_instead_of_numbers():
    labels = [0, 1, 0, 0, 1]
    assert p_value(0.7, y_true=labels) == p_value(0.7, 5, 2) == 0.4
    assert null_distribution(y_true=np.array(labels)).mean == pytest.approx(0.5925)


def test_alternatives():
    # of the ten rankings of Bestgen's Table 1 four score 0.70 or more, seven 0.70 or less
    assert p_value(0.7, 5, 2, alternative="less") == 0.7
    assert p_value(0.7, 5, 2, alternative="two-sided") == 0.8
    assert p_value(1.0, 5, 2, alternative="two-sided") == 0.2
    assert p_value(0.5, 5, 2, alternative="two-sided") == 1.0


def test_equal_seeds_give_equal_draws():
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
        # 5 standard errors of a fraction of 20,000 draws; the documented error of matched moments
        assert drawn.cdf(score) == pytest.approx(exact.cdf(score), abs=0.018)
        assert matched.cdf(score) == pytest.approx(exact.cdf(score), abs=0.02)


def test_standard_deviation_of_err_comes_from_the_draws():
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
    ({"measure": "Bpref"}, r"Bpref has no formula for its chance level; these have one: AP, P"),
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


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[text[:40] for _, text in BAD])
def test_bad_input(arguments, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        p_value(**{"observed": 0.5, "n_documents": 10, "n_relevant": 4} | arguments)


LONG = r"monte-carlo would draw 99,990,000,000 ranks, in 9,999 draws, which takes long: choose "

LONG += r"method 'monte-carlo', fewer draws or a measure with a cutoff"


def test_long_computations_need_an_explicit_method():
    ending = r", or use the approximation 'matched-moments'$"
    with pytest.raises(ParameterError, match=rf"^{LONG}{ending}"):
        null_distribution(10**8, 10**7)
    with pytest.raises(ParameterError, match=rf"^{LONG}{ending}"):
        p_value(0.1, [10**8] * 10, [10**6] * 10)
    # ERR has no formula for its variance
    with pytest.raises(ParameterError, match=rf"^{LONG}$"):
        null_distribution(10**8, 10**7, "ERR")
    assert null_distribution(10**8, 10**7, "P@10", n_draws=99, rng=1).method == "monte-carlo"


def test_explicit_method_has_no_limit_of_time(monkeypatch):
    monkeypatch.setattr("irbounds.random_rankings.distribution.MAX_RANKS", 1000)
    with pytest.raises(ParameterError, match=r"^monte-carlo would draw 1,010 ranks, in 101 "):
        null_distribution(500, 10, n_draws=101)
    assert null_distribution(500, 10, n_draws=100).n_draws == 100
    assert null_distribution(500, 10, n_draws=101, method="monte-carlo").n_draws == 101


def test_measures_without_a_formula_are_measure_errors():
    with pytest.raises(MeasureError):
        null_distribution(10, 4, "infAP")


@pytest.mark.parametrize("method", ["exact", "monte-carlo", "matched-moments"])
def test_invalid_arguments_of_a_distribution(method):
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
    ("arguments", "shown"),
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
def test_repr(arguments, shown):
    result = null_distribution(**{"n_documents": 10, "n_relevant": 4, "rng": 1} | arguments)
    assert repr(result) == shown


def test_repr_of_draws():
    drawn = null_distribution(10, 4, method="monte-carlo", rng=1).simulated
    assert re.fullmatch(
        r"<scores of 9,999 random rankings: mean 0.5\d+, standard deviation 0.1\d+>", repr(drawn)
    )


TOP = 3  # highest grade


def exponential(grade):
    return Fraction(2**grade - 1)


# cutoffs below, at and above the number of documents
TWINS = {
    "AP": naive.exact_average_precision,
    "AP(rel=2)": functools.partial(naive.exact_average_precision, rel=2),
    "Rprec": naive.exact_r_precision,
    "Rprec(rel=2)": functools.partial(naive.exact_r_precision, rel=2),
    "RR": naive.exact_reciprocal_rank,
    "nDCG": naive.exact_ndcg,
    "nDCG(dcg='exp-log2')@2": functools.partial(naive.exact_ndcg, cutoff=2, gain=exponential),
    "RBP": functools.partial(naive.exact_rank_biased_precision, max_grade=TOP),
    "RBP(p=0.5,rel=2)@4": functools.partial(
        naive.exact_rank_biased_precision, p=0.5, rel=2, cutoff=4
    ),
    "INSQ": functools.partial(naive.exact_inverse_squares, max_rel=TOP),
    "INSQ(min_rel=1,max_rel=2)": functools.partial(
        naive.exact_inverse_squares, min_rel=1, max_rel=2
    ),
    "ERR": naive.exact_expected_reciprocal_rank,
    **{
        f"{name}@{cutoff}": functools.partial(twin, cutoff=cutoff)
        for cutoff in (1, 3, 10)
        for name, twin in {
            "AP": naive.exact_average_precision,
            "P": naive.exact_precision,
            "P(rel=2)": functools.partial(naive.exact_precision, rel=2),
            "R": naive.exact_recall,
            "RR": naive.exact_reciprocal_rank,
            "Success": naive.exact_success,
            "nDCG": naive.exact_ndcg,
            "ERR": naive.exact_expected_reciprocal_rank,
        }.items()
    },
}

# documents, how many of each grade, ranks that are scored, how many of each grade are judged
CASES = [
    (7, {1: 2, 2: 1, 3: 1}, 7, None),
    (7, {1: 2, 2: 1, 3: 1}, 4, None),
    (6, {1: 2, 2: 1, 3: 2}, 4, {1: 2, 2: 3, 3: 3}),
    (4, {1: 1, 2: 2, 3: 1}, 4, None),
    (7, {1: 0, 2: 0, 3: 2}, 5, None),
    (3, {1: 0, 2: 0, 3: 0}, 3, None),
]


def case_of(n_documents, relevant, depth, judged):
    counts = tuple(float(count) for count in relevant.values())
    divided = tuple(float(count) for count in (judged or relevant).values())
    return Population(float(n_documents), float(depth), (1, 2, 3), counts, divided, TOP)


def scores_of_all(twin, n_documents, relevant, depth, judged):
    graded = [grade for grade, count in (judged or relevant).items() for _ in range(count)]
    counts = {**relevant, 0: n_documents - sum(relevant.values())}
    return [float(twin(ranked[:depth], graded)) for ranked in naive.arrangements(counts)]


@pytest.mark.parametrize("case", CASES, ids=[str(case[:3]) for case in CASES])
def test_range_matches_all_rankings(case):
    for name, twin in TWINS.items():
        scores = scores_of_all(twin, *case)
        result = compute_range(find_measure(name), case_of(*case))
        assert result == pytest.approx((min(scores), max(scores)), rel=1e-13, abs=1e-300), name


def test_range_of_a_mean_over_queries():
    many = make_population([9, 5, 4], {1: [3, 1, 0], 2: [2, 0, 0]})
    for name in ("AP", "P@3", "nDCG@4", "ERR@5", "INSQ"):
        measure = find_measure(name)
        queries = [make_population(9, {1: 3, 2: 2}), make_population(5, {1: 1, 2: 0})]
        # a query with nothing relevant scores 0
        expected = np.sum([compute_range(measure, query) for query in queries], axis=0) / 3
        assert compute_range(measure, many) == pytest.approx(expected, rel=1e-13)


def test_range_of_more_relevant_documents_than_can_be_built():
    assert compute_range(find_measure("AP"), make_population(10**10, 10**9)) == (0.0, 1.0)
    assert compute_range(find_measure("P@10"), make_population(10**10, 10**9)) == (0.0, 1.0)


BEYOND = [
    ((0.5, 3, 3, "P@10"), "0.5 by P@10: scores lie between 0.3 and 0.3"),
    ((0.1, 3, 3, "P@10"), "0.1 by P@10: scores lie between 0.3 and 0.3"),
    ((0.4, 10, 0), "0.4 by AP: scores lie between 0 and 0"),
    ((0.2, 10, 8), r"0.2 by AP: scores lie between 0.642\d+ and 1"),
    ((0.9, [5, 5], [0, 2]), r"0.9 by AP: scores lie between 0.1625 and 0.5"),
    ((1.0, 50, {1: 5, 2: 1}, "ERR@5"), r"1 by ERR@5: scores lie between 0 and 0.2\d+"),
]


@pytest.mark.parametrize("method", [None, "monte-carlo"])
@pytest.mark.parametrize(
    ("arguments", "message"), BEYOND, ids=[message[:12] for _, message in BEYOND]
)
def test_unreachable_scores_are_warned_about(arguments, message, method):
    text = f"^no ranking of these documents scores {message}$"
    with pytest.warns(DegenerateSampleWarning, match=text):
        result = p_value(*arguments, method=method, n_draws=9, rng=1)
    assert result == null_distribution(*arguments[1:], method=method, n_draws=9, rng=1).p_value(
        arguments[0]
    )


def test_warnings_point_to_the_calling_line():
    with pytest.warns(DegenerateSampleWarning) as caught:
        p_value(0.5, 10, 0)
    assert caught[0].filename == __file__
    with pytest.warns(DegenerateSampleWarning) as caught:
        p_value(0.9, 1000, 1, method="matched-moments")
    assert caught[0].filename == __file__


def test_scores_at_the_ends_of_the_range_are_reachable():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for case in CASES[:3]:
            for name in TWINS:
                measure, population = find_measure(name), case_of(*case)
                for end in compute_range(measure, population):
                    check_reachable(measure, population, end)
                    check_reachable(measure, population, min(end * (1 + 1e-14), 1.0))
                    check_reachable(measure, population, end * (1 - 1e-14))
        p_value(0.0, 10, 0)
        p_value(1.0, 10, 10)
