"""Plans for recall against enumeration, simulated samples and the paper's figures."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import irbounds
from irbounds import errors, planning
from irbounds.errors import DataError, ParameterError
from irbounds.planning import recall_plan as recall_phases
from irbounds.planning.recall_plan import plan_recall
from irbounds.planning.recall_widths import (
    interval_ends,
    plan_sample,
)
from planned_samples import (
    CORPUS,
    FROM_BELOW,
    TWO_SIDED,
    draw_samples,
    make_prediction,
    simulate_ends,
)


def test_width_at_expected_counts_matches_non_integer_counts():
    """50 of 1,000 retrieved documents are expected to be relevant, and 10 of 4,000 others."""
    prediction = make_prediction(CORPUS, 500_000, 36_250, 25_000 / 36_250)
    found = plan_sample(TWO_SIDED, prediction, (1000, 4000))
    exact = irbounds.recall_interval(
        retrieved=(500_000, 1000, 50), unretrieved=(4_500_000, 4000, 10)
    )
    assert found.width_at_expected_counts == pytest.approx(2 * exact.interval.half_width, abs=1e-4)


def test_expected_width_averages_over_guesses():
    alone = [
        plan_sample(TWO_SIDED, make_prediction(CORPUS, 100_000, y, r), (500, 4500))
        for y in (20_000, 90_000)
        for r in (0.3, 0.8)
    ]
    weights = [0.75 * 0.5, 0.75 * 0.5, 0.25 * 0.5, 0.25 * 0.5]
    together = plan_sample(
        TWO_SIDED,
        make_prediction(CORPUS, 100_000, [(20_000, 3), (90_000, 1)], [(0.3, 1), (0.8, 1)]),
        (500, 4500),
    )
    for name in ("expected_width", "expected_low", "expected_high", "width_at_expected_counts"):
        mean = np.dot([getattr(one, name) for one in alone], weights)
        assert getattr(together, name) == pytest.approx(mean, abs=5e-4), name


def test_range_matches_many_values():
    """Five points against two hundred."""
    values = np.linspace(0.3, 0.8, 401)[1::2]
    fine = make_prediction(CORPUS, 100_000, 50_000, [(value, 1) for value in values.tolist()])
    coarse = make_prediction(CORPUS, 100_000, 50_000, (0.3, 0.8))
    found = [plan_sample(TWO_SIDED, one, (500, 4500)) for one in (coarse, fine)]
    assert found[0].expected_width == pytest.approx(found[1].expected_width, abs=2e-4)
    assert found[0].expected_low == pytest.approx(found[1].expected_low, abs=2e-4)


def figure_15(size, **more):
    splits = [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98, 0.999, 0.9998]
    return planning.widths_by_split(
        splits,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size,
        recall=0.5,
        budget=5000,
        **more,
    )


def test_figure_15_width_by_yield_and_split():
    best, split, spread = {}, {}, {}
    for size in (5_000, 50_000, 500_000):
        curve = figure_15(size, cap_at_one=False)[:7]  # up to 70 % for the retrieved segment
        least = min(curve, key=lambda one: one.width_at_expected_counts)
        best[size], split[size] = least.width_at_expected_counts, least.split
        spread[size] = max(one.width_at_expected_counts for one in curve) - best[size]
    # narrower for a higher yield; with a lower one more goes to the unretrieved segment
    assert best[500_000] < 0.08 < 0.2 < best[50_000] < 0.21 < 0.55 < best[5_000]
    assert split[5_000] <= split[50_000] < split[500_000] == 0.2
    # and not too sensitive to allocation at the highest
    assert spread[500_000] < 0.08 < spread[50_000] < spread[5_000]


def test_cap_at_one_removes_the_anomaly_of_figure_15():
    drawn_as_printed = [one.width_at_expected_counts for one in figure_15(5_000, cap_at_one=False)]
    assert drawn_as_printed[-1] < drawn_as_printed[-2] < drawn_as_printed[-3]
    assert drawn_as_printed[-1] < 0.57  # near the best, of some 0.554
    capped = figure_15(5_000)
    for name in ("width_at_expected_counts", "expected_width"):
        widths = [getattr(one, name) for one in capped]
        least = widths.index(min(widths))
        assert widths[least:] == sorted(widths[least:]), name
        assert capped[least].split < 0.1


def test_small_budget_without_cap_at_one_is_misallocated():
    question = {"corpus_size": CORPUS, "retrieved_size": 5_000, "n_relevant": 5_000, "recall": 0.5}
    anomalous = plan_recall(**question, budget=1_000, cap_at_one=False).best
    assert anomalous.unretrieved_sample == 1
    assert anomalous.expected_low < 0.001
    honest = plan_recall(**question, budget=1_000).best
    assert honest.split < 0.1
    assert honest.expected_width > anomalous.expected_width


@pytest.mark.slow
def test_figure_16_split_of_a_fifth_is_near_the_best():
    """Retrieved set of 500,000; three levels of precision by three of recall."""
    cost = {}
    for precision in (0.25, 0.5, 0.75):
        for recall in (0.25, 0.5, 0.75):
            plan = plan_recall(
                corpus_size=CORPUS,
                retrieved_size=500_000,
                n_relevant=500_000 * precision / recall,
                recall=recall,
                budget=5000,
            )
            widths = {round(one.split, 2): one.expected_width for one in plan.curve}
            best = plan.best.expected_width
            cost[precision, recall] = (
                best,
                widths[0.2] - best,
                widths[0.5] / best,
                plan.best.split,
            )
    assert max(more for _, more, _, _ in cost.values()) < 0.004
    # high precision and low recall: narrow; the opposite: wide, and more for the unretrieved
    assert cost[0.75, 0.25][0] < 0.025 < 0.12 < cost[0.25, 0.75][0]
    assert cost[0.25, 0.75][3] < cost[0.25, 0.25][3]
    # more for the retrieved risks a substantially wider interval
    assert max(ratio for _, _, ratio, _ in cost.values()) > 1.25


def figure_17(size, method, budgets, **more):
    found = planning.widths_by_budget(
        budgets,
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size,
        recall=0.5,
        method=method,
        criterion="expected-counts",
        **more,
    )
    return [one.width_at_expected_counts for one in found]


def test_figure_17_normal_width_falls_with_the_square_root():
    budgets = [100, 400, 1600, 6400]
    for size in (5_000, 50_000, 500_000):
        widths = figure_17(size, "normal", budgets)
        for wide, narrow in pairwise(widths):
            assert wide / narrow == pytest.approx(2, rel=0.02)
    assert figure_17(5_000, "normal", [100])[0] > 1


def test_figure_17_posterior_matches_normal_for_large_yields():
    normal, posterior = (
        figure_17(500_000, method, [1000, 10_000]) for method in ("normal", "beta-binomial")
    )
    assert posterior == pytest.approx(normal, rel=0.02)
    normal, posterior = (
        figure_17(5_000, method, [1000, 4000]) for method in ("normal", "beta-binomial")
    )
    assert all(one < other for one, other in zip(posterior, normal, strict=True))
    assert posterior[0] / posterior[1] < 1.6  # slower than the root of four


@pytest.mark.parametrize("size", [50_000, 500_000])
def test_best_split_matches_neyman_allocation_for_large_samples(size):
    """n1 : n0 as the roots of (1 - p) / p: a textbook's rule for a ratio of two yields."""
    p1, p0 = 0.5, 0.5 * size / (CORPUS - size)
    odds = math.sqrt((1 - p1) / p1), math.sqrt((1 - p0) / p0)
    plan = plan_recall(
        corpus_size=CORPUS,
        retrieved_size=size,
        n_relevant=size,
        recall=0.5,
        budget=20_000,
        method="normal",
    )
    assert plan.best.split == pytest.approx(odds[0] / sum(odds), rel=0.1)
    posterior = plan_recall(
        corpus_size=CORPUS, retrieved_size=size, n_relevant=size, recall=0.5, budget=20_000
    )
    assert posterior.best.split == pytest.approx(plan.best.split, rel=0.2)


