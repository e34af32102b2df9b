"""Prior variances: their list, fits to reference scores, and the fit to public collections."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from benchmarks.validity import combine, fit_collections, load_tables, prior_without

from irbounds import mean_interval
from irbounds.errors import DataError, ParameterError
from irbounds.intervals.variance_prior import (
    choose_prior,
    fit_prior_variance,
    listed_priors,
    prior_of,
)

UNIT = (0.0, 1.0)


def test_each_listed_prior_follows_from_its_collections():
    for measure, entry in listed_priors().items():
        expected = combine(list(entry["collections"].values()))
        assert entry["variance"] == pytest.approx(expected, abs=0.0051), measure
        assert 0 < entry["variance"] <= 1


@pytest.mark.parametrize("measure", ["AP", "nDCG@20", "P@10", "RR"])
def test_no_single_collection_moves_a_prior_far(measure):
    for collection in listed_priors()[measure]["collections"]:
        assert prior_without(measure, collection) == pytest.approx(
            prior_of(measure).variance, rel=0.2
        )


def test_unlisted_measures_have_the_next_smaller_cutoff_or_the_generic_prior():
    listed = listed_priors()
    assert prior_of("P@15").variance == listed["P@10"]["variance"]
    assert prior_of("P@2").variance == listed["P@1"]["variance"]
    assert prior_of("nERR@5").variance == listed["nERR@10"]["variance"]
    assert prior_of("AP@100").variance == listed["AP"]["variance"]
    assert prior_of("AP(rel=2)").variance == listed["AP"]["variance"]
    assert prior_of("anything").variance == 0.25
    assert prior_of("AP").degrees_of_freedom == 4


def test_fit_recovers_the_variance_of_beta_scores():
    rng = np.random.default_rng(3)
    total = 1 / 0.3 - 1
    means = rng.uniform(0.1, 0.6, size=(40, 1))
    scores = rng.beta(means * total, (1 - means) * total, size=(40, 500))
    # the median of 40 systems, each with a standard error of about 5 %: within 4 %
    assert fit_prior_variance(scores) == pytest.approx(0.3, rel=0.04)
    assert fit_prior_variance(np.vstack([scores, np.zeros((5, 500))])) == pytest.approx(
        0.3, rel=0.04
    )


def test_reference_scores_give_the_prior_of_each_measure(tmp_path):
    rng = np.random.default_rng(4)
    scores = pd.DataFrame(rng.uniform(size=(30, 5)), columns=list("abcde"))
    find = choose_prior({"AP": scores, "RR": scores**3})
    assert find("AP", UNIT).variance == fit_prior_variance(scores.to_numpy().T)
    assert find("RR", UNIT).variance == fit_prior_variance(scores.to_numpy().T ** 3)
    with pytest.raises(ParameterError, match="reference scores have no 'P@10', only 'AP', 'RR'"):
        find("P@10", UNIT)
    scores.to_csv(tmp_path / "scores.csv", index=False)  # a table that names no measure
    unnamed = choose_prior(str(tmp_path / "scores.csv"))
    assert unnamed("P@10", UNIT).variance == pytest.approx(find("AP", UNIT).variance)


@pytest.mark.parametrize("value", [0, -0.1, 1.5, float("nan")])
def test_a_prior_variance_is_above_0_and_at_most_1(value):
    with pytest.raises(ParameterError, match="prior_variance must be above 0 and at most 1"):
        mean_interval([0.1, 0.2], bounds=UNIT, prior_variance=value)


def test_reference_scores_need_spread_queries_and_bounds():
    with pytest.raises(DataError, match="have no spread"):
        fit_prior_variance(np.full((3, 4), 0.5))
    with pytest.raises(DataError, match="at least two queries"):
        fit_prior_variance(np.array([[0.5], [0.2]]))
    with pytest.raises(DataError, match="scores of AP must be between 0 and 1"):
        choose_prior({"AP": pd.DataFrame({"a": [0.1, 7.0]})})("AP", UNIT)


def test_the_collections_at_hand_have_their_listed_variances(data_directory):
    fitted = fit_collections(load_tables([data_directory]))
    assert {"AP", "P@10", "RR", "nDCG@20"} <= set(fitted)
    for measure, by_collection in fitted.items():
        for collection, variance in by_collection.items():
            assert listed_priors()[measure]["collections"][collection] == variance


def test_a_prior_variance_is_for_moderated_methods_only():
    with pytest.raises(ParameterError, match="prior_variance is for moderated methods only"):
        mean_interval([0.1, 0.4, 0.5], method="student-t", bounds=(0, 1), prior_variance=0.3)
    methods = ["student-t", "moderated-wilson"]
    mean_interval([0.1, 0.4, 0.5], method=methods, bounds=(0, 1), prior_variance=0.3)


def test_a_file_of_reference_scores_may_name_its_measure(tmp_path):
    file = tmp_path / "reference.csv"
    pd.DataFrame({"a": [0.1, 0.9, 0.5], "b": [0.2, 0.4, 0.1]}).to_csv(file, index=False)
    (plain,) = mean_interval([0.1, 0.2], bounds=UNIT, prior_variance=str(file))
    frame = {"AP": pd.DataFrame({"x": [0.1, 0.2]})}
    (named,) = mean_interval(frame, prior_variance=f"AP={file}")
    assert named.prior_variance == plain.prior_variance
    with pytest.raises(ParameterError, match="reference scores have no 'AP', only 'RR'"):
        mean_interval(frame, prior_variance=f"RR={file}")
