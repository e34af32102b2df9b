"""Samples of the rest where the retrieved set is read in full, against enumeration."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import irbounds
import naive
from irbounds.errors import DataError, ParameterError
from irbounds.planning.recall_exact import largest_yield
from irbounds.planning.recall_plan import plan_recall

TAIL = "1/20"
REVIEW = {"corpus_size": 1175, "retrieved_size": 600, "recall_at_least": 0.95}


def plan_rest(known, rest, missed, recall, **options):
    return plan_recall(
        corpus_size=50 + rest,
        retrieved_size=50,
        retrieved_relevant=known,
        n_relevant=known + missed,
        recall_at_least=recall,
        **options,
    )


@pytest.mark.parametrize("credit_found", [False, True])
def test_sample_is_the_smallest_that_reaches_the_assurance(credit_found):
    """Twenty designs each; every smaller sample is tried."""
    rng = np.random.default_rng(20_230)
    tried = 0
    while tried < 20:
        rest, known = int(rng.integers(5, 40)), int(rng.integers(1, 40))
        missed = int(rng.integers(0, min(rest, known) + 1))
        recall, assurance = float(rng.choice([0.5, 0.7, 0.8, 0.95])), rng.choice([0.5, 0.8, 0.9])
        if known / (known + missed) < recall and not credit_found:
            continue
        tried += 1
        plan = plan_rest(
            known, rest, missed, recall, assurance=assurance, credit_found=credit_found
        )
        n = plan.sample.unretrieved_sample
        chances = [
            naive.rest_assurance(known, rest, missed, size, TAIL, recall, credit_found)
            for size in range(1, n + 1)
        ]
        assert plan.assurance == pytest.approx(chances[-1], abs=1e-9)
        assert chances[-1] >= assurance - 1e-12
        assert all(chance < assurance for chance in chances[:-1])


@pytest.mark.parametrize(
    ("rest", "known", "missed", "recall", "assurance", "credit_found", "smallest"),
    [
        (16, 27, 9, 0.7, 0.47, False, 8),  # the next peak is lower, and a later one is found first
        (43, 31, 25, 0.5, 0.68, False, 20),
        (52, 12, 3, 0.75, 0.5, True, 33),  # not the first that allows one more relevant document
        (40, 1, 1, 0.6, 0.9, True, 36),  # 36 of 40: a probability of exactly 0.9
    ],
)
def test_smallest_sample_where_the_assurance_goes_up_and_down(
    rest, known, missed, recall, assurance, credit_found, smallest
):
    plan = plan_rest(known, rest, missed, recall, assurance=assurance, credit_found=credit_found)
    assert plan.sample.unretrieved_sample == smallest
    chances = [
        naive.rest_assurance(known, rest, missed, size, TAIL, recall, credit_found)
        for size in range(1, smallest + 1)
    ]
    assert [chance >= assurance for chance in chances] == [False] * (smallest - 1) + [True]


def test_review_is_planned_without_reading_retrieved_documents_again():
    """600 of 1,175 documents were screened and 93 are relevant; recall of 0.95 is claimed."""
    plan = plan_recall(**REVIEW, retrieved_relevant=93, recall=0.98)
    assert (plan.method, plan.alternative, plan.credit_found) == ("exact", "greater", False)
    sample = plan.sample
    assert (sample.retrieved_sample, sample.unretrieved_sample) == (600, 466)
    assert (sample.max_relevant, plan.retrieved_relevant) == (2, 93)
    assert plan.assurance == pytest.approx(1)
    assert naive.exact_recall_limit(93, 575, 466, 2, TAIL) >= 0.95
    assert naive.exact_recall_limit(93, 575, 465, 2, TAIL) < 0.95
    # the others allow 0, 1 and 3 relevant documents, and each is the smallest that does
    sizes = {other.max_relevant: other.unretrieved_sample for other in plan.curve}
    assert sizes == {0: 259, 1: 378, 2: 466, 3: 531}
    for most, n in sizes.items():
        assert naive.exact_recall_limit(93, 575, n - 1, most, TAIL) < 0.95
    for other in plan.curve:
        expected = naive.rest_assurance(93, 575, 2, other.unretrieved_sample, TAIL, 0.95)
        assert other.assurance == pytest.approx(expected, abs=1e-9)


def test_review_with_credit_for_the_sample_needs_fewer_documents():
    plan = plan_recall(**REVIEW, retrieved_relevant=93, recall=0.98, credit_found=True)
    assert plan.sample.unretrieved_sample == 344
    expected = naive.rest_assurance(93, 575, 2, 344, TAIL, 0.95, credit_found=True)
    assert plan.assurance == pytest.approx(expected, abs=1e-9)
    assert expected >= 0.8 > naive.rest_assurance(93, 575, 2, 343, TAIL, 0.95, credit_found=True)
    # as the review may end: 350 of the rest with 2 relevant documents show 0.95 of the final set
    assert naive.exact_recall_limit(93, 575, 350, 2, TAIL, credit_found=True) >= 0.95
    assert naive.exact_recall_limit(93, 575, 350, 2, TAIL) < 0.95


def test_credit_may_need_relevant_documents_in_the_sample():
    """Without retrieved relevant documents, a sample that finds none shows nothing."""
    plan = plan_rest(0, 575, 5, 0.3, credit_found=True)
    assert plan.sample.max_relevant is None
    n = plan.sample.unretrieved_sample
    expected = naive.rest_assurance(0, 575, 5, n, TAIL, 0.3, credit_found=True)
    assert plan.assurance == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("guess", [{"recall": 0.98}, {"n_relevant": 95}, {"prevalence": 95 / 1175}])
def test_one_guess_is_enough_for_known_relevant_documents(guess):
    plan = plan_recall(**REVIEW, retrieved_relevant=93, **guess)
    assert plan.sample.unretrieved_sample == 466
    assert float(plan.yield_guess) == pytest.approx(95)
    assert float(plan.recall_guess) == pytest.approx(0.98, abs=0.002)


def test_retrieved_set_can_be_planned_to_be_read_in_full():
    guesses = {"n_relevant": 95, "recall": 0.98}
    for word in ("all", 600):
        plan = plan_recall(**REVIEW, **guesses, retrieved_sample=word)
        assert plan.sample.unretrieved_sample == 466
        assert plan.retrieved_relevant is None
    chosen = plan_recall(**REVIEW, **guesses, retrieved_sample="all", unretrieved_sample=400)
    expected = naive.rest_assurance(93, 575, 2, 400, TAIL, 0.95)
    assert chosen.assurance == pytest.approx(expected, abs=1e-9)
    assert 0.5 < expected < 0.6


def test_several_guesses_have_the_mean_assurance():
    options = {"n_relevant": [(95, 1), (97, 1)], "unretrieved_sample": 480}
    plan = plan_recall(**REVIEW, retrieved_relevant=93, **options)
    expected = [naive.rest_assurance(93, 575, missed, 480, TAIL, 0.95) for missed in (2, 4)]
    assert plan.assurance == pytest.approx(np.mean(expected), abs=1e-9)
    # with other retrieved relevant documents, a sample is found too
    before = plan_recall(
        **REVIEW, n_relevant=[(95, 1), (190, 1)], recall=0.98, retrieved_sample="all"
    )
    assert before.assurance >= 0.8
    assert before.sample.max_relevant is None


def test_samples_of_a_large_rest_have_the_simulated_assurance():
    """False-alarm rate 1e-5, by the binomial's standard deviation."""
    plan = plan_recall(
        corpus_size=1_000_000,
        retrieved_size=50_000,
        retrieved_relevant=5_000,
        n_relevant=5_882,
        recall_at_least=0.75,
    )
    n, most = plan.sample.unretrieved_sample, plan.sample.max_relevant
    rng = np.random.default_rng(20_231)
    counts = rng.hypergeometric(882, 950_000 - 882, n, 100_000)
    reach = 4.42 * np.sqrt(plan.assurance * (1 - plan.assurance) / 100_000)
    assert abs(np.mean(counts <= most) - plan.assurance) < reach
    assert 0.8 <= plan.assurance < 0.83