def test_best_split_and_good_range():
    question = {"corpus_size": 50_000, "retrieved_size": 4_000, "n_relevant": 3_000, "recall": 0.7}
    plan = plan_recall(**question, budget=1_000)
    splits = np.arange(1, 100) / 100
    curve = planning.widths_by_split(splits, budget=1_000, **question)
    least = min(one.expected_width for one in curve)
    assert plan.best.expected_width <= least * 1.0005
    assert plan.sample is plan.best
    inside = [one for one in curve if plan.good_from <= one.retrieved_sample <= plan.good_to]
    outside = [
        one
        for one in curve
        if one.retrieved_sample < 0.8 * plan.good_from or one.retrieved_sample > 1.2 * plan.good_to
    ]
    assert all(one.expected_width < 1.06 * least for one in inside)
    assert all(one.expected_width > 1.045 * least for one in outside)
    assert len(inside) > 10 < len(outside)


def test_ranges_of_guesses_change_the_best_split():
    """Either relevant documents are rare outside, or they are not (section 5.1)."""
    question = {
        "corpus_size": CORPUS,
        "retrieved_size": 500_000,
        "budget": 5_000,
        "n_relevant": 250_000,
    }
    sure = [plan_recall(**question, recall=recall).best for recall in (0.2, 0.95)]
    unsure = plan_recall(**question, recall=[(0.2, 1), (0.95, 1)])
    assert sure[1].split < unsure.best.split < sure[0].split
    for other in sure:
        width = plan_recall(
            **question, recall=[(0.2, 1), (0.95, 1)], split=other.split
        ).sample.expected_width
        assert width > unsure.best.expected_width


