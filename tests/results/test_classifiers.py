"""Results of classifiers on one test set: sentences, p-values and other levels."""

from __future__ import annotations

import numpy as np
import pytest

import irbounds

RNG = np.random.default_rng(51)
LABELS = RNG.random(200) < 0.2
SCORES = RNG.normal(size=200) + 1.5 * LABELS


def test_smallest_drawn_p_value_is_a_limit():
    score = irbounds.average_precision_interval(LABELS, SCORES)
    assert (score.n_draws, score.p_value) == (9999, 1e-4)
    assert score.p_text == "\N{LESS-THAN OR EQUAL TO}0.0001"
    random = irbounds.average_precision_interval(LABELS, RNG.normal(size=200))
    assert random.p_text == f"{random.p_value:.3f}"


@pytest.mark.parametrize(
    ("alternative", "words"),
    [("two-sided", "95 % interval"), ("greater", "95 % lower limit"), ("less", "95 % upper limit")],
)
def test_sentence_and_table_have_the_limits(alternative, words):
    text = str(irbounds.average_precision_interval(LABELS, SCORES, alternative=alternative))
    assert words in text
    headings = set(next(line for line in text.splitlines() if "classifier" in line).split())
    ends = {"low": alternative != "less", "high": alternative != "greater"}
    assert {end: end in headings for end in ends} == ends


def test_titles_state_the_rule_for_ties_and_a_fixed_prevalence():
    score = irbounds.average_precision_interval(LABELS, SCORES, ties="worst", stratified=True)
    assert "ties in their worst order" in str(score)
    assert "prevalence fixed" in str(score)


def test_difference_at_another_level_keeps_its_test():
    difference = irbounds.average_precision_difference(LABELS, SCORES, RNG.normal(size=200))
    narrower = difference.at(0.5)
    assert narrower.interval.half_width < difference.interval.half_width
    assert narrower.p_value == difference.p_value
    assert difference.is_significant
    assert "differ significantly" in str(difference)