def test_posterior_of_a_retrieved_set_read_in_full():
    """The sample with one document less misses the assurance, by intervals of ``recall``."""
    plan = plan_recall(**REVIEW, retrieved_relevant=93, recall=0.98, method="beta-binomial")
    n, most = plan.sample.unretrieved_sample, plan.sample.max_relevant

    def lower_limit(sampled, relevant):
        return irbounds.recall_interval(
            retrieved=(600, 600, 93),
            unretrieved=(575, sampled, relevant),
            alternative="greater",
        ).interval.low

    assert (n, most) == (451, 2)
    assert lower_limit(n, most) >= 0.95 > lower_limit(n - 1, most)
    assert lower_limit(n, most + 1) < 0.95


def test_width_and_expected_limit_of_a_retrieved_set_read_in_full():
    question = {"corpus_size": 1175, "retrieved_size": 600, "retrieved_relevant": 93}
    plan = plan_recall(**question, recall=0.98, interval_width=0.05)
    assert plan.method == "beta-binomial"
    n = plan.sample.unretrieved_sample
    smaller = plan_recall(**question, recall=0.98, unretrieved_sample=n - 1)
    assert plan.sample.expected_width <= 0.05 < smaller.sample.expected_width
    claim = {**question, "recall": 0.98, "recall_at_least": 0.95}
    expected = plan_recall(**claim, assurance=None).sample
    smaller = plan_recall(**claim, unretrieved_sample=expected.unretrieved_sample - 1).sample
    assert expected.expected_low >= 0.95 > smaller.expected_low