def test_given_split_and_sizes_are_used():
    question = {"corpus_size": 50_000, "retrieved_size": 4_000, "n_relevant": 3_000, "recall": 0.7}
    by_split = plan_recall(**question, budget=1_000, split=0.5)
    by_sizes = plan_recall(**question, retrieved_sample=500, unretrieved_sample=500)
    assert by_split.sample == by_sizes.sample
    assert by_split.sample.retrieved_sample == 500
    assert by_split.best.expected_width < by_split.sample.expected_width


def test_full_assessment_has_zero_width():
    plan = plan_recall(corpus_size=300, retrieved_size=40, n_relevant=30, recall=0.6, budget=300)
    assert plan.sample.expected_width == 0
    assert plan.sample.expected_low == pytest.approx(0.6)
    assert (plan.sample.retrieved_sample, plan.sample.unretrieved_sample) == (40, 260)


@pytest.mark.slow
def test_budget_for_a_width_is_the_smallest():
    """4,000 drawn samples; a mean width more than 4 standard errors off would be 1 in 30,000."""
    rng = np.random.default_rng(20_133)
    question = {
        "corpus_size": 200_000,
        "retrieved_size": 20_000,
        "n_relevant": 15_000,
        "recall": 0.6,
    }
    plan = plan_recall(**question, interval_width=0.1)
    prediction = make_prediction(200_000, 20_000, 15_000, 0.6)

    def mean_width(share):
        sampled = tuple(
            round(share * n) for n in (plan.sample.retrieved_sample, plan.sample.unretrieved_sample)
        )
        low, high = simulate_ends(
            TWO_SIDED, prediction, sampled, draw_samples(rng, prediction, sampled, 4000)
        )
        return np.mean(high - low), np.std(high - low) / math.sqrt(4000)

    mean, error = mean_width(1)
    assert mean < 0.1 + 4 * error
    mean, error = mean_width(0.95)
    assert mean > 0.1 + 4 * error
    # at another split as many assessments do not reach it either
    other = plan_recall(**question, budget=plan.sample.budget, split=0.5)
    assert other.sample.expected_width > 0.11


