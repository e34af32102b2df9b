"""Samples for claims and splits of budgets, against enumeration, simulation and the paper."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import irbounds
import naive
from irbounds.errors import DataError
from irbounds.planning import recall as planning
from recall_calls import estimate_recall

TAIL = "1/20"
CORPUS = 5_000_000  # of Figures 15 to 17


def plan_claim(known, rest, missed, recall):
    return irbounds.plan_recall(
        corpus_size=50 + rest,
        retrieved=(50, "all", known),
        n_relevant=known + missed,
        recall_at_least=recall,
    )


# Claims


def test_sample_is_the_smallest_with_the_assurance():
    """Thirty designs; every smaller sample is tried."""
    rng = np.random.default_rng(20_230)
    designs = [(16, 27, 9, 0.7), (43, 31, 25, 0.5)]  # the peaks do not rise strictly
    while len(designs) < 30:
        rest, known = int(rng.integers(5, 40)), int(rng.integers(1, 40))
        missed = int(rng.integers(0, min(rest, known) + 1))
        recall = float(rng.choice([0.5, 0.7, 0.8, 0.95]))
        if known / (known + missed) >= recall:
            designs.append((rest, known, missed, recall))
    for rest, known, missed, recall in designs:
        plan, *others = plan_claim(known, rest, missed, recall)
        chances = [
            naive.rest_assurance(known, rest, missed, size, TAIL, recall)
            for size in range(1, plan.unretrieved_sample + 1)
        ]
        assert plan.assurance == pytest.approx(chances[-1], abs=1e-9)
        assert chances[-1] >= 0.8 - 1e-12
        assert all(chance < 0.8 for chance in chances[:-1])
        for other in others:
            expected = naive.rest_assurance(
                known, rest, missed, other.unretrieved_sample, TAIL, recall
            )
            assert other.assurance == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("recall", [0.25, 0.5, 0.7, 0.8, 0.95])
def test_claim_is_shown_exactly_if_the_limit_reaches_it(recall):
    """Some limits equal these recalls."""
    for documents, sampled in ((20, 11), (33, 8), (33, 32), (9, 9)):
        for known in (1, 7, 40):
            claim = planning.make_claim(known, 0, documents, recall, 0.95)
            for x in range(sampled + 1):
                limit = naive.exact_recall_limit(known, documents, sampled, x, TAIL)
                assert claim.is_shown(sampled, x) == (limit >= recall)


def test_probability_that_equals_the_tail_does_not_show_a_claim():
    """95 of 100 documents miss a single relevant one in exactly 5 % of samples."""
    claim = planning.make_claim(9, 0, 100, 0.95, 0.95)
    assert not claim.is_shown(95, 0)
    assert claim.is_shown(96, 0)


def test_false_claims_are_shown_by_at_most_a_twentieth_of_samples():
    for rest in (3, 8, 15):
        for n in range(1, rest + 1):
            for missed in range(1, rest + 1):
                known, recall = 30, 30 / (29.5 + missed)
                claim = planning.make_claim(known, 0, rest, recall, 0.95)
                is_wrong = [
                    naive.hypergeometric_mass(k, rest, missed, n)
                    for k in range(max(0, n + missed - rest), min(n, missed) + 1)
                    if claim.is_shown(n, k)
                ]
                assert sum(is_wrong) <= Fraction(TAIL)


@pytest.mark.parametrize(
    ("relevant", "fractions"),
    [
        (20, (0.28, 0.39, 0.63, 0.78)),
        (100, (0.067, 0.11, 0.22, 0.39)),
        (1000, (0.007, 0.012, 0.026, 0.055)),
    ],
)
def test_fraction_of_a_large_rest_that_must_show_nothing(relevant, fractions):
    """(1 - f)^k <= 0.05 with k = floor(r / t) + 1 - r, the smallest number that is too many."""
    rest = 1_000_000
    for recall, fraction in zip((0.7, 0.8, 0.9, 0.95), fractions, strict=True):
        k = int(relevant / recall + 1e-9) + 1 - relevant
        f = 1 - 0.05 ** (1 / k)
        assert f == pytest.approx(fraction, abs=0.006)
        claim = planning.make_claim(relevant, 0, rest, recall, 0.95)
        assert claim.is_shown(round((f + 1e-4) * rest), 0)
        assert not claim.is_shown(round((f - 1e-4) * rest), 0)


def test_plan_agrees_with_the_verdict_on_its_sample():
    plan, *_ = irbounds.plan_recall(
        retrieved=(5000, "all", 1000), corpus_size=100_000, recall=0.98, recall_at_least=0.9
    )
    n, most = plan.unretrieved_sample, plan.max_relevant

    def judge(sampled, relevant):
        estimates = irbounds.recall(
            retrieved=(5000, "all", 1000), unretrieved=(95_000, sampled, relevant), at_least=0.9
        )
        return next(row.is_shown for row in estimates if row.quantity == "recall")

    assert judge(n, most)
    assert not judge(n, most + 1)
    assert not judge(n - 1, most)


def test_sample_of_a_large_rest_has_the_simulated_assurance():
    """False-alarm rate 1e-5, by the binomial's standard deviation."""
    plan, *_ = irbounds.plan_recall(
        corpus_size=1_000_000,
        retrieved=(50_000, "all", 5_000),
        n_relevant=5_882,
        recall_at_least=0.75,
    )
    rng = np.random.default_rng(20_231)
    counts = rng.hypergeometric(882, 950_000 - 882, plan.unretrieved_sample, 100_000)
    reach = 4.42 * np.sqrt(plan.assurance * (1 - plan.assurance) / 100_000)
    assert abs(np.mean(counts <= plan.max_relevant) - plan.assurance) < reach
    assert 0.8 <= plan.assurance < 0.83


