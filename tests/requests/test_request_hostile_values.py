"""Invalid values of verbs: an error of irbounds that names the option, before any work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import irbounds
from irbounds.cli.output_options import Output
from irbounds.errors import InputError, ParameterError

SCORES = {"a": [0.1, 0.4, 0.2], "b": [0.3, 0.3, 0.5]}
QRELS = {"q": {"d": 1}}
LONG = "x" * 9000


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("compare", {"scores": SCORES, "qrels": QRELS}, "scores takes the place of qrels"),
        ("compare", {"scores": SCORES, "measures": ","}, "measures must name a measure.*','"),
        ("evaluate", {"scores": SCORES, "method": np.array(3)}, r"method must be one of.*array\(3"),
        ("evaluate", {"scores": SCORES, "sigma": [1]}, r"sigma must be .*got \[1\]"),
        ("recall", {"samples": np.array(3)}, r"samples must be a file.*array\(3"),
        (
            "chance",
            {"qrels": 10**5000, "runs": 4, "n_documents": 3},
            "each once; got an integer of",
        ),
        (
            "plan_recall",
            {"corpus_size": 9, "retrieved_size": 3, "budget": np.zeros(2)},
            r"budget must be an integer.*got array\(\[0",
        ),
        (
            "plan_recall",
            {"corpus_size": 9, "retrieved_size": 3, "recall": [1]},
            r"recall must be a fraction",
        ),
    ],
)
def test_values_of_a_wrong_type_are_refused(name, options, message):
    with pytest.raises(ParameterError, match=message):
        getattr(irbounds, name)(**options)


@pytest.mark.parametrize("name", [LONG, "a\0b", "\ud800"])
def test_invalid_file_names_are_errors(name):
    with pytest.raises(InputError):
        irbounds.evaluate(QRELS, name)
    with pytest.raises(InputError):
        irbounds.evaluate(QRELS, Path(name))
    with pytest.raises(InputError):
        irbounds.evaluate(scores=f"AP={name}")
    with pytest.raises(ParameterError, match="output "):
        Output(output=name)
    with pytest.raises(ParameterError, match="use an extension") as refused:
        Output(figure=f"{name}\n")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 2000


def test_long_number_is_not_read_as_a_file_name():
    with pytest.raises(ParameterError, match="n_documents"):
        irbounds.chance("9" * 5000, "4")


def test_names_of_scores_must_be_text():
    with pytest.raises(InputError, match="names must be text"):
        irbounds.evaluate(scores={"\ud800": [0.1, 0.4], "b": [0.3, 0.3]})


def test_runs_that_are_not_records_are_an_error():
    with pytest.raises(InputError, match="records need named fields"):
        irbounds.evaluate(QRELS, {"a": np.array(3)})