@pytest.mark.slow
def test_budget_for_a_recall_is_the_smallest():
    """10,000 drawn samples; 4 standard deviations: a false alarm in 30,000."""
    rng = np.random.default_rng(20_134)
    question = {"corpus_size": 100_000, "retrieved_size": 8_000, "prevalence": 0.05, "recall": 0.85}
    plan = plan_recall(**question, recall_at_least=0.75, assurance=0.9)
    assert plan.alternative == "greater"
    assert plan.assurance == pytest.approx(0.9, abs=0.01)
    prediction = make_prediction(100_000, 8_000, 5_000, 0.85)
    chances = []
    for share in (1, 0.8):
        sampled = (
            round(share * plan.sample.retrieved_sample),
            round(share * plan.sample.unretrieved_sample),
        )
        low, _ = simulate_ends(
            FROM_BELOW, prediction, sampled, draw_samples(rng, prediction, sampled, 10_000)
        )
        chances.append(np.mean(low >= 0.75))
    reach = 4 * math.sqrt(0.9 * 0.1 / 10_000)
    assert chances[0] > 0.9 - reach
    assert chances[1] < 0.9 - reach


@pytest.mark.slow
def test_without_assurance_the_expected_lower_end_reaches_recall():
    question = {
        "corpus_size": 100_000,
        "retrieved_size": 8_000,
        "n_relevant": 5_000,
        "recall": 0.85,
    }
    plan = plan_recall(**question, recall_at_least=0.75, assurance=None)
    assert plan.sample.expected_low == pytest.approx(0.75, abs=0.002)
    sure = plan_recall(**question, recall_at_least=0.75)
    assert sure.sample.budget > 1.2 * plan.sample.budget


def test_budget_and_recall_give_the_assurance():
    plan = plan_recall(
        corpus_size=100_000, retrieved_size=8_000, n_relevant=5_000, recall=0.85, budget=1_000,
        recall_at_least=0.75,
    )  # fmt: skip
    assert plan.sample.budget == 1_000
    assert 0.4 < plan.assurance < 0.8


def test_impossible_target_is_rejected():
    question = {"corpus_size": 2_000, "retrieved_size": 300, "n_relevant": 200}
    with pytest.raises(
        errors.DataError, match=r"at least 0\.75 if recall is guessed to be at most 0\.7$"
    ):
        plan_recall(**question, recall=0.7, recall_at_least=0.75)
    with pytest.raises(
        DataError,
        match=r"at least 0\.75 with a probability of 0\.8 cannot be reached, even with all 2,000",
    ):
        plan_recall(**question, recall=(0.5, 0.9), recall_at_least=0.75)


def test_rest_after_a_pilot_goes_to_the_uncertain_segment():
    pilot = ((100, 50), (100, 1))
    plan = plan_recall(corpus_size=100_000, retrieved_size=8_000, pilot=pilot, budget=2_000)
    assert plan.pilot == pilot
    assert plan.sample.retrieved_sample >= 100 <= plan.sample.unretrieved_sample
    assert plan.sample.split < 0.2  # the pilot's was one half
    assert plan.two_phase_width == plan.sample.expected_width < 0.9 * plan.one_phase_width


def test_expected_width_after_a_pilot_matches_simulation():
    """Yields from the posterior, then samples. False-alarm rate 1e-5."""
    rng = np.random.default_rng(20_135)
    plan = plan_recall(
        corpus_size=20_000, retrieved_size=1_000, pilot=((20, 10), (80, 1)), budget=300
    )
    size, sampled = (1_000, 19_000), (plan.sample.retrieved_sample, plan.sample.unretrieved_sample)
    counts = []
    for k, (n, r) in enumerate(plan.pilot):
        share = rng.beta(0.5 + r, 0.5 + n - r, 20_000)
        left = rng.binomial(size[k] - n, share)
        counts.append(r + rng.hypergeometric(left, size[k] - n - left, sampled[k] - n))
    distinct, places = np.unique(np.stack(counts, -1).astype(float), axis=0, return_inverse=True)
    low, high = interval_ends(TWO_SIDED, size, sampled, distinct)
    seen = (high - low)[places.ravel()]
    error = seen.std(ddof=1) / math.sqrt(len(seen))
    assert abs(plan.sample.expected_width - seen.mean()) < 4.42 * error
    # negative control: what the pilot found is not what will be found
    assert abs(plan.sample.width_at_expected_counts - seen.mean()) > 4.42 * error


