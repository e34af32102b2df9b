"""Intervals of scores that are 0 or 1, against scipy, and the choice of the default."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from scipy import stats

import irbounds
from irbounds import mean_interval
from irbounds.errors import DegenerateSampleWarning, ParameterError

SCORES = [1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("scores", [SCORES, [1.0] * 6, [0.0] * 6])
def test_clopper_pearson_matches_scipy(level, scores):
    options = {"method": "clopper-pearson", "confidence_level": level}
    (estimate,) = mean_interval(scores, **options)
    expected = stats.binomtest(int(sum(scores)), len(scores)).proportion_ci(level, "exact")
    assert tuple(estimate.interval) == pytest.approx((expected.low, expected.high), abs=1e-12)
    (lower,) = mean_interval(scores, alternative="greater", **options)
    one_sided = stats.binomtest(int(sum(scores)), len(scores), alternative="greater")
    assert lower.interval.low == pytest.approx(
        one_sided.proportion_ci(level, "exact").low, abs=1e-12
    )


def test_the_measure_and_not_the_sample_decides_on_clopper_pearson():
    runs = {"x": {"q": {"a": 1.0}, "r": {"b": 1.0}, "s": {"b": 1.0}, "t": {"a": 1.0, "b": 0.5}}}
    qrels = {"q": {"a": 1}, "r": {"a": 1}, "s": {"b": 1}, "t": {"b": 1}}
    estimates = mean_interval(irbounds.score(qrels, runs, ["Success@1", "RR"]))
    methods = {estimate.measure: estimate.interval.method for estimate in estimates}
    assert methods == {"Success@1": "clopper-pearson", "RR": "moderated-wilson"}
    (unnamed,) = mean_interval(SCORES)  # without known bounds
    assert unnamed.interval.method == "student-t"
    alone, (one, _) = (
        mean_interval({"RR": pd.DataFrame(columns)})
        for columns in ({"a": SCORES}, {"a": SCORES, "b": [0.5, *SCORES[1:]]})
    )
    assert (alone[0].interval, one.interval.method) == (one.interval, "moderated-wilson")
    for name in ("P@1", "RR@1", "P(rel=2)@1", "Success@10"):
        (estimate,) = mean_interval({name: pd.DataFrame({"a": SCORES})})
        assert estimate.interval.method == "clopper-pearson"
    averages = {"Success@5": pd.DataFrame({"a": SCORES, "b": [0.5, *SCORES[1:]]})}
    methods = [estimate.interval.method for estimate in mean_interval(averages)]
    assert methods == ["clopper-pearson", "moderated-wilson"]
    (zeros,) = mean_interval({"Success@5": pd.DataFrame({"a": [0.0] * 9})})
    assert tuple(zeros.interval) == (0, pytest.approx(1 - 0.025 ** (1 / 9), rel=1e-12))


def test_scores_other_than_0_and_1_are_an_error():
    with pytest.raises(ParameterError, match=r"all 0 or 1; system, score has 0\.5"):
        mean_interval([0.0, 0.5], method="clopper-pearson")


def test_binary_scores_may_have_other_bounds():
    (estimate,) = mean_interval([2.0, 4.0, 4.0], method="clopper-pearson", bounds=(2, 4))
    (plain,) = mean_interval([0.0, 1.0, 1.0], method="clopper-pearson")
    assert estimate.interval.low == pytest.approx(2 + 2 * plain.interval.low)


def test_a_single_binary_score_has_no_interval():
    with pytest.warns(DegenerateSampleWarning, match="a single query has no spread"):
        (estimate,) = mean_interval([1.0], method="clopper-pearson")
    assert math.isnan(estimate.interval.low)
