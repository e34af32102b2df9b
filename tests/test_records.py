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


@pytest.fixture(scope="module")
def images():
    """Three systems on six queries, 40 documents, 64 images."""
    judged = {f"q{k}": {f"d{j}": int((j + k) % 3 == 0) for j in range(12)} for k in range(6)}
    runs = {
        name: {
            query: {f"d{(j * step + k) % 12}": 12.0 - j for j in range(12)}
            for k, query in enumerate(judged)
        }
        for name, step in (("a", 1), ("b", 5), ("c", 7))
    }
    return irbounds.corpus_bootstrap(judged, runs, ["AP"], corpus_size=40, n_images=64, rng=1)


IMAGE_COLUMNS = {
    "image_mean",
    "image_standard_deviation",
    "image_minimum",
    "image_lower_quartile",
    "image_median",
    "image_upper_quartile",
    "image_maximum",
}


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        (
            lambda images: images.score_precision(),
            IMAGE_COLUMNS | {"root", "low", "high", "shift", "decimals", "confidence_level"},
        ),
        (
            lambda images: images.difference_precision(),
            IMAGE_COLUMNS | {"root", "baseline", "low", "higher_probability"},
        ),
        (
            lambda images: images.rank_precision(),
            {"rank", "rank_low", "rank_high", "image_rank_median", "best_probability"},
        ),
        (lambda images: images.query_precision("b"), IMAGE_COLUMNS | {"query_id", "high"}),
        (
            lambda images: images.query_spreads(),
            {"query_id", "spread_median", "spread_percentile_95", "spread_maximum"},
        ),
        (
            lambda images: images.measure_precision() + images.system_precision(),
            {
                *("score_spread_mean", "score_spread_standard_deviation"),
                *("difference_spread_mean", "difference_spread_standard_deviation", "system"),
            },
        ),
        (lambda images: images.validity(), {"rule", "below", "inside", "above"}),
        (
            lambda images: images.shallow_pools("a", "b", [2]),
            {
                *("depth", "p_value", "image_difference_mean", "image_p_value_median"),
                *("image_query_spread_mean", "significant"),
            },
        ),
        (
            lambda images: images.variance_split("b"),
            {
                *("query_variance", "document_variance", "interaction_variance", "low"),
                *("total_variance", "query_bootstrap_variance", "two_way_bootstrap_variance"),
            },
        ),
    ],
)
def test_what_images_say_makes_a_frame_of_plain_numbers(images, question, columns):
    found = question(images)
    rows = irbounds.records(found)
    assert columns <= set(rows[0])
    assert all(list(row) == list(rows[0]) for row in rows)
    plain = (str, int, float, type(None))
    assert {type(value) for row in rows for value in row.values()} <= set(plain)
    assert pl.DataFrame(rows).shape == pd.DataFrame(rows).shape == (len(found), len(rows[0]))


def test_every_number_of_an_image_summary_is_in_its_own_column(images):
    one = images.score_precision()[1]
    row = irbounds.records([one])[0]
    assert row["image_upper_quartile"] == one.images.upper_quartile
    assert row["image_standard_deviation"] == one.images.standard_deviation
    assert (row["low"], row["high"]) == (one.interval.low, one.interval.high)
    assert row["shift"] == one.images.mean - one.root
    split = images.variance_split()[0]
    row = irbounds.records([split])[0]
    names = ("query_bootstrap", "document_bootstrap", "two_way_bootstrap", "total", "interaction")
    assert [row[f"{name}_variance"] for name in names] == [getattr(split, name) for name in names]
    assert len({row[f"{name}_variance"] for name in names[:3]}) == 3


def test_what_is_no_result_is_an_error():
    with pytest.raises(irbounds.ParameterError, match=r"records are of Estimate, .*; got int"):
        irbounds.records([1])


@pytest.mark.parametrize("method", ["beta-binomial", "koopman", "monte-carlo"])
def test_recall_makes_plain_records(method):
    sample = {"retrieved": (200, 50, 20), "unretrieved": (900, 60, 2)}
    row = irbounds.records([irbounds.recall_interval(**sample, method=method)])[0]
    assert {type(value) for value in row.values()} <= {str, int, float, bool, type(None)}
    assert (row["unretrieved_population"], row["retrieved_relevant"]) == (900, 20)
