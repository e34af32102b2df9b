"""Expectations and variances against every ranking, the paper's double sum, and many digits."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import naive
from irbounds.errors import MeasureError
from irbounds.measurement.chance_measures import CHANCE_MEASURES, measure_called
from irbounds.measurement.expectation import expectation_of, expected_score
from irbounds.measurement.populations import Population
from irbounds.measurement.variance import score_variance, variance_of

# every measure with its slow twin; cutoffs below, at and above the number of documents
CUT = {
    "AP@": naive.exact_average_precision,
    "P@": naive.exact_precision,
    "R@": naive.exact_recall,
    "RR@": naive.exact_reciprocal_rank,
    "Success@": naive.exact_success,
    "nDCG@": naive.exact_ndcg,
    "ERR@": naive.exact_expected_reciprocal_rank,
}
UNCUT = {
    "AP": naive.exact_average_precision,
    "Rprec": naive.exact_r_precision,
    "RR": naive.exact_reciprocal_rank,
    "nDCG": naive.exact_ndcg,
    "ERR": naive.exact_expected_reciprocal_rank,
}
BINARY = {
    **UNCUT,
    **{
        f"{name}{cutoff}": functools.partial(twin, cutoff=cutoff)
        for name, twin in CUT.items()
        for cutoff in (1, 2, 3, 5, 7, 12)
    },
    "RBP": naive.exact_rank_biased_precision,
    "RBP(p=0.5)@3": functools.partial(naive.exact_rank_biased_precision, p=0.5, cutoff=3),
    "INSQ": naive.exact_inverse_squares,
    "INSQ(T=5)": functools.partial(naive.exact_inverse_squares, T=5.0),
}
TOP = 3  # highest grade of the graded populations


def exponential(grade):
    return Fraction(2**grade - 1)


GRADED = {
    "AP(rel=2)": functools.partial(naive.exact_average_precision, rel=2),
    "AP(rel=2)@3": functools.partial(naive.exact_average_precision, rel=2, cutoff=3),
    "P(rel=2)@3": functools.partial(naive.exact_precision, rel=2, cutoff=3),
    "R(rel=3)@2": functools.partial(naive.exact_recall, rel=3, cutoff=2),
    "Rprec(rel=2)": functools.partial(naive.exact_r_precision, rel=2),
    "RR(rel=2)": functools.partial(naive.exact_reciprocal_rank, rel=2),
    "RR(rel=3)@2": functools.partial(naive.exact_reciprocal_rank, rel=3, cutoff=2),
    "Success(rel=2)@2": functools.partial(naive.exact_success, rel=2, cutoff=2),
    "nDCG": naive.exact_ndcg,
    "nDCG@3": functools.partial(naive.exact_ndcg, cutoff=3),
    "nDCG(dcg='exp-log2')": functools.partial(naive.exact_ndcg, gain=exponential),
    "nDCG(dcg='exp-log2')@2": functools.partial(naive.exact_ndcg, cutoff=2, gain=exponential),
    "RBP": functools.partial(naive.exact_rank_biased_precision, max_grade=TOP),
    "RBP(rel=2)@4": functools.partial(naive.exact_rank_biased_precision, rel=2, cutoff=4),
    "INSQ": functools.partial(naive.exact_inverse_squares, max_rel=TOP),
    "INSQ(min_rel=1,max_rel=2)": functools.partial(
        naive.exact_inverse_squares, min_rel=1, max_rel=2
    ),
    "ERR": naive.exact_expected_reciprocal_rank,
    "ERR@2": functools.partial(naive.exact_expected_reciprocal_rank, cutoff=2),
}


def population(n_documents, relevant, depth=None, judged=None):
    """Of numbers, or of a list of numbers for many queries."""
    depth = n_documents if depth is None else depth
    judged = relevant if judged is None else judged

    def floats(value):
        return np.asarray(value, dtype=float) if np.ndim(value) else float(value)

    return Population(
        floats(n_documents),
        floats(depth),
        tuple(relevant),
        tuple(floats(count) for count in relevant.values()),
        tuple(floats(judged[grade]) for grade in relevant),
        max(relevant),
    )


def check(name, twin, n_documents, relevant, depth=None, judged=None):
    """Both moments against all rankings, to the last digits."""
    measure = measure_called(name)
    here = population(n_documents, relevant, depth, judged)
    mean, variance = naive.random_moments(twin, n_documents, relevant, depth, judged)
    case = (name, n_documents, relevant, depth, judged)
    assert expectation_of(measure, here) == pytest.approx(float(mean), rel=1e-13, abs=1e-300), case
    found = variance_of(measure, here)
    if name.startswith("ERR") and any(relevant.values()):
        assert math.isnan(found), case
    else:
        assert found == pytest.approx(float(variance), rel=1e-12, abs=1e-17), case


@pytest.mark.parametrize("name", BINARY)
def test_binary_measures_agree_with_every_ranking(name):
    for n_documents in range(1, 8):
        for n_relevant in range(n_documents + 1):
            check(name, BINARY[name], n_documents, {1: n_relevant})


@pytest.mark.slow
@pytest.mark.parametrize("name", BINARY)
def test_binary_measures_agree_with_every_ranking_of_eight_and_nine(name):
    for n_documents in (8, 9):
        for n_relevant in range(n_documents + 1):
            check(name, BINARY[name], n_documents, {1: n_relevant})


@pytest.mark.slow
@pytest.mark.parametrize("name", GRADED)
def test_graded_measures_agree_with_every_ranking_of_eight_and_nine(name):
    check(name, GRADED[name], 8, {1: 2, 2: 1, TOP: 1})
    check(name, GRADED[name], 8, {1: 1, 2: 4, TOP: 2})
    check(name, GRADED[name], 9, {1: 2, 2: 1, TOP: 1})
    check(name, GRADED[name], 9, {1: 1, 2: 0, TOP: 3})


@pytest.mark.parametrize("name", GRADED)
def test_graded_measures_agree_with_every_ranking(name):
    for n_documents in range(1, 5):
        for ones in range(n_documents + 1):
            for twos in range(n_documents - ones + 1):
                for threes in range(n_documents - ones - twos + 1):
                    check(name, GRADED[name], n_documents, {1: ones, 2: twos, TOP: threes})
    check(name, GRADED[name], 6, {1: 2, 2: 1, TOP: 1})
    check(name, GRADED[name], 7, {1: 1, 2: 2, TOP: 1})


@pytest.mark.parametrize("name", [*UNCUT, "AP@3", "P@3", "R@3", "RR@3", "ERR@3", "nDCG@3", "RBP"])
def test_lists_that_are_cut_and_documents_that_no_list_holds(name):
    """The population of a run's own documents: judged ones are missing, and the list ends."""
    for depth in (0, 1, 2, 4, 5):
        check(name, BINARY[name], 5, {1: 2}, depth, {1: 2})
        check(name, BINARY[name], 5, {1: 3}, depth, {1: 6})
        check(name, BINARY[name], 5, {1: 0}, depth, {1: 4})
    check(name, BINARY[name], 6, {1: 5}, 2, {1: 5})