def test_planned_pilot_gains_for_wide_guesses_only():
    question = {
        "corpus_size": CORPUS,
        "retrieved_size": 200_000,
        "budget": 5_000,
        "pilot_fraction": 0.2,
    }
    wide = plan_recall(
        **question, n_relevant=[(5_000, 1), (200_000, 1)], recall=[(0.1, 1), (0.95, 1)]
    )
    assert wide.two_phase_width < 0.99 * wide.one_phase_width
    sharp = plan_recall(**question, n_relevant=50_000, recall=0.5)
    assert sharp.two_phase_width == pytest.approx(sharp.one_phase_width, rel=0.005)
    assert sum(sharp.pilot_sample) == 1_000


def test_two_phase_width_matches_simulation():
    """Pilot, reallocation and rest, drawn 4,000 times. False-alarm rate 1e-5, and 0.0005 allowed
    for the few points that stand for the samples."""
    rng = np.random.default_rng(20_136)
    prediction, pilot, budget = make_prediction(100_000, 10_000, 6_000, 0.7), (60, 140), 1_000
    of = prediction.guesses.relevant[0].astype(int)
    first = draw_samples(rng, prediction, pilot, 4000)
    by_size: dict[tuple[int, int], list[list[int]]] = {}
    for seen in first:
        sampled = recall_phases.reallocate(TWO_SIDED, prediction.segment_sizes, pilot, seen, budget)
        more = [
            int(seen[k])
            + rng.hypergeometric(
                of[k] - int(seen[k]),
                prediction.segment_sizes[k] - pilot[k] - of[k] + int(seen[k]),
                sampled[k] - pilot[k],
            )
            for k in (0, 1)
        ]
        by_size.setdefault(sampled, []).append(more)
    widths = []
    for sampled, counts in by_size.items():
        low, high = simulate_ends(TWO_SIDED, prediction, sampled, np.array(counts, dtype=float))
        widths += (high - low).tolist()
    found = recall_phases.two_phase_width(TWO_SIDED, prediction, pilot, budget)
    error = np.std(widths) / math.sqrt(len(widths))
    assert abs(found - np.mean(widths)) < 4.42 * error + 0.0005


