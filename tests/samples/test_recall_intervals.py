"""The public functions: results, errors, and warnings about unusual samples."""

from __future__ import annotations

import math
import warnings
from dataclasses import FrozenInstanceError

import pytest

from irbounds.errors import DataError, DegenerateSampleWarning, ParameterError
from irbounds.samples import Stratum
from irbounds.samples.priors import parse_prior
from irbounds.samples.recall_intervals import ALL_METHODS
from recall_calls import estimate_all, estimate_recall, segments

SEGMENTS = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 100, 3)}
STRATA = (
    Stratum("top", True, 500, 50, 40),
    Stratum("middle", True, 1500, 60, 20),
    Stratum("rest", False, 80_000, 200, 2),
    Stratum("discarded", False, 20_000, 40, 0),
)


def estimate(quantity, strata=None, **options):
    (result,) = estimate_all(strata, quantity=quantity, **options)
    return result


RECALL_METHODS = (
    "naive-binomial",
    "normal",
    "normal-official",
    "laplace",
    "agresti-coull",
    "koopman",
    "beta-jeffreys",
    "beta-binomial",
)


def test_estimate_records_its_options():
    found = estimate_recall(**SEGMENTS, prior="uniform", confidence_level=0.9)
    assert found.quantity == "recall"
    assert found.value == 0.25
    assert [one.name for one in found.strata] == ["retrieved", "unretrieved"]
    assert found.prior == "uniform"
    assert found.interval.method == "beta-binomial"
    assert found.interval.confidence_level == 0.9
    assert found.posterior is not None
    with pytest.raises(FrozenInstanceError):
        found.value = 1.0


@pytest.mark.parametrize("method", RECALL_METHODS)
def test_at_another_level_matches_a_new_interval(method):
    found = estimate_recall(**SEGMENTS, method=method)
    for level, side in ((0.5, "two-sided"), (0.8, "less"), (0.99, "greater")):
        fresh = estimate_recall(**SEGMENTS, method=method, confidence_level=level, alternative=side)
        assert found.at(level, side).interval == fresh.interval


@pytest.mark.parametrize("method", RECALL_METHODS)
def test_one_sided_limit_is_an_end_of_a_two_sided_interval(method):
    two_sided = estimate_recall(**SEGMENTS, method=method, confidence_level=0.9).interval
    lower = estimate_recall(**SEGMENTS, method=method, alternative="greater").interval
    upper = estimate_recall(**SEGMENTS, method=method, alternative="less").interval
    assert (lower.low, lower.high) == (pytest.approx(two_sided.low), 1.0)
    assert (upper.low, upper.high) == (0.0, pytest.approx(two_sided.high))


def test_segments_match_strata():
    strata = (Stratum("a", True, 2000, 100, 50), Stratum("b", False, 100_000, 100, 3))
    for method in RECALL_METHODS:
        by_strata = estimate_recall(strata, method=method).interval
        assert by_strata == estimate_recall(**SEGMENTS, method=method).interval


def test_all_recall_intervals_has_nine_methods():
    found = estimate_all(**SEGMENTS, all_methods=True)
    names = [(one.interval.method, one.prior) for one in found]
    assert names == list(ALL_METHODS)
    for one, (method, prior) in zip(found, ALL_METHODS, strict=True):
        assert one.interval == estimate_recall(**SEGMENTS, method=method, prior=prior).interval


def test_koopman_rejects_strata_with_a_warning_among_all_methods():
    with pytest.raises(DataError, match="strat"):
        estimate_recall(STRATA, method="koopman")
    with pytest.warns(DegenerateSampleWarning, match="koopman"):
        found = estimate_all(STRATA, all_methods=True)
    refused = [one.interval.method for one in found if math.isnan(one.interval.low)]
    assert refused == ["koopman"]


def test_sample_estimates_have_every_quantity():
    found = estimate_all(STRATA)
    assert found[0].interval == estimate_recall(STRATA).interval
    assert [one.quantity for one in found] == [
        "recall", "precision", "F1", "yield", "prevalence", "elusion",
    ]  # fmt: skip
    for one in found:
        assert one.interval.low <= one.value <= one.interval.high
    assert found[3].bounds == (0.0, 102_000.0)