@pytest.mark.parametrize("name", ["nDCG@3", "nDCG(dcg='exp-log2')", "AP(rel=2)", "ERR", "RBP"])
def test_graded_lists_that_are_cut(name):
    twin = {**GRADED, "nDCG@3": functools.partial(naive.exact_ndcg, cutoff=3)}[name]
    check(name, twin, 6, {1: 1, 2: 1, TOP: 1}, 4, {1: 2, 2: 3, TOP: 1})
    check(name, twin, 5, {1: 2, 2: 0, TOP: 1}, 3, {1: 2, 2: 1, TOP: 2})


def test_values_of_the_facts():
    assert expected_score(5, 2) == pytest.approx(0.5925, rel=1e-12)
    assert expected_score(10, 4) == pytest.approx(0.5285978835978836, rel=1e-12)
    assert expected_score(10_000, 4_000) == pytest.approx(0.400527309093072, rel=1e-12)


def test_the_papers_double_sum():
    for n_documents in range(1, 13):
        for n_relevant in range(1, n_documents + 1):
            exact = naive.paper_random_ap(n_documents, n_relevant)
            assert expected_score(n_documents, n_relevant) == pytest.approx(float(exact), rel=1e-14)
    by_logarithms = naive.paper_random_ap_by_logarithms(400, 30)
    assert expected_score(400, 30) == pytest.approx(by_logarithms, rel=1e-11)
    assert round(expected_score(10, 4), 7) == 0.5285979  # printed in the paper
    assert round(expected_score(5, 2), 3) == 0.593 == round(0.5925 + 1e-9, 3)  # its Tables 1 and 2


