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
    assert "of them positive, without intervals" in pair
    several = str(irbounds.ap(rows))
    assert "AP: 2 of 3 differences are significant; no test for 1 of 3 (5 % level" in several


@pytest.mark.parametrize(
    ("alternative", "words"), [("two-sided", "intervals"), ("less", "upper limits")]
)
def test_one_positive_row_has_no_interval_in_headings(alternative, words):
    rows = {"label": np.arange(50) == 9, "a": RNG.normal(size=50), "b": RNG.normal(size=50)}
    results = irbounds.ap(rows, alternative=alternative)
    assert {result.interval.method for result in results[:4]} == {"moderated-logit-t"}
    text = " ".join(str(results).split())
    assert "AP: no test for a and b." in text
    assert text.count(f"1 of them positive, without {words}") == 4
    assert "do not differ" not in text


def test_classifiers_that_share_the_highest_value_are_all_named():
    others = {name: np.exp(k + SCORES) for k, name in enumerate("bcd")}
    rows = {"label": LABELS, "a": SCORES, **others, "low": RNG.normal(size=200)}
    text = str(irbounds.ap(rows, score_columns=["a", "b", "low"]))
    assert "AP: a and b have the same highest value: " in text
    assert "ROC AUC: a and b have the same highest value: " in text
    assert "AP: 4 classifiers have the same highest value: " in str(irbounds.ap(rows))
