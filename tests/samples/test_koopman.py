"""Koopman's interval against published numbers, statsmodels and a twin of 50 digits; coverage."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

import naive
from irbounds.errors import DataError
from irbounds.samples.counts import Counts
from irbounds.samples.koopman import koopman, koopman_ratio_limits
from irbounds.samples.normal import naive_binomial, normal

REFERENCE = Path(__file__).parents[1] / "reference" / "koopman_statsmodels.csv"


def ends(x, m, y, n, level=0.95):
    tail = (1 - level) / 2
    return tuple(float(koopman_ratio_limits(x, m, y, n, p)) for p in (tail, 1 - tail))


def simple(retrieved, unretrieved, relevant=None):
    population, sampled, hits = np.array([retrieved, unretrieved], dtype=float).T
    hits = hits if relevant is None else np.asarray(relevant, dtype=float)
    judged = np.broadcast_to(sampled, hits.shape)
    return Counts(np.array([True, False]), population, sampled, hits, judged)


@pytest.mark.parametrize(
    ("counts", "low", "high", "digits"),
    [
        ((36, 40, 16, 80), 2.940, 7.152, 3),  # Koopman (1984)
        ((7, 34, 1, 34), 1.220853, 42.575718, 6),
        ((8, 15, 4, 15), 0.815, 5.336, 3),
        ((6, 10, 6, 20), 0.844, 4.594, 3),
    ],
)
def test_koopman_matches_published_intervals(counts, low, high, digits):
    assert ends(*counts) == pytest.approx((low, high), abs=0.5 * 10**-digits)


def reference_rows():
    with REFERENCE.open(encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def test_koopman_matches_statsmodels_and_is_more_accurate():
    """Where a proportion is nearly 1 their quadratic cancels: 50 digits decide for ours."""
    rows = reference_rows()
    assert len(rows) == 60
    theirs_off = ours_off = 0.0
    for row in rows:
        counts, level = tuple(int(row[name]) for name in "xmyn"), float(row["level"])
        ours, theirs = ends(*counts, level), (float(row["low"]), float(row["high"]))
        assert ours == pytest.approx(theirs, rel=1e-4), row
        square = float(special.ndtri((1 + level) / 2)) ** 2
        for our_end, their_end in zip(ours, theirs, strict=True):
            ours_off = max(ours_off, abs(float(naive.koopman_sum(our_end, *counts)) - square))
            theirs_off = max(theirs_off, abs(float(naive.koopman_sum(their_end, *counts)) - square))
            if 0.1 < counts[0] / counts[1] < 0.9 and 0.1 < counts[2] / counts[3] < 0.9:
                assert our_end == pytest.approx(their_end, rel=1e-9), row
    assert ours_off < 1e-10
    assert theirs_off > 1e-4


def test_koopman_matches_naive_on_small_counts():
    """All hits and no hits, samples of one, and ratios far from 1."""
    for m, n in ((1, 1), (1, 4), (3, 2), (5, 40), (12, 3)):
        for x in range(m + 1):
            for y in range(0, n + 1, max(1, n // 4)):
                for level in (0.5, 0.95, 0.9999):
                    z = float(special.ndtri((1 + level) / 2))
                    twin = naive.koopman_limit(x, m, y, n, -z), naive.koopman_limit(x, m, y, n, z)
                    assert ends(x, m, y, n, level) == pytest.approx(twin, rel=1e-9), (x, m, y, n)


def test_koopman_arrays_match_single_counts_across_blocks():
    rng = np.random.default_rng(3)
    m, n = rng.integers(1, 500, size=(2, 3, 7000))  # 21,000 are three blocks
    x, y = rng.integers(0, m + 1), rng.integers(0, n + 1)
    low, high = (koopman_ratio_limits(x, m, y, n, p) for p in (0.05, 0.95))
    assert low.shape == (3, 7000)
    for index in [(0, 0), (1, 1191), (1, 1192), (2, 2383), (2, 6999)]:
        counts = x[index], m[index], y[index], n[index]
        assert (low[index], high[index]) == pytest.approx(ends(*counts, 0.9), rel=1e-12)
    assert (low <= high).all()


def test_limits_of_exchanged_proportions_are_reciprocal():
    rng = np.random.default_rng(4)
    for _ in range(50):
        m, n = (int(v) for v in rng.integers(1, 10_000, size=2))
        x, y = int(rng.integers(1, m + 1)), int(rng.integers(1, n + 1))
        low, high = ends(x, m, y, n)
        other = ends(y, n, x, m)
        assert (1 / other[1], 1 / other[0]) == pytest.approx((low, high), rel=1e-12)
        middle = float(koopman_ratio_limits(x, m, y, n, 0.5))
        assert middle == pytest.approx(x * n / (m * y))
        assert low < middle < high


def test_random_counts_and_levels_raise_no_warning():
    """Populations of counts up to 10^9, full and empty ones among them, and extreme levels."""
    rng = np.random.default_rng(9)
    m, n = np.floor(10 ** rng.uniform(0, 9, size=(2, 4000)))
    x, y = np.floor(m * rng.beta(0.3, 0.3, size=4000)), np.floor(n * rng.beta(0.3, 0.3, size=4000))
    x[::7], y[::11], x[::13], y[::17] = m[::7], n[::11], 0, 0
    middle = koopman_ratio_limits(x, m, y, n, 0.5)
    limits = [
        koopman_ratio_limits(x, m, y, n, p)
        for p in (1e-12, 0.0005, 0.3, 0.4999, 0.5001, 0.7, 0.9995, 1 - 1e-12)
    ]
    assert not np.isnan(limits).any()
    known = (x > 0) & (y > 0)
    ordered = np.array([*limits[:4], middle, *limits[4:]])[:, known]
    assert (ordered[1:] >= ordered[:-1] * (1 - 1e-9)).all()


def test_two_zero_counts_leave_the_ratio_unbounded():
    assert ends(0, 10, 0, 20) == (0, math.inf)
    assert ends(0, 10, 3, 20)[0] == 0
    assert ends(3, 10, 0, 20)[1] == math.inf


def test_recall_limits_follow_from_ratio_limits():
    limits = koopman(simple((2000, 100, 50), (100_000, 80, 3)))
    low, high = ends(3, 80, 50, 100)
    assert float(limits.limit(0.025)) == pytest.approx(1 / (1 + 50 * high))
    assert float(limits.limit(0.975)) == pytest.approx(1 / (1 + 50 * low))


@pytest.mark.parametrize(
    ("retrieved", "unretrieved", "low", "high"),
    [
        ((100, 10, 0), (900, 10, 0), 0, 1),  # nothing known
        ((0, 0, 0), (900, 10, 4), 0, 0),  # nothing retrieved
        ((0, 0, 0), (900, 10, 0), 0, 0),
        ((100, 10, 4), (0, 0, 0), 1, 1),  # nothing left
    ],
)
def test_degenerate_segments(retrieved, unretrieved, low, high):
    limits = koopman(simple(retrieved, unretrieved))
    assert (float(limits.limit(0.025)), float(limits.limit(0.975))) == (low, high)


@pytest.mark.parametrize("counts", [(5, 5, 5, 5), (5, 1, 1, 1), (5, 5, 0, 1), (9, 9, 0, 9)])
def test_full_samples_and_samples_of_one(counts):
    n, n1, r1, n0 = counts
    limits = koopman(simple((n, n1, r1), (50, n0, n0)))
    assert 0 <= float(limits.limit(0.025)) < float(limits.limit(0.975)) < 1


def test_koopman_rejects_strata():
    counts = Counts(np.array([True, True, False]), *(np.full(3, 5.0) for _ in range(4)))
    text = (
        r"^method 'koopman' takes one stratum per segment, because a sum over strata is not a "
        r"binomial count; got 2 retrieved and 1 unretrieved strata$"
    )
    with pytest.raises(DataError, match=text):
        koopman(counts)


def exact_coverage(fit, n1, p1, n0, p0, size):
    """Coverage of recall by a sum over every sample of two endless segments of one size."""
    hits = np.stack(np.meshgrid(np.arange(n1 + 1), np.arange(n0 + 1), indexing="ij"), axis=-1)
    mass = np.outer(stats.binom.pmf(range(n1 + 1), n1, p1), stats.binom.pmf(range(n0 + 1), n0, p0))
    limits = fit(simple((size, n1, 0), (size * 20, n0, 0), hits))
    truth = p1 / (p1 + 20 * p0)
    inside = (limits.limit(0.025) <= truth) & (truth <= limits.limit(0.975))
    return float(mass[inside].sum())


def test_koopman_coverage_is_nominal_where_naive_and_normal_fail():
    """Sums, not simulations: nothing here can fail by chance."""
    designs = [(n1, p1, n0, p0) for n1 in (20, 60) for p1 in (0.3, 0.7)
               for n0 in (60, 200) for p0 in (0.01, 0.03, 0.1)]  # fmt: skip
    kept = [exact_coverage(koopman, *design, 1e9) for design in designs]
    assert min(kept) > 0.92
    assert np.mean(kept) == pytest.approx(0.955, abs=0.01)
    assert np.mean([exact_coverage(normal, *design, 1e9) for design in designs]) < 0.9
    assert np.mean([exact_coverage(naive_binomial, *design, 1e9) for design in designs]) < 0.85
