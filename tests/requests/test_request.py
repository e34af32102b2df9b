"""Requests: text and values are parsed alike, and checked before any file is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import pytest

import irbounds
from irbounds.errors import ParameterError
from irbounds.requests.request import Option, Request, options_of, plain_options


@dataclass(frozen=True, kw_only=True)
class Sample(Request):
    number: Annotated[int, Option("A number.", minimum=1)] = 3
    numbers: Annotated[Sequence[int] | int, Option("Numbers.", commas=True, minimum=1)] = (1, 2)
    fraction: Annotated[float | None, Option("A fraction.")] = None
    pair: Annotated[tuple[float, float] | None, Option("Two.", metavar="LOW,HIGH")] = None
    choice: Annotated[Literal["left", "right"], Option("A side.")] = "left"
    flag: Annotated[bool, Option("A flag.")] = False
    file: Annotated[Any, Option("A file.", file="read")] = None
    other: Annotated[Any, Option("Another.", file="read", is_repeated=True)] = None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ({"number": "7"}, {"number": 7}),
        ({"numbers": ["5,10", "20"]}, {"numbers": (5, 10, 20)}),
        ({"numbers": "5"}, {"numbers": 5}),
        ({"fraction": "0.5"}, {"fraction": 0.5}),
        ({"pair": "0,1"}, {"pair": (0.0, 1.0)}),
        ({"pair": ("0", "1")}, {"pair": [0.0, 1.0]}),
        ({"pair": "0,1"}, {"pair": np.array([0.0, 1.0])}),
        ({"choice": "right"}, {"choice": "right"}),
    ],
)
def test_text_and_values_make_the_same_request(text, value):
    assert Sample(**text) == Sample(**value)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"number": "many"}, ("number", "integer", "'many'")),
        ({"number": "1,000"}, ("number", "write 1000")),
        ({"number": 0}, ("number", "at least 1", "0")),
        ({"number": None}, ("number", "None")),
        ({"numbers": "1,x"}, ("numbers", "'x'")),
        ({"fraction": "95%"}, ("fraction", "'95%'", "0.95")),
        ({"pair": "0"}, ("pair", "2 values", "LOW,HIGH", "'0'")),
        ({"choice": "lft"}, ("choice", "'left', 'right'", "'lft'", "did you mean left?")),
        ({"flag": "yes"}, ("flag", "True or False", "'yes'")),
        ({"file": "-", "other": ["-"]}, ("standard input", "only once")),
        ({"file": "-", "other": ["AP=-"]}, ("standard input", "only once")),
    ],
)
def test_error_names_the_option_and_the_value(options, facts):
    with pytest.raises(ParameterError) as raised:
        Sample(**options)
    for fact in facts:
        assert fact in str(raised.value)
    assert "\n" not in str(raised.value)


def test_request_lists_changed_options():
    sample = Sample(number=4, flag=True)
    assert sample.list_changed("number", "numbers", "flag") == ["number", "flag"]
    with pytest.raises(ParameterError, match="number and flag are for others"):
        sample.refuse("for others", "number", "numbers", "flag")
    assert plain_options(sample)["numbers"] == [1, 2]
    assert [option.flag for option in options_of(Sample)][:2] == ["--number", "--numbers"]


def test_requests_are_checked_before_files_are_read(tmp_path):
    missing = tmp_path / "none.txt"
    for wrong in (
        {"confidence_level": 95},
        {"measures": "no-such-measure"},
        {"method": "magic"},
        {"seed": -1},
        {"corpus_size": 9},
    ):
        with pytest.raises(irbounds.IrboundsError) as raised:
            irbounds.evaluate(missing, missing, **wrong)
        assert "none.txt" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("rng", "seed"), ("metrics", "measures"), ("confidence_levle", "confidence_level")],
)
def test_unknown_option_suggests_the_nearest(name, hint):
    with pytest.raises(TypeError, match=rf"evaluate\(\) has no option '{name}'.*'{hint}'"):
        irbounds.evaluate(scores={"a": [0.1, 0.2]}, **{name: 1})


SCORES = {"old": [0.1, 0.4, 0.3, 0.0, 0.2], "new": [0.3, 0.5, 0.3, 0.2, 0.5]}


def test_printed_result_matches_the_command():
    result = irbounds.compare(scores=SCORES, measures="map", baseline="old")
    text = str(result)
    assert "AP: new scores significantly higher than old" in text
    assert "p: paired t test" in text
    assert result.to_pandas()["difference"].tolist() == [result[0].value]
    # scores as the only positional argument
    positional = irbounds.compare(SCORES, measures="AP", baseline="old")
    assert positional.records() == result.records()


def test_default_seed_is_that_of_the_command_line():
    default, same, other = (
        irbounds.evaluate(scores=SCORES, method="bca", n_resamples=99, **seed)
        for seed in ({}, {"seed": 0}, {"seed": 1})
    )
    assert [e.interval for e in default] == [e.interval for e in same]
    assert [e.interval for e in default] != [e.interval for e in other]
    assert default[0].seed == 0
    assert "seed 0" in str(default)


def test_warnings_are_issued_and_stored():
    with pytest.warns(irbounds.errors.DegenerateSampleWarning):
        result = irbounds.evaluate(scores={"a": [0.5]}, method="student-t")
    assert result.warnings
    assert np.isnan(result[0].interval.low)
