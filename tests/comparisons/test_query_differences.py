"""Differences per query, and how many of them turn a decision."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import irbounds
from irbounds.errors import DegenerateSampleWarning, ParameterError


def compare(scores, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateSampleWarning)
        return irbounds.compare(scores=scores, measures="AP", by_query=True, **options)


def make_scores(n_systems=3, n=12, seed=1):
    values = np.random.default_rng(seed).integers(0, 100, (n_systems, n)) / 100
    values[-1] = np.minimum(values[-1] + 0.2, 1.0)
    queries = [f"q{k}" for k in range(n)]
    return {
        f"s{k}": dict(zip(queries, map(float, row), strict=True)) for k, row in enumerate(values)
    }


def test_rows_are_the_differences_of_each_pair_largest_first():
    scores = make_scores()
    result = compare(scores, baseline="s0")
    assert len(result.by_query) == 24
    for comparison in result:
        rows = [row for row in result.by_query if row.system == comparison.system]
        assert sum(row.value for row in rows) / 12 == pytest.approx(comparison.value, abs=1e-15)
        sizes = [abs(row.value) for row in rows]
        assert sizes == sorted(sizes, reverse=True)
        for row in rows:
            assert row.system_score == scores[row.system][row.query_id]
            assert row.baseline_score == scores["s0"][row.query_id]
            assert row.value == pytest.approx(row.system_score - row.baseline_score, abs=1e-13)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("adjustment", ["holm", "benjamini-hochberg", "none"])
def test_number_to_turn_is_the_first_without_which_compare_decides_otherwise(
    adjustment, alternative
):
    """The decision is that of all pairs of the family without these queries."""
    options = {"baseline": "s0", "adjustment": adjustment, "alternative": alternative}
    turned = []
    for seed in range(8):
        scores = make_scores(n_systems=6, n=14, seed=seed)
        result = compare(scores, **options)
        for comparison in result:
            rows = [row for row in result.by_query if row.system == comparison.system]
            expected = None
            for n in range(1, 8):
                removed = {row.query_id for row in rows[:n]}
                less = {
                    name: {q: value for q, value in row.items() if q not in removed}
                    for name, row in scores.items()
                }
                others = irbounds.compare(scores=less, **options)
                other = next(row for row in others if row.system == comparison.system)
                if other.is_significant != comparison.is_significant:
                    expected = n
                    break
            assert {row.n_to_turn_decision for row in rows} == {expected}
            turned.append(expected)
    assert None in turned
    assert len(set(turned)) > 2


def test_sentence_and_table():
    old = [0.2, 0.3, 0.1, 0.4, 0.25, 0.15]
    result = compare({"old": old, "new": [0.3, 0.42, 0.19, 0.1, 0.36, 0.26]}, baseline="old")
    (section,) = result._sections()
    assert section.sentences == [
        "AP, new minus old: the difference is not significant (5 % level, Holm's adjustment); "
        "without the largest difference it is significant."
    ]
    (table,) = section.tables
    assert table.title.startswith("AP: queries of new minus old, mean difference +0.04 over 6 que")
    assert table.headings == ("query", "new", "old", "difference")
    assert table.cells[0][0] == "4"
    assert list(result.records()[0]) == [
        *("measure", "system", "baseline", "query_id", "system_score", "baseline_score"),
        *("difference", "n_to_turn_decision"),
    ]
    (section,) = compare({"old": old, "new": [score + 0.3 for score in old]})._sections()
    assert section.sentences == ["AP, new minus old: there is no test."]


def test_terminal_shows_ten_queries():
    old = [0.01 * k for k in range(14)]
    result = compare({"old": old, "new": [x + 0.02 * (k + 1) for k, x in enumerate(old)]})
    (section,) = result._sections()
    assert "taking away the half with the largest differences" in section.sentences[0]
    assert section.tables[0].shown_rows == tuple(range(10))
    assert section.tables[0].shown_note.startswith("the first 10 of 14 rows (all: ")
    assert len(section.tables[0].records) == 14


def test_options_that_are_refused():
    scores = make_scores()
    with pytest.raises(ParameterError, match="by_query needs a baseline, or two systems; got 3"):
        compare(scores)
    with pytest.raises(ParameterError, match="test is not for by_query, which repeats test 't'"):
        compare(scores, baseline="s0", test="sign-flip")
    with pytest.raises(ParameterError, match="groups is compared within groups; leave out by_que"):
        compare(scores, baseline="s0", groups={"q1": "a"})
