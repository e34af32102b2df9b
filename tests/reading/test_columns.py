"""Values of any type as ids and numbers."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.reading.columns import as_numbers


def test_integer_ids_of_a_frame_become_text():
    frame = pd.DataFrame({"qid": [301, 301], "docno": [7, 8], "label": [1, 0]})
    assert irbounds.read_qrels(frame).to_dict() == {"301": {"7": 1, "8": 0}}
    gaps = pd.DataFrame({"qid": [301.0, 302.0], "docno": ["a", "b"], "score": [1, 2]})
    assert irbounds.read_run(gaps).query_ids == ("301", "302")
    with pytest.raises(InputError, match="query id nan is neither text nor an integer"):
        irbounds.read_run(pd.DataFrame({"qid": [float("nan")], "docno": ["a"], "score": [1]}))


def seconds_to_refuse(text):
    begin = time.perf_counter()
    assert np.isnan(as_numbers([text])).all()
    return time.perf_counter() - begin


@pytest.mark.parametrize("shape", ["{}x", "{}.{}x", ".{}x", "1e{}x", "-{}ex"])
def test_text_that_is_not_a_number_is_refused_in_linear_time(shape):
    """8 times the digits take 8 times as long; backtracking would take 64 times as long."""
    short, long = (
        min(seconds_to_refuse(shape.replace("{}", "9" * n)) for _ in range(5))
        for n in (1_000, 8_000)
    )
    assert long < 25 * short


def test_fingerprints_depend_on_the_boundaries_of_ids():
    a, b = {"q": {"ab": 1.0, "c": 2.0}}, {"q": {"a": 1.0, "bc": 2.0}}
    assert irbounds.read_run(a).fingerprint != irbounds.read_run(b).fingerprint
