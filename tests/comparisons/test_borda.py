"""Borda points: systems beaten on each query, one half for a tie."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import naive
from irbounds import rank_interval
from irbounds.comparisons.borda import borda_points
from irbounds.errors import ParameterError


@pytest.mark.parametrize("seed", range(20))
def test_borda_points_match_naive_code_and_average_ranks_of_scipy(seed):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random((rng.integers(1, 9), rng.integers(1, 12))), 1)  # with ties
    points = borda_points(scores)
    assert points.tolist() == naive.borda_points(scores.tolist())
    # the number of systems minus the average rank, best first: the count of mteb's leaderboard
    ranks = stats.rankdata(-scores, axis=0)
    assert points.tolist() == (len(scores) - ranks).tolist()


def frame_of(scores):
    return pd.DataFrame(np.asarray(scores).T, columns=[f"s{k}" for k in range(len(scores))])


def test_ranks_by_borda_are_ranks_by_the_mean_of_points():
    rng = np.random.default_rng(1)
    scores = np.round(rng.random((6, 15)) + np.linspace(0, 0.4, 6)[:, None], 1)
    points = np.array(naive.borda_points(scores.tolist()))
    ranks = {row.system: row for row in rank_interval(frame_of(scores), by="borda")}
    for row in rank_interval(frame_of(points)):
        of_points = ranks[row.system]
        place = int(row.system[1:])
        assert of_points.points == points[place].sum()
        assert of_points.mean == pytest.approx(scores[place].mean(), abs=1e-15)
        assert (of_points.value, *of_points.interval, of_points.letters) == (
            *(row.value, *row.interval),
            row.letters,
        )


def test_borda_and_mean_can_disagree():
    scores = [[0.9, 0.2, 0.2, 0.2], [0.3, 0.3, 0.3, 0.3]]
    assert [r.system for r in rank_interval(frame_of(scores))] == ["s0", "s1"]
    ranks = rank_interval(frame_of(scores), by="borda")
    assert [(r.system, r.points) for r in ranks] == [("s1", 3), ("s0", 1)]
    assert "ranks by Borda points over 4 queries" in str(ranks)
    assert "Borda points in score" in str(ranks.plot().to_dict())


def test_another_criterion_is_an_error():
    with pytest.raises(ParameterError, match="by must be"):
        rank_interval(frame_of([[0.1, 0.2], [0.3, 0.1]]), by="median")


def test_points_are_shown_where_all_systems_have_the_same():
    scores = np.array([[0.4, 0.5, 0.6], [0.5, 0.6, 0.4], [0.6, 0.4, 0.5]])
    ranks = rank_interval(frame_of(scores), by="borda")
    assert [row.points for row in ranks] == [3.0] * 3
    assert str(ranks).count("3.0") == 3