GOOD = {"corpus_size": 1000, "retrieved_size": 100, "n_relevant": 80, "recall": 0.5, "budget": 200}


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"retrieved_size": 1000}, errors.DataError,
         "retrieved_size must be less than the corpus_size of 1,000; got 1,000"),
        ({"retrieved_size": 30}, errors.DataError,
         "n_relevant 80 at a recall of 0.5 means 40 relevant documents in the retrieved set, "
         "which has 30"),
        ({"retrieved_size": 950, "n_relevant": 900}, errors.DataError,
         "n_relevant 900 at a recall of 0.5 means 450 relevant documents outside the retrieved "
         "set, where there are 50"),
        ({"recall": (0.2, 0.9), "n_relevant": (50, 120)}, errors.DataError,
         "n_relevant 120 at a recall of 0.9 means 108 relevant documents in the retrieved set, "
         "which has 100; every n_relevant is combined with every recall: lower the upper end of "
         "n_relevant or of recall"),
        ({"recall": (0.2, 0.9), "n_relevant": 120}, errors.DataError,
         "with every recall: lower the upper end of recall"),
        ({"recall": (0.2, 0.9), "n_relevant": (60, 110), "retrieved_size": 930}, errors.DataError,
         "88 relevant documents outside the retrieved set, where there are 70; every n_relevant is "
         "combined with every recall: lower the upper end of n_relevant or raise the lower end of "
         "recall"),
        ({"budget": 1001}, errors.DataError,
         "budget must be at most the corpus_size of 1,000; got 1,001"),
        ({"budget": 1}, errors.ParameterError,
         "budget must be an integer of at least 2; got 1"),
        ({"budget": None}, errors.ParameterError, "needs budget, interval_width or recall_at"),
        ({"recall": 1.2}, errors.ParameterError, "recall must be between 0 and 1; got 1.2"),
        ({"recall": 85}, errors.ParameterError,
         "recall must be between 0 and 1; got 85, did you mean 0.85?"),
        ({"recall": (30, 80)}, errors.ParameterError, "(30, 80), did you mean 0.3 to 0.8?"),
        ({"recall": None}, errors.ParameterError, "needs recall: a guess, such as 0.5"),
        ({"recall": (0.8, 0.3)}, errors.ParameterError, "its lower end first; got (0.8, 0.3)"),
        ({"recall": "half"}, errors.ParameterError, "recall must be a number, a (low, high)"),
        ({"recall": [(0.5, -1), (0.4, 2)]}, errors.ParameterError, "weights must be at least 0"),
        ({"recall": math.nan}, errors.ParameterError, "recall must be between 0 and 1; got nan"),
        ({"n_relevant": 0}, errors.ParameterError, "n_relevant must be between 1 and 1,0"),
        ({"prevalence": 0.1}, errors.ParameterError, "are two forms of one guess; give one"),
        ({"n_relevant": None}, errors.ParameterError, "needs n_relevant or prevalence"),
        ({"n_relevant": None, "prevalence": 0.0005}, errors.ParameterError,
         "prevalence: fewer than one relevant document among 1,000; got 0.0005"),
        ({"split": 20}, errors.ParameterError, "split must be a fraction between 0 and 1; got"),
        ({"interval_width": 0.1}, errors.ParameterError, "interval_width determines the budget"),
        ({"interval_width": 10, "budget": None}, errors.ParameterError,
         "width must be a fraction between 0 and 1, from the lower end to the upper one; got 10"),
        ({"pilot_fraction": 50}, errors.ParameterError,
         "pilot_fraction must be a fraction between 0 and 1, of the budget; got 50"),
        ({"pilot_fraction": "half"}, errors.ParameterError, "of the budget; got 'half'"),
        ({"retrieved_sample": 10}, errors.ParameterError, "or budget and split, not both"),
        ({"retrieved_sample": 200, "unretrieved_sample": 9, "budget": None}, errors.DataError,
         "retrieved_sample: 200 is more than the 100 the retrieved set has"),
        ({"unretrieved_sample": 9, "budget": None}, ParameterError,
         "unretrieved_sample needs retrieved_sample too"),
        ({"retrieved_sample": 9, "budget": None}, ParameterError,
         "retrieved_sample needs unretrieved_sample too"),
        ({"recall_at_least": 0.3, "alternative": "less"}, ParameterError,
         "recall_at_least needs a lower end"),
        ({"assurance": 80}, ParameterError, "did you mean 0.8?"),
        ({"assurance": 0.9}, ParameterError,
         "assurance needs recall_at_least too; got only assurance 0.9"),
        ({"confidence_level": 95}, errors.ParameterError, "did you mean 0.95?"),
        ({"method": "koopman"}, errors.ParameterError, "method must be one of 'beta-binomial'"),
        ({"method": "normal", "prior": 0.5}, errors.ParameterError, "prior belongs to method"),
        ({"pilot": ((5, 2), (9, 0))}, errors.ParameterError,
         "a pilot replaces guesses; got n_relevant as well"),
        ({"pilot": ((5, 6), (9, 0)), "n_relevant": None, "recall": None}, errors.DataError,
         "pilot: of 5 assessed retrieved documents, 0 to 5 may be relevant; got 6"),
        ({"pilot": ((5, 2), (0, 0)), "n_relevant": None, "recall": None}, errors.DataError,
         "pilot: at least 1 of the others must be assessed; got 0"),
        ({"pilot": ((101, 2), (9, 0)), "n_relevant": None, "recall": None}, errors.DataError,
         "pilot: 101 assessed, but there are only 100 retrieved documents"),
        ({"pilot": (5, 6), "n_relevant": None, "recall": None}, errors.ParameterError,
         "pilot must be (sampled, relevant) of the retrieved documents and of the others, as in"),
        ({"pilot": ((90, 2), (200, 0)), "n_relevant": None, "recall": None},
         errors.ParameterError,
         "budget must be at least 290, because it includes the documents of the pilot; got 200"),
        ({"pilot": ((9, 2), (20, 0)), "n_relevant": None, "recall": None, "budget": None,
          "retrieved_sample": 8, "unretrieved_sample": 30}, errors.ParameterError,
         "retrieved_sample must be at least 9, because it includes the documents of the pilot"),
        ({"pilot_fraction": 0.2, "budget": None, "interval_width": 0.2}, errors.ParameterError,
         "pilot_fraction needs a budget"),
    ],
)  # fmt: skip
def test_plan_recall_rejects_invalid_options(changed, error, said):
    with pytest.raises(error) as caught:
        plan_recall(**{**GOOD, **changed})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_width_curves_reject_invalid_options():
    question = {key: value for key, value in GOOD.items() if key != "budget"}
    with pytest.raises(ParameterError, match="budgets must be one or more"):
        planning.widths_by_budget([], **question)
    with pytest.raises(ParameterError, match="criterion must be one of 'expected-width'"):
        planning.widths_by_budget([10], **question, criterion="width")
    with pytest.raises(ParameterError, match="splits must be a fraction"):
        planning.widths_by_split([20], **GOOD)


