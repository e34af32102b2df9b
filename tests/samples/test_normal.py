"""Normal intervals against slow twins, on degenerate strata and on the TREC 2009 Legal Track."""

from __future__ import annotations

import csv
import math
from collections import defaultdict

import numpy as np
import pytest

import naive
from irbounds.errors import DataError
from irbounds.samples.counts import Counts
from irbounds.samples.koopman import koopman
from irbounds.samples.normal import (
    agresti_coull,
    laplace,
    naive_binomial,
    normal,
    normal_official,
)
from irbounds.samples.point_estimates import (
    divide,
    estimate_segment_yields,
    estimate_stratum_variances,
    is_unsampled,
)

ADDED = {normal: 0, laplace: 1, agresti_coull: 2}
FAMILY = [*ADDED, naive_binomial, normal_official]
Z = 1.959963984540054


def make_counts(strata, relevant=None):
    """Counts of tuples (retrieved, documents, sampled, relevant[, assessable])."""
    columns = [np.array(column, dtype=float) for column in zip(*strata, strict=True)]
    assessable = columns[4] if len(columns) == 5 else columns[2]
    relevant = columns[3] if relevant is None else np.asarray(relevant, dtype=float)
    retrieved = columns[0].astype(bool)
    return Counts(
        retrieved,
        columns[1],
        columns[2],
        relevant,
        np.broadcast_to(assessable, relevant.shape),
    )


def ends(limits, level=0.95):
    return float(limits.limit((1 - level) / 2)), float(limits.limit((1 + level) / 2))


def random_strata(rng):
    strata = [(True, 0, 0, 0), (False, 0, 0, 0)]  # empty ones count for nothing
    for retrieved in rng.permutation([True, False, *rng.integers(2, size=3)]):
        documents = int(rng.integers(1, 3000))
        sampled = int(rng.integers(1, min(documents, 60) + 1))
        strata.append((bool(retrieved), documents, sampled, int(rng.integers(sampled + 1))))
    return strata


@pytest.mark.parametrize("fit", ADDED)
def test_normal_methods_match_naive_on_random_strata(fit):
    rng = np.random.default_rng(25)
    for _ in range(200):
        strata = random_strata(rng)
        if ADDED[fit] == 0 and not any(relevant for *_, relevant in strata):
            continue
        centre, error = naive.normal_recall(strata, ADDED[fit])
        found = ends(fit(make_counts(strata)), 0.9)
        width = 1.6448536269514722 * error
        assert found == pytest.approx((centre - width, centre + width), rel=1e-11, abs=1e-13)


def test_arrays_of_samples_match_single_samples():
    strata = [(True, 2000, 30, 0), (True, 400, 40, 0), (False, 90_000, 50, 0)]
    relevant = np.random.default_rng(1).integers(0, 30, size=(4, 5, 3))
    for fit in FAMILY:
        together = fit(make_counts(strata, relevant)).limit(0.2)
        assert together.shape == (4, 5)
        for index in np.ndindex(4, 5):
            alone = fit(make_counts(strata, relevant[index])).limit(0.2)
            assert together[index] == pytest.approx(float(alone), rel=1e-13)


def test_normal_interval_by_hand():
    # 20 of 2000 / 10 of 40 and 10 of 100 / 5 of 50: yields 500 and 10, variances
    # 2000^2 (1/4)(3/4)/40 (1 - 40/2000) = 18375 and 100^2 (0.1)(0.9)/50 (1 - 1/2) = 9
    counts = make_counts([(True, 2000, 40, 10), (False, 100, 50, 5)])
    error = math.sqrt(18375 * 10**2 + 9 * 500**2) / 510**2
    assert ends(normal(counts)) == pytest.approx((500 / 510 - Z * error, 500 / 510 + Z * error))
    error = math.sqrt(500 / 510 * 10 / 510 / 15)  # n: the 15 relevant documents seen
    assert ends(naive_binomial(counts)) == pytest.approx(
        (500 / 510 - Z * error, 500 / 510 + Z * error)
    )


