"""Small tables and pairs for the tests of comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.comparisons.pairs import Pairs
from irbounds.scores.score_table import ScoreTable


@pytest.fixture
def table():
    """Return a function that makes a table of system x query (or measure x system x query)."""

    def make(values, *, measures=("AP", "P@10"), systems=None):
        values = np.asarray(values, dtype=float)
        if values.ndim == 2:
            values = values[None]
        names = systems or tuple(f"s{k}" for k in range(values.shape[1]))
        queries = tuple(f"q{k}" for k in range(values.shape[2]))
        return ScoreTable(measures[: len(values)], names, queries, values)

    return make


@pytest.fixture
def couples():
    """Return a function that makes independent pairs: system 0 with 1, 2 with 3 and so on."""

    def make(scores):
        scores = np.asarray(scores, dtype=float)
        places = np.arange(len(scores))
        names = tuple(f"s{k}" for k in places)
        return Pairs("AP", names, scores, places[::2], places[1::2])

    return make