@pytest.mark.parametrize("n_documents", [1, 2, 3, 7, 49, 1000, 10**6 + 1, 10**12])
def test_everything_relevant_scores_one_and_nothing_relevant_zero(n_documents):
    assert expected_score(n_documents, n_documents) == 1.0
    assert score_variance(n_documents, n_documents) == 0.0
    for name in ("AP", "RR", "nDCG", "P@5", "R@5", "Success@5", "Rprec", "RBP", "INSQ", "ERR@5"):
        assert expected_score(n_documents, 0, name) == 0.0
        assert score_variance(n_documents, 0, name) == 0.0


def high_precision_ap(n_documents, n_relevant, ranks):
    """Mean and variance of AP from the counts of pairs of ranks, with sixty digits."""
    n, r, k = mpmath.mpf(n_documents), mpmath.mpf(n_relevant), mpmath.mpf(ranks)
    h, squares = mpmath.harmonic(k), mpmath.zeta(2) - mpmath.zeta(2, k + 1)
    p1 = r / n
    p2 = p1 * (r - 1) / (n - 1)
    p3 = p2 * (r - 2) / (n - 2)
    p4 = p3 * (r - 3) / (n - 3)
    two = 3 * (h - squares) + 2 * (h**2 - squares)
    three = 2 * k * h + 5 * k - 9 * h + 7 * squares - 5 * h**2
    four = k**2 - 5 * k - 2 * k * h + 6 * h + 3 * h**2 - 3 * squares
    mean = h * p1 + (k - h) * p2
    return mean / r, (squares * p1 + two * p2 + three * p3 + four * p4 - mean**2) / r**2


def test_average_precision_to_a_trillion_documents():
    rng = np.random.default_rng(15)
    ap = measure_called("AP")
    with mpmath.workdps(80):
        for _ in range(400):
            n = round(10 ** rng.uniform(math.log10(4), 12))
            r, k = (min(n, max(1, round(n ** rng.uniform(0, 1)))) for _ in range(2))
            r = max(n - r, 1) if rng.random() < 0.3 else min(r, n - 1)
            k = n if rng.random() < 0.4 else k
            mean, variance = high_precision_ap(n, r, k)
            here = population(n, {1: r}, k)
            assert abs(expectation_of(ap, here) / mean - 1) < 2e-15, (n, r, k)
            assert abs(variance_of(ap, here) - variance) <= 2e-14 * variance, (n, r, k)


def high_precision_first(n_documents, n_relevant, cutoff):
    """Moments of RR@k and the chance of Success@k with sixty digits, rank by rank."""
    n, r = mpmath.mpf(n_documents), mpmath.mpf(n_relevant)
    none, mean, square = mpmath.mpf(1), mpmath.mpf(0), mpmath.mpf(0)
    for rank in range(1, min(cutoff, n_documents - n_relevant + 1) + 1):
        here = none * r / (n - rank + 1)
        mean, square = mean + here / rank, square + here / rank**2
        none = none * (n - r - rank + 1) / (n - rank + 1)
    return mean, square - mean**2, 1 - none


@pytest.mark.parametrize("cutoff", [10, 256, 257, 259, 2000])
@pytest.mark.parametrize("n_relevant", [1, 2, 50, 10**5, 10**9, 10**11, 10**12 - 3])
def test_first_relevant_rank_of_a_trillion(n_relevant, cutoff):
    with mpmath.workdps(60):
        mean, variance, success = high_precision_first(10**12, n_relevant, cutoff)
        case = (10**12, n_relevant)
        assert abs(expected_score(*case, f"RR@{cutoff}") / mean - 1) < 3e-15
        assert abs(score_variance(*case, f"RR@{cutoff}") / variance - 1) < 2e-13
        assert abs(expected_score(*case, f"Success@{cutoff}") / success - 1) < 2e-15


def test_first_relevant_rank_without_a_cutoff():
    """The closed form, and the sum that is an integral beyond its first ranks."""
    with mpmath.workdps(40):
        for case in [(3000, 1), (3000, 2), (3000, 5), (3000, 300), (3000, 2999)]:
            mean, variance, _ = high_precision_first(*case, 3000)
            assert abs(expected_score(*case, "RR") / mean - 1) < 3e-15
            assert abs(score_variance(*case, "RR") / variance - 1) < 1e-13
        # one relevant document stands anywhere: sums of 1/n and 1/n^2
        n = mpmath.mpf(10**12)
        mean = mpmath.harmonic(n) / n
        variance = (mpmath.zeta(2) - mpmath.zeta(2, n + 1)) / n - mean**2
        assert abs(expected_score(10**12, 1, "RR") / mean - 1) < 1e-15
        assert abs(score_variance(10**12, 1, "RR") / variance - 1) < 1e-14
        assert expected_score(10**12, 1, "RR") == pytest.approx(
            expected_score(10**12, 1), rel=1e-15
        )