def test_normal_official_ignores_covariance_and_clips():
    counts = make_counts([(True, 2000, 40, 10, 32), (False, 100, 50, 5, 50)])
    found, missed = 2000**2 * 0.1875 / 39 * 0.98, 100**2 * 0.09 / 49 * 0.5
    recall = 500 / 510
    error = recall * math.sqrt(found / 500**2 + (found + missed) / 510**2)
    assert ends(normal_official(counts)) == pytest.approx((recall - Z * error, 1))


@pytest.mark.parametrize("fit", FAMILY)
def test_no_relevant_document_in_the_unretrieved_sample(fit):
    found = ends(fit(make_counts([(True, 100, 20, 8), (False, 1000, 50, 0)])))
    if ADDED.get(fit, 0):  # the added documents keep a doubt
        assert found[0] < found[1]
        assert found[0] < 0.9
    elif fit is normal_official:  # the retrieved yield's variance, counted twice, remains
        assert found[0] < 1 == found[1]
    else:
        assert found == (1, 1)


@pytest.mark.parametrize("fit", FAMILY)
def test_no_relevant_document_gives_nan(fit):
    found = ends(fit(make_counts([(True, 100, 20, 0), (False, 1000, 50, 0)])))
    assert all(map(math.isnan, found)) == (not ADDED.get(fit, 0))


@pytest.mark.parametrize("fit", FAMILY)
def test_empty_segment_determines_recall(fit):
    assert ends(fit(make_counts([(True, 0, 0, 0), (False, 100, 20, 5)]))) == (0, 0)
    whole = ends(fit(make_counts([(True, 100, 20, 5), (False, 0, 0, 0)])))
    assert whole[1] == 1
    if fit is not normal_official:
        assert whole[0] == 1


def test_full_sample_has_zero_width():
    counts = make_counts([(True, 30, 30, 12), (False, 50, 50, 4)])
    for fit in (normal, normal_official):
        assert ends(fit(counts)) == pytest.approx((0.75, 0.75))


@pytest.mark.parametrize("fit", FAMILY)
@pytest.mark.parametrize("relevant", [0, 1])
def test_samples_of_one(fit, relevant):
    found = ends(fit(make_counts([(True, 9, 1, relevant), (False, 70, 10, 3)])))
    assert all(map(math.isfinite, found))


def test_official_variance_of_a_sample_of_one_is_zero():
    counts = make_counts([(True, 9, 1, 1), (False, 4, 1, 1)])
    assert ends(normal_official(counts)) == pytest.approx((9 / 13, 9 / 13))


def test_all_documents_relevant():
    found = ends(normal(make_counts([(True, 90, 9, 9), (False, 70, 7, 7)])))
    assert found == pytest.approx((90 / 160, 90 / 160))


@pytest.mark.parametrize("fit", [*FAMILY, koopman])
def test_unsampled_stratum_is_rejected(fit):
    counts = make_counts([(True, 100, 0, 0), (False, 1000, 50, 3)])
    assert is_unsampled(counts).tolist() == [True, False]
    text = (
        rf"^method '{fit(make_counts([(True, 1, 1, 1), (False, 1, 1, 1)])).method}' needs a sample "
        r"of every stratum; stratum 1 has 100 documents and 0 sampled$"
    )
    with pytest.raises(DataError, match=text):
        fit(counts)


def test_divide_by_zero_is_nan():
    assert math.isnan(float(divide(np.array(0.0), np.array(0.0))))
    assert math.isnan(float(divide(np.array(1.0), np.array(np.nan))))
    assert divide(np.array([1.0, 2.0]), np.array(4.0)).tolist() == [0.25, 0.5]


HALF_DIGIT = 0.0005 + 1e-9