def test_pilot_of_the_rest_is_continued():
    """No document of the retrieved set is asked for, and those of the pilot count."""
    options = {"corpus_size": 1175, "retrieved_size": 600, "pilot": ((600, 93), (350, 2))}
    plan = plan_recall(**options, recall_at_least=0.95, assurance=0.5)
    assert plan.method == "exact"
    assert (plan.sample.retrieved_sample, plan.sample.unretrieved_sample) == (600, 531)
    assert plan.one_phase_width is None
    shorter = plan_recall(**options, recall_at_least=0.95, assurance=0.5, method="beta-binomial")
    assert shorter.sample.unretrieved_sample == 451
    assert plan_recall(**options, interval_width=0.05).method == "beta-binomial"
    with pytest.raises(DataError, match="cannot be reached, even with all 575 other documents"):
        plan_recall(**options, recall_at_least=0.95, assurance=0.9)


@pytest.mark.parametrize("credit_found", [False, True])
def test_sample_after_a_pilot_is_the_smallest_by_exact_limits(credit_found):
    """Ten designs each; the counts are those of the posterior, the verdict is enumerated."""
    rng = np.random.default_rng(9)
    tried = 0
    while tried < 10:
        rest, known = int(rng.integers(12, 30)), int(rng.integers(5, 40))
        done = int(rng.integers(2, rest // 2))
        found = int(rng.integers(0, 2))
        recall, assurance = (
            float(rng.choice([0.5, 0.7, 0.8])),
            float(rng.choice([0.31, 0.52, 0.73])),
        )
        pilot = ((50, known), (done, found))
        chances = [
            sum(
                mass
                for k, mass in enumerate(naive.counts_after_pilot(rest, done, found, n - done))
                if naive.exact_recall_limit(known, rest, n, found + k, TAIL, credit_found) >= recall
            )
            for n in range(done, rest + 1)
        ]
        if max(chances) < assurance or chances[0] >= assurance:
            continue
        tried += 1
        plan = plan_recall(
            corpus_size=50 + rest, retrieved_size=50, pilot=pilot, recall_at_least=recall,
            assurance=assurance, credit_found=credit_found,
        )  # fmt: skip
        more = plan.sample.unretrieved_sample - done
        assert plan.assurance == pytest.approx(chances[more], abs=1e-9)
        assert chances[more] >= assurance
        assert all(chance < assurance for chance in chances[:more])


def test_plan_after_a_pilot_agrees_with_the_verdict_on_the_larger_sample():
    (plan,) = irbounds.plan_recall(
        retrieved=(5000, "all", 1000), unretrieved=(95_000, 1500, 0), recall_at_least=0.9
    )
    n, most = plan.sample.unretrieved_sample, plan.sample.max_relevant

    def judge(sampled, relevant):
        estimates = irbounds.recall(
            retrieved=(5000, "all", 1000), unretrieved=(95_000, sampled, relevant), at_least=0.9
        )
        return next(row.is_shown for row in estimates if row.quantity == "recall")

    assert (n, most) == (3956, 1)
    assert judge(n, most)
    assert not judge(n, most + 1)
    assert not judge(n - 1, most)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"retrieved_relevant": 93}, ParameterError, "give one guess, n_relevant"),
        ({"retrieved_relevant": 93, "recall": 0.98, "n_relevant": 95}, ParameterError, "one guess"),
        ({"retrieved_relevant": 601, "recall": 0.98}, DataError, "may be relevant; got 601"),
        ({"retrieved_relevant": 93, "n_relevant": 92}, DataError, "at least 93, the relevant"),
        ({"retrieved_relevant": 93, "n_relevant": 700}, DataError, "607 relevant documents out"),
        ({"retrieved_relevant": 0, "recall": 0.9}, DataError, "does not determine how many"),
        ({"retrieved_relevant": 3, "recall": 0.9}, DataError, "cannot have a recall of 0.9"),
        ({"retrieved_relevant": 93, "recall": 0.9}, DataError, "at most 0.902"),
        ({"retrieved_relevant": 93, "recall": 0.98, "split": 0.5}, ParameterError, "leave out spl"),
        ({"retrieved_relevant": 93, "recall": 0.98, "retrieved_sample": 90}, ParameterError,
         "must be 'all' or 600"),
        ({"retrieved_relevant": 93, "recall": 0.98, "budget": 500}, ParameterError,
         "budget must be above 600"),
        ({"retrieved_relevant": 93, "recall": 0.98, "control_set": True}, ParameterError,
         "leave out split, pilot_fraction and control_set"),
        ({"n_relevant": 95, "recall": 0.98, "method": "exact"}, ParameterError,
         "method 'exact' is planned for a retrieved set that is read in full"),
        ({"n_relevant": 95, "recall": 0.98, "credit_found": True}, ParameterError,
         "credit_found needs a retrieved set that is read in full"),
        ({"pilot": ((599, 93), (50, 0)), "method": "exact"}, ParameterError,
         "method 'exact' is planned for a retrieved set that is read in full"),
        ({"pilot": 5, "method": "exact"}, ParameterError, "method 'exact' is planned for a retr"),
    ],
)  # fmt: skip
def test_invalid_plans_of_a_rest_are_rejected(options, error, message):
    with pytest.raises(error) as caught:
        plan_recall(**REVIEW, **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_exact_lower_limits_are_guaranteed():
    """At most 5 % of samples have a limit above the true recall, in every small design."""
    for rest in (3, 8, 15):
        for n in range(1, rest + 1):
            for missed in range(rest + 1):
                is_wrong = [
                    naive.hypergeometric_mass(k, rest, missed, n)
                    for k in range(max(0, n + missed - rest), min(n, missed) + 1)
                    if largest_yield(k, rest, n, 0.05) < missed
                ]
                assert sum(is_wrong) <= Fraction("1/20")


def test_recall_that_equals_the_claim_needs_the_whole_rest():
    plan = plan_recall(
        corpus_size=200, retrieved_size=100, retrieved_relevant=95, n_relevant=100,
        recall_at_least=0.95,
    )  # fmt: skip
    assert (plan.sample.unretrieved_sample, plan.assurance) == (100, 1)


def test_control_set_has_the_split_of_the_corpus():
    question = {"corpus_size": 100_000, "retrieved_size": 8_000, "n_relevant": 5_000}
    plan = plan_recall(**question, recall=0.85, budget=1_000, control_set=True)
    assert (plan.sample.retrieved_sample, plan.sample.unretrieved_sample) == (80, 920)
    assert plan.is_control_set
    target = plan_recall(**question, recall=0.85, recall_at_least=0.75, control_set=True)
    assert target.assurance >= 0.8
    assert target.sample.split == pytest.approx(0.08, abs=0.001)
    with pytest.raises(ParameterError, match="control_set is one sample of the whole corpus"):
        plan_recall(**question, recall=0.85, budget=1_000, split=0.2, control_set=True)
