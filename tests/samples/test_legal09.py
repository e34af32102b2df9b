"""TREC 2009 Legal Track: every printed digit of Webber's Table XII and of the official results."""

from __future__ import annotations

import csv
from collections import defaultdict

import numpy as np
import pytest

from irbounds.samples.counts import Counts
from irbounds.samples.normal import (
    laplace,
    normal,
    normal_official,
    official_f1,
    official_precision,
    official_yield,
)
from irbounds.samples.point_estimates import estimate_segment_yields, estimate_stratum_variances

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
def runs(data_folder):
    """Counts by (topic, team)."""
    topics = defaultdict(list)
    for row in rows_of(data_folder / "legal09" / "legal09_strata.csv"):
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


def ends(limits):
    return float(limits.limit(0.025)), float(limits.limit(0.975))


def test_table_xii_normal_and_laplace_to_every_digit(runs):
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


def test_the_table_tells_the_finite_population_correction(runs):
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


def test_official_results_to_every_digit(runs, data_folder):
    rows = rows_of(data_folder / "legal09" / "legal09_published.csv")
    assert len(rows) == 24
    fits = {"recall": normal_official, "precision": official_precision, "f1": official_f1}
    for row in rows:
        counts = runs[row["topic"], row["run"]]
        for name, fit in fits.items():
            limits = fit(counts)
            printed = [float(row[name + end]) for end in ("", "_lo", "_hi")]
            found = float(limits.centre), *ends(limits)
            assert found == pytest.approx(printed, abs=HALF_DIGIT), (row["topic"], row["run"], name)


def test_official_yields_to_every_digit(runs, data_folder):
    rows = rows_of(data_folder / "legal09" / "legal09_yield.csv")
    assert len(rows) == 7
    for row in rows:
        of_topic = [counts for (topic, _), counts in runs.items() if topic == row["topic"]]
        for counts in of_topic:  # the same whoever retrieved what
            limits = official_yield(counts)
            found = float(limits.centre), *ends(limits)
            printed = [float(row[name]) for name in ("est", "lo", "hi")]
            assert found == pytest.approx(printed, abs=0.5 + 1e-9), row["topic"]


def test_sheet_holds_the_degenerate_strata(runs):
    """Empty strata, samples of one, full samples and samples without anything relevant."""
    counts = [runs[topic, team] for topic, team in runs]
    assert any((c.population == 0).any() for c in counts)
    assert any((c.sampled == 1).any() for c in counts)
    assert any(((c.sampled == c.population) & (c.population > 0)).any() for c in counts)
    assert any(((c.relevant == 0) & (c.sampled > 100)).any() for c in counts)
    assert all(np.isfinite(estimate_stratum_variances(c)).all() for c in counts)