def test_quantities_that_a_method_does_not_provide():
    found = estimate_all(**SEGMENTS, method="koopman")
    assert [one.quantity for one in found] == ["recall"]
    with pytest.raises(ParameterError, match="'koopman' provides recall, not precision, yield"):
        estimate_all(**SEGMENTS, method="koopman", quantity=["precision", "yield"])
    with pytest.raises(ParameterError, match=r"method must be one of .*'foo'"):
        estimate_all(**SEGMENTS, method="foo")
    with pytest.raises(ParameterError, match="quantity must be one of recall"):
        estimate_all(**SEGMENTS, quantity=["accuracy"])


def test_f_uses_the_joint_posterior_of_recall_and_precision():
    """Independent recall and precision would give another interval: here a wider one."""
    joint = estimate("F", retrieved=(400, 30, 15), unretrieved=(5000, 900, 9)).interval
    import numpy as np

    from irbounds.samples.counts import make_counts
    from irbounds.samples.posterior import draw_yields

    counts = make_counts(segments((400, 30, 15), (5000, 900, 9)))
    first, rest = draw_yields(counts, parse_prior(None), 400_000, seed=1)
    other, _ = draw_yields(counts, parse_prior(None), 400_000, seed=2)

    def f(recall, precision):
        return np.quantile(2 * recall * precision / (recall + precision), [0.025, 0.975])

    together = f(first / (first + rest), first / 400)
    apart = f(first / (first + rest), other / 400)
    assert together == pytest.approx([joint.low, joint.high], abs=0.004)  # 5 standard errors
    assert abs(apart - together).max() > 0.01


def test_monte_carlo_converges_to_the_computed_interval():
    """A limit from 10^6 draws is off by some 5e-4 (one standard error); 6e-3 leaves 1 in 10^30."""
    exact = estimate_recall(STRATA)
    drawn = estimate_recall(STRATA, method="monte-carlo", n_draws=10**6, seed=3)
    assert drawn.interval.low == pytest.approx(exact.interval.low, abs=0.006)
    assert drawn.interval.high == pytest.approx(exact.interval.high, abs=0.006)
    assert (drawn.seed, drawn.n_draws, drawn.posterior) == (3, 10**6, None)
    first, second = (
        estimate_recall(STRATA, method="monte-carlo", n_draws=1000, seed=3) for _ in range(2)
    )
    assert first.interval == second.interval


DEGENERATE = {
    "no unretrieved document": ((50, 20, 10), (0, 0, 0)),
    "no retrieved document": ((0, 0, 0), (50, 20, 10)),
    "one sampled": ((50, 1, 1), (500, 1, 0)),
    "all sampled": ((50, 50, 10), (60, 60, 5)),
    "none relevant in one": ((50, 20, 10), (500, 40, 0)),
    "none relevant in the other": ((50, 20, 0), (500, 40, 3)),
    "none relevant at all": ((50, 20, 0), (500, 40, 0)),
    "all relevant": ((50, 20, 20), (500, 40, 40)),
    "a single document": ((1, 1, 1), (1, 1, 0)),
}


@pytest.mark.parametrize("method", RECALL_METHODS)
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_samples_have_a_result(method, name):
    retrieved, unretrieved = DEGENERATE[name]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = estimate_recall(retrieved=retrieved, unretrieved=unretrieved, method=method)
    assert all(one.category is DegenerateSampleWarning for one in said)
    low, high = found.interval.low, found.interval.high
    if math.isnan(low):
        assert math.isnan(high)
        assert said
    else:
        assert low <= high
        census = retrieved[0] == retrieved[1] and unretrieved[0] == unretrieved[1]
        settled = census or 0 in (retrieved[0], unretrieved[0])
        assert low < high or said or settled


