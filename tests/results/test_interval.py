"""Every number with an interval has the same shape: ``value``, ``interval``, and ``at``."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import irbounds
from every_result import NAMES, result_of
from irbounds.results import Interval, NullDistribution, RankInterval
from irbounds.results.interval import Adjustable, compute_interval


def list_rows(name: str) -> list[Any]:
    result = result_of(name)
    return list(result) if isinstance(result, tuple) else [result, *result._rows()]


#: kinds whose numbers are of other things: samples that are still to be drawn, methods, papers
WITHOUT = {
    *("measures", "scores", "diagnosis", "query plans", "systems plans"),
    *("split plans", "claim plans"),
    *("systems and chance", "chance alone"),
    "chance of numbers",
    *("paper table", "gate", "differences by query", "differences between groups"),
    "drawn sample",
}


@pytest.mark.parametrize("name", NAMES)
def test_results_with_interval_have_value(name):
    results = [result for result in list_rows(name) if hasattr(result, "interval")]
    assert bool(results) is (name not in WITHOUT)
    for result in results:
        assert isinstance(result.value, int | float)
        assert isinstance(result.interval, Interval)
        low, high = result.interval
        assert (low, high) == (result.interval.low, result.interval.high)
        assert low <= high
        assert 0 < result.interval.confidence_level < 1
        assert result.interval.method
        assert result.interval.alternative in ("two-sided", "less", "greater")


@pytest.mark.parametrize("name", NAMES)
def test_results_have_no_separate_limit_fields(name):
    for result in list_rows(name):
        if is_dataclass(result) and not isinstance(result, NullDistribution):
            names = {field.name for field in fields(result)}
            assert not names & {"low", "high", "rank_low", "rank_high"}


@pytest.mark.parametrize("name", NAMES)
def test_records_have_value_and_both_limits(name):
    for result in list_rows(name):
        if not hasattr(result, "interval"):
            continue
        (row,) = result.records()
        ranked = isinstance(result.interval, RankInterval)
        low, high = ("rank_low", "rank_high") if ranked else ("low", "high")
        assert (row[low], row[high]) == tuple(result.interval)
        names = ("rank", "mean", "difference", "root", "estimate", "value")
        assert row[next(key for key in names if key in row)] == result.value
        assert row["confidence_level"] == result.interval.confidence_level
        assert row["method"] == result.interval.method


def test_interval_unpacks_to_limits():
    low, high = Interval(0.1, 0.4, 0.95, "bca")
    assert (low, high) == (0.1, 0.4)
    assert Interval(0.1, 0.4, 0.95, "bca").half_width == pytest.approx(0.15)
    assert math.isnan(Interval(math.nan, math.nan, 0.95, "bca").half_width)
    assert Interval(0.1, math.inf, 0.95, "bca", "greater").half_width == math.inf


@pytest.mark.parametrize("name", ["means", "lower limits", "differences", "recall", "quantities"])
def test_at_uses_same_limits_for_another_level(name):
    for result in list_rows(name):
        assert isinstance(result, Adjustable)
        same = result.at(result.interval.confidence_level)
        assert tuple(same.interval) == pytest.approx(tuple(result.interval), nan_ok=True)
        assert same.interval.alternative == result.interval.alternative
        wide, narrow = result.at(0.99, "two-sided"), result.at(0.5, "two-sided")
        assert (wide.value, wide.interval.confidence_level) == (result.value, 0.99)
        assert wide.interval.low <= narrow.interval.low <= narrow.interval.high
        assert narrow.interval.high <= wide.interval.high
        limit = result.at(0.975, "greater").interval
        assert limit.low == pytest.approx(result.at(0.95, "two-sided").interval.low)
        assert limit.high == result.bounds[1]
        assert result.at(0.9, "less").interval.low == result.bounds[0]


def test_at_equals_new_computation():
    scores = np.random.default_rng(3).beta(2, 3, size=30)
    (estimate,) = irbounds.mean_interval(scores, method="student-t")
    for level, side in ((0.8, "two-sided"), (0.99, "less"), (0.9, "greater")):
        (other,) = irbounds.mean_interval(
            scores, method="student-t", confidence_level=level, alternative=side
        )
        assert estimate.at(level, side).interval == other.interval
    wrong = {"confidence_level": 1.0}, {"confidence_level": 0.9, "alternative": "above"}
    for arguments in wrong:
        with pytest.raises(irbounds.errors.ParameterError):
            estimate.at(**arguments)


class Straight:
    """Limits that are the probability itself."""

    method = "straight"

    def limit(self, probability):
        return np.float64(probability)


class Crossed(Straight):
    """Limits that fall where they should rise."""

    def limit(self, probability):
        return np.float64(1 - probability)


def test_interval_limits_are_ordered_within_bounds():
    assert tuple(compute_interval(Straight(), 0.9, "two-sided")) == pytest.approx((0.05, 0.95))
    assert tuple(compute_interval(Straight(), 0.9, "greater", (0, 1))) == pytest.approx((0.1, 1))
    assert tuple(compute_interval(Straight(), 0.9, "less", (0, 1))) == pytest.approx((0, 0.9))
    assert tuple(compute_interval(Crossed(), 0.9, "two-sided")) == pytest.approx((0.05, 0.95))
    assert tuple(compute_interval(Straight(), 0.9, "greater", (0, 0.05))) == pytest.approx(
        (0.1, 0.1)
    )
    assert tuple(compute_interval(Straight(), 0.9, "less", (0.95, 1))) == pytest.approx((0.9, 0.9))
