"""Recall if assessors made mistakes in the unretrieved sample."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irbounds.errors import DataError, ParameterError
from irbounds.results import Sample, Stratum
from irbounds.samples import recall_interval, tipping_points

INSIDE = Stratum("retrieved", True, 5000, 500, 400)
OUTSIDE = Stratum("unretrieved", False, 95_000, 1500, 3)
NEAR = Stratum("near", False, 5000, 500, 100)
FAR = Stratum("far", False, 90_000, 1000, 3)
INTERVAL = {"method": "beta-binomial", "alternative": "two-sided"}


def with_relevant(n: int):
    return [INSIDE, replace(OUTSIDE, relevant=n)]


@pytest.mark.parametrize("method", ["beta-binomial", "exact", "koopman", "laplace"])
def test_points_are_the_intervals_of_the_changed_counts(method):
    options = {"method": method, "alternative": "greater", "confidence_level": 0.9}
    (result,) = tipping_points([INSIDE, OUTSIDE], **options)
    assert [(point.n_wrong, point.n_judged) for point in result.mistaken] == [
        (n, 3) for n in range(4)
    ]
    assert [(point.n_wrong, point.n_judged) for point in result.missed] == [
        (n, 1497) for n in (0, 1, 2, 3, 5, 10)
    ]
    for point in (*result.mistaken, *result.missed):
        sign = -1 if point.judgment == "relevant" else 1
        plain = recall_interval(with_relevant(3 + sign * point.n_wrong), **options)
        assert (point.value, point.interval) == (plain.value, plain.interval)
        assert point.is_shown is None
    assert result.tolerated == ()


def test_options_of_the_interval_are_passed_on():
    options = {"prior": "uniform", "cap_at_one": True}
    (result,) = tipping_points(with_relevant(0), **options)
    plain = recall_interval(with_relevant(0), **options)
    assert result.as_judged.interval == plain.interval
    assert (result.as_judged.interval.high, result.prior) == (1.0, "uniform")
    (credited,) = tipping_points([INSIDE, OUTSIDE], credit_found=True, at_least=0.5, **INTERVAL)
    plain = recall_interval(with_relevant(4), credit_found=True)
    assert credited.missed[1].interval == plain.interval
    assert credited.tolerated == ()


def test_a_claim_is_judged_as_recall_judges_it():
    """By a guaranteed lower limit, unless a prior is given; without a claim by an interval."""
    (result,) = tipping_points([INSIDE, OUTSIDE], at_least=0.8)
    judged = recall_interval([INSIDE, OUTSIDE], method="exact", alternative="greater")
    assert result.as_judged.interval == judged.interval
    (plain,) = tipping_points([INSIDE, OUTSIDE])
    assert plain.as_judged.interval == recall_interval([INSIDE, OUTSIDE]).interval
    (with_prior,) = tipping_points([INSIDE, OUTSIDE], at_least=0.8, prior=1)
    interval = with_prior.as_judged.interval
    assert (interval.method, interval.alternative) == ("beta-binomial", "greater")


def test_the_fewest_mistakes_that_show_a_claim():
    (result,) = tipping_points([INSIDE, OUTSIDE], at_least=0.93, alternative="greater")
    assert [point.is_shown for point in result.mistaken] == [False, False, True, True]
    assert (result.shown_from, result.falls_from) == (2, None)
    (result,) = tipping_points([INSIDE, OUTSIDE], at_least=0.99, alternative="greater")
    assert (result.shown_from, result.falls_from) == (None, None)
    assert result.tolerated == ()


def test_the_fewest_mistakes_with_which_a_claim_falls():
    """The number is found among all, although a table lists only some of them."""
    (result,) = tipping_points(with_relevant(0), at_least=0.85, **INTERVAL)
    lows = [recall_interval(with_relevant(n)).interval.low for n in range(12)]
    expected = next(n for n, low in enumerate(lows) if low < 0.85)
    assert result.falls_from == expected
    assert expected in [point.n_wrong for point in result.missed]
    (result,) = tipping_points(with_relevant(0), at_least=0.6, **INTERVAL)
    assert result.falls_from > 10
    assert result.missed[-1].n_wrong == result.falls_from
    assert [point.is_shown for point in result.missed[-2:]] == [True, False]


@pytest.mark.parametrize("method", ["beta-binomial", "exact"])
def test_the_tolerated_number_of_missed_documents(method):
    """A stratum of missed documents that was assessed as a whole: M is added to the yield."""
    claim = {"at_least": 0.85, "alternative": "greater", "method": method}
    (result,) = tipping_points(with_relevant(2), **claim)
    by_estimate, by_limit = result.tolerated
    assert (by_estimate.by, by_limit.by) == ("estimate", "limit")
    retrieved, missed = 5000 * 400 / 500, 95_000 * 2 / 1500
    n = by_estimate.n_documents
    assert retrieved / (retrieved + missed + n) >= 0.85 > retrieved / (retrieved + missed + n + 1)
    judged_irrelevant = 95_000 - missed
    assert result.n_judged_irrelevant == pytest.approx(judged_irrelevant)
    assert by_estimate.rate == pytest.approx(n / judged_irrelevant)
    assert by_limit.rate == pytest.approx(by_limit.n_documents / judged_irrelevant)

    def low(n: int) -> float:
        known = Stratum("missed", False, n, n, n)
        options = {"alternative": "greater", "method": method}
        return recall_interval([*with_relevant(2), known], **options).interval.low

    n = by_limit.n_documents
    assert 0 < n < by_estimate.n_documents
    assert low(n) >= 0.85 > low(n + max(1, n // 500))


def test_a_method_without_strata_has_no_tolerated_number_by_its_limit():
    (result,) = tipping_points(
        with_relevant(2), at_least=0.8, method="koopman", alternative="two-sided"
    )
    assert [error.by for error in result.tolerated] == ["estimate"]


def test_mistakes_are_in_the_stratum_of_the_largest_weight_first():
    (result,) = tipping_points([INSIDE, NEAR, FAR], at_least=0.7, **INTERVAL)
    assert result.order == ("far", "near")
    points = {point.n_wrong: point for point in result.mistaken}
    assert list(points) == [0, 1, 2, 3, 5, 10, 20, 103]
    plain = recall_interval([INSIDE, replace(NEAR, relevant=98), replace(FAR, relevant=0)])
    assert points[5].interval == plain.interval
    more = recall_interval([INSIDE, NEAR, replace(FAR, relevant=5)])
    assert result.missed[2].interval == more.interval
    nothing = recall_interval([INSIDE, replace(NEAR, relevant=0), replace(FAR, relevant=0)])
    assert points[103].interval == nothing.interval


def test_a_table_has_few_rows_with_both_ends_and_the_tipping_point():
    (result,) = tipping_points(
        [INSIDE, replace(OUTSIDE, relevant=400)], at_least=0.5, alternative="greater"
    )
    numbers = [point.n_wrong for point in result.mistaken]
    assert len(numbers) == 8
    assert (numbers[0], numbers[-1]) == (0, 400)
    assert result.shown_from in numbers


def test_names_and_files_without_retrieved_relevant_documents():
    empty = Sample((replace(INSIDE, relevant=0), OUTSIDE), system="UW", topic="201")
    (result,) = tipping_points(empty, at_least=0.5)
    assert (result.system, result.topic, result.tolerated) == ("UW", "201", ())
    assert result.as_judged.value == 0


@pytest.mark.parametrize(
    ("strata", "options", "error", "message"),
    [
        ([INSIDE, OUTSIDE], {"at_least": 1.5}, ParameterError, "at_least"),
        ([INSIDE, OUTSIDE], {"at_least": 0.8, "confidence_level": 0.5}, ParameterError, "got 0.5"),
        ([INSIDE, OUTSIDE], {"at_least": 0.8, "alternative": "less"}, ParameterError, "got 'less'"),
        ([INSIDE, replace(OUTSIDE, sampled=0, relevant=0)], {}, DataError, "a sample of every"),
        ([INSIDE, replace(OUTSIDE, population=0, sampled=0, relevant=0)], {}, DataError, "need"),
        (
            [INSIDE, replace(OUTSIDE, relevant_checked=3, relevant_confirmed=2)],
            {},
            DataError,
            "second assessment",
        ),
        ([INSIDE], {}, DataError, "no stratum is unretrieved"),
    ],
)
def test_unsuitable_samples_and_options(strata, options, error, message):
    with pytest.raises(error, match=message):
        tipping_points(strata, **options)
