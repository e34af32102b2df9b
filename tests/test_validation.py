"""Numbers, levels and choices as options: every type, limits near 0 and 1, hints."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import irbounds
from irbounds.errors import ParameterError, quote
from irbounds.validation import (
    MIN_TAIL,
    as_float,
    check_bounds,
    check_choice,
    check_confidence_level,
    check_count,
    check_fraction,
    count_hint,
    find_meant,
    parse_written_count,
)
from recall_calls import estimate_recall

SCORES = [0.1, 0.5, 0.4, 0.0, 0.2, 0.9]
COUNTS = {"retrieved": (2000, 100, 50), "unretrieved": (10_000, 100, 3)}
#: functions of the confidence level that return intervals
AT_LEVEL = {
    "mean": lambda level: irbounds.mean_interval(SCORES, confidence_level=level, bounds=(0, 1)),
    "bootstrap": lambda level: irbounds.mean_interval(
        SCORES, method="bca", confidence_level=level, n_resamples=99
    ),
    "difference": lambda level: irbounds.difference_interval(
        {"a": SCORES, "b": SCORES[::-1]}, confidence_level=level
    ),
    "recall": lambda level: [estimate_recall(**COUNTS, confidence_level=level)],
    "exact recall": lambda level: [
        estimate_recall(**COUNTS, method="exact", confidence_level=level)
    ],
}


@pytest.mark.filterwarnings("ignore::irbounds.errors.DegenerateSampleWarning")
@pytest.mark.parametrize("verb", AT_LEVEL)
def test_intervals_at_levels_near_0_and_1_are_finite_and_wider_with_the_level(verb):
    widths = []
    for level in (MIN_TAIL, 0.01, 0.95, 1 - 1e-6, 1 - MIN_TAIL):
        interval = AT_LEVEL[verb](level)[0].interval
        assert interval.confidence_level == level
        widths.append(interval.high - interval.low)
    assert all(map(math.isfinite, widths))
    assert widths == sorted(widths)
    for level in (1e-12, 9e-10, 1 - 9e-10, 1 - 2.0**-53):
        with pytest.raises(ParameterError, match="must be from 1e-09 to 1 - 1e-09; got "):
            AT_LEVEL[verb](level)


@pytest.mark.parametrize("level", [np.float32(0.75), np.array(0.75), Fraction(3, 4)])
def test_level_of_any_numeric_type_is_a_float(level):
    assert type(check_confidence_level(level)) is float
    assert check_confidence_level(level) == 0.75


NOT_NUMBERS = [
    True,
    np.bool_(True),
    np.array([0.5, 0.6]),
    pd.DataFrame({"a": [1, 2]}),
    np.timedelta64(3, "s"),
    "0.9",
    None,
    1j,
    [],
]


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_values_that_are_not_numbers_are_one_line_errors(value):
    assert as_float(value) is None
    for check in (
        check_confidence_level,
        lambda value: check_count("n", value),
        lambda value: check_choice("method", value, ["bca"]),
        lambda value: check_bounds((value, 1)),
    ):
        with pytest.raises(ParameterError) as error:
            check(value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", [10**400, -(10**400)], ids=["large", "low"])
def test_integers_too_large_for_a_double_are_errors(value):
    assert as_float(value) == math.copysign(math.inf, 1 if value > 0 else -1)
    with pytest.raises(ParameterError, match="confidence_level must be a fraction between 0 and 1"):
        check_confidence_level(value)
    with pytest.raises(ParameterError, match="n must be "):
        check_count("n", value)


@pytest.mark.parametrize(
    ("value", "hint"), [(95, 0.95), (5, 0.95), (99.9, 0.999), (2.5, 0.975), (20, 0.8)]
)
def test_hint_for_a_percentage_is_a_level(value, hint):
    with pytest.raises(ParameterError, match=rf"got {value:g}, did you mean {hint:g}\?"):
        check_confidence_level(value)
    with pytest.raises(ParameterError, match=rf"did you mean {value / 100:g}\?"):
        check_fraction("at_least", value)


def test_quoted_values_are_short_and_on_one_line():
    assert quote(0.5) == "0.5"
    assert quote(np.array([[1, 2], [3, 4]])) == "array([[1, 2], [3, 4]])"
    assert re.fullmatch(r"'x+\.\.\.x+'", quote("x" * 1000))
    assert len(quote("x" * 1000)) == 80
    assert quote(10**5000) == "an integer of 16,610 bits"


def test_location_of_a_too_large_score_is_shortened():
    names = "s" * 5000, "m" * 5000, "q" * 5000
    with pytest.raises(ParameterError, match="scores must lie between") as raised:
        irbounds.ScoreTable((names[1],), (names[0],), (names[2],), np.array([[[1e260]]]))
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("text", "with_point", "with_comma"),
    [
        ("800", 800, 800),
        ("800.0", 800, 800),
        ("800,00", 800, 800),
        ("1,200", 1200, "write 1200 if ',' separates thousands"),
        ("1.200", "write 1200 if '.' separates thousands", 1200),
        ("1,000", 1000, "write 1 or 1000"),
        ("1.000", "write 1 or 1000", 1000),
        ("1 200", 1200, 1200),
        ("1'200", 1200, 1200),
        ("1\u2019200", 1200, 1200),
        ("1\u202f200,00", 1200, 1200),
        ("1,200,300", 1200300, 1200300),
        ("1.200.300", 1200300, 1200300),
        ("1.200.300,0", 1200300, 1200300),
        ("1,200.000", 1200, 1200),
        ("1200.000", 1200, 1200),
        ("0.000", 0, 0),
        ("50%", "a count is needed, not a percentage", "a count is needed, not a percentage"),
        ("12,5 %", "a count is needed, not a percentage", "a count is needed, not a percentage"),
        ("1.2E+05", "write all digits", "write all digits"),
        *(
            (text, "", "")
            for text in (
                *("", "-5", "+5", "many", "2.5", "0,125", "1,20", "1,2000", "1,200.5", "1.200,300"),
                *("1,200.300", "1,200 300", "01,200", "800.", ".0", "..0", "9" * 19, "\u0661"),
            )
        ),
    ],
)
def test_written_counts(text, with_point, with_comma):
    """An integer is the only reading; text is the hint where there is none or another one."""
    for mark, expected in ((".", with_point), (",", with_comma)):
        is_count = isinstance(expected, int)
        assert parse_written_count(text, mark) == (expected if is_count else None)
        hint = f"write {expected}" if is_count else expected
        assert count_hint(text, mark) == (f"; {hint}" if hint else "")


@pytest.mark.parametrize(
    ("word", "choices", "meant"),
    [
        ("runs/bm25.run.gz", ["bm25", "bm25rm3"], "bm25"),
        ("BM25", ["bm25", "bm25rm3"], "bm25"),
        ("hlm", ["holm", "none"], "holm"),
        ("n_bootstrap", ["n_resamples", "seed"], "n_resamples"),
        ("junit", ["quiet", "ties"], None),
        ("power", ["order", "depth"], None),
    ],
)
def test_only_similar_words_are_suggested(word, choices, meant):
    assert find_meant(word, choices) == meant
