"""Corrected scores at the edges: rounding errors, no room above chance, and what is no score."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from irbounds.errors import ParameterError
from irbounds.random_rankings import corrected_score

ABOVE = float(np.nextafter(1, 2))


def test_a_rounding_error_is_no_error():
    assert corrected_score(ABOVE, 0.5) == 1.0
    assert corrected_score(-1e-13, 0.0) == 0.0
    assert np.isnan(corrected_score(1.0, ABOVE))
    assert corrected_score([0.5, ABOVE], [0.0, 0.0]).tolist() == [0.5, 1.0]
    with pytest.raises(ParameterError, match="observed must lie between 0 and 1"):
        corrected_score(1 + 1e-11, 0.5)


def test_no_room_but_a_rounding_error_is_none():
    assert np.isnan(corrected_score(1.0, 1 - 4e-16))
    assert np.isnan(corrected_score([1.0, 0.3], [1 - 1e-13, 1.0])).all()
    # the negative control: a room that is small and there
    assert corrected_score(1.0, 1 - 1e-9) == 1.0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([0.5, 2, 3], "got 2.0 at place 1"),
        (np.r_[np.full(999, 0.5), -0.25], "got -0.25 at place 999"),
        (np.array([0.5, np.inf]), "got inf at place 1"),
        (1.5, "got 1.5"),
        (["0.5"], "got ['0.5']"),
        ([True], "got [True]"),
        ([True, 0.5], "got [True, 0.5]"),
        (np.array([True]), "got array([ True])"),
        (np.bool_(True), "got "),
        ([None, 0.5], "got [None, 0.5]"),
        ([0.5, [0.1, 0.2]], "got [0.5, [0.1, 0.2]]"),
        (0.5j, "got 0.5j"),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(given, said):
    for name, pair in (("observed", (given, 0.5)), ("expected", (0.5, given))):
        text = re.escape(f"{name} must lie between 0 and 1; {said}")
        with pytest.raises(ParameterError, match=text + ("$" if said != "got " else "")):
            corrected_score(*pair)


def test_numbers_of_any_kind():
    for given in (np.float32(0.75), Fraction(3, 4), np.array(0.75), np.array([0.75])[0]):
        assert corrected_score(given, 0.5) == 0.5
    assert corrected_score((0, 1), np.array([0, 0])).tolist() == [0.0, 1.0]
    assert corrected_score([Fraction(3, 4)], 0.5).tolist() == [0.5]
