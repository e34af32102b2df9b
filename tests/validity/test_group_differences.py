"""Error rates of comparisons within and between groups, on real differences with random signs.

Four systems of TREC 2004 Robust are compared with a fifth one in four groups of queries. All
differences of a query have the same random sign, so that every true mean difference is 0, within
every group and between groups. ``python -m benchmarks.group_validity`` measures more tables and
sizes of groups: within groups the true rate is about 0.03, between groups at most 0.055 here.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import irbounds

N_FAMILIES = 600
SIZES = (10, 20, 40, 50)
LEVEL = 0.05
#: the probability that a test below fails by chance if the true rate is 0.05
FALSE_ALARM = 1e-4


@pytest.fixture(scope="module")
def families(data_directory):
    """Return for each family the p-values within groups, adjusted and not, and those between."""
    table = irbounds.read_scores(data_directory / "scores/robust2004_ap.csv", measure="AP")
    rng = np.random.default_rng(220)
    queries = [f"q{k}" for k in range(sum(SIZES))]
    names = [name for name, n in zip("abcd", SIZES, strict=True) for _ in range(n)]
    groups = dict(zip(queries, names, strict=True))
    rows = []
    for _ in range(N_FAMILIES):
        baseline, *others = rng.choice(len(table.systems), 5, replace=False)
        drawn = rng.choice(len(table.queries), len(queries), replace=False)
        differences = (table.values[0, others] - table.values[0, baseline])[:, drawn]
        signed = differences * rng.choice([-1.0, 1.0], len(queries))
        values = np.vstack([np.zeros(len(queries)), signed])[None]
        systems = tuple(f"s{k}" for k in range(5))
        scores = irbounds.ScoreTable(("difference",), systems, tuple(queries), values)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", irbounds.errors.DegenerateSampleWarning)
            result = irbounds.compare(scores=scores, baseline="s0", groups=groups)
        within = [row for row in result if not row.is_of_all]
        rows.append(
            (
                min(row.adjusted_p_value for row in within),
                min(row.p_value for row in within),
                result.interactions[0].p_value,
            )
        )
    return np.array(rows)


def count_hits(p_values):
    return int(np.count_nonzero(p_values <= LEVEL))


def is_too_often(hits):
    test = stats.binomtest(hits, N_FAMILIES, LEVEL, alternative="greater")
    return test.pvalue < FALSE_ALARM


def test_false_findings_in_any_group_and_pair_are_at_most_the_level(families):
    hits = count_hits(families[:, 0])
    assert not is_too_often(hits)
    assert hits > 0  # the test finds something: no family in 600 would be too strict


def test_negative_control_unadjusted_p_values_find_too_much(families):
    assert is_too_often(count_hits(families[:, 1]))
    assert count_hits(families[:, 1]) > 0.3 * N_FAMILIES


def test_comparison_between_groups_has_its_level(families):
    hits = count_hits(families[:, 2])
    assert not is_too_often(hits)
    assert hits > 0.02 * N_FAMILIES
