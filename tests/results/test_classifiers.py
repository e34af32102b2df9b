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


def test_difference_at_another_level_keeps_its_test():
    difference = irbounds.average_precision_difference(LABELS, SCORES, RNG.normal(size=200))
    narrower = difference.at(0.5)
    assert narrower.interval.half_width < difference.interval.half_width
    assert narrower.p_value == difference.p_value
    assert difference.is_significant


def test_sentence_on_a_difference_has_its_direction():
    noise = RNG.normal(size=200)
    higher = irbounds.average_precision_difference(LABELS, SCORES, noise)
    assert "AP: y_score scores significantly higher than other_score (5 % level)" in str(higher)
    lower = irbounds.average_precision_difference(LABELS, noise, SCORES)
    assert "AP: y_score scores significantly lower than other_score (5 % level)" in str(lower)
    equal = irbounds.average_precision_difference(LABELS, noise, RNG.normal(size=200))
    assert "AP: y_score and other_score do not differ significantly (5 % level)" in str(equal)


def test_without_a_test_there_is_no_verdict():
    rows = {"label": LABELS, "a": SCORES, "b": SCORES, "c": RNG.normal(size=200)}
    pair = str(irbounds.ap(rows, score_columns=["a", "b"]))
    assert "AP: no test for a and b." in pair
    assert "significant" not in pair
    assert "AP: 2 of 3 differences are significant (5 % level" in str(irbounds.ap(rows))
    assert "AP: a and b have the highest value: " in pair