@pytest.mark.parametrize("method", ["normal", "laplace", "agresti-coull", "beta-binomial"])
def test_plans_of_extreme_guesses(method):
    """Few relevant documents, all or none of them retrieved, one or nearly all assessed."""
    for recall in (0, 1, 0.5):
        for budget in (2, 30, 199):
            plan = plan_recall(
                corpus_size=200,
                retrieved_size=20,
                n_relevant=4,
                recall=recall,
                budget=budget,
                method=method,
            )
            assert plan.sample.budget == budget
            assert not math.isnan(plan.sample.expected_width)


@pytest.mark.parametrize("prior", ["uniform", "most-conservative", (0.3, 2)])
def test_plan_uses_the_prior(prior):
    wide = plan_recall(**GOOD, prior=prior)
    assert wide.sample.expected_width != plan_recall(**GOOD).sample.expected_width
    assert wide.prior is not None


@pytest.mark.slow
def test_wrong_guess_of_the_yield_costs_little():
    """What docs/validation/recall-coverage.md says of it."""

    def cost(retrieved, recall, planned, true):
        question = {"corpus_size": CORPUS, "retrieved_size": retrieved, "recall": recall}
        sample = plan_recall(**question, n_relevant=planned, budget=5_000).sample
        sizes = (sample.retrieved_sample, sample.unretrieved_sample)
        curve = plan_sample(TWO_SIDED, make_prediction(CORPUS, retrieved, true, recall), sizes)
        best = plan_recall(**question, n_relevant=true, budget=5_000).best
        return curve.expected_width / best.expected_width - 1

    assert cost(500_000, 0.3, planned=1_000_000, true=500_000) < 0.01  # precision 0.6 and 0.3
    assert cost(500_000, 0.3, planned=500_000, true=1_000_000) < 0.01
    assert 0.01 < cost(500_000, 0.8, planned=500_000, true=250_000) < 0.02  # 0.8 and 0.4
    assert cost(50_000, 0.5, planned=100_000, true=50_000) == pytest.approx(0.10, abs=0.01)  # 1
    assert cost(50_000, 0.5, planned=50_000, true=100_000) == pytest.approx(0.024, abs=0.002)


def test_plan_records():
    plan = plan_recall(**GOOD)
    (row,) = irbounds.results.records([plan])
    assert row["expected_width"] == plan.sample.expected_width
    assert row["best_retrieved_sample"] == plan.best.retrieved_sample
    assert (row["yield_guess"], row["recall_guess"]) == (80, 0.5)
    plain = (str, int, float, bool, type(None))
    assert {type(value) for value in row.values()} <= set(plain)
    assert irbounds.results.records(plan.curve)[0]["split"] == plan.curve[0].split