def test_recall_that_equals_the_claim_needs_the_whole_rest():
    plan, *_ = irbounds.plan_recall(
        corpus_size=200, retrieved=(100, 100, 95), n_relevant=100, recall_at_least=0.95
    )
    assert (plan.unretrieved_sample, plan.assurance) == (100, 1)


# Splits


def plan_split(size, n_relevant, budget, **options):
    return irbounds.plan_recall(
        **{"corpus_size": CORPUS, "retrieved_size": size, "recall": 0.5, **options},
        n_relevant=n_relevant,
        budget=budget,
    )


def test_gauss_rule_is_exact_for_polynomials_up_to_its_degree():
    counts = np.arange(1.0, 201.0)
    masses = counts / counts.sum()
    points, weights = planning.gauss_points(counts, masses)
    assert len(points) == planning.POINTS
    x, z = counts / 100 - 1, points / 100 - 1
    for degree in range(2 * planning.POINTS):
        assert weights @ z**degree == pytest.approx(masses @ x**degree, abs=1e-12)
    beyond = 2 * planning.POINTS
    assert abs(weights @ z**beyond - masses @ x**beyond) > 1e-7


def test_gauss_points_keep_a_count_of_0():
    counts, masses = np.arange(30.0), naive_poisson(5, 30)
    points, weights = planning.gauss_points(counts, masses)
    assert (points[0], weights[0]) == (0, masses[0])
    assert points[1] >= 1
    assert weights @ points == pytest.approx(masses @ counts, rel=1e-9)


def naive_poisson(mean, size):
    masses = np.array([mean**k / math.factorial(k) for k in range(size)])
    return masses / masses.sum()


@pytest.mark.parametrize(
    ("size", "of", "sampled"),
    [((12, 30), (5, 4), (6, 10)), ((8, 20), (8, 1), (3, 12)), ((10, 14), (1, 9), (10, 5))],
)
def test_expected_interval_matches_enumeration_of_samples(size, of, sampled):
    expected = naive.expected_recall_ends(size, of, sampled, 0.025)
    interval = planning.expect_interval(size, of, sampled, 0.95)
    assert (interval.width, interval.low, interval.high) == pytest.approx(expected, abs=3e-6)


def test_expected_width_matches_simulation():
    """Drawn samples, each with its exact interval. False-alarm rate 1e-5 (4.42 sigma)."""
    rng = np.random.default_rng(20_131)
    size, of, sampled = (1_000, 19_000), (240, 160), (30, 170)
    drawn = [
        rng.hypergeometric(relevant, documents - relevant, n, 3000)
        for documents, relevant, n in zip(size, of, sampled, strict=True)
    ]
    counts, places = np.unique(np.stack(drawn, axis=-1), axis=0, return_inverse=True)
    intervals = [
        estimate_recall(retrieved=(1_000, 30, r1), unretrieved=(19_000, 170, r0)).interval
        for r1, r0 in counts.tolist()
    ]
    # plans raise the upper limit to 1 where the unretrieved sample has no relevant documents
    highs = [found.high if r0 else 1.0 for found, r0 in zip(intervals, counts[:, 1], strict=True)]
    lows = [found.low for found in intervals]
    widths = np.subtract(highs, lows)[places.ravel()]
    error = widths.std(ddof=1) / math.sqrt(len(widths))
    expected = planning.expect_interval(size, of, sampled, 0.95)
    assert abs(expected.width - widths.mean()) < 4.42 * error


def test_plan_is_the_best_of_all_splits():
    size, of = (4_000, 46_000), (2_100, 900)
    plan, *others = plan_split(4_000, 3_000, 1_000, corpus_size=50_000, recall=0.7)
    widths = [
        planning.expect_interval(size, of, (n, 1_000 - n), 0.95).width for n in range(10, 1000, 30)
    ]
    assert plan.expected_width <= min(widths) * 1.0005
    assert all(other.expected_width >= plan.expected_width for other in others)


@pytest.mark.parametrize("size", [50_000, 500_000])
def test_best_split_is_near_neyman_allocation_for_large_samples(size):
    """n1 : n0 as the roots of (1 - p) / p: a textbook's rule for a ratio of two yields."""
    prevalences = np.array([0.5, 0.5 * size / (CORPUS - size)])
    odds = np.sqrt((1 - prevalences) / prevalences)
    plan, *_ = plan_split(size, size, 20_000)
    assert plan.split == pytest.approx(odds[0] / odds.sum(), rel=0.3)