# Webber (2013), Table XII: topic, team, recall, ends of normal (corrected), ends of Laplace. The
# team that the paper calls UD is AD in the strata: same topic, same estimate.
TABLE_XII = """\
201 UW        0.778 0.485 1.070 0.351 0.916
201 CS        0.489 0.304 0.673 0.226 0.593
201 CB        0.204 0.126 0.282 0.093 0.247
201 UP        0.167 0.102 0.231 0.076 0.205
202 UW        0.673 0.542 0.803 0.501 0.771
202 CS        0.579 0.467 0.692 0.432 0.664
203 UW        0.865 0.832 0.897 0.552 0.940
203 UB        0.592 0.552 0.631 0.378 0.652
203 ZL-NoCull 0.175 0.157 0.192 0.105 0.185
203 ZL-Cull   0.029 0.023 0.035 0.016 0.033
204 H5        0.762 0.595 0.930 0.538 0.874
204 AD        0.305 0.235 0.374 0.216 0.358
204 CB        0.198 0.151 0.246 0.140 0.238
205 CS        0.673 0.599 0.747 0.587 0.737
205 EQ        0.463 0.409 0.516 0.399 0.505
205 IN        0.292 0.254 0.329 0.250 0.325
206 CB-High   0.076 0.046 0.106 0.049 0.109
206 LO        0.042 0.020 0.063 0.023 0.067
206 CB-Mid    0.011 0.007 0.015 0.007 0.014
206 CB-Low    0.009 0.006 0.013 0.005 0.012
207 CB        0.768 0.723 0.813 0.689 0.802
207 UW        0.761 0.714 0.807 0.677 0.791
207 LO        0.538 0.503 0.573 0.484 0.569
207 EQ        0.483 0.451 0.515 0.430 0.507
"""


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def runs(data_directory):
    """Counts by (topic, team)."""
    topics = defaultdict(list)
    for row in rows_of(data_directory / "legal09" / "legal09_strata.csv"):
        topics[row["topic"]].append(row)
    found = {}
    for topic, strata in topics.items():
        population, sampled, relevant, assessable = (
            np.array([float(row[name]) for row in strata]) for name in ("N", "n", "r2", "a")
        )
        for place, team in enumerate(strata[0]["teams"].split()):
            retrieved = np.array([row["pattern"][place] == "R" for row in strata])
            found[topic, team] = Counts(retrieved, population, sampled, relevant, assessable)
    return found


def test_normal_and_laplace_match_table_xii(runs):
    lines = [line.split() for line in TABLE_XII.splitlines()]
    assert len(lines) == 24 == len(runs)
    for topic, team, *printed in lines:
        counts = runs[topic, team]
        found = (
            estimate_segment_yields(counts).recall,
            *ends(normal(counts)),
            *ends(laplace(counts)),
        )
        assert found == pytest.approx([float(p) for p in printed], abs=HALF_DIGIT), (topic, team)


def test_table_xii_needs_the_finite_population_correction(runs):
    """Negative control: without the correction the digits do not come out."""
    misses = 0
    for topic, team, _, low, high, *_ in map(str.split, TABLE_XII.splitlines()):
        counts = runs[topic, team]
        endless = Counts(
            counts.retrieved,
            counts.population * 1e6,
            counts.sampled,
            counts.relevant,
            counts.assessable,
        )
        found = ends(normal(endless))
        misses += sum(
            abs(a - float(b)) > HALF_DIGIT for a, b in zip(found, (low, high), strict=True)
        )
    assert misses == 18


def test_normal_official_matches_the_legal_track(runs, data_directory):
    rows = rows_of(data_directory / "legal09" / "legal09_published.csv")
    assert len(rows) == 24
    for row in rows:
        limits = normal_official(runs[row["topic"], row["run"]])
        printed = [float(row[f"recall{end}"]) for end in ("", "_lo", "_hi")]
        found = float(limits.centre), *ends(limits)
        assert found == pytest.approx(printed, abs=HALF_DIGIT), (row["topic"], row["run"])


def test_legal_track_has_degenerate_strata(runs):
    """Empty strata, samples of one, full samples and samples without anything relevant."""
    counts = [runs[topic, team] for topic, team in runs]
    assert any((c.population == 0).any() for c in counts)
    assert any((c.sampled == 1).any() for c in counts)
    assert any(((c.sampled == c.population) & (c.population > 0)).any() for c in counts)
    assert any(((c.relevant == 0) & (c.sampled > 100)).any() for c in counts)
    assert all(np.isfinite(estimate_stratum_variances(c)).all() for c in counts)
