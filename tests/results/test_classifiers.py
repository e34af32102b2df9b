"""Results of classifiers on one test set: limits, p-values and other levels."""

from __future__ import annotations

import numpy as np
import pytest

import irbounds

RNG = np.random.default_rng(51)
LABELS = RNG.random(200) < 0.2
ROWS = {
    "label": LABELS,
    "good": RNG.normal(size=200) + 1.5 * LABELS,
    "random": RNG.normal(size=200),
}


def test_smallest_drawn_p_value_is_a_limit():
    good, random, *_ = irbounds.ap(ROWS)
    assert (good.n_draws, good.p_value) == (9999, 1e-4)
    assert good.p_text == "\N{LESS-THAN OR EQUAL TO}0.0001"
    assert random.p_text == f"{random.p_value:.3f}"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_table_has_the_limits(alternative):
    text = str(irbounds.ap(ROWS, alternative=alternative))
    headings = set(
        next(line for line in text.splitlines() if line.startswith("classifier")).split()
    )
    ends = {"low": alternative != "less", "high": alternative != "greater"}
    assert {end: end in headings for end in ends} == ends


def test_difference_at_another_level_keeps_its_test():
    difference = irbounds.ap(ROWS)[4]
    narrower = difference.at(0.5)
    assert narrower.interval.half_width < difference.interval.half_width
    assert narrower.p_value == difference.p_value
