"""Order statistics without sorting, compared with sorted rows and with numpy's quantiles."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.intervals.sample import quantile_of_sorted
from irbounds.kernels.order_statistics import ALL_EQUAL, interpolate_ends, keep_ends, select_two

RNG = np.random.default_rng(12)
#: rows in random order, of several shapes
ROWS = {
    "normal": RNG.normal(size=(30, 1000)),
    "positive": RNG.beta(0.3, 2, size=(30, 999)),
    "ties": RNG.integers(-4, 4, size=(30, 1000)) / 7,
    "zeros of both signs": RNG.choice([-1.0, -0.0, 0.0, 2.0], size=(30, 50)),
    "infinite": RNG.choice([-np.inf, -3.0, 1e-300, 5.0, np.inf], size=(30, 200)),
    "very large and very small": RNG.choice([-1, 1], (30, 300))
    * 10.0 ** RNG.uniform(-300, 300, 300),
    "few": RNG.normal(size=(30, 3)),
    "two": RNG.normal(size=(30, 2)),
}


def keep(rows, n_needed, n_wanted, capacity=None):
    ends = np.empty((len(rows), 2, capacity or rows.shape[1]), np.int64)
    n_kept = np.empty((len(rows), 2), np.intp)
    keep_ends(rows, n_needed, n_wanted, ends, n_kept)
    return ends, n_kept


def interpolate(rows, ends, n_kept, probability):
    n = rows.shape[1]
    places = np.full(len(rows), np.asarray(probability) * (n - 1))
    quantiles, is_lacking = np.empty(len(rows)), np.empty(len(rows), np.bool_)
    interpolate_ends(ends, n_kept, n, places, quantiles, is_lacking)
    return quantiles, is_lacking


@pytest.mark.parametrize("case", ROWS)
def test_quantiles_of_ends_are_those_of_sorted_rows(case):
    rows = ROWS[case]
    n = rows.shape[1]
    ordered = np.sort(rows, axis=1)
    ends, n_kept = keep(rows, n, n)
    for probability in (0, 1, 0.5, 0.025, 0.975, 1 / 3, RNG.random(len(rows))):
        quantiles, is_lacking = interpolate(rows, ends, n_kept, probability)
        assert not is_lacking.any()
        assert np.array_equal(quantiles, quantile_of_sorted(ordered, probability)), probability
    if np.isfinite(rows).all():
        quantiles, _ = interpolate(rows, ends, n_kept, 0.123)
        assert quantiles == pytest.approx(np.quantile(rows, 0.123, axis=1), rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("case", ["normal", "positive", "ties"])
def test_only_ends_are_kept_and_places_between_them_are_lacking(case):
    rows = ROWS[case]
    ends, n_kept = keep(rows, 20, 60)
    assert (n_kept >= 20).all()
    assert case == "ties" or n_kept.mean() < 150
    ordered = np.sort(rows, axis=1)
    for r, row in enumerate(rows):
        low, high = (ends[r, end, : n_kept[r, end]] for end in (0, 1))
        values = np.sort(np.concatenate([low, ~high[::-1]]))
        assert (np.diff(values) >= 0).all()
        assert select_two(low, 3)[0] == np.sort(low)[3]
        assert select_two(high, 3)[1] == np.sort(high)[4]
        assert np.count_nonzero(row <= ordered[r, n_kept[r, 0] - 1]) == n_kept[r, 0]
    quantiles, is_lacking = interpolate(rows, ends, n_kept, 0.01)
    assert not is_lacking.any()
    assert np.array_equal(quantiles, quantile_of_sorted(ordered, 0.01))
    places = 0.4 * (rows.shape[1] - 1)
    expected = (n_kept[:, 0] <= int(places) + 1) & (n_kept[:, 1] < rows.shape[1] - int(places))
    assert np.array_equal(interpolate(rows, ends, n_kept, 0.4)[1], expected)


def test_ends_without_room_are_not_kept():
    rows = ROWS["normal"]
    _, n_kept = keep(rows, 20, 60, capacity=40)
    assert set(np.unique(n_kept > 0)) == {False, True}
    assert n_kept.max() <= 40


def test_rows_of_equal_elements_have_no_quantiles():
    rows = np.full((2, 9), 0.3)
    rows[1, 4] = 0.5
    ends, n_kept = keep(rows, 3, 3)
    assert n_kept[0, 0] == ALL_EQUAL
    quantiles, is_lacking = interpolate(rows, ends, n_kept, 0.0)
    assert np.isnan(quantiles[0])
    assert quantiles[1] == 0.3
    assert not is_lacking.any()
    assert np.isnan(interpolate(rows, ends, n_kept, np.nan)[0]).all()