@pytest.mark.parametrize("method", ["normal", "normal-official", "beta-jeffreys", "beta-binomial"])
def test_census_has_zero_width(method):
    """The others know nothing of the population, or add documents to the sample."""
    found = estimate_recall(retrieved=(50, 50, 10), unretrieved=(60, 60, 5), method=method)
    assert found.interval.low == pytest.approx(2 / 3)
    assert found.interval.high == pytest.approx(2 / 3)


def test_empty_segment_determines_recall_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        everything = estimate_recall(retrieved=(50, 20, 10), unretrieved=(0, 0, 0)).interval
        nothing = estimate_recall(retrieved=(0, 0, 0), unretrieved=(50, 20, 10)).interval
    assert (everything.low, everything.high) == (1, 1)
    assert (nothing.low, nothing.high) == (0, 0)


def test_unsampled_stratum_is_rejected_or_warns():
    strata = (*STRATA, Stratum("unseen", False, 300, 0, 0))
    for method in ("normal", "laplace", "agresti-coull", "normal-official", "naive-binomial"):
        with pytest.raises(DataError, match="stratum 'unseen': none of its 300 documents"):
            estimate_recall(strata, method=method)
    with pytest.warns(DegenerateSampleWarning, match="'unseen'.*; it may have any yield"):
        estimate_recall(strata, method="exact")
    with pytest.warns(DegenerateSampleWarning, match="'unseen'.*from the prior only"):
        found = estimate_recall(strata)
    assert found.interval.low < estimate_recall(STRATA).interval.low


def test_no_relevant_document_in_any_sample_warns():
    with pytest.warns(DegenerateSampleWarning, match="no interval"):
        found = estimate_recall(retrieved=(5, 5, 0), unretrieved=(6, 6, 0))
    assert math.isnan(found.value)
    assert math.isnan(found.interval.low)
    with pytest.warns(DegenerateSampleWarning, match="conditional on a relevant document"):
        estimate_recall(retrieved=(5, 4, 0), unretrieved=(6, 5, 0))
    with pytest.warns(DegenerateSampleWarning, match="single point"):
        estimate_recall(retrieved=(50, 20, 10), unretrieved=(500, 40, 0), method="normal")


@pytest.mark.parametrize(
    ("segments", "error", "text"),
    [
        (((100, 101, 3), (9, 3, 0)), DataError, "'retrieved': 101 sampled of a population of 100"),
        (((100, 10, 11), (9, 3, 0)), DataError, "'retrieved': 11 relevant of 10 sampled"),
        (((100, 10, 3), (9, -3, 0)), DataError, "'unretrieved': sampled must be an integer"),
        (((100, 10, 3.5), (9, 3, 0)), DataError, "relevant must be an integer.*got 3.5"),
        (((100, 10, 3, 11), (9, 3, 0)), DataError, "'retrieved': 11 assessable of 10 sampled"),
        (((100, 10, 9, 8), (9, 3, 0)), DataError, "'retrieved': 9 relevant of 8 assessable"),
        (((0, 0, 0), (0, 0, 0)), DataError, "every stratum has a population of 0"),
        (((10**13, 10, 1), (9, 3, 0)), DataError, "population must be at most"),
    ],
)
def test_impossible_strata_are_rejected(segments, error, text):
    with pytest.raises(error, match=text):
        estimate_recall(retrieved=segments[0], unretrieved=segments[1])


def test_invalid_options_are_rejected():
    with pytest.raises(DataError, match="no stratum is unretrieved"):
        estimate_recall(STRATA[:2])
    with pytest.raises(ParameterError, match="several Stratum; got "):
        estimate_recall([7])
    with pytest.raises(ParameterError, match="method must be one of "):
        estimate_recall(**SEGMENTS, method="wilson")
    with pytest.raises(ParameterError, match=r"did you mean 0\.95"):
        estimate_recall(**SEGMENTS, confidence_level=95)
    with pytest.raises(ParameterError, match="prior is for beta-binomial and monte-carlo"):
        estimate_recall(**SEGMENTS, method="normal", prior=0.5)


def test_most_conservative_prior_differs_between_strata():
    prior = parse_prior("most-conservative")
    few, many = prior.of(1000, 5), prior.of(1000, 900)
    assert few[0] == few[1] < 0.5 < many[0]


