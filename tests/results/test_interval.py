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


def rows_of(name: str) -> list[Any]:
    found = result_of(name)
    return list(found) if isinstance(found, tuple) else [found, *found._rows()]


#: kinds whose numbers are of other things: samples that are still to be drawn, methods, papers
WITHOUT = {
    *("measures", "scores", "diagnosis", "ties", "query plans", "calibration", "query spreads"),
    *("measure precision", "system precision", "validity", "pools", "recall plan", "by budget"),
    *("by split", "coverage", "sample", "scatter", "systems and chance", "chance alone"),
    *("chance by query", "exact", "monte-carlo", "matched", "study", "collections"),
    "paper table",
}


@pytest.mark.parametrize("name", NAMES)
def test_every_result_with_an_interval_has_a_value_and_an_interval(name):
    found = [one for one in rows_of(name) if hasattr(one, "interval")]
    assert bool(found) is (name not in WITHOUT)
    for one in found:
        assert isinstance(one.value, int | float)
        assert isinstance(one.interval, Interval)
        low, high = one.interval
        assert (low, high) == (one.interval.low, one.interval.high)
        assert low <= high
        assert 0 < one.interval.confidence_level < 1
        assert one.interval.method
        assert one.interval.alternative in ("two-sided", "less", "greater")


@pytest.mark.parametrize("name", NAMES)
def test_no_result_has_loose_ends_in_place_of_an_interval(name):
    for one in rows_of(name):
        if is_dataclass(one) and not isinstance(one, NullDistribution):
            names = {field.name for field in fields(one)}
            assert not names & {"low", "high", "rank_low", "rank_high"}


@pytest.mark.parametrize("name", NAMES)
def test_records_have_the_value_and_both_ends(name):
    for one in rows_of(name):
        if not hasattr(one, "interval") or name == "cards":
            continue
        (row,) = one.records()
        ranked = isinstance(one.interval, RankInterval)
        low, high = ("rank_low", "rank_high") if ranked else ("low", "high")
        assert (row[low], row[high]) == tuple(one.interval)
        names = ("rank", "mean", "difference", "root", "estimate")
        assert row[next(key for key in names if key in row)] == one.value
        assert row["confidence_level"] == one.interval.confidence_level
        assert row["method"] == one.interval.method


def test_an_interval_unpacks():
    low, high = Interval(0.1, 0.4, 0.95, "bca")
    assert (low, high) == (0.1, 0.4)
    assert Interval(0.1, 0.4, 0.95, "bca").half_width == pytest.approx(0.15)
    assert math.isnan(Interval(math.nan, math.nan, 0.95, "bca").half_width)
    assert Interval(0.1, math.inf, 0.95, "bca", "greater").half_width == math.inf


@pytest.mark.parametrize("name", ["means", "lower limits", "differences", "recall", "quantities"])
def test_another_level_is_read_off_the_same_limits(name):
    for one in rows_of(name):
        assert isinstance(one, Adjustable)
        same = one.at(one.interval.confidence_level)
        assert tuple(same.interval) == pytest.approx(tuple(one.interval), nan_ok=True)
        assert same.interval.alternative == one.interval.alternative
        wide, narrow = one.at(0.99, "two-sided"), one.at(0.5, "two-sided")
        assert (wide.value, wide.interval.confidence_level) == (one.value, 0.99)
        assert wide.interval.low <= narrow.interval.low <= narrow.interval.high
        assert narrow.interval.high <= wide.interval.high
        limit = one.at(0.975, "greater").interval
        assert limit.low == pytest.approx(one.at(0.95, "two-sided").interval.low)
        assert limit.high == one.bounds[1]
        assert one.at(0.9, "less").interval.low == one.bounds[0]


def test_at_equals_a_new_computation():
    scores = np.random.default_rng(3).beta(2, 3, size=30)
    (one,) = irbounds.mean_interval(scores, method="student-t")
    for level, side in ((0.8, "two-sided"), (0.99, "less"), (0.9, "greater")):
        (other,) = irbounds.mean_interval(
            scores, method="student-t", confidence_level=level, alternative=side
        )
        assert one.at(level, side).interval == other.interval
    wrong = {"confidence_level": 1.0}, {"confidence_level": 0.9, "alternative": "above"}
    for arguments in wrong:
        with pytest.raises(irbounds.errors.ParameterError):
            one.at(**arguments)


class Straight:
    """Limits that are the probability itself."""

    method = "straight"

    def limit(self, probability):
        return np.float64(probability)


class Crossed(Straight):
    """Limits that fall where they should rise."""

    def limit(self, probability):
        return np.float64(1 - probability)


def test_ends_are_limits_in_order_within_the_bounds():
    assert tuple(compute_interval(Straight(), 0.9, "two-sided")) == pytest.approx((0.05, 0.95))
    assert tuple(compute_interval(Straight(), 0.9, "greater", (0, 1))) == pytest.approx((0.1, 1))
    assert tuple(compute_interval(Straight(), 0.9, "less", (0, 1))) == pytest.approx((0, 0.9))
    assert tuple(compute_interval(Crossed(), 0.9, "two-sided")) == pytest.approx((0.05, 0.95))
    assert tuple(compute_interval(Straight(), 0.9, "greater", (0, 0.05))) == pytest.approx(
        (0.1, 0.1)
    )
    assert tuple(compute_interval(Straight(), 0.9, "less", (0.95, 1))) == pytest.approx((0.9, 0.9))
