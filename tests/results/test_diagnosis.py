"""What is said of the inputs: only what was looked at, and what is worth a look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irbounds.results import Diagnosis, QrelsDiagnosis, RunDiagnosis
from irbounds.results.diagnosis import diagnosis_sentences

NOTHING_FOUND = "No queries are missing, nothing is repeated or out of order."
QRELS = QrelsDiagnosis("qrels", "sha256:0", 50, 5000, 4000, 300, 1, 0, 0, 0)
RUN = RunDiagnosis(
    *("a", "sha256:1", 50, 50_000, 40_000, 1000, 1000.0, 1000, 1.0, 0.9, 0, 0.0, 0.3, 0.3),
    *(0, 0, 0, 0, 0, False, ()),
)


def said(*runs, warnings=()):
    return diagnosis_sentences(Diagnosis(QRELS, runs, "judged", 50, tuple(warnings)))


def test_clean_runs_are_said_to_be_what_was_checked():
    assert said(RUN, replace(RUN, name="b")) == [NOTHING_FOUND]


@pytest.mark.parametrize("flaw", ["n_missing", "n_duplicates", "n_rank_contradictions"])
def test_nothing_is_said_to_be_absent_that_is_there(flaw):
    assert said(RUN, replace(RUN, **{flaw: 1})) == []


def test_what_is_odd_is_counted():
    assert said(RUN, warnings=["one"]) == ["1 thing is odd, named among the inputs."]
    assert said(RUN, warnings=["one", "two"]) == ["2 things are odd, named among the inputs."]
