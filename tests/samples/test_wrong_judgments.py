"""Recall if assessors made mistakes in the unretrieved sample."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irbounds.errors import DataError, ParameterError
from irbounds.presentation.registry import make_section
from irbounds.results import Stratum
from irbounds.samples import tipping_points
from recall_calls import estimate_all, estimate_recall

INSIDE = Stratum("retrieved", True, 5000, 500, 400)
OUTSIDE = Stratum("unretrieved", False, 95_000, 1500, 3)
NEAR = Stratum("near", False, 5000, 500, 100)
FAR = Stratum("far", False, 90_000, 1000, 3)


def with_relevant(n: int):
    return [INSIDE, replace(OUTSIDE, relevant=n)]


def find_points(strata, **options):
    return tipping_points(estimate_recall(strata, **options))


def rows_of(points, judgment):
    return [point for point in points if point.judgment == judgment]


@pytest.mark.parametrize("method", ["beta-binomial", "exact", "koopman", "laplace"])
def test_points_are_the_intervals_of_the_changed_counts(method):
    options = {"method": method, "alternative": "greater", "confidence_level": 0.9}
    points = find_points([INSIDE, OUTSIDE], **options)
    assert [(point.judgment, point.n_wrong, point.n_judged) for point in points] == [
        ("", 0, 0),
        *(("relevant", n, 3) for n in (1, 2, 3)),
        *(("not relevant", n, 1497) for n in (1, 2, 3, 5, 10)),
    ]
    for point in points:
        sign = 1 if point.judgment == "not relevant" else -1
        plain = estimate_recall(with_relevant(3 + sign * point.n_wrong), **options)
        assert (point.value, point.interval) == (plain.value, plain.interval)
        assert point.is_shown is None


def test_options_of_the_estimate_are_used():
    (first, *_) = find_points(with_relevant(0), prior="uniform")
    assert first.interval == estimate_recall(with_relevant(0), prior="uniform").interval
    assert first.prior == "uniform"
    options = {"credit_found": True, "at_least": 0.5, "method": "beta-binomial"}
    points = find_points([INSIDE, OUTSIDE], **options)
    plain = estimate_recall(with_relevant(4), **options)
    assert rows_of(points, "not relevant")[0].interval == plain.interval


def test_the_fewest_mistakes_that_show_a_claim():
    points = find_points([INSIDE, OUTSIDE], at_least=0.93)
    assert points[0].interval.method == "exact"
    assert [point.is_shown for point in points[:4]] == [False, False, True, True]
    assert make_section(points).sentences == [
        "A recall of at least 0.93 is not shown by the counts.",
        "It is shown if 2 or more of the 3 documents judged relevant in the unretrieved sample are "
        "judged wrongly.",
    ]
    never = find_points([INSIDE, OUTSIDE], at_least=0.99)
    assert make_section(never).sentences[1].startswith("Wrong judgments")


def test_the_fewest_mistakes_with_which_a_claim_falls():
    """The number is found among all, although the table lists only some of them."""
    options = {"method": "beta-binomial", "alternative": "greater"}
    lows = [estimate_recall(with_relevant(n), **options).interval.low for n in range(12)]
    expected = next(n for n, low in enumerate(lows) if low < 0.85)
    for at_least in (0.85, 0.6):
        points = find_points(with_relevant(0), at_least=at_least, **options)
        fallen = [point.n_wrong for point in rows_of(points, "not relevant") if not point.is_shown]
        low, high = (
            estimate_recall(with_relevant(fallen[0] - k), **options).interval.low for k in (1, 0)
        )
        assert low >= at_least > high
        assert at_least == 0.6 or fallen[0] == expected


def test_mistakes_are_in_the_stratum_of_the_largest_weight_first():
    points = find_points([INSIDE, NEAR, FAR])
    mistaken = {point.n_wrong: point for point in rows_of(points, "relevant")}
    assert list(mistaken) == [1, 2, 3, 5, 10, 20, 30, 103]
    plain = estimate_recall([INSIDE, replace(NEAR, relevant=98), replace(FAR, relevant=0)])
    assert mistaken[5].interval == plain.interval
    more = estimate_recall([INSIDE, NEAR, replace(FAR, relevant=5)])
    assert rows_of(points, "not relevant")[1].interval == more.interval
    nothing = estimate_recall([INSIDE, replace(NEAR, relevant=0), replace(FAR, relevant=0)])
    assert mistaken[103].interval == nothing.interval


def test_one_table_with_the_claim():
    points = find_points([INSIDE, OUTSIDE], at_least=0.93)
    (table,) = make_section(points).tables
    assert table.title == (
        "recall if judgments of the unretrieved sample are wrong: 95 % lower limit (exact)"
    )
    assert table.headings == ("wrong judgments", "estimate", "low", "recall >= 0.93")
    assert table.cells[0][0] == "none"
    assert table.cells[1][0] == "1 of 3 judged relevant"
    assert table.cells[4][0] == "1 of 1,497 judged not relevant"
    assert [row[-1] for row in table.cells[:3]] == ["not shown", "not shown", "shown"]
    record = table.records[1]
    assert (record["n_wrong"], record["low"]) == (1, points[1].interval.low)


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize(
    ("outside", "options", "message"),
    [
        (replace(OUTSIDE, sampled=0, relevant=0), {}, "a sample of every"),
        (replace(OUTSIDE, population=0, sampled=0, relevant=0), {}, "need"),
        (replace(OUTSIDE, relevant_checked=3, relevant_confirmed=2), {}, "assessed again"),
        (replace(OUTSIDE, assessable=1400), {"at_least": 0.8}, "be judged"),
    ],
)
def test_unsuitable_samples(outside, options, message):
    with pytest.raises(DataError, match=message):
        find_points([INSIDE, outside], **options)


def test_points_are_of_recall():
    (precision,) = estimate_all([INSIDE, OUTSIDE], quantity="precision")
    with pytest.raises(ParameterError, match="of recall; got precision"):
        tipping_points(precision)
