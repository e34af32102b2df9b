"""Borda points: on every query a system gets one point per system that it beats, half for a tie.

The sum over queries (or tasks) is the Borda count of MTEB's leaderboard. It weighs every task the
same, whatever the scale and the spread of its scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def borda_points(scores: Floats) -> Floats:
    """Return the points of every system on every query: systems x queries, as the scores are.

    Examples
    --------
    >>> borda_points(np.array([[0.9, 0.5], [0.3, 0.5], [0.1, 0.7]])).tolist()
    [[2.0, 0.5], [1.0, 0.5], [0.0, 2.0]]
    """
    points = np.empty_like(scores)
    for query, column in enumerate(scores.T):
        ordered = np.sort(column)
        n_lower = np.searchsorted(ordered, column, side="left")
        n_not_higher = np.searchsorted(ordered, column, side="right")
        points[:, query] = (n_lower + n_not_higher - 1) / 2
    return points