# Sides, at any level


# Strata whose priors add up


def many_strata(n: int):
    return (
        Stratum("in", True, 2000, 200, 100),
        Stratum("some", False, 20_000, 100, 2),
        *(Stratum(f"none {k}", False, 20_000, 100, 0) for k in range(n)),
    )


def test_pull_of_many_priors_warns():
    with pytest.warns(DegenerateSampleWarning, match=r"unretrieved strata.*1\.7 standard dev"):
        estimate_recall(many_strata(9))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimate_recall(many_strata(2))
        estimate("precision", many_strata(9))  # which the others do not concern
        estimate_recall(many_strata(9), prior=0.001)  # next to no prior
    with pytest.warns(DegenerateSampleWarning, match="elusion: the priors"):
        estimate("elusion", many_strata(9))


# Words that fit


def test_irrelevant_strata_are_not_rejected():
    unseen = {"retrieved": (2000, 100, 50), "unretrieved": (100_000, 0, 0)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert estimate("precision", **unseen).value == 0.5
    with pytest.raises(DataError, match="none of its 100,000 documents"):
        estimate_recall(**unseen, method="normal")


def test_known_quantity_does_not_warn_about_a_single_point():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        empty = {"retrieved": (100, 10, 5), "unretrieved": (1000, 1000, 0)}
        assert estimate_recall(**empty, method="normal").interval.low == 1


@pytest.mark.parametrize(
    ("quantity", "sample", "reason"),
    [
        ("precision", ((0, 0, 0), (10, 5, 1)), "no retrieved document was judged"),
        ("F", ((0, 0, 0), (10, 5, 1)), "no retrieved document was judged"),
        ("elusion", ((9, 4, 1), (0, 0, 0)), "everything was retrieved"),
        ("recall", ((9, 9, 0), (9, 9, 0)), "the samples contain no relevant document"),
    ],
)
def test_warning_gives_the_reason_for_no_interval(quantity, sample, reason):
    with pytest.warns(DegenerateSampleWarning, match=reason):
        found = estimate(quantity, retrieved=sample[0], unretrieved=sample[1])
    assert math.isnan(found.interval.low)


def test_monte_carlo_needs_draws():
    with pytest.raises(ParameterError, match="n_draws must be an integer of at least 100"):
        estimate_recall(**SEGMENTS, method="monte-carlo", n_draws=5)


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("method", ["naive-binomial", "laplace", "normal", "agresti-coull"])
def test_one_sided_ends_are_ordered_where_a_limit_is_out_of_range(method):
    for retrieved, unretrieved in (((2, 2, 1), (100, 1, 0)), ((1000, 2, 1), (10**6, 3, 3))):
        for side in ("less", "greater"):
            for level in (1e-9, 0.001, 0.3, 0.95):
                found = estimate_recall(
                    retrieved=retrieved,
                    unretrieved=unretrieved,
                    method=method,
                    confidence_level=level,
                    alternative=side,
                )
                assert not found.interval.low > found.interval.high


def test_missing_point_estimate_warns():
    with pytest.warns(DegenerateSampleWarning, match="agresti-coull: no point estimate, since the"):
        found = estimate_recall(
            retrieved=(10, 1, 0), unretrieved=(100, 100, 0), method="agresti-coull"
        )
    assert math.isnan(found.value)
    assert found.interval.low < found.interval.high


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_undefined_quantity_has_nan_distribution():
    counts = {"retrieved": (10**12, 1, 0, 0), "unretrieved": (100, 10, 10)}
    found = estimate("F", **counts, method="beta-jeffreys")
    assert math.isnan(found.interval.low)
    assert math.isnan(found.posterior.cdf(0.5))


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
def test_ends_at_a_level_near_0_are_ordered():
    for level in (1e-9, 1e-8, 1e-7):
        for sampled in range(3):
            found = estimate_recall(
                retrieved=(2, sampled, 0),
                unretrieved=(10**6, 1, 1),
                prior="most-conservative",
                confidence_level=level,
            )
            assert found.interval.low <= found.interval.high