@pytest.mark.parametrize("relevant", [{1: 30}, {1: 3 * 10**6}, {1: 20, 2: 15, 4: 4}])
def test_err_whichever_way_documents_are_added(relevant):
    """Fewer of a grade than ranks, more, and both; with fractions, one document at a time."""
    n_documents, cutoff = 10**7, 12
    got = expected_score(n_documents, relevant, f"ERR@{cutoff}")
    with mpmath.workdps(40):
        assert abs(got / high_precision_err(n_documents, relevant, cutoff) - 1) < 3e-15


def high_precision_err(n_documents, relevant, cutoff):
    """Draw by draw; the state is how many of each grade have been passed by."""
    states, total = {(0,) * len(relevant): mpmath.mpf(1)}, mpmath.mpf(0)
    for rank in range(1, cutoff + 1):
        after: dict[tuple[int, ...], mpmath.mpf] = {}
        for met, mass in states.items():
            left = n_documents - rank + 1
            others = left
            for place, (grade, count) in enumerate(relevant.items()):
                chance = mass * (count - met[place]) / left
                stop = mpmath.mpf(2**grade - 1) / 16
                total += chance * stop / rank
                state = (*met[:place], met[place] + 1, *met[place + 1 :])
                after[state] = after.get(state, 0) + chance * (1 - stop)
                others -= count - met[place]
            after[met] = after.get(met, 0) + mass * others / left
        states = after
    return total


def test_err_that_would_take_too_long():
    with pytest.raises(MeasureError, match=r"ERR over .* takes 4e\+11 steps, and 5e\+08 is the"):
        expected_score(10**6, 4 * 10**5, "ERR")
    assert 0.08 < expected_score(10**6, 4 * 10**5, "ERR@20") < 0.09
    with pytest.raises(MeasureError, match="give it a cutoff, such as ERR@20"):
        expected_score(10**8, 1, "ERR")  # a few steps a rank, but too many ranks to hold
    assert expected_score(10**12, 0, "ERR") == 0
    assert expected_score([10**12, 5], [0, 2], "ERR")[1] == expected_score(5, 2, "ERR")


@pytest.mark.parametrize("name", list(dict.fromkeys([*BINARY, *GRADED])))
def test_many_queries_are_as_one_at_a_time(name):
    n = [1, 5, 40, 1000, 10**6, 10**12, 7, 50]
    relevant = {1: [1, 2, 0, 30, 20, 10**4, 7, 3], 2: [0, 1, 0, 2, 300, 5, 0, 7], 3: [0] * 7 + [4]}
    if name == "ERR":
        n, relevant = n[:4], {grade: counts[:4] for grade, counts in relevant.items()}
    for moment in (expected_score, score_variance):
        many = moment(n, relevant, name)
        assert isinstance(many, np.ndarray)
        assert many.shape == (len(n),)
        for place, n_documents in enumerate(n):
            # a grade without documents still says what the highest grade is
            counts = {grade: relevant[grade][place] for grade in relevant}
            one = moment(n_documents, counts, name)
            assert type(one) is float
            assert many[place] == pytest.approx(one, rel=1e-13, nan_ok=True)


def test_measures_without_a_formula():
    text = "Bpref has no formula for what chance scores; these have one: AP, P, R, Rprec"
    for moment in (expected_score, score_variance):
        with pytest.raises(MeasureError, match=text):
            moment(10, 4, "Bpref")
        with pytest.raises(MeasureError, match=r"R\(judged_only=True\)@10 has no formula"):
            moment(10, 4, "R(judged_only=True)@10")
        with pytest.raises(MeasureError, match=r"AP\(rel=0\): rel must be at least 1 in a random"):
            moment(10, 4, "AP(rel=0)")
        with pytest.raises(MeasureError, match="min_rel must be at least 0 in a random ranking"):
            moment(10, 4, "INSQ(min_rel=-1)")
        with pytest.raises(MeasureError, match="unknown measure 'MAPP'"):
            moment(10, 4, "MAPP")
    assert set(CHANCE_MEASURES) >= {"AP", "ERR", "Success"}


def test_ir_measures_objects():
    import ir_measures

    assert expected_score(10, 4, ir_measures.AP) == expected_score(10, 4)
    assert expected_score(10, 4, ir_measures.nDCG @ 5) == expected_score(10, 4, "nDCG@5")
