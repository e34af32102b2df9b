"""Scenarios and designs of corpora with known recall."""

from __future__ import annotations

import numpy as np
import pytest

from irbounds.errors import DataError, ParameterError
from irbounds.planning.recall_scenarios import (
    SCENARIOS,
    RecallDesign,
    draw_realisation,
    make_realisation,
)
from irbounds.planning.recall_simulation import (
    recall_coverage,
)
from irbounds.results import RecallRealisation

DESIGN = RecallDesign(
    corpus_size=900,
    n_relevant=60,
    recall=0.7,
    precision=0.5,
    retrieved_sample=30,
    unretrieved_sample=90,
)


# scenarios

#: mean of each variable as printed in Tables VI to VIII, and four standard errors of our mean of
#: 2,000 draws: a false alarm for one in 15,000
PRINTED = {
    "neutral": {"N": (495e3, 75e3), "prec": (0.64, 0.022), "n1": (890, 170), "n0": (1150, 190)},
    "legal": {"prec": (0.48, 0.024), "n1": (820, 105)},  # see recall_scenarios on the others
    "small": {"N": (3900, 235), "prec": (0.51, 0.024), "n1": (160, 16), "n0": (600, 39)},
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_realisations_match_the_means_of_the_paper(name):
    drawn = [draw_realisation(name, 0, k) for k in range(2000)]
    for one in drawn:
        assert 0 < one.relevant_retrieved <= one.retrieved
        assert 0 < one.relevant_unretrieved <= one.unretrieved
        assert 1 <= one.retrieved_sample <= one.retrieved
        assert 1 <= one.unretrieved_sample <= one.unretrieved
    found = {
        "N": [one.retrieved + one.unretrieved for one in drawn],
        "prec": [one.relevant_retrieved / one.retrieved for one in drawn],
        "n1": [one.retrieved_sample for one in drawn],
        "n0": [one.unretrieved_sample for one in drawn],
    }
    for variable, (mean, margin) in PRINTED[name].items():
        assert np.mean(found[variable]) == pytest.approx(mean, abs=margin), variable
    recall = np.mean([one.recall for one in drawn])
    assert recall == pytest.approx({"legal": 0.33}.get(name, 0.55), abs=0.025)


def test_min_in_the_precision_row_does_not_match_the_paper():
    """Negative control: of the two lower bounds the tables print the lesser."""
    generator = np.random.default_rng(1)
    low = np.minimum(0.1, 0.95 * 0.02 * generator.uniform(1, 6, 2000) ** 2)
    assert abs(np.mean(generator.uniform(low, 1.0)) - 0.64) > 0.05


def test_design_as_realisation():
    assert make_realisation(DESIGN) == RecallRealisation(84, 816, 42, 18, 30, 90)
    assert make_realisation(DESIGN).recall == pytest.approx(0.7)
    by_size = RecallDesign(900, 60, 0.7, 30, 90, retrieved_size=84)
    assert make_realisation(by_size) == make_realisation(DESIGN)


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        (
            {"corpus_size": 0},
            ParameterError,
            "corpus_size must be an integer .*; got 0",
        ),
        (
            {"corpus_size": 10**9},
            ParameterError,
            "corpus_size must be at most 999,999,999; got 1000",
        ),
        (
            {"n_relevant": 1.5},
            ParameterError,
            "n_relevant must be an integer of at least 1; got 1.5",
        ),
        ({"recall": 70}, ParameterError, "recall must be a fraction from 0 to 1; got 70"),
        ({"recall": "x"}, ParameterError, "recall must be a fraction from 0 to 1; got 'x'"),
        ({"precision": 0.0}, ParameterError, "precision must be above 0; got 0; give retrieved"),
        (
            {"precision": None},
            ParameterError,
            "give either retrieved_size or precision; got None and",
        ),
        (
            {"retrieved_size": 9},
            ParameterError,
            "give either retrieved_size or precision; got 9 and",
        ),
        (
            {"n_relevant": 890},
            DataError,
            "the retrieved segment has 1,246 documents, but|the unretr",
        ),
        ({"retrieved_sample": 85}, DataError, "retrieved_sample is 85 of 84 retrieved documents"),
        ({"unretrieved_sample": 0}, ParameterError, "unretrieved_sample must be an integer of"),
    ],
)
def test_impossible_designs_are_rejected(change, error, text):
    fields = {**vars(DESIGN), **change}
    with pytest.raises(error, match=text):
        recall_coverage(RecallDesign(**fields))
