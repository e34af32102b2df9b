"""Results as records, and so as frames of any kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import irbounds

RNG = np.random.default_rng(4)
TABLE = pd.DataFrame({name: RNG.beta(2, 3, size=20) for name in "abc"})


@pytest.mark.parametrize(
    ("results", "columns"),
    [
        (lambda: irbounds.mean_interval(TABLE, rng=1), {"mean", "low", "high", "method", "seed"}),
        (
            lambda: irbounds.difference_interval(TABLE, rng=1),
            {"difference", "baseline", "p_value", "n_draws"},
        ),
        (lambda: irbounds.rank_interval(TABLE, rng=1), {"mean", "rank_low", "letters"}),
        (lambda: irbounds.plan_queries(TABLE, difference=0.1), {"pair", "queries_for_difference"}),
        (
            lambda: irbounds.calibrate(TABLE, 5, methods=["student-t"], n_samples=10, rng=1),
            {"verdict", "error"},
        ),
    ],
)
def test_every_result_makes_a_frame(results, columns):
    found = results()
    for frame in (pl.DataFrame(irbounds.records(found)), pd.DataFrame(irbounds.records(found))):
        assert len(frame) == len(found)
        assert columns <= set(frame.columns)


def test_what_is_no_result_is_an_error():
    with pytest.raises(irbounds.ParameterError, match=r"records are of Estimate, .*; got int"):
        irbounds.records([1])