def test_small_budget_is_not_misallocated_as_in_figure_15():
    """Without an upper limit of 1 the narrowest interval assesses one unretrieved document."""
    plan, *others = plan_split(5_000, 5_000, 1_000)
    assert plan.split < 0.1
    widths = [other.expected_width for other in others if other.split > 0.1]
    assert widths == sorted(widths)


@pytest.mark.slow
def test_split_of_a_fifth_is_near_the_best_in_figure_16():
    """Retrieved set of 500,000; three levels of precision by three of recall."""
    cost = {}
    for precision in (0.25, 0.5, 0.75):
        for recall in (0.25, 0.5, 0.75):
            plan, *others = plan_split(
                500_000, round(500_000 * precision / recall), 5000, recall=recall
            )
            widths = {round(row.split, 2): row.expected_width for row in (plan, *others)}
            best = plan.expected_width
            cost[precision, recall] = best, widths[0.2] - best, widths[0.5] / best
    assert max(more for _, more, _ in cost.values()) < 0.004
    assert cost[0.75, 0.25][0] < 0.025 < 0.12 < cost[0.25, 0.75][0]
    # more for the retrieved risks a substantially wider interval
    assert max(ratio for _, _, ratio in cost.values()) > 1.25


@pytest.mark.slow
def test_wrong_guess_of_the_yield_costs_little():
    """What docs/validation/recall-coverage.md says of it."""

    def cost(retrieved, recall, planned, true):
        sampled = plan_split(retrieved, planned, 5_000, recall=recall)[0]
        best = plan_split(retrieved, true, 5_000, recall=recall)[0].expected_width
        found = round(true * recall)
        actual = planning.expect_interval(
            (retrieved, CORPUS - retrieved),
            (found, true - found),
            (sampled.retrieved_sample, sampled.unretrieved_sample),
            0.95,
        )
        return actual.width / best - 1

    assert cost(500_000, 0.3, planned=1_000_000, true=500_000) < 0.01  # precision 0.6 and 0.3
    assert cost(500_000, 0.3, planned=500_000, true=1_000_000) < 0.01
    assert 0.01 < cost(500_000, 0.8, planned=500_000, true=250_000) < 0.02  # 0.8 and 0.4
    assert cost(50_000, 0.5, planned=100_000, true=50_000) == pytest.approx(0.10, abs=0.01)  # 1
    assert cost(50_000, 0.5, planned=50_000, true=100_000) == pytest.approx(0.024, abs=0.002)


def test_full_assessment_has_zero_width():
    plan, *_ = plan_split(40, 30, 300, corpus_size=300, recall=0.6)
    assert plan.expected_width == 0
    assert plan.expected_low == pytest.approx(0.6)
    assert (plan.retrieved_sample, plan.unretrieved_sample) == (40, 260)


@pytest.mark.parametrize("recall", [1, 0.5])
@pytest.mark.parametrize("budget", [2, 30, 199])
def test_splits_of_extreme_guesses(recall, budget):
    plan, *_ = plan_split(20, 4, budget, corpus_size=200, recall=recall)
    assert plan.retrieved_sample + plan.unretrieved_sample == budget
    assert 0 <= plan.expected_low <= plan.expected_high + 1e-5 <= 1 + 2e-5


# Guesses that cannot be planned with


@pytest.mark.parametrize(
    ("n_relevant", "recall", "message"),
    [
        (200, 0.85, "means 170 relevant documents in the retrieved set, which has 100"),
        (950, 0.1, "means 855 relevant documents outside the retrieved set, where there are 800"),
        (3, 0.5, r"3 relevant documents cannot have a recall of 0\.5"),
    ],
)
def test_impossible_guesses_are_rejected(n_relevant, recall, message):
    with pytest.raises(DataError, match=message):
        planning.split_relevant(n_relevant, recall, (100, 800))


@pytest.mark.parametrize(
    ("found", "n_relevant", "recall", "message"),
    [
        (93, 92, None, "at least 93, the relevant documents in the retrieved set; got 92"),
        (93, 700, None, "607 relevant documents outside the retrieved set, where there are 575"),
        (0, None, 0.9, "does not determine how many"),
        (3, None, 0.9, r"cannot have a recall of 0\.9"),
    ],
)
def test_impossible_guesses_after_reading_are_rejected(found, n_relevant, recall, message):
    with pytest.raises(DataError, match=message):
        planning.count_missed(found, n_relevant, recall, 575)


@pytest.mark.parametrize(("found", "missed"), [(93, 10), (0, 0)])
def test_claim_that_is_false_by_the_guess_is_rejected(found, missed):
    with pytest.raises(DataError, match=r"no sample can be expected to show .* at least 0\.95"):
        planning.make_claim(found, missed, 575, 0.95, 0.95)
