"""Scores near the limits of doubles, for tests that overflow is not silent."""

from __future__ import annotations

import numpy as np

LARGEST = 1e250  # that a score may be

#: twelve scores each; the first two are taken where few queries are wanted
EXTREMES = {
    "largest": np.resize([LARGEST, -LARGEST, LARGEST / 3], 12),
    "smallest": np.resize([5e-324, 0.0, 1e-323], 12),
    "tiny": np.resize([1e-200, 3e-200, 2e-200], 12),
    "far apart": 10.0 ** np.linspace(250, -320, 12),
    "far apart, both signs": 10.0 ** np.linspace(250, -320, 12) * np.resize([1, -1], 12),
    "one of them large": np.array([LARGEST, *np.full(11, 1e-300)]),
    "nearly equal": LARGEST / 2 * (1 + np.resize([0, 2, 1], 12) * 2.0**-52),
    "equal": np.full(12, 0.1),
    "zeros and one": np.array([1.0, *np.zeros(11)]),
}
