"""Chance levels of numbers answer at once: nothing heavy is loaded for them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = "('numba', 'polars', 'pandas', 'scipy.stats')"


def heavy_after(code: str) -> str:
    code = f"import sys, irbounds\n{code}\nprint([x for x in {HEAVY} if x in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return done.stdout.decode().splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "irbounds.expected_score(10, 4); irbounds.random_rankings.score_variance(10, 4)",
        "irbounds.expected_score(y_true=[0, 1, 0])",
        "irbounds.expected_score(10, {1: 2, 3: 1}, 'nDCG@5')",
        "irbounds.random_rankings.p_value(0.7, 10, 4)",
    ],
)
def test_nothing_heavy_is_loaded(code):
    assert heavy_after(code) == "[]"


def test_the_check_above_can_fail():
    assert heavy_after("import irbounds.kernels.judging") == "['numba']"
