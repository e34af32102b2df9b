"""Results as records, which data frames are made from."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import irbounds
from every_result import NAMES, result_of

#: the first record of every kind, as written at commit 9f96276 from the
#: records (of kinds that had none: the tables) of ``every_result.every_result()``; the p-values of
#: differences are those of scipy's t distribution
REFERENCE = json.loads((Path(__file__).parent / "reference" / "records.json").read_text())
#: columns added since then
RECALL_COLUMNS = {"credit_found", "at_least", "is_shown", "sample_needed"}
ADDED = {
    **dict.fromkeys(("recall", "quantities", "normal recall"), RECALL_COLUMNS),
    "all methods": RECALL_COLUMNS | {"recommended", "remark"},
    "means": {"prior_variance", "standard_deviation"},
    "lower limits": {"prior_variance", "standard_deviation"},
    "ties": {"span"},
    "query plans": {"reliability", "queries_for_reliability"},
    "differences": {"adjusted_p_low", "adjusted_p_high", "is_decided"},
    "ranks": {"method", "alternative", "by", "points"},
    "rank precision": {"method", "alternative"},
}
MEAN_COLUMNS = {
    *("measure", "system", "mean", "low", "high", "confidence_level", "method", "alternative"),
    *("standard_error", "n", "n_resamples", "n_dropped", "seed", "prior_variance"),
    "standard_deviation",
}


def is_equal(value, reference) -> bool:
    if isinstance(reference, float) and math.isnan(reference):
        return math.isnan(value)
    if isinstance(reference, float):
        return value == pytest.approx(reference, rel=1e-9, abs=1e-12)
    return value == reference


@pytest.mark.parametrize("name", sorted(REFERENCE))
def test_columns_and_values_match_the_reference(name):
    row, reference = result_of(name).records()[0], REFERENCE[name]
    assert set(row) - set(reference) == ADDED.get(name, set())
    assert set(reference) <= set(row)
    assert {key: row[key] for key in reference if not is_equal(row[key], reference[key])} == {}


def test_every_result_kind_has_a_reference_or_is_new():
    assert set(NAMES) - set(REFERENCE) == {
        *("paper table", "images", "measures", "ranks by points", "systems plans"),
        *("differences by query", "differences by group", "differences between groups"),
        "published means",
        *("classifiers", "bootstrapped classifiers", "gate", "drawn sample"),
        *("tipping points", "chance of numbers"),
    }
    (row, *_) = result_of("paper table").records()
    assert set(row) == MEAN_COLUMNS | {"compared_with", "adjusted_p_value", "verdict"}
    assert set(REFERENCE["means"]) | ADDED["means"] == MEAN_COLUMNS


def test_nested_numbers_have_their_own_columns():
    precision = result_of("score precision")[1]
    (row,) = irbounds.results.records([precision])
    assert row["image_upper_quartile"] == precision.images.upper_quartile
    assert row["image_standard_deviation"] == precision.images.standard_deviation
    assert row["shift"] == precision.images.mean - precision.value
    variances = result_of("variances")[0]
    (row,) = irbounds.results.records([variances])
    names = ("query_bootstrap", "document_bootstrap", "two_way_bootstrap", "total", "interaction")
    assert [row[f"{name}_variance"] for name in names] == [
        getattr(variances, name) for name in names
    ]
    assert len({row[f"{name}_variance"] for name in names[:3]}) == 3


def test_records_function_matches_records_method():
    for name in ("means", "images", "diagnosis"):
        results = result_of(name)
        assert results.records() == irbounds.results.records(results._rows())


def test_value_that_is_not_a_result_is_an_error():
    with pytest.raises(irbounds.errors.ParameterError, match="results; got int"):
        irbounds.results.records([*result_of("means"), 1])
